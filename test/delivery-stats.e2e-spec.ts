import { once } from 'node:events';
import { createServer } from 'node:net';
import { newId } from '../src/platform/common/ids.js';
import { Clock } from '../src/platform/common/clock.js';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import { DeliverySearchService } from '../src/delivery/dispatch/delivery-search.service.js';
import { DeliveryTail } from '../src/outgoing-hooks/delivery-log/delivery-tail.js';
import {
  type CountedOutcome,
  LATENCY_BOUNDS_MS,
  latencyBucket,
  noCounts,
  OUTCOMES,
} from '../src/outgoing-hooks/delivery-stats/counts.js';
import { DeliveryCounter } from '../src/outgoing-hooks/delivery-stats/delivery-counter.js';
import { DeliveryStatsRepository } from '../src/outgoing-hooks/delivery-stats/delivery-stats.repository.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildChannel, joinChannel } from './factories/channels.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { startDatabaseProxy } from './fakes/database-proxy.js';
import { Receiver } from './fakes/receiver.js';
import type { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { LiveClient } from './support/live-client.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ENV = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,50ms', OUTGOING_TIMEOUT: '500ms' };
const HOOKS = '/hooks/outgoing';
const ALL = `${HOOKS}/deliveries/stats`;
const INVALID = 'api.context.invalid_url_param.app_error';
const NOTHING = {
  delivered: 0,
  failed: { http_4xx: 0, http_5xx: 0, timeout: 0, connection: 0, other: 0 },
  ...{ given_up: 0, p50_ms: null, p99_ms: null },
};

let server: TestServer;
let receiver: Receiver;
let teamId: string;

beforeAll(async () => {
  server = await startTestServer(ENV);
  teamId = (await server.admin.get('/teams/name/main')).body.id;
  receiver = await Receiver.start(({ path }, response) => {
    const [, kind] = path.split('/');
    if (kind === 'hang') return;
    const status = Number(kind);
    if (status > 0) response.statusCode = status;
    setTimeout(() => response.end(), kind === 'slow' ? 150 : 0);
  });
});
afterAll(async () => {
  await server?.close();
  await receiver?.close();
});

/** A webhook that fires for each message of its channel. */
async function hookTo(urls: readonly string[], of = server): Promise<any> {
  const { id: team_id } = (await of.admin.get('/teams/name/main')).body;
  const { id } = await buildChannel(of.admin, team_id);
  return buildOutgoingHook(of.admin, team_id, { channel_id: id, trigger_words: [], callback_urls: urls });
}
const fire = (hook: any, of = server): Promise<any> =>
  of.admin.call('POST', '/posts', { channel_id: hook.channel_id, message: 'go' });
/** Fires it this often, and waits until no delivery is open. */
async function fireAll(hook: any, times: number, of = server): Promise<any[]> {
  for (let time = 0; time < times; time++) await fire(hook, of);
  return eventually(async () => {
    const { deliveries } = await of.admin.call('GET', `${HOOKS}/${hook.id}/deliveries`);
    const isSettled = deliveries.every(({ finish_at }: any) => finish_at > 0);
    return isSettled && deliveries.length === times * hook.callback_urls.length ? deliveries : undefined;
  });
}
const flush = (of = server): Promise<unknown> =>
  Promise.all(of.everywhere(DeliveryCounter).map((counter) => counter.flush()));
const statsOf = (path: string, of = server): Promise<any> => of.admin.call('GET', path);
const ofEndpoint = (origin: string, range = '24h'): string =>
  `${ALL}?range=${range}&endpoint=${encodeURIComponent(origin)}`;
/** The counts once they include this number of attempts: outcomes are counted right after they are stored. */
const countedOf = (path: string, attempts: number, of = server): Promise<any> =>
  eventually(async () => {
    await flush(of);
    const { totals } = await statsOf(path, of);
    const failed = Object.values<number>(totals.failed).reduce((sum, count) => sum + count, 0);
    return totals.delivered + failed === attempts && totals;
  });
