import type { PositionalSql } from './select-rows.js';

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
