import type { EntityManager } from 'typeorm';
import { dialect } from '../config/dialect.js';
import type { SqliteDatabase, SqliteStatement } from './sqlite/sqlite-database.js';

const MAX_PREPARED = 500;
const MAX_BYTES_OF_CHARACTER = 3;
const BYTES_OF_NUMBER = 8;

/** One statement of SQL whose text is constant, save for the number of its rows. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const preparedOf = new WeakMap<SqliteDatabase, Map<string, SqliteStatement>>();

/** Runs a statement in the transaction of `manager`, and gives the number of rows it has changed. */
export async function execute(manager: EntityManager, { sql, parameters }: Statement): Promise<number> {
  if (dialect === 'sqlite' && manager.queryRunner?.isTransactionActive) {
    const database = (await manager.queryRunner.connect()) as SqliteDatabase;
    return Number(prepared(database, sql).run(...parameters).changes);
  }
  return affectedOf(await manager.query(sql, [...parameters]));
}

/** The number of changed rows in what the driver for MySQL answers. */
export function affectedOf(answer: unknown): number {
  const { affectedRows } = (answer ?? {}) as { readonly affectedRows?: unknown };
  return typeof affectedRows === 'number' ? affectedRows : 0;
}

/** About how many bytes the parameters take on their way to the database; never too few. */
export function sizeOfStatements(statements: readonly Statement[]): number {
  let bytes = 0;
  for (const { parameters } of statements)
    for (const value of parameters)
      bytes += typeof value === 'string' ? MAX_BYTES_OF_CHARACTER * value.length : BYTES_OF_NUMBER;
  return bytes;
}

/** Prepared once and run for each row, a statement is twice as fast on the embedded engine as one with many rows. */
function prepared(database: SqliteDatabase, sql: string): SqliteStatement {
  const known = preparedOf.get(database) ?? new Map<string, SqliteStatement>();
  preparedOf.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.delete(sql); // the one used last comes last
  known.set(sql, statement);
  const oldest = known.size > MAX_PREPARED ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  return statement;
}
