import type { EntityManager } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { dialect } from '../config/settings.js';
import type { SqliteDatabase } from './sqlite/sqlite-database.js';

const MAX_BYTES_OF_CHARACTER = 3;
const BYTES_OF_NUMBER = 8;

/** The parts of an INSERT: its beginning, and the values group of each row. */
export interface InsertTexts {
  readonly into: string;
  readonly group: string;
}

/** An SQL statement. Its text is constant except for the number of rows. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Set on a single-row INSERT: adjacent ones with the same texts may be merged. */
  readonly insert?: InsertTexts;
}

/** The text of an INSERT of `rowCount` rows. */
export function insertText({ into, group }: InsertTexts, rowCount: number): string {
  return `${into} ${group}${`,${group}`.repeat(rowCount - 1)}`;
}

/**
 * Runs a statement in the transaction of `manager`. Returns the number of changed rows: synchronously on
 * SQLite, where running a prepared statement per row is twice as fast as a multi-row insert.
 */
export function execute(manager: EntityManager, { sql, parameters }: Statement): number | Promise<number> {
  if (dialect === 'sqlite' && manager.queryRunner?.isTransactionActive) {
    const driver = manager.dataSource.driver as BetterSqlite3Driver;
    return Number((driver.databaseConnection as SqliteDatabase).prepare(sql).run(...parameters).changes);
  }
  return manager.query(sql, [...parameters]).then(affectedOf);
}

/** The number of changed rows in a result of the MySQL driver. */
export function affectedOf(answer: unknown): number {
  const { affectedRows } = (answer ?? {}) as { readonly affectedRows?: unknown };
  return typeof affectedRows === 'number' ? affectedRows : 0;
}

/** An upper bound for the size of the parameters on the wire. */
export function sizeOfStatements(statements: readonly Statement[]): number {
  let bytes = 0;
  for (const { parameters } of statements)
    for (const value of parameters)
      bytes += typeof value === 'string' ? MAX_BYTES_OF_CHARACTER * value.length : BYTES_OF_NUMBER;
  return bytes;
}
