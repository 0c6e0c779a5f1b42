import type { DataSource } from 'typeorm';

/** Every column that holds sealed texts. A new one is added here, so that changing the key reaches it. */
const SEALED: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['outgoing_webhooks', ['sealed_token', 'sealed_signing_secret', 'sealed_previous_secret']],
  ['remote_clusters', ['sealed_token', 'sealed_remote_token']],
];
const BATCH = 500;

/** Where a sealed text is stored. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/** Gives the new text, or undefined for one that stays. */
export type Reseal = (sealed: string, place: SealedPlace) => string | undefined;

/**
 * Replaces sealed texts, those of deleted rows as well. Each batch is a transaction of its own; it can be stopped at any
 * point and begun again. Gives how many were replaced.
 */
export async function resealAll(dataSource: DataSource, reseal: Reseal): Promise<number> {
  let count = 0;
  for (const [table, columns] of SEALED) {
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
