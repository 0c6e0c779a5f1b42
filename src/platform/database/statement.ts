import type { EntityManager } from 'typeorm';
import { dialect } from '../config/dialect.js';
import type { SqliteDatabase, SqliteStatement } from './sqlite/sqlite-database.js';

const MAX_PREPARED = 500;
const MAX_BYTES_OF_CHARACTER = 3;
const BYTES_OF_NUMBER = 8;

/** An SQL statement. Its text is constant except for the number of rows. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const preparedOf = new WeakMap<SqliteDatabase, Map<string, SqliteStatement>>();

/** Runs a statement in the transaction of `manager`. Returns the number of rows it changed. */
export async function execute(manager: EntityManager, { sql, parameters }: Statement): Promise<number> {
  if (dialect === 'sqlite' && manager.queryRunner?.isTransactionActive) {
    const database = (await manager.queryRunner.connect()) as SqliteDatabase;
    return Number(prepareCached(database, sql).run(...parameters).changes);
  }
  return affectedOf(await manager.query(sql, [...parameters]));
}

/** The number of changed rows in a result of the MySQL driver. */
export function affectedOf(answer: unknown): number {
  const { affectedRows } = (answer ?? {}) as { readonly affectedRows?: unknown };
  return typeof affectedRows === 'number' ? affectedRows : 0;
}

/** An upper bound of the bytes that the parameters take on the wire. */
export function sizeOfStatements(statements: readonly Statement[]): number {
  let bytes = 0;
  for (const { parameters } of statements)
    for (const value of parameters)
      bytes += typeof value === 'string' ? MAX_BYTES_OF_CHARACTER * value.length : BYTES_OF_NUMBER;
  return bytes;
}

/** Caches prepared statements: on SQLite, one prepared statement run per row is twice as fast as a multi-row insert. */
function prepareCached(database: SqliteDatabase, sql: string): SqliteStatement {
  const cache = preparedOf.get(database) ?? new Map<string, SqliteStatement>();
  preparedOf.set(database, cache);
  const statement = cache.get(sql) ?? database.prepare(sql);
  cache.delete(sql); // keeps the map in order of last use
  cache.set(sql, statement);
  const oldest = cache.size > MAX_PREPARED ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  return statement;
}
