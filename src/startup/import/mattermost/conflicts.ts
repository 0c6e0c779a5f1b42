import { rowsByKey } from './batches.js';
import type { MattermostDatabase } from './source.js';
import type { TableImport } from './table-import.js';
import type { ImportTarget } from '../target.repository.js';

const MAX_LISTED = 50;
/** Columns there whose values must not exist here, and their properties here. */
const UNIQUE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Users: { Id: 'id', Username: 'username', Email: 'email' },
  Teams: { Id: 'id', Name: 'name' },
  Channels: { Id: 'id' },
  Posts: { Id: 'id' },
  IncomingWebhooks: { Id: 'id' },
  OutgoingWebhooks: { Id: 'id' },
  UserAccessTokens: { Id: 'id' },
  RemoteClusters: { RemoteId: 'remoteId' },
};

/** The ids and names that exist on both servers, as sentences; at most 50. */
export async function conflicts(
  source: MattermostDatabase,
  target: ImportTarget,
  tables: readonly TableImport[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { from, to, key, name } of tables) {
    const nameHere = name.charAt(0).toLowerCase() + name.slice(1);
    const unique = UNIQUE[from] ?? {};
    const columns = Object.keys(unique);
    if (columns.length === 0) continue;
    for await (const rows of rowsByKey(source, { from, key, columns: [...new Set([...key, ...columns])] }))
      for (const [column, property] of Object.entries(unique)) {
        const values = rows.map((row) => String(row[column] ?? '').toLowerCase());
        for (const row of await target.listBy(to, property, values))
          if (found.length < MAX_LISTED)
            found.push(`${from}.${column}: ${String(row[nameHere] ?? row[property])}`);
      }
    if (found.length >= MAX_LISTED) break;
  }
  return found;
}
