import { DataSource } from 'typeorm';
import type { TestServer } from './test-server.js';

/** Columns that tell of the last use of something. They are written later, and a refused request is a use of its session. */
const USES = ['last_activity_at', 'last_used'];

/** The rows of all tables but the audit log: whether anything has changed. */
export async function storedRows(server: TestServer): Promise<Record<string, string>> {
  const source = server.app.get(DataSource);
  const tables: Record<string, string> = {};
  for (const { tableName } of source.entityMetadatas) {
    if (tableName === 'audits') continue;
    const rows: unknown = await source.query(`SELECT * FROM ${tableName}`);
    tables[tableName] = JSON.stringify(rows, (column, value: unknown) =>
      USES.includes(column) ? undefined : value,
    );
  }
  return tables;
}
