import { type RedisServer, startRedisServer } from '../scripts/redis-server.mjs';
import { ForeignPeer } from './fakes/foreign-peer.js';
import { FaultRun } from './resilience/fault-run.mjs';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';

const seed = Number(process.env['FAULTS_SEED'] ?? 1);
/** Other processes take over the lanes of the killed one while they have faults too. */
const FAULTS = ['kill', 'redis-flush', 'redis-restart', 'rolling'];

const onMysql = onlyWhere(isMysql, 'only MySQL supports several processes');
onMysql.describe('three processes under load, one of which is killed before all are replaced', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let run: FaultRun;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedisServer({ isPrivate: true })]);
    run = new FaultRun({
      ...{ seed, redis, place: database, peer: await ForeignPeer.start() },
      env: { ...database.env, REDIS_URL: redis.url },
      kindOf: (round: number) => FAULTS[round - 1],
    });
    await run.perform(FAULTS.length);
  }, 180_000);
  afterAll(async () => {
    await run?.close();
    await Promise.all([redis?.stop(), database?.drop()]);
  });

  it('keep every acknowledged post once and complete', () => {
    const { lost, doubled, half, wrong, acknowledged } = run.report.posts;
    expect({ lost, doubled, half, wrong }).toEqual({ lost: [], doubled: [], half: [], wrong: [] });
    expect(acknowledged).toBeGreaterThan(100);
  });

  it('make every delivery, and post no reply twice', () => {
    const { lost, unreceived, doubled, wrong, deliveries } = run.report.deliveries;
    expect({ lost, unreceived, doubled, wrong }).toEqual({
      lost: [],
      unreceived: [],
      doubled: [],
      wrong: [],
    });
    expect(deliveries).toBeGreaterThan(100);
  });

  it('send everything to a peer, in order and from one process at a time', () => {
    const { lost, disordered, outdated, wrong, overlapping, acknowledged } = run.report.messages;
    expect({ lost, disordered, outdated, wrong }).toEqual({
      lost: [],
      disordered: [],
      outdated: [],
      wrong: [],
    });
    expect(overlapping).toBe(0);
    expect(acknowledged).toBeGreaterThan(FAULTS.length);
  });

  it('keep accepting posts, refuse none except in the killed process, and log no error', () => {
    const { gaps, failures, processes } = run.report;
    expect({ gaps, failures, unclean: processes.unclean }).toEqual({ gaps: [], failures: [], unclean: [] });
  });
});
