import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

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
