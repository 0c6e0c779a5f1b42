import { once } from 'node:events';
import { createServer } from 'node:net';
import { newId } from '../src/platform/common/ids.js';
import { Clock } from '../src/platform/common/clock.js';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import { LATENCY_BOUNDS_MS, latencyBucket, noCounts } from '../src/outgoing-hooks/delivery-stats/counts.js';
import { DeliveryCounter } from '../src/outgoing-hooks/delivery-stats/delivery-counter.js';
import { DeliveryStatsRepository } from '../src/outgoing-hooks/delivery-stats/delivery-stats.repository.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildChannel } from './factories/channels.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { startDatabaseProxy } from './fakes/database-proxy.js';
import { Receiver } from './fakes/receiver.js';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ENV = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,50ms', OUTGOING_TIMEOUT: '500ms' };
const NOTHING = {
  delivered: 0,
  failed: { http_4xx: 0, http_5xx: 0, timeout: 0, connection: 0, other: 0 },
  ...{ given_up: 0, p50_ms: null, p99_ms: null },
};

/** A webhook that fires for each message of its channel. */
async function hookTo(server: TestServer, ...urls: string[]): Promise<any> {
  const { id: teamId } = (await server.admin.get('/teams/name/main')).body;
  const { id } = await buildChannel(server.admin, teamId);
  const fields = { channel_id: id, trigger_words: [], callback_urls: urls };
  return buildOutgoingHook(server.admin, teamId, fields);
}

const fire = async (server: TestServer, hook: any): Promise<void> =>
  void (await server.admin.call('POST', '/posts', { channel_id: hook.channel_id, message: 'go' }));

/** Fires it this often, and waits until no delivery is open. */
async function fireAll(server: TestServer, hook: any, times: number): Promise<any[]> {
  for (let time = 0; time < times; time++) await fire(server, hook);
  return eventually(async () => {
    const { deliveries } = (await server.admin.get(`/hooks/outgoing/${hook.id}/deliveries`)).body;
    const isSettled = deliveries.every(({ finish_at }: any) => finish_at > 0);
    return isSettled && deliveries.length === times * hook.callback_urls.length ? deliveries : undefined;
  });
}

const flush = (server: TestServer): Promise<unknown> =>
  Promise.all(server.everywhere(DeliveryCounter).map((counter) => counter.flush()));
const statsOf = async (server: TestServer, path: string): Promise<any> => {
  const answer = await server.admin.get(path);
  expect(answer.status).toBe(200);
  return answer.body;
};
/** The counts once they include this number of attempts: outcomes are counted right after they are stored. */
const countedOf = (server: TestServer, path: string, attempts: number): Promise<any> =>
  eventually(async () => {
    await flush(server);
    const { totals } = await statsOf(server, path);
    const failed = Object.values<number>(totals.failed).reduce((sum, count) => sum + count, 0);
    return totals.delivered + failed === attempts && totals;
  });

