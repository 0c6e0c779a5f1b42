import type { Type } from '@nestjs/common';
import {
  type DataSource,
  type EntityTarget,
  getMetadataArgsStorage,
  MoreThan,
  type Repository,
} from 'typeorm';
import { type SealedPlace, SecretBox, SecretUnreadable } from '../secrets/secret-box.js';
import { sealedProperties, SnakeNamingStrategy } from './columns.js';

const BATCH = 500;
/** The position of the key id in a sealed text such as `v2.1a2b3c4d.…`, counted from 1. */
const [KEY_ID_AT, KEY_ID_LENGTH] = [4, 8];

/** Returns the place of a `@Sealed` column by row id. Throws if the column does not exist. */
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

/** Re-encrypts every text with the current key, in batches, and reports each one that cannot be opened. */
export async function resealAll(
  dataSource: DataSource,
  box: SecretBox,
  onUnreadable: (sentence: string) => void,
): Promise<Resealed> {
  let [count, unreadable] = [0, 0];
  for (const { entity, table, columns } of sealedTables(dataSource)) {
    for await (const rows of batches(dataSource.getRepository(entity), columns)) {
      await dataSource.transaction(async (manager) => {
        for (const row of rows) {
          for (const { propertyName, databaseName: column } of columns) {
            const { id = '', [propertyName]: sealed = '' } = row;
            try {
              if (sealed === '' || box.isCurrent(sealed)) continue;
              const place = { table, column, id };
              const resealed = box.seal(box.open(sealed, place), place);
              await manager.getRepository(entity).update({ id }, { [propertyName]: resealed });
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
  for (const { entity, columns } of sealedTables(dataSource)) {
    for (const { propertyName } of columns) {
      const rows = await dataSource
        .getRepository(entity)
        .createQueryBuilder('sealed')
        .select(`SUBSTR(sealed.${propertyName}, ${KEY_ID_AT}, ${KEY_ID_LENGTH})`, 'id')
        .distinct()
        .where(`sealed.${propertyName} <> ''`)
        .getRawMany<{ id: string }>();
      for (const { id } of rows) ids.add(id);
    }
  }
  return ids;
}

type Row = Record<string, string>;
type SealedColumn = Readonly<Record<'propertyName' | 'databaseName', string>>;

async function* batches(
  rows: Repository<Row>,
  columns: readonly SealedColumn[],
): AsyncGenerator<readonly Row[]> {
  const select = ['id', ...columns.map(({ propertyName }) => propertyName)];
  for (let after: string | undefined = ''; after !== undefined;) {
    const batch: Row[] = await rows.find({
      select: Object.fromEntries(select.map((name) => [name, true])),
      where: { id: MoreThan(after) },
      order: { id: 'ASC' },
      take: BATCH,
    });
    if (batch.length > 0) yield batch;
    after = batch.at(-1)?.['id'];
  }
}

interface SealedTable {
  readonly entity: EntityTarget<Row>;
  readonly table: string;
  readonly columns: readonly SealedColumn[];
}

function sealedTables({ entityMetadatas }: DataSource): SealedTable[] {
  return entityMetadatas
    .map(({ target, tableName: table, columns }) => {
      const sealed = typeof target === 'function' ? sealedProperties(target.prototype as object) : [];
      return {
        entity: target,
        table,
        columns: columns.filter(({ propertyName }) => sealed.includes(propertyName)),
      };
    })
    .filter(({ columns }) => columns.length > 0);
}
