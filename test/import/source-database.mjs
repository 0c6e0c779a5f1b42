/** Databases to import from, on a MySQL-compatible server. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import { startDatabaseServer } from '../../scripts/database-server.mjs';
import { createStatements, sourceTables, tableName } from './source-tables.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const ALPHABET = 'ybndrfg8ejkmcpqxot1uwisza345h769';
/** Rows in one INSERT. */
const BATCH = 500;
/** The time of rows that name none. */
export const THEN = 1_700_000_000_000;

/** What the database of version 5.37 must still be after an import: passwords, tokens, webhooks. */
export const readFacts = () => JSON.parse(readFileSync(path.join(here, 'dumps', 'server-5.37.json'), 'utf8'));

/** The dump of the database of version 5.37, which a server wrote. */
export const readDump = () =>
  gunzipSync(readFileSync(path.join(here, 'dumps', 'server-5.37.sql.gz'))).toString('utf8');

/** An id that is always the same for the same name. @param {string} name */
export function idOf(name) {
  const bytes = createHash('sha256').update(name).digest();
  return Array.from({ length: 26 }, (_, index) => ALPHABET[bytes[index] % 32]).join('');
}

/** A database to import from. `url` is of a user who may only read. */
export class SourceDatabase {
  #end;
  #reader;

  constructor(connection, url, reader, end) {
    /** An administrator's connection. @readonly @type {import('mysql2/promise').Connection} */
    this.connection = connection;
    /** @readonly @type {string} */
    this.url = url;
    this.#reader = reader;
    this.#end = end;
  }

  /** An empty database on the server of TEST_MYSQL_URL, or on one of its own. */
  static async open({ charset = 'utf8mb4', isSmall = true } = {}) {
    const server = process.env.TEST_MYSQL_URL
      ? { url: process.env.TEST_MYSQL_URL, stop: async () => undefined }
      : await startDatabaseServer({ isSmall, say: () => undefined });
    const name = `source_${idOf(`${process.pid} ${performance.now()}`)}`;
    const reader = name.slice(0, 24);
    const password = idOf(`password ${name}`);
    const connection = await createConnection({
      uri: server.url,
      multipleStatements: true,
      charset: 'utf8mb4',
    });
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET ${charset}`);
    await connection.query(`CREATE USER '${reader}'@'%' IDENTIFIED BY '${password}'`);
    await connection.query(`GRANT SELECT ON ${name}.* TO '${reader}'@'%'`);
    await connection.query(`USE ${name}`);
    const url = new URL(server.url);
    Object.assign(url, { username: reader, password, pathname: `/${name}` });
    return new SourceDatabase(connection, url.href, reader, server.stop);
  }

  get name() {
    return new URL(this.url).pathname.slice(1);
  }

  /** Runs a dump. @param {string} sql */
  async load(sql) {
    await this.connection.query(sql);
  }

  /**
   * Creates the tables of a layout and inserts rows; columns that a layout lacks are left out.
   *
   * @param {import('./source-tables.mjs').Layout} layout
   * @param {readonly (readonly [string, Readonly<Record<string, unknown>>])[]} rows
   */
  async build(layout, rows) {
    for (const statement of createStatements(layout)) await this.connection.query(statement);
    await this.insert(layout, rows);
  }

  /**
   * @param {import('./source-tables.mjs').Layout} layout
   * @param {readonly (readonly [string, Readonly<Record<string, unknown>>])[]} rows
   */
  async insert(layout, rows) {
    const tables = sourceTables(layout);
    await this.connection.query("SET SESSION sql_mode = ''"); // as old servers: text that a column cannot hold is changed
    for (const [name, table] of tables) {
      const ofTable = rows.filter(([other]) => other === name).map(([, row]) => row);
      const columns = table.columns.map((column) => `\`${column.name}\``).join(', ');
      const into = `INSERT INTO ${tableName(layout, name)} (${columns}) VALUES ?`;
      for (let at = 0; at < ofTable.length; at += BATCH) {
        const values = ofTable
          .slice(at, at + BATCH)
          .map((row) => table.columns.map((column) => valueOf(column, row)));
        await this.connection.query(into, [values]);
      }
    }
  }

  /** @param {string} sql @param {unknown[]} [parameters] @returns {Promise<any[]>} */
  async rows(sql, parameters) {
    const [rows] = await this.connection.query(sql, parameters);
    return /** @type {any[]} */ (rows);
  }

  /** The number of rows of a table, by its usual name. @param {string} table */
  async count(table) {
    const stored = (await this.#names()).find((name) => name.toLowerCase() === table.toLowerCase());
    const [{ count }] = await this.rows(`SELECT COUNT(*) AS count FROM \`${stored}\``);
    return Number(count);
  }

  /** Whether a table exists, by its usual name. @param {string} table */
  async has(table) {
    return (await this.#names()).some((name) => name.toLowerCase() === table.toLowerCase());
  }

  /** A checksum of each table. */
  async checksums() {
    const names = (await this.#names()).map((name) => `\`${name}\``);
    return this.rows(`CHECKSUM TABLE ${names.join(', ')}`);
  }

  async #names() {
    const rows = await this.rows(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    return rows.map(({ name }) => String(name));
  }

  async close() {
    await this.connection.query(`DROP DATABASE IF EXISTS ${this.name}`);
    await this.connection.query(`DROP USER '${this.#reader}'@'%'`);
    await this.connection.end();
    await this.#end();
  }
}

/** A row's value of a column, or what a server stores there for nothing. */
function valueOf({ name, type, isNullable }, row) {
  if (Object.hasOwn(row, name)) return row[name];
  if (row.isNull && isNullable) return null;
  if (name === 'AuthData') return null; // unique
  if (name === 'CreateAt' || name === 'UpdateAt') return THEN;
  if (/^(FileIds|Filenames|TriggerWords|CallbackURLs)$/.test(name)) return '[]';
  if (/^(Props|NotifyProps|Timezone)$/.test(name) || type === 'json') return '{}';
  if (/int/.test(type)) return 0;
  return type.startsWith('enum') ? type.slice(6, 7) : '';
}
