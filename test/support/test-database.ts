import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { newId } from '../../src/platform/common/ids.js';

export const isMysql = process.env['TEST_DATABASE'] === 'mysql';

/** An empty database of the suite's dialect with its own data folder. */
export interface TestDatabase {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The settings that select it. */
  readonly env: Record<string, string>;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-test-'));
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  if (!isMysql) {
    return { dataDir, databaseUrl: undefined, env: { DATA_DIR: dataDir }, drop: async () => removeFolder() };
  }
  const adminUrl = process.env['TEST_MYSQL_URL'];
  if (!adminUrl)
    throw new Error('TEST_MYSQL_URL must name a server on which databases may be made and dropped.');
  const name = `hookline_test_${newId()}`;
  await administer(adminUrl, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    dataDir,
    databaseUrl: url.href,
    env: { DATA_DIR: dataDir, DATABASE_URL: url.href },
    drop: async () => {
      await administer(adminUrl, `DROP DATABASE IF EXISTS ${name}`);
      removeFolder();
    },
  };
}

async function administer(url: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: url });
  await connection.query(sql);
  await connection.end();
}
