import type { Type } from '@nestjs/common';
import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { type SealedPlace, SecretBox, SecretUnreadable } from '../secrets/secret-box.js';
import { sealedProperties, SnakeNamingStrategy } from './columns.js';

const BATCH = 500;
/** The position of the key id in a sealed text such as `v2.1a2b3c4d.…`, counted from 1. */
const [KEY_ID_AT, KEY_ID_LENGTH] = [4, 8];

/** Returns the place of a `@Sealed` column by row id. Throws if there is no such column. */
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

/** How many texts were re-encrypted, and how many could not be opened and were left as they are. */
export interface Resealed {
  readonly count: number;
  readonly unreadable: number;
}

/**
 * Re-encrypts every text with the current key, including deleted rows, and reports each one that cannot be
 * opened. Each batch is one transaction, so it can be interrupted and run again.
 */
export async function resealAll(
  dataSource: DataSource,
  box: SecretBox,
  onUnreadable: (sentence: string) => void,
): Promise<Resealed> {
  let [count, unreadable] = [0, 0];
  for (const [table, columns] of sealedColumns(dataSource)) {
    for await (const rows of batches(dataSource, table, columns)) {
      await dataSource.transaction(async (manager) => {
        for (const row of rows) {
          for (const column of columns) {
            const { id = '', [column]: sealed = '' } = row;
            try {
              if (sealed === '' || box.isCurrent(sealed)) continue;
              const place = { table, column, id };
              const resealed = box.seal(box.open(sealed, place), place);
              await manager.query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [resealed, id]);
              count++;
            } catch (error) {
              if (!(error instanceof SecretUnreadable)) throw error;
              onUnreadable(`${table}.${column} of the row ${id}: ${error.message}`);
              unreadable++;
            }
          }
        }
      });
    }
  }
  return { count, unreadable };
}

/** The ids of the keys that sealed the stored texts, including deleted rows. Reads whole tables. */
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

type Row = Record<string, string>;

/** Reads the rows of a table in batches. */
async function* batches(
  dataSource: DataSource,
  table: string,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: Row[] = await dataSource.query(
      `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.['id'];
  }
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
