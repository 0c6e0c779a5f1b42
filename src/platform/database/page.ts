import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { PositionalSql } from './select-rows.js';

/**
 * A page of an ordered query on a table with the key `id`. The rows before it are not read, if an index has all columns of
 * the conditions and of the order.
 */
export function pageOf<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  offset: number,
  limit: number,
): SelectQueryBuilder<Row> {
  if (offset === 0) return query.limit(limit);
  const { alias, expressionMap } = query;
  const places = query.clone().select(`${alias}.id`, 'id').offset(offset).limit(limit);
  const rows = query.clone();
  rows.expressionMap.wheres = [];
  return rows
    .innerJoin(`(${places.getQuery()})`, 'place', `place.id = ${alias}.id`)
    .setParameters(places.getParameters())
    .orderBy(expressionMap.orderBys);
}

/** As `pageOf`, for `selectRows`: what follows the columns. `table` is its name and an alias. */
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
