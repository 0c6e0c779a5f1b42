import type { DataSource } from 'typeorm';
import { sealedProperties } from './columns.js';

const BATCH = 500;

/** Where a sealed (encrypted) text is stored. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/** Returns the new sealed text, or undefined to keep the old one. */
export type Reseal = (sealed: string, place: SealedPlace) => string | undefined;

/**
 * Replaces sealed texts, including those of deleted rows. Each batch is one transaction, so it can be interrupted and
 * run again. Returns how many were replaced.
 */
export async function resealAll(dataSource: DataSource, reseal: Reseal): Promise<number> {
  let count = 0;
  for (const [table, columns] of sealedColumns(dataSource)) {
    for (let after = ''; ;) {
      const rows: Record<string, string>[] = await dataSource.query(
        `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
        [after],
      );
      const last = rows.at(-1)?.['id'];
      if (last === undefined) break;
      after = last;
      await dataSource.transaction(async (manager) => {
        for (const row of rows) {
          for (const column of columns) {
            const { id = '', [column]: sealed = '' } = row;
            const resealed = sealed === '' ? undefined : reseal(sealed, { table, column, id });
            if (resealed === undefined) continue;
            await manager.query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [resealed, id]);
            count++;
          }
        }
      });
    }
  }
  return count;
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
