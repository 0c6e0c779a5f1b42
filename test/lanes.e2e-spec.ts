import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis as Client } from 'ioredis';
import { DataSource } from 'typeorm';
import { type RedisServer, startRedisServer } from '../scripts/redis-server.mjs';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import { orderedLane } from '../src/delivery/dispatch/delivery-kind.js';
import { Delivery, DeliveryAttempt } from '../src/delivery/dispatch/delivery.entity.js';
import { DispatcherService } from '../src/delivery/dispatch/dispatcher.service.js';
import { LaneTurns, type SharedTurns } from '../src/delivery/dispatch/turns/lane-turns.js';
import { newId } from '../src/platform/common/ids.js';
import { OwnerLock } from '../src/platform/database/owner-lock.js';
import { Bus } from '../src/platform/scaling/bus.js';
import { Redis } from '../src/platform/scaling/redis.js';
import { RedisCheck } from '../src/platform/scaling/redis-check.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { startDatabaseProxy } from './fakes/database-proxy.js';
import { json, Receiver } from './fakes/receiver.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const describeOnMysql = isMysql ? describe : describe.skip;

describeOnMysql('two processes on one database', () => {
  let redis: RedisServer;
  let client: Client;
  let database: TestDatabase;
  let one: TestServer;
  let other: TestServer;
  let receiver: Receiver;
  let hook: any;
  let channel: any;
  /** Calls that wait for a response, by path. */
  const waiting = new Map<string, ServerResponse[]>();
  const hanging = new Set<string>();

  const turnsOf = ({ app }: TestServer): SharedTurns => app.get<SharedTurns>(LaneTurns);
  const callsWaiting = (path: string): readonly ServerResponse[] => waiting.get(path) ?? [];
  const heldOf = (server: TestServer) => turnsOf(server)['held']!;
  const watchOf = (server: TestServer) => turnsOf(server)['watch']!;
  const table = () => one.app.get(DataSource).getRepository(Delivery);

  beforeAll(async () => {
    redis = await startRedisServer({ isPrivate: true });
    client = new Client(redis.url);
    client.on('error', () => undefined);
    database = await createTestDatabase();
    const env = {
      REDIS_URL: redis.url,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: '0s,300ms,300ms',
    };
    one = await startTestServer(env, database);
    other = await startTestServer(env, database);
    receiver = await Receiver.start(({ path }, response) => {
      if (!hanging.has(path)) return void response.end();
      waiting.set(path, [...(waiting.get(path) ?? []), response]);
    });
    const team = (await one.admin.get('/teams/name/main')).body;
    channel = await buildChannel(one.admin, team.id);
    hook = await buildOutgoingHook(one.admin, team.id, {
      channel_id: channel.id,
      trigger_words: ['unused'],
      callback_urls: [receiver.url('/'), receiver.url('/hang')],
      content_type: 'application/json',
    });
  }, 60_000);
  afterAll(async () => {
    await one.close();
    await other.close();
    await database.drop();
    await receiver.close();
    client.disconnect();
    await redis.stop();
  });

  /** Rows of a new lane, or of a given one. They are not handed over. */
  const rowsOf = (count: number, fields: Partial<Delivery> = {}): Promise<Delivery[]> =>
    insertDeliveries(one, hook, count, { lane: `http://${newId()}.example`, ...fields });
  /** Rows that are handed over to that process at once, as after their commit. */
  const sent = async (
    server: TestServer,
    count: number,
    fields: Partial<Delivery> = {},
  ): Promise<Delivery[]> => {
    const rows = await rowsOf(count, fields);
    server.app.get(DeliveriesService).dispatch(rows);
    return rows;
  };
  const openOf = (rows: readonly Delivery[]): Promise<number> =>
    table().countBy(rows.map(({ id }) => ({ id, finishAt: 0 })));
  const areDelivered = async (rows: readonly Delivery[]): Promise<boolean> =>
    (await table().countBy(rows.map(({ id }) => ({ id, status: 'delivered' as const })))) === rows.length;
  const callsOf = ({ id }: Delivery): number =>
    receiver.calls.filter(({ headers }) => headers['webhook-id'] === id).length;
  const heldBy = ({ lane }: Delivery): TestServer | undefined =>
    [one, other].find((server) => turnsOf(server).isOurs(lane));
  const holderOf = (row: Delivery): Promise<TestServer> => eventually(() => heldBy(row));
  const notHeldBy = (row: Delivery): TestServer => (heldBy(row) === one ? other : one);
  /** Disables the sweeps for missed jobs and messages. */
  const unwatched = async (action: () => Promise<void>): Promise<void> => {
    const checks = [one, other].map((server) =>
      jest.spyOn(watchOf(server), 'check' as never).mockResolvedValue(undefined as never),
    );
    try {
      await action();
    } finally {
      checks.forEach((check) => check.mockRestore());
    }
  };

  it('makes each delivery once, no matter which process stores it', async () => {
    const all: Delivery[] = [];
    const lanes = Array.from({ length: 12 }, () => `http://${newId()}.example`);
    for (let round = 0; round < 10; round++)
      for (const lane of lanes) all.push(...(await sent(Math.random() < 0.5 ? one : other, 1, { lane })));
    await eventually(() => areDelivered(all));
    expect(all.map(callsOf)).toEqual(all.map(() => 1));
  });

  it('delivers for one webhook while hundreds of calls of another hang at the endpoint', async () => {
    const lane = `http://${newId()}.example`;
    hanging.add('/hang');
    const hung = [
      ...(await rowsOf(600, { lane, url: receiver.url('/hang'), nextAttemptAt: 1 })),
      ...(await sent(one, 60, { lane, url: receiver.url('/hang') })),
    ];
    await eventually(() => callsWaiting('/hang').length > 0);
    const all: Delivery[] = [];
    for (let round = 0; round < 14; round++) all.push(...(await sent(round % 2 ? one : other, 1, { lane })));
    await eventually(() => areDelivered(all));
    expect(callsWaiting('/hang').length).toBeLessThanOrEqual(2);
    hanging.delete('/hang');
    for (const response of callsWaiting('/hang')) response.end();
    waiting.delete('/hang');
    await eventually(() => areDelivered(hung));
  }, 60_000);

  it('keeps the order of an ordered lane, wherever its deliveries are stored', async () => {
    const lane = orderedLane(newId());
    const rows: Delivery[] = [];
    for (let index = 0; index < 30; index++) {
      const seq = 1_000 + index;
      rows.push(...(await sent(index % 2 ? one : other, 1, { lane, seq, nextAttemptAt: seq })));
    }
    await eventually(() => areDelivered(rows));
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    const order = rows.map(({ id }) => ids.indexOf(id));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('queries neither Redis nor the table of turns while a lane stays in use', async () => {
    const [first] = await sent(one, 1);
    const { lane } = first!;
    const holder = await holderOf(first!);
    await eventually(() => areDelivered([first!]));
    const take = jest.spyOn(turnsOf(holder)['turns'], 'take');
    const want = jest.spyOn(turnsOf(holder).jobs, 'want');
    for (let index = 0; index < 40; index++)
      await eventually(async () => callsOf((await sent(holder, 1, { lane }))[0]!) >= 0);
    await eventually(async () => (await table().countBy({ lane, finishAt: 0 })) === 0);
    expect(take.mock.calls.filter(([lanes]) => lanes.includes(lane))).toEqual([]);
    expect(want.mock.calls).toEqual([]);
    jest.restoreAllMocks();
  });

  it('notifies the process that holds the lane about rows of another one', async () => {
    await unwatched(async () => {
      const [first] = await sent(one, 1);
      await holderOf(first!);
      await eventually(() => areDelivered([first!]));
      const rows = await sent(notHeldBy(first!), 5, { lane: first!.lane });
      await eventually(() => areDelivered(rows), 1_500);
    });
  });

  it.each(['before', 'after'])(
    'loses no row that is stored %s the end of the turn of its lane',
    async (moment) => {
      await unwatched(async () => {
        const [first] = await sent(one, 1);
        const { lane } = first!;
        const holder = await holderOf(first!);
        const repository = turnsOf(holder)['turns'];
        const release = repository.release.bind(repository);
        const last: Delivery[] = [];
        jest.spyOn(repository, 'release').mockImplementation(async (turns, id) => {
          const isMeant = turns.some((turn) => turn.lane === lane) && last.length === 0;
          if (moment === 'after') await release(turns, id);
          if (isMeant) last.push(...(await sent(notHeldBy(first!), 1, { lane }))); // its job is active: no other can be added
          if (isMeant) await sleep(100);
          if (moment === 'before') await release(turns, id);
        });
        await eventually(() => last.length > 0);
        await eventually(() => areDelivered([first!, ...last]), 2_500);
        jest.restoreAllMocks();
      });
    },
  );

  it('makes a delivery when it is due', async () => {
    await unwatched(async () => {
      const [now] = await sent(one, 1);
      const { lane } = now!;
      await holderOf(now!);
      const [later] = await rowsOf(1, { lane, nextAttemptAt: Date.now() + 6_000, status: 'retrying' });
      await eventually(() => heldBy(now!) === undefined, 4_000); // nothing to do for two seconds: the turn ends
      await eventually(() => areDelivered([later!]), 7_000);
    });
  });

  it('continues without Redis, and after it is back', async () => {
    const before = await sent(one, 3);
    await eventually(() => areDelivered(before));
    await redis.kill();
    const held = await sent(other, 5, { lane: before[0]!.lane });
    const without = await sent(one, 5);
    await eventually(() => areDelivered([...held, ...without]), 8_000);
    await redis.restart();
    await eventually(() => !turnsOf(one).jobs.isUnavailable && !turnsOf(other).jobs.isUnavailable);
    const after = await sent(other, 5);
    await eventually(() => areDelivered(after), 8_000);
    const all = [...before, ...held, ...without, ...after];
    expect(all.map(callsOf)).toEqual(all.map(() => 1));
  });

  it('loses and duplicates nothing when Redis loses its data', async () => {
    const lanes = Array.from({ length: 8 }, () => `http://${newId()}.example`);
    const all: Delivery[] = [];
    for (const server of [one, other]) {
      for (const lane of lanes) all.push(...(await sent(server, 10, { lane })));
      await client.flushall();
    }
    await eventually(() => areDelivered(all), 12_000);
    const more = await sent(other, 5);
    await eventually(() => areDelivered(more), 8_000);
    expect([...all, ...more].map(callsOf)).toEqual([...all, ...more].map(() => 1));
  });

  it.each(['completed', 'failed', 'active'])(
    'processes a lane whose job is left over as %s',
    async (state) => {
      const lane = `http://${newId()}.example`;
      const prefix = `${await one.app.get(Redis).prefix()}:lanes`;
      const names = turnsOf(one)['names'];
      const id = names.hashOf(lane);
      await client.hset(
        `${prefix}:${id}`,
        'name',
        'drain',
        'data',
        JSON.stringify({ sealed: names.seal(lane) }),
        'opts',
        '{}',
      );
      if (state === 'active') {
        await client.lpush(`${prefix}:active`, id);
        await client.set(`${prefix}:${id}:lock`, 'of nobody', 'PX', 60_000);
      } else await client.zadd(`${prefix}:${state}`, Date.now(), id);
      const rows = await sent(one, 2, { lane });
      await eventually(() => areDelivered(rows), 8_000);
      expect(rows.map(callsOf)).toEqual([1, 1]);
    },
  );

  it('does not reveal in Redis whom it calls', async () => {
    const reader = await readCommands(redis.url);
    const [row] = await sent(one, 1);
    const { lane, ownerId, url } = row!;
    await rowsOf(1, { lane, nextAttemptAt: Date.now() + 60_000, status: 'retrying' });
    await eventually(() => areDelivered([row!]));
    await eventually(() => heldBy(row!) === undefined, 4_000); // the rest of the lane is scheduled for later
    for (const { app } of [one, other]) {
      const dispatcher = app.get(DispatcherService);
      dispatcher.wake(lane);
      dispatcher.resume(lane);
      dispatcher.drop({ ownerId, url });
      await dispatcher.inFlightOf(ownerId);
    }
    const isSeen = (word: string): boolean => reader.text().includes(word);
    await eventually(() => ['drain', 'later', 'rows', 'wake', 'resume', 'drop'].every(isSeen));
    reader.end();
    const guessed = [lane, url].map((text) => createHash('sha256').update(text).digest('base64url'));
    const words = [new URL(lane).host, new URL(url).host, ...guessed.map((hash) => hash.slice(0, 27))];
    expect(words.filter(isSeen)).toEqual([]);
  });

  it('continues when no worker fetches a job', async () => {
    const queues = [one, other].map((server) => turnsOf(server).jobs['queue']);
    const checks = queues.map((queue) =>
      jest.spyOn(queue, 'pauseOrResume' as never).mockResolvedValue(undefined as never),
    );
    for (const queue of queues) await queue['worker']!.bull.pause(true);
    const rows: Delivery[] = [];
    for (let lane = 0; lane < 5; lane++) rows.push(...(await sent(one, 1))); // each worker still takes what it waits for
    await eventually(() => areDelivered(rows), 8_000);
    checks.forEach((check) => check.mockRestore());
  });

  it('takes a lane over from a frozen process, and rejects its later writes', async () => {
    hanging.add('/hang');
    const lane = `http://${newId()}.example`;
    const [row] = await sent(one, 1, { lane, url: receiver.url('/hang') });
    const cutOff = await holderOf(row!);
    const next = notHeldBy(row!);
    await eventually(() => callsWaiting('/hang').length === 1);
    const late = callsWaiting('/hang')[0];
    const turn = heldOf(cutOff).find(lane)!;
    // It continues, but renews no turn and is not told that it has lost one.
    const renewals = jest.spyOn(turnsOf(cutOff)['turns'], 'renew').mockRejectedValue(new Error('cut off'));
    const check = jest.spyOn(watchOf(cutOff), 'check' as never).mockResolvedValue(undefined as never);
    const startedAt = Date.now();
    await eventually(() => callsWaiting('/hang').length === 2, 16_000);
    const second = callsWaiting('/hang')[1];
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    expect(heldOf(cutOff).find(lane)).toBe(turn); // it does not know
    expect(turn.isValid).toBe(false);
    expect(heldOf(next).find(lane)!.epoch).toBeGreaterThan(turn.epoch);
    const reply: Receiver['answer'] = json({ text: `reply ${row!.id}` });
    const claimed = (): number => cutOff.app.get(DispatcherService)['lanes'].workOn(lane).claimed;
    expect(claimed()).toBe(1);
    await reply({} as never, late!);
    await eventually(() => claimed() === 0);
    expect(await openOf([row!])).toBe(1);
    expect(
      await one.app.get(DataSource).getRepository(DeliveryAttempt).countBy({ deliveryId: row!.id }),
    ).toBe(0);
    await reply({} as never, second!);
    await eventually(() => areDelivered([row!]));
    renewals.mockRestore();
    check.mockRestore();
    await eventually(() => !turnsOf(cutOff).isOurs(lane));
    const posts = (await one.admin.get(`/channels/${channel.id}/posts`)).body.posts;
    expect(Object.values(posts).filter((post: any) => post.message === `reply ${row!.id}`)).toHaveLength(1);
    expect(
      await one.app.get(DataSource).getRepository(DeliveryAttempt).countBy({ deliveryId: row!.id }),
    ).toBe(1);
  }, 40_000);

  it('reports what another process is calling, and refuses to resend it during the call', async () => {
    hanging.add('/hang');
    const before = callsWaiting('/hang').length;
    const [row] = await sent(one, 1, { url: receiver.url('/hang') });
    await eventually(() => callsWaiting('/hang').length > before);
    for (const server of [one, other]) {
      const shown = await server.admin.get(`/hooks/outgoing/${hook.id}/deliveries/${row!.id}`);
      expect(shown.body.status).toBe('in_flight');
      const retried = await server.admin.post(`/hooks/outgoing/${hook.id}/deliveries/${row!.id}/retry`, {});
      expect(retried.status).toBe(409);
    }
    callsWaiting('/hang').at(-1)!.end();
    await eventually(() => areDelivered([row!]));
  });

  it('reports problems with Redis in the log and in its status, but is ready', async () => {
    const ready = async (): Promise<any> => {
      await one.app.get(RedisCheck)['checks'].run();
      const answer = await one.anonymous.get('/health/ready');
      expect(answer.status).toBe(200);
      return answer.body;
    };
    expect(await ready()).toEqual({ status: 'ok' });
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { warnings } = await ready();
    expect(warnings).toEqual([expect.stringContaining('maxmemory-policy noeviction')]);
    const { text: metrics } = await one.anonymous.get('/metrics');
    expect(metrics).toMatch(/^hookline_redis_faults 1$/m);
    const logs = [...one.logs, ...other.logs]; // the logger is that of the last server
    expect(logs.filter((line) => line.includes('allkeys-lru'))).toHaveLength(1);
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    expect(await ready()).toEqual({ status: 'ok' });
  });

  it('reports a process of its database that uses another Redis', async () => {
    const wrong = await startRedisServer({ isPrivate: true });
    const third = await startTestServer({ REDIS_URL: wrong.url }, database);
    try {
      for (const server of [one, third])
        await eventually(async () => {
          for (const { app } of [one, third]) await app.get(RedisCheck)['checks'].run();
          const { warnings = [] } = (await server.anonymous.get('/health/ready')).body;
          return warnings.some((warning: string) => warning.includes('the same REDIS_URL'));
        });
    } finally {
      await third.close();
      await wrong.stop();
    }
  }, 60_000);

  it('has its schedules triggered by Redis, even after Redis has lost them', async () => {
    const count = async (): Promise<number> =>
      client.zcard(`${await one.app.get(Redis).prefix()}:schedules:repeat`);
    await eventually(async () => (await count()) > 5, 15_000);
    await client.flushall();
    await eventually(async () => (await count()) > 5, 15_000);
    const claimed = await one.app
      .get(DataSource)
      .query('SELECT COUNT(*) AS n FROM schedules WHERE next_at > 0');
    expect(Number(claimed[0].n)).toBeGreaterThan(5);
  });

  it('leaves lanes to others while it has lost its database', async () => {
    const proxy = await startDatabaseProxy(database.databaseUrl ?? '');
    const env = { ...database.env, DATABASE_URL: proxy.url };
    const third = await startTestServer(
      { REDIS_URL: redis.url, ALLOWED_INTERNAL_HOSTS: '127.0.0.1' },
      { ...database, env },
    );
    const isPaused = (): boolean => turnsOf(third).jobs['queue']['worker']?.bull.isPaused() ?? false;
    try {
      await unwatched(async () => {
        proxy.fallSilent();
        await eventually(() => !third.app.get(OwnerLock).isHeld);
        const rows: Delivery[] = [];
        for (let count = 0; count < 20; count++) rows.push(...(await sent(one, 1)));
        await eventually(() => areDelivered(rows), 2_500);
        expect(isPaused()).toBe(true);
      });
      proxy.heal();
      await eventually(() => third.app.get(OwnerLock).isHeld && !isPaused(), 20_000);
    } finally {
      await third.close();
      await proxy.close();
    }
  }, 60_000);

  it('hands its lanes over when it stops', async () => {
    const third = await startTestServer(
      { REDIS_URL: redis.url, ALLOWED_INTERNAL_HOSTS: '127.0.0.1' },
      database,
    );
    const rows = await rowsOf(3);
    const held = turnsOf(third)['held']!;
    const { processId } = third.app.get(Bus);
    await unwatched(async () => {
      expect(await held.take(rows[0]!.lane)).toBeDefined();
      await third.close();
      expect(await turnsOf(one)['turns'].listHolders()).not.toContain(processId);
      await eventually(() => areDelivered(rows), 7_000); // before its turns would have expired
    });
    expect(rows.map(callsOf)).toEqual([1, 1, 1]);
  });
});

/**
 * Monitors all commands to Redis. The client's own way fails if commands arrive with the reply to it, and the
 * processes talk all the time.
 */
async function readCommands(url: string): Promise<{ text: () => string; end: () => void }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let read = '';
  socket.on('data', (data: string) => (read += data));
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  expect(read).toMatch(/^\+OK/);
  return { text: () => read, end: () => socket.destroy() };
}