/** Stores counts of a span. */
const count = (
  subject: string,
  stepSeconds: number,
  startAt: number,
  counted: Partial<Record<CountedOutcome, number>>,
  repository = server.app.get(DeliveryStatsRepository),
): Promise<void> => {
  const counts = noCounts();
  for (const [column, name] of OUTCOMES.entries()) counts[column] = counted[name] ?? 0;
  return repository.add([{ subject, stepSeconds, startAt, counts }]);
};
const at = async <T>(now: number, action: () => Promise<T>): Promise<T> => {
  const clocks = server.everywhere(Clock).map((clock) => jest.spyOn(clock, 'now').mockReturnValue(now));
  return action().finally(() => clocks.forEach((clock) => clock.mockRestore()));
};
const someEndpoint = (): string => `https://${newId().toLowerCase()}.example`;

describe('delivery statistics', () => {
  /** An address where nothing listens. */
  const closedUrl = async (): Promise<string> => {
    const socket = createServer().listen(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address() as { port: number };
    await new Promise((resolve) => socket.close(resolve));
    return `http://127.0.0.1:${port}/`;
  };

  it('count each attempt once, per webhook, per endpoint and in total, even of a deleted webhook', async () => {
    const own = await Receiver.start();
    const [one, other] = [await hookTo([own.url('/a')]), await hookTo([own.url('/b')])];
    const before = (await statsOf(ALL)).totals.delivered;
    await Promise.all([fireAll(one, 7), fireAll(other, 5)]);
    expect(await countedOf(`${HOOKS}/${one.id}/stats`, 7)).toMatchObject({
      ...{ delivered: 7, failed: NOTHING.failed, given_up: 0, success_per_million: 1_000_000 },
    });
    await server.admin.call('DELETE', `${HOOKS}/${other.id}`);
    expect(await countedOf(`${HOOKS}/${other.id}/stats?range=30d`, 5)).toMatchObject({ delivered: 5 });
    expect(await countedOf(ofEndpoint(own.origin, '1h'), 12)).toMatchObject({ delivered: 12 });
    await flush();
    expect((await statsOf(ALL)).totals.delivered).toBe(before + 12);
    await own.close();
  });

  it('distinguish failures, and abandoned deliveries', async () => {
    const urls = ['/404', '/500/a', '/500/b', '/302', '/410', '/hang'].map((path) => receiver.url(path));
    const failing = await hookTo([...urls, await closedUrl()]);
    await fireAll(failing, 1);
    // Two attempts each, except for the 410.
    expect(await countedOf(`${HOOKS}/${failing.id}/stats`, 13)).toMatchObject({
      delivered: 0,
      failed: { http_4xx: 3, http_5xx: 4, timeout: 2, connection: 2, other: 2 },
      ...{ given_up: 7, success_per_million: 0 },
    });
  });

  it('have the latencies of the attempts, within the precision of their buckets', async () => {
    const slow = await hookTo([receiver.url('/slow')]);
    const [{ id }] = await fireAll(slow, 1);
    const { attempt_list: attempts } = await statsOf(`${HOOKS}/${slow.id}/deliveries/${id}`);
    const bucket = latencyBucket(attempts[0].duration_ms);
    const { p50_ms, p99_ms } = await countedOf(`${HOOKS}/${slow.id}/stats`, 1);
    for (const ms of [p50_ms, p99_ms]) {
      expect(ms).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[bucket - 1]!);
      expect(ms).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[bucket]!);
    }
  });

  it.each([
    ['1h', 300, 12],
    ['24h', 300, 288],
    ['7d', 3_600, 168],
    ['30d', 10_800, 240],
  ])('over %s have a point per %i seconds', async (range, step, length) => {
    const subject = someEndpoint();
    const path = ofEndpoint(subject, range);
    const stored = range === '1h' || range === '24h' ? 300 : 3_600;
    const { points: empty, ...rest } = await statsOf(path);
    expect(rest).toEqual({ range, step_seconds: step, totals: { ...NOTHING, success_per_million: null } });
    const last = empty.at(-1).start;
    expect(empty).toEqual(
      Array.from({ length }, (_, index) => ({
        start: last - (length - 1 - index) * step * 1_000,
        ...NOTHING,
      })),
    );
    const starts = [last, last + (step - stored) * 1_000, empty[1].start, empty[0].start - stored * 1_000];
    for (const start of new Set(starts)) await count(subject, stored, start, { delivered: 3, failed_4xx: 1 });
    const { points, totals } = await at(last + step * 1_000 - 1, () => statsOf(path));
    const ends = step > stored ? 6 : 3;
    expect(points.filter(({ delivered }: any) => delivered > 0)).toMatchObject([
      { start: empty[1].start, delivered: 3, failed: { http_4xx: 1 } },
      { start: last, delivered: ends, failed: { http_4xx: ends / 3 } },
    ]);
    expect(totals).toMatchObject({ delivered: ends + 3, success_per_million: 750_000 });
  });

  it('reach back for the retention time', async () => {
    const subject = someEndpoint();
    const now = Date.now();
    const startOf = (time: number, seconds: number): number => time - (time % (seconds * 1_000));
    await count(subject, 300, startOf(now - DAY + 6 * MINUTE, 300), { delivered: 1 });
    await count(subject, 3_600, startOf(now - 30 * DAY + 4 * HOUR, 3_600), { delivered: 1 });
    const found: Record<string, number> = {};
    for (const range of ['1h', '24h', '7d', '30d'])
      found[range] = (await statsOf(ofEndpoint(subject, range))).totals.delivered;
    expect(found).toEqual({ '1h': 0, '24h': 1, '7d': 0, '30d': 1 });
  });

  it('add up when processes store the same rows at once', async () => {
    const subjects = Array.from({ length: 50 }, someEndpoint).sort();
    const counts = noCounts();
    counts[0] = 1;
    const startAt = Date.now() - (Date.now() % HOUR);
    const spans = subjects.map((subject) => ({ subject, stepSeconds: 3_600, startAt, counts }));
    const repositories = server.everywhere(DeliveryStatsRepository);
    const rounds = Array.from({ length: 12 }, (_, round) => repositories[round % repositories.length]!);
    await Promise.all(rounds.map((repository) => repository.add(spans)));
    for (const subject of subjects)
      expect((await statsOf(ofEndpoint(subject, '7d'))).totals.delivered).toBe(12);
  });

  it.each(['/', ':443', ''])('accept an endpoint like the list of deliveries, with %p', async (end) => {
    for (const path of ['deliveries', 'deliveries/stats'])
      await statsOf(`${HOOKS}/${path}?endpoint=${encodeURIComponent(`https://ci.Example.com${end}`)}`);
  });

  it.each(['2h', '24H', '1', 'constructor'])('refuse the range %s', async (range) => {
    for (const path of [`${HOOKS}/${(await hookTo([receiver.url('/')])).id}/stats`, ALL])
      expectError(await server.admin.get(`${path}?range=${range}`), 400, INVALID, 'range');
  });

  it.each(['https://ci.example.com/path?key=1', 'ci.example.com', 'ftp://ci.example.com', '*'])(
    'refuse the endpoint %s, which is not an origin',
    async (endpoint) => {
      expectError(await server.admin.get(ofEndpoint(endpoint)), 400, INVALID, 'endpoint');
    },
  );
});

