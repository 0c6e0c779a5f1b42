import { DataSource } from 'typeorm';
import { CallRate, Delivery } from '../src/delivery/dispatch/delivery.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel } from './factories/channels.js';
import { buildTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { expectError } from './support/expect-error.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const BAD_ORDERING = 'model.outgoing_hook.is_valid.ordering.app_error';
const BAD_RATE = 'model.outgoing_hook.is_valid.requests_per_second.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const SCHEDULE = '0s,1h,1h';

/** docs/contract/outgoing-webhooks.md#order and #rate */
describe('order and rate of an outgoing webhook', () => {
  let database: TestDatabase;
  let server: TestServer;
  let receiver: Receiver;
  let teamId: string;
  let channelId: string;
  /** Messages that the receiver refuses. */
  const refused = new Set<string>();

  const start = (schedule = SCHEDULE): Promise<TestServer> =>
    startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: schedule }, database);
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await start();
    receiver = await Receiver.start(({ body }, response) => {
      response.statusCode = refused.has(JSON.parse(body).text) ? 503 : 200;
      response.end();
    });
    ({ id: teamId, channelId } = await buildTeam(server.admin));
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
    await database?.drop();
  });
  beforeEach(() => {
    receiver.calls.length = 0;
    refused.clear();
  });

  const build = (more: object = {}): Promise<any> =>
    buildOutgoingHook(server.admin, teamId, {
      trigger_words: [newId()],
      callback_urls: [receiver.url(`/${newId()}`)],
      content_type: 'application/json',
      ...more,
    });
  const patch = ({ id }: any, change: object) => server.admin.patch(`${HOOKS}/${id}`, change);
  const say = async (hook: any, text: string, channel = channelId): Promise<string> => {
    const message = `${hook.trigger_words[0]} ${text}`;
    return (await server.admin.call('POST', '/posts', { channel_id: channel, message })).id;
  };
  const textOf = (hook: any, text: string): string => `${hook.trigger_words[0]} ${text}`;
  const texts = (): string[] => receiver.calls.map(({ body }) => JSON.parse(body).text.split(' ')[1]);
  const logOf = async ({ id }: any): Promise<any[]> =>
    (await server.admin.get(`${HOOKS}/${id}/deliveries`)).body.deliveries;
  /** The deliveries by the text of their messages. */
  const statuses = async (hook: any): Promise<any[]> => (await logOf(hook)).reverse();
  const areSettled = (hook: any, count: number): Promise<any> =>
    eventually(async () => {
      const log = await logOf(hook);
      return log.length === count && log.every(({ finish_at: at }) => at > 0) ? log : undefined;
    });
  const act = (hook: any, delivery: any, action: string) =>
    server.admin.post(`${HOOKS}/${hook.id}/deliveries/${delivery.id}/${action}`);
  /** A hook whose first delivery has failed, with two more behind it. */
  const blocked = async (): Promise<{ hook: any; log: any[]; postId: string }> => {
    const hook = await build({ ordering: 'channel' });
    refused.add(textOf(hook, '1'));
    const postId = await say(hook, '1');
    await eventually(async () => (await logOf(hook))[0]?.attempts > 0);
    for (const text of ['2', '3']) await say(hook, text);
    return { hook, log: await statuses(hook), postId };
  };

  it('are off by default, can be changed with PATCH, and are sent back by PUT', async () => {
    const hook = await build();
    expect(hook).toMatchObject({ ordering: '', requests_per_second: 0 });
    const { body: changed } = await patch(hook, { ordering: 'channel', requests_per_second: 7 });
    expect(changed).toMatchObject({ ordering: 'channel', requests_per_second: 7 });
    const put = (change: object) => server.admin.put(`${HOOKS}/${hook.id}`, { ...changed, ...change });
    expect((await put({})).status).toBe(200);
    for (const change of [{ ordering: '' }, { requests_per_second: 8 }]) {
      const refusal = await put(change);
      expectError(refusal, 400, BAD_BODY);
      expect(refusal.body.message).toContain(Object.keys(change)[0]);
    }
    expect((await server.admin.get(`${HOOKS}/${hook.id}`)).body).toMatchObject({
      ordering: 'channel',
      requests_per_second: 7,
    });
  });

  it.each([
    ['ordering', 'message', BAD_ORDERING],
    ['ordering', 5, BAD_BODY],
    ['requests_per_second', -1, BAD_RATE],
    ['requests_per_second', 1_001, BAD_RATE],
    ['requests_per_second', 0.5, BAD_BODY],
    ['requests_per_second', '5', BAD_BODY],
  ])('refuse %s %j, naming the field', async (field, value, error) => {
    const hook = await build();
    const created = await server.admin.post(HOOKS, {
      ...hook,
      id: '',
      trigger_words: [newId()],
      [field]: value,
    });
    for (const refusal of [created, await patch(hook, { [field]: value })]) {
      expectError(refusal, 400, error);
      expect(JSON.stringify(refusal.body)).toContain(field);
    }
  });

  it('delivers the messages of a channel in order, and those of other channels meanwhile', async () => {
    const other = await buildChannel(server.admin, teamId);
    const { hook, log } = await blocked();
    await say(hook, 'elsewhere', other.id);
    await eventually(() => texts().includes('elsewhere'));
    expect(texts()).toEqual(['1', 'elsewhere']);
    const [first, second, third] = await statuses(hook);
    expect(first).toMatchObject({ id: log[0].id, status: 'pending', blocked_by: '', blocked_since: 0 });
    for (const waiting of [second, third])
      expect(waiting).toMatchObject({
        status: 'pending',
        attempts: 0,
        blocked_by: first.id,
        next_attempt_at: first.next_attempt_at,
      });
    expect(first.next_attempt_at).toBeGreaterThan(Date.now() + 45 * 60_000);
    expect(second.blocked_since).toBeGreaterThanOrEqual(first.create_at);
    refused.clear();
    expect((await act(hook, second, 'retry')).status).toBe(200); // it keeps its place
    expect((await statuses(hook))[1]).toMatchObject({ status: 'pending', blocked_by: first.id });
    expect((await act(hook, first, 'retry')).status).toBe(200);
    await areSettled(hook, 4);
    expect(texts()).toEqual(['1', 'elsewhere', '1', '2', '3']);
  });

  it('goes on when the first delivery is skipped, and sends it behind the others when it is resent', async () => {
    const { hook, log } = await blocked();
    const skipped = await act(hook, log[0], 'skip');
    expect(skipped.body).toMatchObject({ id: log[0].id, status: 'cancelled', reason: 'skipped' });
    await areSettled(hook, 3);
    expectError(await act(hook, log[0], 'skip'), 409, 'app.deliveries.settled.app_error');
    expectError(await act(hook, log[1], 'skip'), 409, 'app.deliveries.settled.app_error');
    refused.add(textOf(hook, '4'));
    await say(hook, '4');
    await eventually(async () => (await logOf(hook))[0].attempts === 1);
    await say(hook, '5');
    refused.clear();
    expect((await act(hook, log[0], 'retry')).body).toMatchObject({ status: 'pending' });
    await say(hook, '6');
    const [four] = (await statuses(hook)).slice(3);
    await act(hook, four, 'skip');
    await areSettled(hook, 6);
    expect(texts()).toEqual(['1', '2', '3', '4', '5', '1', '6']);
  });

  it('goes on when the message of the first delivery is deleted', async () => {
    const { hook, postId } = await blocked();
    await server.admin.call('DELETE', `/posts/${postId}`);
    await areSettled(hook, 3);
    expect(texts()).toEqual(['1', '2', '3']);
  });

  it('refuses to skip a delivery that is being sent, or that is unknown', async () => {
    const held = await Receiver.start(() => undefined);
    try {
      const hook = await build({ ordering: 'channel', callback_urls: [held.url('/')] });
      await say(hook, '1');
      await eventually(() => held.calls.length === 1);
      const [delivery] = await logOf(hook);
      expectError(await act(hook, delivery, 'skip'), 409, 'app.deliveries.in_flight.app_error');
      expectError(await act(hook, { id: newId() }, 'skip'), 404, 'app.deliveries.get.app_error');
    } finally {
      await held.close();
    }
  });

  it('keeps the schedule and the order when the server restarts', async () => {
    const { hook, log } = await blocked();
    await server.close();
    server = await start();
    const other = await build();
    await say(other, 'restarted');
    await eventually(() => texts().includes('restarted'));
    const [first, second] = await statuses(hook);
    expect(first).toMatchObject({ attempts: 1, next_attempt_at: log[0].next_attempt_at });
    expect(second).toMatchObject({ blocked_by: first.id });
    refused.clear();
    await act(hook, first, 'retry');
    await areSettled(hook, 3);
    expect(texts().filter((text) => text !== 'restarted')).toEqual(['1', '1', '2', '3']);
  });

  it('goes on after the last attempt has failed', async () => {
    await server.close();
    server = await start('0s,10ms,10ms');
    try {
      const { hook } = await blocked();
      const log = await areSettled(hook, 3);
      expect(log.map(({ status }: any) => status)).toEqual(['delivered', 'delivered', 'failed']);
      expect(texts()).toEqual(['1', '1', '1', '2', '3']);
    } finally {
      await server.close();
      server = await start();
    }
  });

  it('applies a changed order to later messages', async () => {
    const { hook } = await blocked();
    await patch(hook, { ordering: '' });
    await say(hook, 'later');
    await eventually(() => texts().includes('later'));
    expect(texts()).toEqual(['1', 'later']);
    await patch(hook, { callback_urls: [receiver.url(`/${newId()}`)] });
    const log = await areSettled(hook, 4);
    expect(log.map(({ reason }: any) => reason)).toEqual(['', 'url_removed', 'url_removed', 'url_removed']);
  });

  it('makes at most OUTGOING_PER_ENDPOINT calls at once to an endpoint, whatever the number of channels', async () => {
    const held = await Receiver.start(() => undefined);
    const limited = await startTestServer({
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_PER_ENDPOINT: '3',
    });
    try {
      const team = await buildTeam(limited.admin);
      const channels = [{ id: team.channelId }];
      for (let count = 0; count < 5; count++) channels.push(await buildChannel(limited.admin, team.id));
      const hook = await buildOutgoingHook(limited.admin, team.id, {
        trigger_words: ['go'],
        callback_urls: [held.url('/')],
        ordering: 'channel',
      });
      for (const { id } of channels)
        await limited.admin.call('POST', '/posts', { channel_id: id, message: 'go' });
      await eventually(() => held.calls.length === 3);
      const inFlight = await limited.admin.get(`${HOOKS}/${hook.id}/deliveries?status=in_flight`);
      expect(inFlight.body.deliveries).toHaveLength(3);
    } finally {
      await limited.close();
      await held.close();
    }
  });

  it('finds ordered deliveries by their endpoint', async () => {
    const { hook } = await blocked();
    const endpoint = new URL(hook.callback_urls[0]).origin;
    const query = new URLSearchParams({ endpoint, hook_id: hook.id, status: 'pending' });
    const { body } = await server.admin.get(`${HOOKS}/deliveries?${query.toString()}`);
    expect(body.deliveries).toHaveLength(3);
  });

  it('limits the calls of all URLs of a webhook together', async () => {
    const urls = [receiver.url(`/${newId()}`), receiver.url(`/${newId()}`)];
    const times: number[] = [];
    const { answer } = receiver;
    receiver.answer = (_, response) => {
      times.push(performance.now());
      response.end();
    };
    const hook = await build({ callback_urls: urls, requests_per_second: 5 });
    const free = await build();
    for (let text = 0; text < 8; text++) await say(hook, `${text}`);
    await say(free, 'free');
    await eventually(() => texts().includes('free'));
    expect(texts().length).toBeLessThan(14); // it does not wait for the limited webhook
    await areSettled(hook, 16);
    receiver.answer = answer;
    const starts = times.sort((one, other) => one - other);
    for (const [index, startedAt] of starts.entries())
      expect(starts.slice(index).filter((at) => at - startedAt < 1_000).length).toBeLessThanOrEqual(11);
    expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(1_500);
    expect((await logOf(hook)).map(({ attempts }) => attempts)).toEqual(Array(16).fill(1));
  });

  it('limits a webhook in order without changing the order', async () => {
    const hook = await build({ ordering: 'channel', requests_per_second: 4 });
    const all = Array.from({ length: 9 }, (_, text) => `${text}`);
    for (const text of all) await say(hook, text);
    await areSettled(hook, 9);
    expect(texts()).toEqual(all);
  });

  it('cancels deliveries that wait for their time', async () => {
    const hook = await build({ requests_per_second: 1 });
    for (let text = 0; text < 4; text++) await say(hook, `${text}`);
    await eventually(() => texts().length === 1);
    await patch(hook, { callback_urls: [receiver.url('/moved')] });
    const log = await areSettled(hook, 4);
    const late = log.filter(({ status }: any) => status === 'cancelled');
    expect(late.length).toBeGreaterThanOrEqual(2);
    const calls = texts().length;
    await patch(hook, { requests_per_second: 0 });
    await say(hook, 'last');
    await eventually(() => texts().includes('last'));
    expect(texts()).toHaveLength(calls + 1);
  });

  it('stores a row only for a limited webhook, and deletes it with the webhook', async () => {
    const rates = () => server.app.get(DataSource).getRepository(CallRate);
    const count = ({ id }: any): Promise<number> => rates().countBy({ ownerId: id });
    const hook = await build();
    const counts = [await count(hook)];
    for (const change of [
      { requests_per_second: 2 },
      { requests_per_second: 3 },
      { requests_per_second: 0 },
    ]) {
      await patch(hook, change);
      counts.push(await count(hook));
    }
    expect(counts).toEqual([0, 1, 1, 0]);
    const limited = await build({ requests_per_second: 1_000 });
    expect(await count(limited)).toBe(1);
    await server.admin.call('DELETE', `/hooks/outgoing/${limited.id}`);
    expect(await count(limited)).toBe(0);
    const rows = server.app.get(DataSource).getRepository(Delivery);
    expect(await rows.countBy({ ownerId: limited.id })).toBe(0);
  });
});
