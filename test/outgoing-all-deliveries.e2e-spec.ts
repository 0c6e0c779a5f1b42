import { DataSource } from 'typeorm';
import { MAX_EXAMINED_PER_SEARCH } from '../src/delivery/dispatch/delivery-search.service.js';
import { Delivery } from '../src/delivery/dispatch/delivery.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildTeam } from './factories/teams.js';
import { Receiver } from './fakes/receiver.js';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const ALL = '/api/v4/hooks/outgoing/deliveries';
const BAD_PARAM = 'api.context.invalid_url_param.app_error';
const DAY_MS = 86_400_000;
const LATER = Date.now() + DAY_MS;
/** Values that other requests here do not store; each row is one second after the previous one. */
const START = Date.now() - DAY_MS;

describe('deliveries of all outgoing webhooks', () => {
  let server: TestServer;
  let team: any;
  let other: any;
  let one: any;
  let two: any;
  /** Ids by name, oldest first. */
  const rows: Record<string, string> = {};

  const insert = async (hook: any, fields: Partial<Delivery>): Promise<string> => {
    const count = Object.keys(rows).length;
    const createAt = START + 1_000 * count;
    const settled = fields.status === 'pending' || fields.status === 'retrying' ? 0 : createAt + 1;
    const [row] = await insertDeliveries(server, hook, 1, {
      ...{ createAt, seq: createAt * 2048, finishAt: settled, nextAttemptAt: LATER },
      ...fields,
    });
    return row!.id;
  };
  const list = async (query = ''): Promise<any> => {
    const answer = await server.admin.get(`${ALL}${query}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const namesOf = (deliveries: readonly any[]): string[] =>
    deliveries.map(({ id }) => Object.keys(rows).find((name) => rows[name] === id) ?? id);
  const deliveriesTable = () => server.app.get(DataSource).getRepository(Delivery);
  const forget = ({ id }: any): Promise<unknown> => deliveriesTable().delete({ ownerId: id });
  const hookTo = (url: string): Promise<any> =>
    buildOutgoingHook(server.admin, team.id, { trigger_words: [newId()], callback_urls: [url] });
  /** The ids of all pages; `between` runs after each. */
  const readAll = async (query: string, between?: () => Promise<unknown>): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`?${query}&cursor=${cursor}`);
      seen.push(...page.deliveries.map(({ id }: any) => id));
      await between?.();
      cursor = page.next_cursor;
      if (cursor === '') return seen;
    }
  };
  const found = async (query: string): Promise<string[]> => namesOf((await list(query)).deliveries);

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
    team = await buildTeam(server.admin, { display_name: 'The first' });
    other = await buildTeam(server.admin, { display_name: 'The second' });
    one = await buildOutgoingHook(server.admin, team.id, {
      display_name: 'Deployer',
      callback_urls: ['http://127.0.0.1:9/one'],
    });
    two = await buildOutgoingHook(server.admin, other.id, {
      display_name: 'Notifier',
      callback_urls: ['http://127.0.0.1:10/two'],
    });
    const failed = { status: 'failed', reason: 'attempts_exhausted', attempts: 3 } as const;
    rows['delivered'] = await insert(one, { status: 'delivered', attempts: 1, lastCode: 200 });
    rows['timeout'] = await insert(one, { ...failed, lastError: 'timeout' });
    rows['gone'] = await insert(two, { ...failed, reason: 'gone', lastCode: 410 });
    rows['broken'] = await insert(two, { ...failed, lastCode: 503 });
    rows['unreadable'] = await insert(two, { ...failed, lastCode: 500, lastError: 'decoding' });
    rows['cancelled'] = await insert(one, { status: 'cancelled', reason: 'url_disabled' });
    rows['retrying'] = await insert(one, { status: 'retrying', attempts: 1, lastError: 'timeout' });
    rows['elsewhere'] = await insert(one, { status: 'pending', url: 'https://example.com:8443/path?key=1' });
    rows['accepted'] = await insert(two, { status: 'delivered', attempts: 1, lastCode: 204 });
    const peers = { kind: 'peer_message', ownerId: newId(), status: 'failed' } as const;
    await insert(one, { ...peers, seq: START * 2048 + 1 });
  });
  afterAll(() => server?.close());

  it('are listed newest first, each with its webhook and team', async () => {
    const { deliveries, next_cursor } = await list();
    expect(namesOf(deliveries)).toEqual(Object.keys(rows).reverse());
    expect(next_cursor).toBe('');
    const own = (await server.admin.get(`/hooks/outgoing/${two.id}/deliveries`)).body.deliveries;
    expect(deliveries.filter((delivery: any) => delivery.hook_id === two.id)).toEqual(
      own.map((delivery: any) => ({
        ...delivery,
        hook_display_name: 'Notifier',
        team_id: other.id,
        team_name: other.name,
        team_display_name: 'The second',
      })),
    );
    expect(deliveries.at(-1)).toMatchObject({
      ...{ id: rows['delivered'], hook_id: one.id, hook_display_name: 'Deployer', team_id: team.id },
      ...{ status: 'delivered', last_status_code: 200 },
    });
  });

  it.each([
    ['status=failed', ['unreadable', 'broken', 'gone', 'timeout']],
    ['status=pending,cancelled', ['elsewhere', 'retrying', 'cancelled']],
    ['status=retrying', ['retrying']],
    ['status=retrying,failed', ['retrying', 'unreadable', 'broken', 'gone', 'timeout']],
    ['status=retrying,pending', ['elsewhere', 'retrying']],
    ['status=retrying&endpoint=http://127.0.0.1:10', []],
    ['endpoint=http://127.0.0.1:10', ['accepted', 'unreadable', 'broken', 'gone']],
    ['endpoint=https://Example.com:8443/', ['elsewhere']],
    ['error=timeout', ['retrying', 'timeout']],
    ['error=decoding', ['unreadable']],
    ['http_status=503', ['broken']],
    ['http_status=5xx', ['unreadable', 'broken']],
    ['http_status=4xx', ['gone']],
    ['http_status=200', ['delivered']],
    ['status=&endpoint=&error=&http_status=&hook_id=&since=&before=&cursor=&status=failed', 'all'],
    [`since=${START + 7_000}`, ['accepted', 'elsewhere']],
    [`before=${START + 2_000}`, ['timeout', 'delivered']],
    [`since=${START + 1_000}&before=${START + 3_000}`, ['gone', 'timeout']],
    ['status=failed&error=timeout', ['timeout']],
    ['status=delivered&http_status=204', ['accepted']],
    ['error=decoding&http_status=500&endpoint=http://127.0.0.1:10', ['unreadable']],
    ['error=timeout&http_status=5xx', []],
    [`status=failed&http_status=5xx&before=${START + 4_000}`, ['broken']],
  ])('are filtered by %s', async (query, names) => {
    expect(await found(`?${query}`)).toEqual(names === 'all' ? Object.keys(rows).reverse() : names);
  });

  it('contain one with the given id, if it matches the other filters', async () => {
    const id = rows['broken']!;
    expect(await found(`?delivery_id=${id}`)).toEqual(['broken']);
    const all = `&hook_id=${two.id}&status=failed&http_status=503&endpoint=http://127.0.0.1:10&since=${START}`;
    expect(await list(`?delivery_id=${id}${all}`)).toMatchObject({ deliveries: [{ id }], next_cursor: '' });
    for (const other of [`hook_id=${one.id}`, 'status=pending', 'http_status=4xx', 'error=tls'])
      expect(await list(`?delivery_id=${id}&${other}`)).toEqual({ deliveries: [], next_cursor: '' });
    expect(await found(`?delivery_id=${id}&endpoint=http://127.0.0.1:9&before=${LATER}`)).toEqual([]);
    expect(await found(`?delivery_id=${id}&before=${START}`)).toEqual([]);
    expect(await found(`?delivery_id=${newId()}`)).toEqual([]);
  });

  it('are filtered by webhook, alone and with other filters, even if it is deleted', async () => {
    const hook = await hookTo('http://127.0.0.1:9/');
    const [row] = await insertDeliveries(server, hook, 1, {
      ...{ status: 'failed', lastError: 'dns', seq: 2048, createAt: 1, finishAt: Date.now() },
    });
    await server.admin.delete(`/hooks/outgoing/${hook.id}`);
    expect((await list(`?hook_id=${hook.id}`)).deliveries).toMatchObject([
      { id: row!.id, hook_id: hook.id, hook_display_name: 'Deployer', team_id: team.id },
    ]);
    expect(await found(`?hook_id=${hook.id}&error=dns&status=failed&before=2`)).toEqual([row!.id]);
    expect(await found(`?hook_id=${hook.id}&error=tls`)).toEqual([]);
    expect(await found(`?hook_id=${two.id}&status=failed&http_status=4xx`)).toEqual(['gone']);
    await forget(hook);
  });

  it.each(['', '&status=failed,cancelled,delivered', '&endpoint=http://127.0.0.1:11', '&http_status=2xx'])(
    'are read page by page to the end, once each, while new ones arrive (%s)',
    async (filter) => {
      const hook = await hookTo('http://127.0.0.1:11/paged');
      const fields = { status: 'delivered', lastCode: 200, finishAt: Date.now() } as const;
      const wanted = (await insertDeliveries(server, hook, 7, fields)).map(({ id }) => id).reverse();
      const since = `since=${Date.now() - 60_000}&per_page=2${filter}`;
      const arrive = (): Promise<unknown> =>
        insertDeliveries(server, hook, 1, { ...fields, seq: (Date.now() + 1_000) * 2048 });
      expect(await readAll(since, arrive)).toEqual(wanted);
      await forget(hook);
    },
  );

  it('are searched in steps, and the cursor continues after them', async () => {
    const hook = await hookTo('http://127.0.0.1:9/');
    const fields = { status: 'failed', finishAt: Date.now(), createAt: 1 } as const;
    const oldest = await insertDeliveries(server, hook, 2, { ...fields, seq: 2048, lastError: 'tls' });
    const [later, rare] = oldest.map(({ id }) => id).reverse();
    await deliveriesTable().update({ id: rare! }, { lane: 'https://rare.example' });
    await insertDeliveries(server, hook, MAX_EXAMINED_PER_SEARCH, {
      ...fields,
      seq: 4096,
      lastError: 'reset',
    });
    for (const lane of ['', `&endpoint=http://127.0.0.1:9`]) {
      const filter = `?error=tls&hook_id=${hook.id}${lane}`;
      const first = await list(filter);
      expect(first).toEqual({ deliveries: [], next_cursor: expect.stringMatching(/^[a-z0-9]{26}$/) });
      const second = await list(`${filter}&cursor=${first.next_cursor}`);
      const ids = second.deliveries.map(({ id }: any) => id);
      expect({ ids, end: second.next_cursor }).toEqual({ ids: lane ? [later] : [later, rare], end: '' });
      const all = await list(`?error=tls&before=100&status=failed&cursor=${first.next_cursor}`);
      expect(all.deliveries.map(({ id }: any) => id)).toEqual([later, rare]);
    }
    // An endpoint with few deliveries, or none, is found at once.
    const found = await list(`?hook_id=${hook.id}&endpoint=https://rare.example`);
    expect(found).toMatchObject({ deliveries: [{ id: rare }], next_cursor: '' });
    const none = await list('?endpoint=https://nobody.example');
    expect(none).toEqual({ deliveries: [], next_cursor: '' });
    await forget(hook);
  });

  it('of an endpoint with several webhooks are read page by page for one of them', async () => {
    const [mine, theirs] = await Promise.all([1, 2].map(() => hookTo('http://127.0.0.1:12/shared')));
    const wanted: string[] = [];
    for (let step = 0; step < 6; step++) {
      const fields = { status: 'failed', createAt: 1, finishAt: Date.now(), seq: 8192 + step } as const;
      const [row] = await insertDeliveries(server, step % 2 === 0 ? mine : theirs, 1, fields);
      if (step % 2 === 0) wanted.unshift(row!.id);
    }
    expect(await readAll(`hook_id=${mine.id}&endpoint=http://127.0.0.1:12&per_page=1`)).toEqual(wanted);
    for (const hook of [mine, theirs]) await forget(hook);
  });

  it('distinguish running calls from waiting ones, in any process', async () => {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const receiver = await Receiver.start((_, response) => void isReleased.then(() => response.end()));
    const channel = await buildChannel(server.admin, team.id);
    const hook = await buildOutgoingHook(server.admin, team.id, {
      ...{ channel_id: channel.id, trigger_words: [], callback_urls: [receiver.url('/slow')] },
    });
    await server.admin.post('/posts', { channel_id: channel.id, message: 'go' });
    const [called] = await eventually(async () => {
      const { deliveries } = await list('?status=in_flight');
      return deliveries.length === 1 && deliveries;
    });
    expect(called).toMatchObject({ hook_id: hook.id, status: 'in_flight' });
    expect(await found('?status=pending')).toEqual(['elsewhere', 'retrying']);
    expect(await found('?status=retrying')).toEqual(['retrying']);
    expect(await found('?status=retrying,in_flight')).toEqual([called.id, 'retrying']);
    expect(await found(`?status=in_flight,cancelled`)).toEqual([called.id, 'cancelled']);
    expect(await found(`?status=in_flight&endpoint=http://127.0.0.1:9`)).toEqual([]);
    release();
    await eventually(async () => (await list('?status=in_flight')).deliveries.length === 0);
    await receiver.close();
  });

  it.each([
    ['status', 'done'],
    ['endpoint', 'example.com'],
    ['endpoint', 'https://example.com/path'],
    ['endpoint', `https://${'x'.repeat(400)}`],
    ['error', 'unknown'],
    ['http_status', '600'],
    ['http_status', '5XX'],
    ['http_status', '500,503'],
    ['since', 'yesterday'],
    ['before', '-1'],
    ['hook_id', 'abc'],
    ['delivery_id', 'abc'],
    ['cursor', 'abc'],
    ['cursor', newId()],
  ])('reject %s=%s and name it', async (name, value) => {
    expectError(await server.admin.get(`${ALL}?${name}=${encodeURIComponent(value)}`), 400, BAD_PARAM, name);
  });

  it('reject an unknown webhook, and the cursor of another', async () => {
    const unknown = await server.admin.get(`${ALL}?hook_id=${newId()}`);
    expectError(unknown, 404, 'app.webhooks.get_outgoing.app_error');
    const foreign = await server.admin.get(`${ALL}?hook_id=${two.id}&cursor=${rows['delivered']}`);
    expectError(foreign, 400, BAD_PARAM, 'cursor');
  });
});
