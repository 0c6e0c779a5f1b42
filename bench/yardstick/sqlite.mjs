import { createRequire } from 'node:module';
import { columns, marks } from './rows.mjs';

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite');

/** Reads and writes the embedded database. */
export function open(file) {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const statements = new Map();
  const prepare = (sql) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
  return {
    select: (sql, values) => prepare(sql).all(...values),
    insert(groups) {
      database.exec('BEGIN IMMEDIATE');
      for (const [table, rows] of groups) {
        const statement = prepare(`INSERT INTO ${table} (${columns[table]}) VALUES ${marks(table)}`);
        for (const row of rows) statement.run(...row);
      }
      database.exec('COMMIT');
    },
  };
}