describe('the statistics of many webhooks', () => {
  const make = (fields: object = {}): Promise<any> =>
    buildOutgoingHook(server.admin, teamId, { trigger_words: [newId()], ...fields });
  const hooksOf = (ids: readonly string[], query = '', client: ApiClient = server.admin): Promise<any> =>
    client.call('POST', `${HOOKS}/stats${query}`, { hook_ids: ids });
  const idsOf = async (ids: readonly string[], client: ApiClient): Promise<string[]> =>
    (await hooksOf(ids, '', client)).hooks.map(({ hook_id }: any) => hook_id);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

  it('contain the calls of each webhook, and of a failure only its number', async () => {
    const [good, bad] = [await hookTo([receiver.url('/good')]), await hookTo([receiver.url('/500')])];
    for (const hook of [good, bad]) await fireAll(hook, 1);
    const found = await eventually(async () => {
      await flush();
      const { hooks } = await hooksOf([bad.id, good.id]);
      return sum(hooks[0].failed) === 2 && sum(hooks[1].delivered) === 1 && hooks;
    });
    expect(found).toMatchObject([{ hook_id: bad.id }, { hook_id: good.id }]);
    expect([sum(found[0].delivered), sum(found[1].failed)]).toEqual([0, 0]);
  });

  it.each([
    ['24h', '', 3_600, 24],
    ['7d', '?range=7d', 21_600, 28],
  ])('over %s (%p) have points of %i seconds', async (range, query, step, length) => {
    const [hook, empty] = [await make(), await make()];
    const zeros = new Array<number>(length).fill(0);
    const { start, ...rest } = await hooksOf([hook.id], query);
    expect(rest).toEqual({
      ...{ range, step_seconds: step },
      hooks: [{ hook_id: hook.id, delivered: zeros, failed: zeros }],
    });
    const stepMs = step * 1_000;
    expect(start % stepMs).toBe(0);
    const end = start + length * stepMs;
    const failed = { failed_4xx: 1, failed_5xx: 2, failed_timeout: 3, failed_connection: 4, failed_other: 5 };
    await count(hook.id, 3_600, start - HOUR, { delivered: 100 }); // too early
    await count(hook.id, 3_600, start, { delivered: 7, given_up: 50 });
    await count(hook.id, 3_600, start + stepMs, failed);
    await count(hook.id, 300, start + stepMs, { delivered: 100 }); // also counted by the hour
    await count(hook.id, 3_600, end - HOUR, { delivered: 2 });
    if (stepMs > HOUR) await count(hook.id, 3_600, end - stepMs, { delivered: 3, failed_5xx: 1 });
    const { hooks } = await at(end - 1, () => hooksOf([empty.id, hook.id, hook.id], query));
    expect(hooks).toEqual([
      { hook_id: empty.id, delivered: zeros, failed: zeros },
      {
        hook_id: hook.id,
        delivered: zeros.with(0, 7).with(-1, stepMs > HOUR ? 5 : 2),
        failed: zeros.with(1, 15).with(-1, stepMs > HOUR ? 1 : 0),
      },
    ]);
  });

  it('omit webhooks that the caller cannot see, and unknown ones', async () => {
    const { client: owner, id: ownerId } = await buildMember(server, [teamId]);
    const [channel, open] = [
      await buildChannel(server.admin, teamId),
      await buildChannel(server.admin, teamId),
    ];
    const hidden = await make({ channel_id: channel.id });
    await server.admin.call('PUT', `/channels/${channel.id}/privacy`, { privacy: 'P' });
    const [shown, gone] = [await make({ channel_id: open.id }), await make({ channel_id: open.id })];
    await server.admin.call('DELETE', `${HOOKS}/${gone.id}`);
    const all = [hidden.id, newId(), gone.id, shown.id];
    /** The same as for each alone. */
    const sees = async (client: ApiClient, expected: readonly string[]): Promise<void> => {
      const alone: string[] = [];
      for (const id of all) if ((await client.get(`${HOOKS}/${id}/stats`)).status === 200) alone.push(id);
      expect([await idsOf(all, client), alone]).toEqual([expected, expected]);
    };
    await sees(server.admin, [hidden.id, gone.id, shown.id]);
    await sees(owner, []);
    const roles = { scheme_user: true, scheme_admin: true };
    await server.admin.call('PUT', `/teams/${teamId}/members/${ownerId}/schemeRoles`, roles);
    await sees(owner, [gone.id, shown.id]);
    await joinChannel(server.admin, channel.id, ownerId);
    await sees(owner, [hidden.id, gone.id, shown.id]);
  });

  it('are read by one statement, however many webhooks there are', async () => {
    const ids = [(await make()).id, (await make()).id, (await make()).id];
    const spies = server.everywhere(DeliveryStatsRepository).map((each) => jest.spyOn(each, 'listOutcomes'));
    await hooksOf(ids);
    const calls = spies.flatMap(({ mock }) => mock.calls);
    for (const spy of spies) spy.mockRestore();
    expect(calls).toEqual([[expect.objectContaining({ subjects: ids })]]);
  });

  it.each([
    ['no ids', {}],
    ['an empty list', { hook_ids: [] }],
    ['null', { hook_ids: null }],
    ['too many', { hook_ids: Array.from({ length: 101 }, () => newId()) }],
    ['a text', { hook_ids: newId() }],
    ['an invalid id', { hook_ids: [newId(), 'short'] }],
  ])('refuse %s', async (_, body) => {
    const answer = await server.admin.post(`${HOOKS}/stats`, body);
    expectError(answer, 400, 'api.context.invalid_body_param.app_error', 'hook_ids');
  });

  it.each(['1h', '30d', '24H', 'constructor'])('refuse the range %s', async (range) => {
    const answer = await server.admin.post(`${HOOKS}/stats?range=${range}`, { hook_ids: [newId()] });
    expectError(answer, 400, INVALID, 'range');
  });
});

