import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, ValueTransformer } from 'typeorm';
import { dialect } from '../config/settings.js';
import { execute, type InsertTexts, insertText, type Statement } from './statement.js';

/*
 * Plain SQL for hot paths. The statement texts are constant, so that both databases can cache them; the query
 * builder embeds numbers in the text.
 */

/** Rows of one entity to insert in the transaction of another change. */
export interface RowsToInsert {
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly rows: readonly ObjectLiteral[];
  readonly afterCommit?: () => void;
}

interface InsertColumn {
  readonly property: string;
  /** Undefined if the values are stored unchanged, or as JSON. */
  readonly convert: ((value: unknown) => unknown) | undefined;
}

interface InsertPlan extends InsertTexts {
  readonly columns: readonly InsertColumn[];
  readonly one: string;
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
  // Outside a transaction only a single statement is atomic.
  const statements = queryRunner?.isTransactionActive
    ? insertStatements(dataSource, entity, rows)
    : [insertStatement(insertPlan(dataSource, entity), rows)];
  for (const statement of statements) await execute(manager, statement);
}

/** Statements that insert whole rows in a transaction: one per row on SQLite, a single one on MySQL. */
export function insertStatements<T extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<T>,
  rows: readonly T[],
): Statement[] {
  if (rows.length === 0) return [];
  const plan = insertPlan(dataSource, entity);
  return dialect === 'sqlite'
    ? rows.map((row) => insertStatement(plan, [row]))
    : [insertStatement(plan, rows)];
}

/** A row to insert only if a condition is met. */
export interface ConditionalRow<T> {
  readonly row: T;
  /** The text after FROM: yields one row if the condition is met, else none. */
  readonly condition: Statement;
}

/** A statement that inserts each row of an entity if its condition is met. MySQL only. */
export function insertIfStatement<T extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<T>,
  rows: readonly ConditionalRow<T>[],
): Statement {
  const plan = insertPlan(dataSource, entity);
  const parameters: unknown[] = [];
  const values = plan.columns.map(() => '?').join(',');
  const selects = rows.map(({ row, condition }) => {
    addParameters(row, plan, parameters);
    parameters.push(...condition.parameters);
    return `SELECT ${values} FROM ${condition.sql}`;
  });
  return { sql: `${plan.into.replace(/ VALUES$/, '')} ${selects.join(' UNION ALL ')}`, parameters };
}

function insertStatement(plan: InsertPlan, rows: readonly ObjectLiteral[]): Statement {
  const parameters: unknown[] = [];
  for (const row of rows) addParameters(row, plan, parameters);
  if (rows.length === 1) return { sql: plan.one, parameters, insert: plan };
  return { sql: insertText(plan, rows.length), parameters };
}

function insertPlan<T extends ObjectLiteral>(dataSource: DataSource, entity: EntityTarget<T>): InsertPlan {
  const metadata = dataSource.getMetadata(entity);
  let plan = plans.get(metadata);
  if (!plan) {
    const escape = (name: string): string => dataSource.driver.escape(name);
    const names = metadata.columns.map((column) => escape(column.databaseName));
    const columns = metadata.columns.map(({ propertyName: property, type, transformer }) => ({
      property,
      convert: type === 'bigint' ? undefined : toDatabase(transformer),
    }));
    const into = `INSERT INTO ${escape(metadata.tableName)} (${names.join(',')}) VALUES`;
    const group = `(${names.map(() => '?').join(',')})`;
    plan = { columns, into, group, one: `${into} ${group}` };
    plans.set(metadata, plan);
  }
  return plan;
}

function addParameters(row: ObjectLiteral, plan: InsertPlan, parameters: unknown[]): void {
  for (const { property, convert } of plan.columns) {
    const value: unknown = row[property];
    if (convert) parameters.push(convert(value));
    else parameters.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  }
}

function toDatabase(transformer: ValueTransformer | ValueTransformer[] | undefined): InsertColumn['convert'] {
  if (Array.isArray(transformer)) throw new Error('Rows are stored with one transformer at most.');
  return transformer && ((value) => transformer.to(value) as unknown);
}
