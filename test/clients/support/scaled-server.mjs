import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mattermost from '@mattermost/client';
import { Redis } from 'ioredis';
import { startDatabaseServer } from '../../../scripts/database-server.mjs';
import { startRedisServer } from '../../../scripts/redis-server.mjs';
import { createDatabase } from '../../../scripts/resilience.mjs';
import { ServerProcess } from '../../support/server-process.mjs';

const adminPassword = 'only stock tools here';
const say = () => undefined;
const slots = Array.from({ length: 16_384 }, (_, slot) => slot);

/**
 * The built server in scaled mode, with its own database and its own Redis, which is a node of Redis Cluster. Returns
 * { url, redisUrl, admin, errors(), stop() }: `admin` is the stock client, signed in.
 */
export async function startScaledServer(env = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-scaled-'));
  const undo = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const database = await startDatabaseServer({ isPrivate: true, say });
    undo.push(() => database.stop());
    const redis = await startRedisServer({
      ...{ isPrivate: true, say, serverArguments: ['--cluster-enabled', 'yes'] },
    });
    undo.push(() => redis.stop());
    await beWholeCluster(redis.url);
    const server = new ServerProcess(
      {
        DATABASE_URL: await createDatabase(database.url),
        REDIS_URL: redis.url,
        DATA_DIR: path.join(folder, 'data'),
        ADMIN_PASSWORD: adminPassword,
        ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
        ...env,
      },
      { cwd: folder, isBuilt: true },
    );
    process.once('exit', () => server.signal('SIGKILL'));
    undo.push(() => server.stop());
    await server.ready();
    const admin = new mattermost.Client4();
    admin.setUrl(server.url);
    await admin.login('admin', adminPassword);
    return { url: server.url, redisUrl: redis.url, admin, errors: () => server.errors, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Assigns all slots to a node, so that it serves requests. It still refuses commands and scripts over keys of several
 * slots.
 */
async function beWholeCluster(url) {
  const client = new Redis(url);
  try {
    await client.call('CLUSTER', 'ADDSLOTS', ...slots);
    while (!(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(20);
  } finally {
    client.disconnect();
  }
}
