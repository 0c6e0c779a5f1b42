import { DataSource } from 'typeorm';
import type { TestServer } from './test-server.js';

/** Columns with the last use of something. They are written later, and a refused request is a use of its session. */
const USES = ['last_activity_at', 'last_used'];

/** Tables that record refused requests, too. */
const RECORDS = ['audits', 'incoming_webhook_requests'];

/** Tables that are written in the background at any time. */
export const BACKGROUND = ['lane_turns', 'schedules', 'changes', 'delivery_stats'];

/** The rows of all other tables: whether anything has changed. */
export async function storedRows(server: TestServer): Promise<Record<string, string>> {
  const source = server.app.get(DataSource);
  const tables: Record<string, string> = {};
  for (const { tableName } of source.entityMetadatas) {
    if ([...RECORDS, ...BACKGROUND].includes(tableName)) continue;
    const rows: unknown = await source.query(`SELECT * FROM ${tableName}`);
    tables[tableName] = JSON.stringify(rows, (column, value: unknown) =>
      USES.includes(column) ? undefined : value,
    );
  }
  return tables;
}
