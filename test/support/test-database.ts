import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { createConnection } from 'mysql2/promise';
import { newId } from '../../src/platform/common/ids.js';
import { handIn } from './secret-scan.mjs';
import { learnSecret } from './secrets.mjs';

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
  const removeFolder = (): void => {
    const key = join(dataDir, 'secret.key');
    if (existsSync(key)) learnSecret('key', readFileSync(key, 'utf8').trim());
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  if (!isMysql) {
    const drop = async (): Promise<void> => {
      await handInAudit(() => storedAudit(join(dataDir, 'hookline.db')));
      removeFolder();
    };
    return { dataDir, databaseUrl: undefined, env: { DATA_DIR: dataDir }, drop };
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
      await handInAudit(() => administer(adminUrl, `SELECT * FROM ${name}.audits`));
      await administer(adminUrl, `DROP DATABASE IF EXISTS ${name}`);
      removeFolder();
    },
  };
}

/** Registers the audit rows, if the database has them and can still be read. */
async function handInAudit(read: () => unknown): Promise<void> {
  const rows = (await Promise.resolve()
    .then(read)
    .catch(() => [])) as AuditRow[];
  handIn(
    'an audit row',
    rows.map((row) => JSON.stringify(isMisaddressed(row) ? { ...row, target: '' } : row)),
  );
}

interface AuditRow {
  readonly action: string;
  readonly result: string;
}

/** The target comes from the caller, and may be the id of an incoming webhook in the wrong place. */
function isMisaddressed({ action, result }: AuditRow): boolean {
  return result === 'fail' && !action.includes('incoming_webhook');
}

function storedAudit(file: string): unknown[] {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file);
  try {
    return database.prepare('SELECT * FROM audits').all();
  } finally {
    database.close();
  }
}

async function administer(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection({ uri: url });
  try {
    const [rows] = await connection.query(sql);
    return rows;
  } finally {
    await connection.end();
  }
}

/** Number of instances besides the first that share the database: they respond in turn. */
export const furtherInstances = Number(process.env['TEST_INSTANCES'] ?? 1) - 1;
/** Simultaneous attempts beyond the limit: docs/scaling.md#how-it-works */
export const lateAttempts = 2 * furtherInstances;
/** Whether one process uses the database. */
export const isAlone = furtherInstances === 0;