describe('delivery statistics', () => {
  let server: TestServer;
  let receiver: Receiver;
  let hook: any;

  beforeAll(async () => {
    server = await startTestServer(ENV);
    receiver = await Receiver.start(({ path }, response) => {
      const [, kind] = path.split('/');
      if (kind === 'hang') return;
      const status = Number(kind);
      if (status > 0) response.statusCode = status;
      setTimeout(() => response.end(), kind === 'slow' ? 150 : 0);
    });
    hook = await hookTo(server, receiver.url('/'));
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });

  /** An address where nothing listens. */
  const closedUrl = async (): Promise<string> => {
    const socket = createServer().listen(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address() as { port: number };
    await new Promise((resolve) => socket.close(resolve));
    return `http://127.0.0.1:${port}/`;
  };

  it('count each attempt once, per webhook, per endpoint and in total', async () => {
    const own = await Receiver.start();
    const [one, other] = [await hookTo(server, own.url('/a')), await hookTo(server, own.url('/b'))];
    const before = (await statsOf(server, '/hooks/outgoing/deliveries/stats')).totals.delivered;
    await Promise.all([fireAll(server, one, 7), fireAll(server, other, 5)]);
    expect(await countedOf(server, `/hooks/outgoing/${one.id}/stats`, 7)).toMatchObject({
      ...{ delivered: 7, failed: NOTHING.failed, given_up: 0, success_per_million: 1_000_000 },
    });
    expect(await countedOf(server, `/hooks/outgoing/${other.id}/stats?range=30d`, 5)).toMatchObject({
      delivered: 5,
    });
    const path = `/hooks/outgoing/deliveries/stats?endpoint=${encodeURIComponent(own.origin)}&range=1h`;
    expect(await countedOf(server, path, 12)).toMatchObject({ delivered: 12 });
    expect((await statsOf(server, '/hooks/outgoing/deliveries/stats')).totals.delivered).toBe(before + 12);
    await flush(server);
    expect((await statsOf(server, path)).totals.delivered).toBe(12);
    await own.close();
  });

  it('distinguish failures, and abandoned deliveries', async () => {
    const urls = ['/404', '/500/a', '/500/b', '/302', '/410', '/hang'].map((path) => receiver.url(path));
    const failing = await hookTo(server, ...urls, await closedUrl());
    await fireAll(server, failing, 1);
    // Two attempts each, except for the 410.
    expect(await countedOf(server, `/hooks/outgoing/${failing.id}/stats`, 13)).toMatchObject({
      delivered: 0,
      failed: { http_4xx: 3, http_5xx: 4, timeout: 2, connection: 2, other: 2 },
      given_up: 7,
      success_per_million: 0,
    });
  });

  it('have the latencies of the attempts, within the precision of their buckets', async () => {
    const slow = await hookTo(server, receiver.url('/slow'));
    const [{ id }] = await fireAll(server, slow, 1);
    const { attempt_list: attempts } = (await server.admin.get(`/hooks/outgoing/${slow.id}/deliveries/${id}`))
      .body;
    const bucket = latencyBucket(attempts[0].duration_ms);
    const { p50_ms, p99_ms } = await countedOf(server, `/hooks/outgoing/${slow.id}/stats`, 1);
    for (const ms of [p50_ms, p99_ms]) {
      expect(ms).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[bucket - 1]!);
      expect(ms).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[bucket]!);
    }
  });

  it('survive the deletion of the webhook', async () => {
    const gone = await hookTo(server, receiver.url('/gone'));
    await fireAll(server, gone, 1);
    await countedOf(server, `/hooks/outgoing/${gone.id}/stats`, 1);
    await server.admin.call('DELETE', `/hooks/outgoing/${gone.id}`);
    expect((await statsOf(server, `/hooks/outgoing/${gone.id}/stats`)).totals.delivered).toBe(1);
  });

  it.each([
    ['1h', 300, 12],
    ['24h', 300, 288],
    ['7d', 3_600, 168],
    ['30d', 10_800, 240],
  ])('over %s have a point per %i seconds', async (range, step, count) => {
    const subject = `https://${newId().toLowerCase()}.example`;
    const path = `/hooks/outgoing/deliveries/stats?range=${range}&endpoint=${encodeURIComponent(subject)}`;
    const stored = range === '1h' || range === '24h' ? 300 : 3_600;
    const { points: empty, ...rest } = await statsOf(server, path);
    expect(rest).toEqual({ range, step_seconds: step, totals: { ...NOTHING, success_per_million: null } });
    expect(empty).toHaveLength(count);
    expect(empty[0]).toEqual({ start: empty[0].start, ...NOTHING });
    const last = empty.at(-1).start;
    expect(empty.map(({ start }: any) => start)).toEqual(
      Array.from({ length: count }, (_, index) => last - (count - 1 - index) * step * 1_000),
    );
    const counts = noCounts();
    counts[0] = 3;
    counts[1] = 1;
    const starts = [last, last + (step - stored) * 1_000, empty[1].start, empty[0].start - stored * 1_000];
    const spans = [...new Set(starts)].map((startAt) => ({ subject, stepSeconds: stored, startAt, counts }));
    await server.app.get(DeliveryStatsRepository).add(spans);
    const clock = jest.spyOn(server.app.get(Clock), 'now').mockReturnValue(last + step * 1_000 - 1);
    const { points, totals } = await statsOf(server, path);
    clock.mockRestore();
    const ends = step > stored ? 6 : 3;
    expect(points.filter(({ delivered }: any) => delivered > 0)).toMatchObject([
      { start: empty[1].start, delivered: 3, failed: { http_4xx: 1 } },
      { start: last, delivered: ends, failed: { http_4xx: ends / 3 } },
    ]);
    expect(totals).toMatchObject({ delivered: ends + 3, success_per_million: 750_000 });
  });

  it('reach back for the retention time', async () => {
    const subject = `https://${newId().toLowerCase()}.example`;
    const now = Date.now();
    const counts = noCounts();
    counts[0] = 1;
    const startOf = (time: number, seconds: number): number => time - (time % (seconds * 1_000));
    await server.app.get(DeliveryStatsRepository).add([
      { subject, stepSeconds: 300, startAt: startOf(now - DAY + 6 * MINUTE, 300), counts },
      { subject, stepSeconds: 3_600, startAt: startOf(now - 30 * DAY + 4 * HOUR, 3_600), counts },
    ]);
    for (const [range, delivered] of [
      ['1h', 0],
      ['24h', 1],
      ['7d', 0],
      ['30d', 1],
    ] as const)
      expect(
        (
          await statsOf(
            server,
            `/hooks/outgoing/deliveries/stats?range=${range}&endpoint=${encodeURIComponent(subject)}`,
          )
        ).totals,
      ).toMatchObject({ delivered });
  });

  it('add up when processes store the same rows at once', async () => {
    const subjects = Array.from(
      { length: 50 },
      (_, number) => `https://${number}.${newId().toLowerCase()}.example`,
    );
    const counts = noCounts();
    counts[0] = 1;
    const startAt = Date.now() - (Date.now() % HOUR);
    const spans = subjects.sort().map((subject) => ({ subject, stepSeconds: 3_600, startAt, counts }));
    const repositories = server.everywhere(DeliveryStatsRepository);
    const rounds = Array.from({ length: 12 }, (_, round) => repositories[round % repositories.length]!);
    await Promise.all(rounds.map((repository) => repository.add(spans)));
    for (const subject of subjects) {
      const path = `/hooks/outgoing/deliveries/stats?range=7d&endpoint=${encodeURIComponent(subject)}`;
      expect((await statsOf(server, path)).totals.delivered).toBe(12);
    }
  });

  it.each(['/', ':443', ''])(
    'accepts an endpoint in the same form as the list of deliveries, with %p',
    async (end) => {
      const endpoint = encodeURIComponent(`https://ci.Example.com${end}`);
      for (const path of ['deliveries', 'deliveries/stats'])
        expect((await server.admin.get(`/hooks/outgoing/${path}?endpoint=${endpoint}`)).status).toBe(200);
    },
  );

  describe('refuse', () => {
    const INVALID = 'api.context.invalid_url_param.app_error';

    it('a caller without a session', async () => {
      expectError(await server.anonymous.get(`/hooks/outgoing/${hook.id}/stats`), 401);
      expectError(await server.anonymous.get('/hooks/outgoing/deliveries/stats'), 401);
    });

    it('a caller who cannot manage the webhook, and all but administrators for the total', async () => {
      const { client } = await buildMember(server, [hook.team_id]);
      expectError(
        await client.get(`/hooks/outgoing/${hook.id}/stats`),
        403,
        'api.context.permissions.app_error',
      );
      expectError(
        await client.get('/hooks/outgoing/deliveries/stats'),
        403,
        'api.context.permissions.app_error',
      );
      expectError(await client.get(`/hooks/outgoing/deliveries/stats?endpoint=${receiver.origin}`), 403);
    });

    it('all statistics while outgoing webhooks are switched off', async () => {
      await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
        for (const path of [`${hook.id}/stats`, 'deliveries/stats', 'deliveries/stats?endpoint=x'])
          expectError(await server.admin.get(`/hooks/outgoing/${path}`), 501);
      });
    });

    it('an unknown webhook', async () => {
      expectError(await server.admin.get(`/hooks/outgoing/${newId()}/stats`), 404);
    });

    it.each(['2h', '24H', '1', 'constructor'])('the range %s', async (range) => {
      for (const path of [`/hooks/outgoing/${hook.id}/stats`, '/hooks/outgoing/deliveries/stats'])
        expectError(await server.admin.get(`${path}?range=${range}`), 400, INVALID, 'range');
    });

    it.each(['https://ci.example.com/path?key=1', 'ci.example.com', 'ftp://ci.example.com', '*'])(
      'the endpoint %s, which is not an origin',
      async (endpoint) => {
        const answer = await server.admin.get(
          `/hooks/outgoing/deliveries/stats?endpoint=${encodeURIComponent(endpoint)}`,
        );
        expectError(answer, 400, INVALID, 'endpoint');
      },
    );
  });
});

