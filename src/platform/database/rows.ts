import type { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { dialect } from '../config/dialect.js';
import { execute, type Statement } from './statement.js';

/*
 * Plain SQL for the paths on which speed counts. The statement texts are constant, so that both databases can reuse
 * them; the query builder writes numbers into the text.
 */

/** Rows of one entity that are inserted along with a change, in its transaction. */
export interface RowsToInsert {
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly rows: readonly ObjectLiteral[];
  /** Runs once they are stored, and never if they are not. */
  readonly afterCommit?: () => void;
}

interface InsertPlan {
  readonly properties: readonly string[];
  readonly into: string;
  readonly group: string;
}

const plans = new WeakMap<object, InsertPlan>();

/** Inserts whole rows of an entity. Every mapped property must be set; objects are stored as JSON. */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly T[],
): Promise<void> {
  if (rows.length === 0) return;
  const { dataSource, queryRunner } = manager;
  // Outside a transaction the rows are stored together or not at all in one statement only.
  const statements = queryRunner?.isTransactionActive
    ? insertStatements(dataSource, entity, rows)
    : [insertTogether(insertPlan(dataSource, entity), rows)];
  for (const statement of statements) await execute(manager, statement);
}

/** The statements that insert whole rows of an entity, for a transaction: as many as are fastest on the database. */
export function insertStatements<T extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<T>,
  rows: readonly T[],
): Statement[] {
  if (rows.length === 0) return [];
  const plan = insertPlan(dataSource, entity);
  return dialect === 'sqlite' ? rows.map((row) => insertTogether(plan, [row])) : [insertTogether(plan, rows)];
}

function insertTogether(plan: InsertPlan, rows: readonly ObjectLiteral[]): Statement {
  const parameters: unknown[] = [];
  for (const row of rows) addParameters(row, plan, parameters);
  const groups = rows.length === 1 ? plan.group : Array.from(rows, () => plan.group).join(',');
  return { sql: `${plan.into} ${groups}`, parameters };
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

function addParameters(row: ObjectLiteral, plan: InsertPlan, parameters: unknown[]): void {
  for (const property of plan.properties) {
    const value: unknown = row[property];
    parameters.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  }
}