describe('counted attempts', () => {
  it('are stored when the server stops, and loaded when it starts', async () => {
    const database = await createTestDatabase();
    const first = await startTestServer(ENV, database);
    const hook = await hookTo([receiver.url('/')], first);
    await fireAll(hook, 3, first);
    await first.close();
    const second = await startTestServer(ENV, database);
    expect((await statsOf(`${HOOKS}/${hook.id}/stats`, second)).totals.delivered).toBe(3);
    await second.close();
    await database.drop();
  });

  const onMysql = onlyWhere(isMysql, 'the embedded database has no outages');
  onMysql.it('wait during an outage, and a lost reply affects no others', async () => {
    const database = await createTestDatabase();
    const proxy = await startDatabaseProxy(database.databaseUrl ?? '');
    const env = { ...database.env, DATABASE_URL: proxy.url };
    const away = await startTestServer(ENV, { ...database, env });
    for (const one of away.everywhere(DeliveryCounter)) one['writes'].rest(); // the test decides when
    const hook = await hookTo([receiver.url('/')], away);
    const path = `${HOOKS}/${hook.id}/stats`;
    await fireAll(hook, 2, away);
    const counter = await eventually(() => {
      const counted = away.everywhere(DeliveryCounter).filter((one) => one['pending'].size > 0);
      return counted.length === 1 ? counted[0] : undefined;
    });
    proxy.lose('INSERT INTO delivery_stats');
    await counter['writes'].run();
    expect(proxy.losses).toBe(1);
    expect((await statsOf(path, away)).totals.delivered).toBe(0);
    expect(await countedOf(path, 2, away)).toMatchObject({ delivered: 2 });

    const doubt = away
      .everywhere(ChangeLog as never)
      .map((changes) => jest.spyOn(changes as ChangeLog, 'commitUncertain'));
    const other = await hookTo([receiver.url('/')], away);
    await fireAll(other, 1, away);
    proxy.loseCommitOf('INSERT INTO delivery_stats');
    await flush(away);
    expect(proxy.losses).toBe(2);
    for (const spy of doubt) expect(spy).not.toHaveBeenCalled();
    await flush(away);
    // It is stored, and stored again, because the outcome is unknown.
    expect((await statsOf(`${HOOKS}/${other.id}/stats`, away)).totals.delivered).toBe(2);
    await away.close();
    await proxy.close();
    await database.drop();
  });
});

