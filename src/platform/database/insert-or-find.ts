import { isDuplicateKey } from './database-errors.js';
import { dialect } from '../config/settings.js';
import type { PositionalSql } from './select-rows.js';

/** Inserts a row, or returns the one that another transaction has inserted, which `findCommitted` must see. */
export async function insertOrFind<Row>(
  insert: () => Promise<void>,
  findCommitted: () => Promise<Row | null>,
): Promise<Row | null> {
  try {
    await insert();
    return null;
  } catch (error) {
    const existing = isDuplicateKey(error) ? await findCommitted() : null;
    if (!existing) throw error;
    return existing;
  }
}

/**
 * A table in a FROM clause, read through the given index. For large tables where the planner picks the wrong
 * one: for `x = ? AND y < ?` ordered by `y`, MariaDB reads all of `x` instead of the range.
 */
export const byIndex = (table: string, index: string): string =>
  dialect === 'mysql' ? `${table} FORCE INDEX (${index})` : `${table} INDEXED BY ${index}`;

/**
 * The FROM clause for `selectRows` that reads one page of an ordered query, on a table keyed by `id`. Skips
 * the rows before the page if an index covers conditions and order. `table`: its name and alias.
 */
export function pageSql(
  table: string,
  { sql, parameters }: PositionalSql,
  order: string,
  offset: number,
  limit: number,
): PositionalSql {
  const page = `${table} ${sql} ORDER BY ${order} LIMIT ?`;
  if (offset === 0) return { sql: page, parameters: [...parameters, limit] };
  const alias = table.split(' ')[1];
  return {
    sql: `${table} JOIN (SELECT ${alias}.id AS place_id FROM ${page} OFFSET ?) place ON place.place_id = ${alias}.id ORDER BY ${order}`,
    parameters: [...parameters, limit, offset],
  };
}
