import mysql from 'mysql2';
import { columns, marks } from './rows.mjs';

const READERS = 4;

/** Reads and writes a MySQL-compatible database: each read is one statement, each batch of rows one round trip. */
export function open(uri) {
  const shared = { uri, charset: 'utf8mb4', supportBigNumbers: true };
  const readers = mysql.createPool({ ...shared, connectionLimit: READERS });
  const writer = mysql.createConnection({ ...shared, multipleStatements: true });
  return {
    select: (sql, values) =>
      new Promise((resolve, reject) => {
        readers.query(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
      }),
    insert: (groups) =>
      new Promise((resolve, reject) => {
        const inserts = [...groups].map(
          ([table, rows]) =>
            `INSERT INTO ${table} (${columns[table]}) VALUES ${rows.map(() => marks(table)).join(',')}`,
        );
        // A single statement is its own transaction.
        const sql = inserts.length === 1 ? inserts[0] : ['BEGIN', ...inserts, 'COMMIT'].join(';');
        const values = [...groups.values()].flat(2);
        writer.query(sql, values, (error) => (error ? reject(error) : resolve()));
      }),
  };
}