describe('the live tail of deliveries', () => {
  const EVENT = 'deliveries_changed';
  let hook: any;
  const clients: LiveClient[] = [];

  beforeAll(async () => {
    hook = await hookTo([receiver.url('/')]);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  const connect = async (token = String(server.admin.token)): Promise<LiveClient> => {
    const client = await LiveClient.connect(server.url, token);
    clients.push(client);
    return client;
  };
  const fireOnce = (): Promise<any> => fire(hook);
  const counted = (client: LiveClient, field: 'created' | 'settled'): number =>
    client.named(EVENT).reduce((sum, { data }) => sum + data[field], 0);

  it('sends subscribers created and settled deliveries of every process', async () => {
    const [client, other] = [await connect(), await connect()];
    expect(await client.ask('subscribe_deliveries')).toMatchObject({ status: 'OK' });
    const before = Date.now();
    for (let time = 0; time < 6; time++) await fireOnce();
    await eventually(() => counted(client, 'created') === 6 && counted(client, 'settled') === 6);
    for (const { data } of client.named(EVENT))
      expect(Object.keys(data).sort()).toEqual(['created', 'newest_create_at', 'settled']);
    const [newest] = (await server.admin.get('/hooks/outgoing/deliveries?per_page=1')).body.deliveries;
    expect(client.named(EVENT).at(-1)!.data['newest_create_at']).toBe(newest.create_at);
    expect(newest.create_at).toBeGreaterThanOrEqual(before - 1_000);
    expect(other.named(EVENT)).toEqual([]);
  });

  it('ends on request and with the connection, and adds no cost afterwards', async () => {
    const [client, stays] = [await connect(), await connect()];
    for (const one of [client, stays]) await one.ask('subscribe_deliveries');
    expect(await client.ask('unsubscribe_deliveries')).toMatchObject({ status: 'OK' });
    await fireOnce();
    await eventually(() => counted(stays, 'settled') === 1);
    expect(client.named(EVENT)).toEqual([]);
    await stays.ask('unsubscribe_deliveries');
    await eventually(() => server.everywhere(DeliveryTail).every((tail) => !tail['isPolling']));
    const searches = server.everywhere(DeliverySearchService).map((one) => jest.spyOn(one, 'recent'));
    const { length } = receiver.calls;
    await fireOnce();
    await eventually(() => receiver.calls.length > length);
    for (const search of searches) expect(search).not.toHaveBeenCalled();
    await client.ask('subscribe_deliveries');
    await fireOnce();
    await eventually(() => counted(client, 'created') === 1);
  });

  it('requires a new subscription after every reconnect', async () => {
    const [client, watching] = [await connect(), await connect()];
    for (const one of [client, watching]) await one.ask('subscribe_deliveries');
    const query = `?connection_id=${client.connectionId}&sequence_number=${client.expectedSeq}`;
    client.close();
    const back = await LiveClient.connect(server.url, String(server.admin.token), query);
    clients.push(back);
    await fireOnce();
    await eventually(() => counted(watching, 'settled') === 1);
    expect(counted(back, 'created')).toBe(0);
  });

  it('stops for users who lose access to deliveries', async () => {
    const { client: member, id } = await buildMember(server, [hook.team_id]);
    await server.admin.put(`/users/${id}/roles`, { roles: 'system_admin system_user' });
    const client = await connect(String(member.token));
    expect((await client.ask('subscribe_deliveries')).status).toBe('OK');
    await fireOnce();
    await eventually(() => counted(client, 'created') === 1);
    await server.admin.put(`/users/${id}/roles`, { roles: 'system_user' });
    const watching = await connect();
    await watching.ask('subscribe_deliveries');
    await fireOnce();
    await eventually(() => counted(watching, 'settled') === 1);
    expect(counted(client, 'created')).toBe(1);
  });

  it('is refused to users without access to deliveries', async () => {
    const { client: member } = await buildMember(server, [hook.team_id]);
    const client = await connect(String(member.token));
    expect(await client.ask('subscribe_deliveries')).toMatchObject({
      status: 'FAIL',
      error: { id: 'api.context.permissions.app_error', status_code: 403 },
    });
    for (const action of ['subscribe_constructor', 'subscribe_', 'unsubscribe_other'])
      expect((await client.ask(action)).error?.id).toBe('api.web_socket_router.bad_action.app_error');
  });
});
