import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/*
 * Plain SQL for the paths on which speed counts. The statement texts are constant for a given number of rows, so
 * that both databases can reuse them; the query builder writes numbers into the text (stack 2.4).
 */

const plans = new WeakMap<object, { columns: string[]; properties: string[]; table: string }>();

/** Inserts whole entities with one statement. Every mapped property must be set. */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T> & object,
  rows: readonly T[],
): Promise<void> {
  if (rows.length === 0) return;
  const metadata = manager.dataSource.getMetadata(entity);
  let plan = plans.get(metadata);
  if (!plan) {
    plan = {
      columns: metadata.columns.map((column) => manager.dataSource.driver.escape(column.databaseName)),
      properties: metadata.columns.map((column) => column.propertyName),
      table: manager.dataSource.driver.escape(metadata.tableName),
    };
    plans.set(metadata, plan);
  }
  const parameters: unknown[] = [];
  for (const row of rows) {
    for (const property of plan.properties) {
      const value: unknown = row[property];
      parameters.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
    }
  }
  const group = `(${plan.columns.map(() => '?').join(',')})`;
  await manager.query(
    `INSERT INTO ${plan.table} (${plan.columns.join(',')}) VALUES ${Array.from(rows, () => group).join(',')}`,
    parameters,
  );
}

/** How many rows a data-changing statement touched, on either database. */
export function affectedRows(result: unknown): number {
  if (typeof result === 'number') return result;
  return (result as { affectedRows?: number } | undefined)?.affectedRows ?? 0;
}
