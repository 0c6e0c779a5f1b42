import { isDuplicateKey } from './database-errors.js';
import { dialect } from '../config/settings.js';
import type { PositionalSql } from './select-rows.js';

/**
 * Inserts a row whose key another transaction may insert at the same time. Returns null when it was inserted, or the row
 * that was there first. `findCommitted` must see rows committed after the open transaction began.
 */
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
 * A table in a FROM clause that is read by this index. For statements whose index the planner does not find by itself in
 * large tables: for `x = ? AND y < ?` in the order of `y`, MariaDB reads all of `x` rather than the range.
 */
export const byIndex = (table: string, index: string): string =>
  dialect === 'mysql' ? `${table} FORCE INDEX (${index})` : `${table} INDEXED BY ${index}`;

/**
 * What follows the columns of `selectRows` in a page of an ordered query on a table with the key `id`. The rows before the
 * page are not read, if an index has all columns of the conditions and of the order. `table` is its name and an alias.
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
