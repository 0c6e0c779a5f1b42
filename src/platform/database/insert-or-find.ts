import { isDuplicateKey } from './database-errors.js';

/**
 * Inserts a row whose key another transaction may insert at the same time. Returns null when it was inserted, or the row
 * that was there first. `findCommitted` must see rows committed after the open transaction began.
 */
export async function insertOrFind<Row>(
  insert: () => Promise<void>,
  findCommitted: () => Promise<Row | null>,
): Promise<Row | null> {
  try {
    await insert();
    return null;
  } catch (error) {
    const existing = isDuplicateKey(error) ? await findCommitted() : null;
    if (!existing) throw error;
    return existing;
  }
}
