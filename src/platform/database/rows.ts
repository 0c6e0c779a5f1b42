import type { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { dialect } from '../config/dialect.js';
import type { Statement } from './statement.js';
import type { SqliteDatabase, SqliteStatement } from './sqlite/sqlite-database.js';

/*
 * Plain SQL for the paths on which speed counts. The statement texts are constant, so that both databases can reuse
 * them; the query builder writes numbers into the text.
 */

interface InsertPlan {
  readonly properties: readonly string[];
  readonly into: string;
  readonly group: string;
}

const plans = new WeakMap<object, InsertPlan>();
const statements = new WeakMap<SqliteDatabase, Map<string, SqliteStatement>>();

/** Inserts whole rows of an entity. Every mapped property must be set; objects are stored as JSON. */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly T[],
): Promise<void> {
  if (rows.length === 0) return;
  const plan = insertPlan(manager.dataSource, entity);
  if (dialect === 'sqlite' && manager.queryRunner) {
    // One statement prepared once and run for each row is twice as fast here as one with many rows.
    const database = (await manager.queryRunner.connect()) as SqliteDatabase;
    const statement = prepared(database, `${plan.into} ${plan.group}`);
    for (const row of rows) statement.runList(toParameters(row, plan, []));
    return;
  }
  const { sql, parameters } = insertStatement(manager.dataSource, entity, rows);
  await manager.query(sql, [...parameters]);
}

/** The one statement that inserts whole rows of an entity. */
export function insertStatement<T extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<T>,
  rows: readonly T[],
): Statement {
  const plan = insertPlan(dataSource, entity);
  const parameters: unknown[] = [];
  for (const row of rows) toParameters(row, plan, parameters);
  return { sql: `${plan.into} ${Array.from(rows, () => plan.group).join(',')}`, parameters };
}

function insertPlan<T extends ObjectLiteral>(dataSource: DataSource, entity: EntityTarget<T>): InsertPlan {
  const metadata = dataSource.getMetadata(entity);
  let plan = plans.get(metadata);
  if (!plan) {
    const escape = (name: string): string => dataSource.driver.escape(name);
    const columns = metadata.columns.map((column) => escape(column.databaseName));
    plan = {
      properties: metadata.columns.map((column) => column.propertyName),
      into: `INSERT INTO ${escape(metadata.tableName)} (${columns.join(',')}) VALUES`,
      group: `(${columns.map(() => '?').join(',')})`,
    };
    plans.set(metadata, plan);
  }
  return plan;
}

function toParameters(row: ObjectLiteral, plan: InsertPlan, parameters: unknown[]): unknown[] {
  for (const property of plan.properties) {
    const value: unknown = row[property];
    parameters.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  }
  return parameters;
}

function prepared(database: SqliteDatabase, sql: string): SqliteStatement {
  const known = statements.get(database) ?? new Map<string, SqliteStatement>();
  statements.set(database, known);
  let statement = known.get(sql);
  if (!statement) known.set(sql, (statement = database.prepare(sql)));
  return statement;
}
