import { randomUUID } from 'node:crypto';
import { Redis as Client } from 'ioredis';
import { type RedisServer, startRedisServer } from '../scripts/redis-server.mjs';
import type { Settings } from '../src/platform/config/settings.js';
import type { InstallationId } from '../src/platform/database/installation/installation-keys.js';
import { JobQueue } from '../src/platform/scaling/job-queue.js';
import { Redis } from '../src/platform/scaling/redis.js';
import { type DatabaseProxy, startDatabaseProxy } from './fakes/database-proxy.js';
import { eventually } from './support/test-server.js';

const WORKER_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000, runRetryDelay: 1_000 };

describe('JobQueue', () => {
  let server: RedisServer;
  let client: Client;
  let proxy: DatabaseProxy;
  let connections: Redis;
  let jobs: JobQueue<{ text: string }>;
  let done: string[];
  let retryInMs: number | undefined;
  let canWork: boolean;

  beforeAll(async () => {
    server = await startRedisServer({ isPrivate: true });
    client = new Client(server.url);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    done = [];
    retryInMs = undefined;
    canWork = true;
    proxy = await startDatabaseProxy(server.url);
    const installation = { get: () => Promise.resolve(randomUUID()) } as InstallationId;
    connections = new Redis({ redisUrl: proxy.url } as Settings, installation);
    jobs = new JobQueue(connections, 'tests', {
      workerOptions: WORKER_OPTIONS,
      canWork: () => canWork,
      work: ({ data }) => {
        done.push(data.text);
        return Promise.resolve(done.length > 1 ? undefined : retryInMs);
      },
    });
    await jobs.open();
    await eventually(() => !jobs.isUnavailable);
  });
  afterEach(async () => {
    await jobs.close();
    connections.onApplicationShutdown();
    await proxy.close();
  });

  const add = (text: string, delay = 0) => jobs.attempt((queue) => queue.add('job', { text }, { delay }));
  const worker = () => jobs['worker']!;
  it('runs a job, and repeats it on request', async () => {
    retryInMs = 100;
    expect(await add('again')).toBeDefined();
    await eventually(() => done.length === 2);
    expect(done).toEqual(['again', 'again']);
  });

  it('leaves jobs to others while it cannot run any', async () => {
    canWork = false;
    await eventually(() => worker().bull.isPaused());
    await add('left');
    await eventually(async () => (await jobs.probe((queue) => queue.getActiveCount())) === 0);
    expect(done).toEqual([]);
    canWork = true;
    await eventually(() => done.length === 1);
  });

  it('logs no error of an abandoned worker connection', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation();
    const left = worker().client.duplicate() as Client & { silentEmit: Client['emit'] };
    left.silentEmit('error', new Error('write EPIPE'));
    expect(printed).not.toHaveBeenCalled();
  });

  it('is unavailable while Redis refuses writes, although reads work', async () => {
    const waitingCount = () => jobs.probe((queue) => queue.getWaitingCount());
    await client.config('SET', 'maxmemory', '1');
    expect(await add('refused')).toBeUndefined();
    expect(await waitingCount()).toBeUndefined();
    expect(jobs.isUnavailable).toBe(true);
    await client.config('SET', 'maxmemory', '0');
    await eventually(async () => (await waitingCount()) === 0);
    expect(jobs.isUnavailable).toBe(false);
  });

  it('continues soon after a silence, although another job is delayed', async () => {
    await add('much later', 60_000);
    await add('before');
    await eventually(() => done.includes('before'));
    const { client: connection } = worker();
    proxy.fallSilent();
    await eventually(async () => (await jobs.probe((queue) => queue.getWaitingCount())) === undefined);
    expect(jobs.isUnavailable).toBe(true);
    expect(await add('lost')).toBeUndefined();
    await eventually(() => connection.status !== 'ready', 8_000);
    proxy.heal();
    await eventually(async () => (await add('after')) !== undefined, 6_000);
    await eventually(() => done.includes('after'), 6_000);
    expect(worker().client).toBe(connection); // by itself
    expect(done).not.toContain('lost');
  });

  it('is paused and closed within 1.5 seconds while Redis does not respond', async () => {
    await add('before');
    await eventually(() => done.length === 1);
    proxy.fallSilent();
    const startedAt = performance.now();
    await jobs.pause();
    await add('lost');
    for (let lane = 0; lane < 20; lane++) await add('not tried');
    await jobs.close();
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });
});
