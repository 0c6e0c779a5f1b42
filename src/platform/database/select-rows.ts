import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, ValueTransformer } from 'typeorm';

type Convert = (value: unknown) => unknown;

/** A column of a table, and its property in an entity. */
export interface RowColumn {
  readonly property: string;
  /** The escaped names of the column and, for `AS`, of the property. */
  readonly column: string;
  readonly alias: string;
  /** Set if the drivers return values in a different form than the entity. */
  readonly convert: Convert | undefined;
}

interface SelectPlan {
  readonly select: string;
  readonly converted: readonly { readonly property: string; readonly convert: Convert }[];
}

const plans = new WeakMap<object, SelectPlan>();

/**
 * Reads whole rows of an entity as plain objects, for rows that are only returned to clients: the statement
 * text is constant, and nothing is hydrated, which takes longer than the query itself. `from` is the text
 * after `FROM`: table, conditions and order.
 */
export async function selectRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  from: string,
  parameters: readonly unknown[],
): Promise<T[]> {
  const plan = selectPlan(manager.dataSource, entity);
  const rows = await manager.query<Record<string, unknown>[]>(`${plan.select} FROM ${from}`, [...parameters]);
  for (const row of rows)
    for (const { property, convert } of plan.converted) row[property] = convert(row[property]);
  return rows as T[];
}

/** The columns of an entity, for statements that select them the way `selectRows` does. */
export function rowColumns<T extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<T>,
): RowColumn[] {
  const { driver } = dataSource;
  return dataSource.getMetadata(entity).columns.map(({ databaseName, propertyName, type, transformer }) => ({
    property: propertyName,
    column: driver.escape(databaseName),
    alias: driver.escape(propertyName),
    convert: type === 'boolean' ? Boolean : fromDatabase(transformer),
  }));
}

/** A part of a statement, with its positional parameters. */
export interface PositionalSql {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Replaces named parameters such as `:name` with positional ones. */
export function positional(sql: string, values: Readonly<Record<string, unknown>>): PositionalSql {
  const parameters: unknown[] = [];
  const replaced = sql.replace(/:(\w+)/g, (_, name: string) => {
    parameters.push(values[name]);
    return '?';
  });
  return { sql: replaced, parameters };
}

function selectPlan<T extends ObjectLiteral>(dataSource: DataSource, entity: EntityTarget<T>): SelectPlan {
  const metadata = dataSource.getMetadata(entity);
  let plan = plans.get(metadata);
  if (!plan) {
    const columns = rowColumns(dataSource, entity);
    plan = {
      select: `SELECT ${columns.map(({ column, alias }) => `${column} AS ${alias}`).join(',')}`,
      converted: columns.flatMap(({ property, convert }) => (convert ? [{ property, convert }] : [])),
    };
    plans.set(metadata, plan);
  }
  return plan;
}

function fromDatabase(transformer: ValueTransformer | ValueTransformer[] | undefined): Convert | undefined {
  if (Array.isArray(transformer)) throw new Error('Rows are read with one transformer at most.');
  return transformer && ((value) => transformer.from(value) as unknown);
}
