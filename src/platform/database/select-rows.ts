import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, ValueTransformer } from 'typeorm';

/** How the rows of an entity are selected. */
interface SelectPlan {
  /** `SELECT …` with all columns. */
  readonly select: string;
  /** The columns whose values the drivers give in another form than the entity has. */
  readonly conversions: readonly (readonly [property: string, convert: (value: unknown) => unknown])[];
}

const plans = new WeakMap<object, SelectPlan>();

/**
 * Reads whole rows of an entity as plain objects, for reads whose rows are only answered: the text of the statement is
 * always the same, and nothing is hydrated, which takes longer than the statement. `from` follows `FROM`: the table,
 * conditions and order.
 */
export async function selectRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  from: string,
  parameters: readonly unknown[],
): Promise<T[]> {
  const { select, conversions } = selectPlan(manager.dataSource, entity);
  const rows = await manager.query<Record<string, unknown>[]>(`${select} FROM ${from}`, [...parameters]);
  for (const row of rows)
    for (const [property, convert] of conversions) row[property] = convert(row[property]);
  return rows as T[];
}

/** A part of a statement, with its values in the order of their places. */
export interface PositionalSql {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A condition whose named parameters, as `:name`, are in their places. */
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
    const escape = (name: string): string => dataSource.driver.escape(name);
    const columns = metadata.columns.map(
      ({ databaseName, propertyName }) => `${escape(databaseName)} AS ${escape(propertyName)}`,
    );
    plan = {
      select: `SELECT ${columns.join(',')}`,
      conversions: metadata.columns.flatMap((column): SelectPlan['conversions'] => {
        const convert = column.type === 'boolean' ? Boolean : fromDatabase(column.transformer);
        return convert ? [[column.propertyName, convert]] : [];
      }),
    };
    plans.set(metadata, plan);
  }
  return plan;
}

function fromDatabase(
  transformer: ValueTransformer | ValueTransformer[] | undefined,
): ((value: unknown) => unknown) | undefined {
  if (Array.isArray(transformer)) throw new Error('Rows are read with one transformer at most.');
  return transformer && ((value) => transformer.from(value) as unknown);
}
