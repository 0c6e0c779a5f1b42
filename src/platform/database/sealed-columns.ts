import type { Type } from '@nestjs/common';
import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { type SealedPlace, SecretBox, SecretUnreadable, UNBOUND_PREFIX } from '../secrets/secret-box.js';
import type { UnboundSecrets } from '../secrets/unbound-secrets.js';
import { sealedProperties } from './columns.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const BATCH = 500;
/** Where a sealed text names its key: `v2.1a2b3c4d.…`, counted from 1. */
const [KEY_ID_AT, KEY_ID_LENGTH] = [4, 8];

/** The place of a `@Sealed` column in each row of an entity. Throws if there is no such column. */
export function sealedPlaces<T extends object>(
  entity: Type<T>,
  property: keyof T & string,
): (id: string) => SealedPlace {
  const { name: table } = getMetadataArgsStorage().tables.find(({ target }) => target === entity) ?? {};
  if (table === undefined || !sealedProperties(entity.prototype as object).includes(property))
    throw new Error(`${entity.name}.${property} is not a @Sealed column.`);
  const column = new SnakeNamingStrategy().columnName(property, undefined);
  return (id) => ({ table, column, id });
}

/** How many texts were sealed anew, and how many could not be opened and stay as they are. */
export interface Resealed {
  readonly count: number;
  readonly unreadable: number;
}

/** What seals anew, and hears of each text that cannot be opened. */
export interface Resealing {
  readonly box: SecretBox;
  readonly unbound: UnboundSecrets;
  /** Only texts that begin so. */
  readonly prefix: string;
  readonly onUnreadable: (sentence: string) => void;
}

/**
 * Seals every text that is not in the current form under the current key anew, also in deleted rows. Each batch is one
 * transaction, so it can be interrupted and run again.
 */
export async function resealAll(dataSource: DataSource, resealing: Resealing): Promise<Resealed> {
  let [count, unreadable] = [0, 0];
  for (const [table, columns] of sealedColumns(dataSource)) {
    for await (const rows of batches(dataSource, table, columns, resealing.prefix)) {
      await dataSource.transaction(async (manager) => {
        for (const row of rows) {
          for (const column of columns) {
            const { id = '', [column]: sealed = '' } = row;
            try {
              const resealed = reseal(sealed, { table, column, id }, resealing);
              if (resealed === undefined) continue;
              await manager.query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [resealed, id]);
              count++;
            } catch (error) {
              if (!(error instanceof SecretUnreadable)) throw error;
              resealing.onUnreadable(`${table}.${column} of the row ${id}: ${error.message}`);
              unreadable++;
            }
          }
        }
      });
    }
  }
  return { count, unreadable };
}

/** The ids of the keys under which stored texts are sealed, those of deleted rows included. Reads whole tables. */
export async function sealedKeyIds(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const [table, columns] of sealedColumns(dataSource)) {
    for (const column of columns) {
      const rows: { id: string }[] = await dataSource.query(
        `SELECT DISTINCT SUBSTR(${column}, ${KEY_ID_AT}, ${KEY_ID_LENGTH}) AS id FROM ${table} WHERE ${column} <> ''`,
      );
      for (const { id } of rows) ids.add(id);
    }
  }
  return ids;
}

/**
 * What begins with the prefix, as `table.column of the row id`. It reads so many rows at a time, and calls `pause` between
 * them; if that resolves to false, it ends.
 */
export async function* findSealed(
  dataSource: DataSource,
  prefix: string,
  slice: number,
  pause: () => Promise<boolean>,
): AsyncGenerator<string> {
  for (const [table, columns] of sealedColumns(dataSource)) {
    const begins = columns.map(
      (column) => `CASE WHEN ${column} LIKE '${prefix}%' THEN 1 ELSE 0 END AS ${column}`,
    );
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: Record<string, unknown>[] = await dataSource.query(
        `SELECT id, ${begins.join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${slice}`,
        [after],
      );
      for (const row of rows)
        for (const column of columns)
          if (Number(row[column]) === 1) yield `${table}.${column} of the row ${String(row['id'])}`;
      after = rows.length === slice ? String(rows.at(-1)?.['id']) : undefined;
      if (after !== undefined && !(await pause())) return;
    }
  }
}

type Row = Record<string, string>;

/** The rows of a table that have a text with the prefix. */
async function* batches(
  dataSource: DataSource,
  table: string,
  columns: readonly string[],
  prefix: string,
): AsyncGenerator<readonly Row[]> {
  const isWanted = columns.map((column) => `${column} LIKE ?`).join(' OR ');
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: Row[] = await dataSource.query(
      `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > ? AND (${isWanted}) ORDER BY id LIMIT ${BATCH}`,
      [after, ...columns.map(() => `${prefix}%`)],
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.['id'];
  }
}

/** The new text, or undefined to keep the old one. Throws SecretUnreadable. */
function reseal(sealed: string, place: SealedPlace, { box, unbound }: Resealing): string | undefined {
  if (sealed === '' || box.isCurrent(sealed)) return undefined;
  const isUnbound = sealed.startsWith(UNBOUND_PREFIX) && unbound.areAccepted;
  return box.seal(isUnbound ? box.openUnbound(sealed) : box.open(sealed, place), place);
}

/** The tables that have sealed columns, with the names of those columns. */
function sealedColumns(dataSource: DataSource): (readonly [table: string, columns: readonly string[]])[] {
  return dataSource.entityMetadatas.flatMap(({ target, tableName, columns }) => {
    const sealed = typeof target === 'function' ? sealedProperties(target.prototype as object) : [];
    const names = columns
      .filter((column) => sealed.includes(column.propertyName))
      .map((column) => column.databaseName);
    return names.length === 0 ? [] : [[tableName, names] as const];
  });
}