describe('counted attempts', () => {
  it('are stored when the server stops, and loaded when it starts', async () => {
    const database = await createTestDatabase();
    const receiver = await Receiver.start();
    const first = await startTestServer(ENV, database);
    const hook = await hookTo(first, receiver.url('/'));
    await fireAll(first, hook, 3);
    await first.close();
    const second = await startTestServer(ENV, database);
    expect((await statsOf(second, `/hooks/outgoing/${hook.id}/stats`)).totals.delivered).toBe(3);
    await second.close();
    await receiver.close();
    await database.drop();
  });

  const onMysql = onlyWhere(isMysql, 'the embedded database has no outages');
  onMysql.it('wait during an outage, and a lost reply affects no others', async () => {
    const database = await createTestDatabase();
    const proxy = await startDatabaseProxy(database.databaseUrl ?? '');
    const receiver = await Receiver.start();
    const server = await startTestServer(ENV, {
      ...database,
      env: { ...database.env, DATABASE_URL: proxy.url },
    });
    for (const one of server.everywhere(DeliveryCounter)) one['writes'].rest(); // the test decides when
    const hook = await hookTo(server, receiver.url('/'));
    const path = `/hooks/outgoing/${hook.id}/stats`;
    await fireAll(server, hook, 2);
    const counter = server.everywhere(DeliveryCounter).find((one) => one['pending'].size > 0)!;
    proxy.lose('INSERT INTO delivery_stats');
    await counter['writes'].run();
    expect(proxy.losses).toBe(1);
    expect((await statsOf(server, path)).totals.delivered).toBe(0);
    expect(await countedOf(server, path, 2)).toMatchObject({ delivered: 2 });

    const doubt = server
      .everywhere(ChangeLog as never)
      .map((changes) => jest.spyOn(changes as ChangeLog, 'commitUncertain'));
    const other = await hookTo(server, receiver.url('/'));
    await fireAll(server, other, 1);
    proxy.loseCommitOf('INSERT INTO delivery_stats');
    await flush(server);
    expect(proxy.losses).toBe(2);
    for (const spy of doubt) expect(spy).not.toHaveBeenCalled();
    await flush(server);
    // It is stored, and stored again, because the outcome is unknown.
    expect((await statsOf(server, `/hooks/outgoing/${other.id}/stats`)).totals.delivered).toBe(2);
    await server.close();
    await proxy.close();
    await receiver.close();
    await database.drop();
  });
});
