/**
 * A stopped server's database, opened for bulk statements. Both databases understand the statements of `fill.mjs`: text is
 * joined with `||` and quoted names stand in `"`. What differs between them stands here.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Rows of one statement. */
export const chunkRows = 100_000;
/** Ids are spread over this many values, as those of the server are. */
const idSpace = 2 ** 32;
const ownTables = ['bench_numbers', 'bench_texts', 'bench_secrets'];

/** @param {readonly ['sqlite' | 'mysql', string]} place its kind, and its file or URL */
export async function openDatabase([kind, address]) {
  const database = kind === 'sqlite' ? openSqlite(address) : await openMysql(address);
  await database.run('CREATE TABLE bench_numbers (n INTEGER PRIMARY KEY)');
  const digits = Array.from({ length: 100 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ');
  await database.run(`INSERT INTO bench_numbers SELECT a.d * 1000 + b.d * 10 + c.d
    FROM (${digits}) a, (${digits}) b, (${digits}) c WHERE c.d < 10`);
  return {
    ...database,
    /** A query of the numbers from 0. */
    numbers(count) {
      const chunks = Array.from({ length: Math.ceil(count / chunkRows) }, (_, chunk) => chunk * chunkRows);
      return chunks
        .map(
          (from) =>
            `SELECT n + ${from} AS n FROM bench_numbers WHERE n < ${Math.min(chunkRows, count - from)}`,
        )
        .join(' UNION ALL ');
    },
    async dropOwnTables() {
      for (const table of ownTables) await database.run(`DROP TABLE IF EXISTS ${table}`);
    },
  };
}

/**
 * An id as SQL for row `n` of `count`: 26 characters that grow with `n`, so that rows added in this order are added at the
 * end of the primary key. No two tables share them.
 */
export function idOf(database, n, count, table) {
  const salt = table.replaceAll('_', '').padEnd(10, '0').slice(0, 10);
  const mixed = `(((${n}) * 2654435761) % ${idSpace})`;
  return `${database.hex8(`(${n}) * ${Math.floor(idSpace / count)}`)} || ${database.hex8(mixed)} || '${salt}'`;
}

/**
 * The numbers of `count` rows as SQL: `n` in order of ids, `k` in order of time. On MySQL rows are added in order of ids, as
 * a table is kept in that order and would be torn to and fro otherwise; on SQLite in order of time, as the server does it.
 */
export function numbering({ isSqlite }, count) {
  const [mixed, back] = isSqlite ? ['n', 'k'] : ['k', 'n'];
  let factor = 7_654_321;
  while (divisor(factor, count) > 1) factor += 2;
  const by = isSqlite ? inverse(factor, count) : factor % count;
  return { [mixed]: `((numbers.n * ${by}) % ${count})`, [back]: 'numbers.n' };
}

const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

function inverse(factor, count) {
  let [a, b, x, y] = [BigInt(factor % count), BigInt(count), 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % BigInt(count)) + BigInt(count)) % BigInt(count);
}

function openSqlite(file) {
  const { DatabaseSync } = require('@photostructure/sqlite');
  const connection = new DatabaseSync(file);
  for (const pragma of [
    'foreign_keys = OFF',
    'journal_mode = OFF',
    'synchronous = OFF',
    'cache_size = -1000000',
  ])
    connection.exec(`PRAGMA ${pragma}`);
  const rows = async (sql, parameters = []) => connection.prepare(sql).all(...parameters);
  return {
    isSqlite: true,
    rows,
    run: async (sql, parameters = []) => void connection.prepare(sql).run(...parameters),
    hex8: (number) => `printf('%08x', ${number})`,
    columns: async (table) =>
      (await rows(`PRAGMA table_xinfo(${table})`))
        .filter(({ hidden }) => hidden === 0)
        .map(({ name }) => name),
    /** Drops the indexes of a table, and returns what makes them again. */
    async dropIndexes(table) {
      const indexes = await rows(
        `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '${table}' AND sql IS NOT NULL`,
      );
      for (const { name } of indexes) connection.exec(`DROP INDEX "${name}"`);
      return () => Promise.resolve(indexes.forEach(({ sql }) => connection.exec(sql)));
    },
    async close() {
      for (const sql of ['ANALYZE', 'PRAGMA journal_mode = WAL', 'PRAGMA wal_checkpoint(TRUNCATE)'])
        connection.exec(sql);
      connection.close();
    },
  };
}

/** While a database is filled; the servers of the bench are small otherwise. Each knows one name for its log. */
const fillSettings = {
  innodb_buffer_pool_size: 2 ** 30,
  innodb_log_file_size: 2 ** 30,
  innodb_redo_log_capacity: 2 ** 30,
  innodb_flush_log_at_trx_commit: 0,
  innodb_io_capacity_max: 20_000,
  innodb_io_capacity: 10_000,
};

/** Returns what puts the settings back, as far as the server allows it: without them, filling takes longer. */
async function prepareToFill(connection) {
  const set = (name, value) => connection.query(`SET GLOBAL ${name} = ${value}`).catch(() => undefined);
  const before = [];
  for (const [name, value] of Object.entries(fillSettings)) {
    const [rows] = await connection.query('SHOW GLOBAL VARIABLES LIKE ?', [name]);
    if (rows.length > 0 && (await set(name, value))) before.unshift([name, rows[0].Value]);
  }
  return async () => {
    for (const [name, value] of before) await set(name, value);
  };
}

async function openMysql(uri) {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri, multipleStatements: false, supportBigNumbers: true });
  const rows = async (sql, parameters = []) => (await connection.query(sql, parameters))[0];
  await connection.query("SET SESSION sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT,ANSI_QUOTES')");
  await connection.query('SET SESSION foreign_key_checks = 0, unique_checks = 0');
  const restore = await prepareToFill(connection);
  const tables = async () =>
    (await rows('SHOW FULL TABLES WHERE Table_type = ?', ['BASE TABLE'])).map((row) => Object.values(row)[0]);
  return {
    isSqlite: false,
    rows,
    run: async (sql, parameters = []) => void (await connection.query(sql, parameters)),
    hex8: (number) => `LPAD(LOWER(HEX(${number})), 8, '0')`,
    columns: async (table) =>
      (await rows(`SHOW COLUMNS FROM ${table}`))
        .filter(({ Extra }) => !/GENERATED/.test(Extra))
        .map(({ Field }) => Field),
    async dropIndexes(table) {
      const [[, definition]] = (await rows(`SHOW CREATE TABLE ${table}`)).map(Object.values);
      const keys = [...definition.matchAll(/^ +((?:UNIQUE |FULLTEXT )?KEY "(\w+)".*?),?$/gm)];
      for (const [, , name] of keys) await connection.query(`ALTER TABLE ${table} DROP KEY "${name}"`);
      return async () => {
        const isFullText = ([, key]) => key.startsWith('FULLTEXT');
        const plain = keys.filter((key) => !isFullText(key)).map(([, key]) => `ADD ${key}`);
        if (plain.length > 0) await connection.query(`ALTER TABLE ${table} ${plain.join(', ')}`);
        for (const [, key] of keys.filter(isFullText))
          await connection.query(`ALTER TABLE ${table} ADD ${key}`);
      };
    },
    async close() {
      for (const table of await tables()) await connection.query(`ANALYZE TABLE ${table}`);
      await restore();
      await connection.end();
    },
  };
}
