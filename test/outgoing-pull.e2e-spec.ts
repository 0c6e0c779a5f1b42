import { createHmac } from 'node:crypto';
import { DataSource } from 'typeorm';
import { isPullLane, PULL_URL, pullPlace } from '../src/delivery/dispatch/delivery-kind.js';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import { DispatcherService } from '../src/delivery/dispatch/dispatcher.service.js';
import { DeliveryLease } from '../src/delivery/dispatch/delivery.entity.js';
import { PulledCalls } from '../src/delivery/dispatch/pull/pulled-calls.js';
import { PulledDeliveriesService } from '../src/delivery/dispatch/pull/pulled-deliveries.service.js';
import { PullWaits } from '../src/delivery/dispatch/pull/pull-waits.js';
import { OUTGOING_HOOK } from '../src/outgoing-hooks/delivery/triggered-deliveries.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { Purge } from '../src/platform/database/purge.js';
import { buildChannel, buildMember, buildTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const DAY_MS = 86_400_000;

const HOUR_MS = 3_600_000;

/** docs/contract/outgoing-webhooks.md#pull */
describe('an outgoing webhook whose deliveries are pulled', () => {
  let server: TestServer;
  let receiver: Receiver;
  let teamId: string;
  let channelId: string;

  beforeAll(async () => {
    server = await startTestServer({
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: '0s,1h,1h',
      FAILURE_MESSAGES: 'false', // they would be written in the future, and later deliveries after them
    });
    receiver = await Receiver.start();
    ({ id: teamId, channelId } = await buildTeam(server.admin));
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const build = (more: object = {}): Promise<any> =>
    buildOutgoingHook(server.admin, teamId, {
      channel_id: channelId,
      trigger_words: [newId()],
      callback_urls: [],
      delivery: 'pull',
      content_type: 'application/json',
      ...more,
    });
  const fire = async (hook: any, count = 1): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const message = { channel_id: channelId, message: `${hook.trigger_words[0]} ${index}` };
      ids.push((await server.admin.call('POST', '/posts', message)).id);
    }
    return ids;
  };
  const consumer = (hook: any): ApiClient => server.anonymous.as(hook.token);
  const pull = async (hook: any, request: object = {}): Promise<any[]> => {
    const answer = await consumer(hook).post(`${HOOKS}/${hook.id}/pull`, request);
    expect(answer.status).toBe(200);
    return answer.body.deliveries;
  };
  const ack = (hook: any, leases: readonly string[], more: object = {}): Promise<Answer> =>
    consumer(hook).post(`${HOOKS}/${hook.id}/ack`, { lease_ids: leases, ...more });
  const nack = (hook: any, leases: readonly string[], more: object = {}): Promise<Answer> =>
    consumer(hook).post(`${HOOKS}/${hook.id}/nack`, { lease_ids: leases, ...more });
  const patch = ({ id }: any, change: object): Promise<Answer> =>
    server.admin.patch(`${HOOKS}/${id}`, change);
  const logOf = async ({ id }: any): Promise<any[]> =>
    (await server.admin.get(`${HOOKS}/${id}/deliveries`)).body.deliveries;
  const detailOf = async ({ id }: any, deliveryId: string): Promise<any> =>
    (await server.admin.get(`${HOOKS}/${id}/deliveries/${deliveryId}`)).body;
  const later = (ms: number): void => {
    const at = Date.now() + ms;
    jest.spyOn(server.app.get(Clock), 'now').mockImplementation(() => at);
  };

  it('hands out its deliveries as signed calls, and settles them when they are acked', async () => {
    const headers = [
      { name: 'X-Stage', value: 'blue' },
      { name: 'X-Api-Key', value: 'a secret value', secret: true },
    ];
    const hook = await build({ headers, auth: { type: 'bearer', token: 'another-secret' } });
    expect(hook).toMatchObject({ delivery: 'pull', callback_urls: [], disabled_at: 0 });
    const [postId] = await fire(hook);
    const [delivery, ...others] = await pull(hook);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      attempt: 1,
      headers: { 'content-type': 'application/json', 'webhook-id': delivery.id, 'x-stage': 'blue' },
    });
    expect(JSON.stringify(delivery)).not.toMatch(/secret|authorization/i);
    expect(JSON.parse(delivery.body)).toMatchObject({ token: hook.token, post_id: postId });
    const { 'webhook-timestamp': at, 'webhook-signature': signature } = delivery.headers;
    const key = Buffer.from(hook.signing_secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key).update(`${delivery.id}.${at}.${delivery.body}`);
    expect(signature).toBe(`v1,${signed.digest('base64')}`);
    const [inFlight] = await logOf(hook);
    expect(inFlight).toMatchObject({ id: delivery.id, callback_url: 'pull:', status: 'in_flight' });
    const found = await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=in_flight`);
    expect(found.body.deliveries).toHaveLength(1);
    expect(await pull(hook)).toEqual([]);
    expect((await ack(hook, [delivery.lease_id])).body).toEqual({
      settled: [delivery.lease_id],
      expired: [],
    });
    const shown = await detailOf(hook, delivery.id);
    expect(shown).toMatchObject({ status: 'delivered', attempts: 1, last_status_code: 200 });
    expect(shown.attempt_list[0]).toMatchObject({
      error: '',
      request_headers: { 'webhook-id': delivery.id },
    });
    expect((await ack(hook, [delivery.lease_id])).body).toEqual({
      settled: [],
      expired: [delivery.lease_id],
    });
    expect(
      await server.app.get(DataSource).getRepository(DeliveryLease).countBy({ deliveryId: delivery.id }),
    ).toBe(0);
  });

  it('posts the reply of an ack once, with the outcome, and stores it without the token', async () => {
    const hook = await build();
    await fire(hook);
    const [{ id, lease_id: lease }] = await pull(hook);
    const text = `reply ${newId()}`;
    const reply = { body: JSON.stringify({ text, seen: hook.token }) };
    const answers = await Promise.all([1, 2].map(() => ack(hook, [lease], { replies: { [lease]: reply } })));
    expect(answers.flatMap(({ body }) => body.settled)).toEqual([lease]);
    const { posts } = (await server.admin.get(`/channels/${channelId}/posts`)).body;
    expect(Object.values<any>(posts).filter(({ message }) => message === text)).toHaveLength(1);
    const shown = await detailOf(hook, id);
    expect(shown).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(shown.attempt_list[0]).toMatchObject({ note: 'The reply was posted.' });
    expect(shown.attempt_list[0].reply).toContain(text);
    expect(shown.attempt_list[0].reply).not.toContain(hook.token);
  });

  it('retries a nacked delivery by the schedule or after the given delay, and gives up at its end', async () => {
    const hook = await build();
    await fire(hook);
    const [first] = await pull(hook);
    expect((await nack(hook, [first.lease_id])).body.settled).toEqual([first.lease_id]);
    expect(await pull(hook)).toEqual([]);
    const [waiting] = await logOf(hook);
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1, last_error: 'nacked' });
    expect(waiting.next_attempt_at - Date.now()).toBeGreaterThan(0.7 * 3_600_000);
    await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${first.id}/retry`);
    const [second] = await pull(hook);
    expect(second).toMatchObject({ id: first.id, attempt: 2 });
    await nack(hook, [second.lease_id], { delay: '0s' });
    const [third] = await pull(hook);
    expect(third).toMatchObject({ attempt: 3 });
    await nack(hook, [third.lease_id], { delay: '0s' });
    const [fourth] = await pull(hook);
    await nack(hook, [fourth.lease_id], { delay: '0s' });
    expect(await detailOf(hook, first.id)).toMatchObject({
      ...{ status: 'failed', reason: 'attempts_exhausted', attempts: 4 },
    });
    expect(await pull(hook)).toEqual([]);
  });

  it('hands out a delivery again when its lease runs out, and gives up at the end of the schedule', async () => {
    const hook = await build();
    await fire(hook);
    const [first] = await pull(hook, { lease: '10s' });
    later(9_000);
    expect(await pull(hook)).toEqual([]);
    later(11_000);
    const [second] = await pull(hook, { lease: '10s' });
    expect(second).toMatchObject({ id: first.id, attempt: 2 });
    expect((await ack(hook, [first.lease_id])).body.expired).toEqual([first.lease_id]);
    later(22_000);
    expect(await pull(hook)).toEqual([]); // from the second time on, the schedule decides
    later(1.5 * HOUR_MS);
    const [third] = await pull(hook, { lease: '10s' });
    expect(third).toMatchObject({ id: first.id, attempt: 3 });
    later(1.5 * HOUR_MS + 11_000);
    expect(await pull(hook)).toEqual([]);
    const shown = await detailOf(hook, first.id);
    expect(shown).toMatchObject({ status: 'failed', reason: 'attempts_exhausted', attempts: 3 });
    expect(shown.attempt_list.map(({ error }: any) => error)).toEqual(Array(3).fill('lease_expired'));
  });

  it('settles a lease once, whichever processes are asked at the same moment', async () => {
    const hook = await build();
    const now = Date.now();
    for (const clock of server.everywhere(Clock)) jest.spyOn(clock, 'now').mockReturnValue(now);
    const services = server.everywhere(PulledDeliveriesService);
    for (const body of [undefined, '{"text":"Done"}', undefined, '{"text":"Done"}']) {
      await fire(hook);
      const [{ lease_id: lease }] = await pull(hook);
      const replies = new Map(body ? [[lease, { contentType: 'application/json', body }]] : []);
      const answers = await Promise.all(services.map((service) => service.ack(hook.id, [lease], replies)));
      expect(answers.flatMap(({ settled }) => settled)).toEqual([lease]);
    }
  });

  it('accepts an ack after the lease ran out while nobody else has the delivery', async () => {
    const hook = await build();
    await fire(hook);
    const [{ id, lease_id: lease }] = await pull(hook, { lease: '10s' });
    later(20_000);
    expect((await ack(hook, [lease])).body.settled).toEqual([lease]);
    expect(await detailOf(hook, id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('never leases a delivery to two consumers', async () => {
    const hook = await build();
    await fire(hook, 30);
    const pulled: any[] = [];
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        for (
          let some = await pull(hook, { limit: 3 });
          some.length > 0;
          some = await pull(hook, { limit: 3 })
        )
          pulled.push(...some);
      }),
    );
    expect(new Set(pulled.map(({ id }) => id)).size).toBe(30);
    expect(pulled).toHaveLength(30);
    const leases = pulled.map(({ lease_id: lease }) => lease);
    const answers = await Promise.all([ack, nack, ack].map((settle) => settle(hook, leases)));
    expect(answers.flatMap(({ body }) => body.settled).sort()).toEqual([...leases].sort());
    const log = await logOf(hook);
    expect(log.map(({ attempts }) => attempts)).toEqual(Array(30).fill(1));
  });

  it('hands out first attempts before retries, each in their order', async () => {
    const hook = await build();
    const posts = await fire(hook, 6);
    const postsOf = (pulled: readonly any[]): string[] => pulled.map(({ body }) => JSON.parse(body).post_id);
    const pulled = await pull(hook);
    expect(postsOf(pulled)).toEqual(posts);
    await nack(hook, [pulled[4].lease_id], { delay: '0s' });
    const others = await fire(hook, 4);
    expect(postsOf(await pull(hook))).toEqual([...others, posts[4]]);
  });

  it('hands out the next delivery at once when others are cancelled', async () => {
    const { id: creatorId } = await buildMember(server, [teamId]);
    for (const ordering of ['', 'channel']) {
      const channel = await buildChannel(server.admin, teamId);
      const hook = await build({ channel_id: '', ordering, creator_id: creatorId });
      for (let count = 0; count < 3; count++)
        await server.admin.call('POST', '/posts', { channel_id: channel, message: hook.trigger_words[0] });
      await server.admin.call('PUT', `/channels/${channel}/privacy`, { privacy: 'P' });
      const [visible] = await fire(hook);
      const [{ body }] = await pull(hook, { limit: 1 });
      expect(JSON.parse(body).post_id).toBe(visible);
      const reasons = (await logOf(hook)).map(({ reason }) => reason).sort();
      expect(reasons).toEqual(['', 'hook_paused', 'hook_paused', 'hook_paused']);
    }
  });

  it('lets a consumer wait until a message fires it, in any process', async () => {
    const hook = await build();
    const before = server.everywhere(PullWaits).reduce((sum, waits) => sum + waits['count'], 0);
    const waiting = Array.from({ length: 3 }, () => pull(hook, { wait: '60s' }));
    const counted = () => server.everywhere(PullWaits).reduce((sum, waits) => sum + waits['count'], 0);
    await eventually(() => counted() === before + 3);
    await fire(hook, 3);
    const pulled = (await Promise.all(waiting)).flat();
    expect(new Set(pulled.map(({ id }) => id)).size).toBe(3);
    expect(counted()).toBe(before);
    expect(await pull(hook, { wait: '10ms' })).toEqual([]);
  });

  it('stops waiting when the client disconnects', async () => {
    const hook = await build();
    const counted = () => server.everywhere(PullWaits).reduce((sum, waits) => sum + waits['count'], 0);
    const closing = new AbortController();
    const request = fetch(`${server.url}${HOOKS}/${hook.id}/pull`, {
      ...{ method: 'POST', signal: closing.signal, body: JSON.stringify({ wait: '60s' }) },
      headers: { authorization: `Bearer ${hook.token}`, 'content-type': 'application/json' },
    });
    await eventually(() => counted() === 1);
    closing.abort();
    await expect(request).rejects.toThrow();
    await eventually(() => counted() === 0);
    await fire(hook);
    expect(await pull(hook)).toHaveLength(1);
  });

  it('gives nothing to a waiting consumer whose token was replaced', async () => {
    const hook = await build();
    const counted = () => server.everywhere(PullWaits).reduce((sum, waits) => sum + waits['count'], 0);
    const waiting = consumer(hook).post(`${HOOKS}/${hook.id}/pull`, { wait: '60s', limit: 1 });
    await eventually(() => counted() === 1);
    const { body: regenerated } = await server.admin.post(`${HOOKS}/${hook.id}/regen_token`);
    await fire(hook);
    expectError(await waiting, 401, 'api.context.session_expired.app_error');
    expect(await pull(regenerated)).toHaveLength(1);
  });

  it('refuses more waiting calls than its limit, without counting them as running requests', async () => {
    const hook = await build();
    const limit = 32 * server.everywhere(PullWaits).length;
    const answers = Array.from({ length: limit + 1 }, () =>
      consumer(hook)
        .post(`${HOOKS}/${hook.id}/pull`, { wait: '60s', limit: 1 })
        .catch(() => undefined),
    );
    const refused = await Promise.race(answers);
    expectError(refused!, 429, 'api.context.rate_limit_exceeded.app_error');
    await fire(hook, limit);
    const done = await Promise.all(answers);
    expect(done.filter((answer) => answer?.status === 200)).toHaveLength(limit);
  });

  it('does not let the webhooks of one team or creator take all places for waiting calls', async () => {
    const [hook, { id: otherTeam }] = [await build(), await buildTeam(server.admin)];
    const other = await buildMember(server, [otherTeam], true);
    const fields = { trigger_words: [newId()], callback_urls: [], delivery: 'pull' };
    const free = await buildOutgoingHook(other.client, otherTeam, fields);
    const connection = () => ({ signal: new AbortController().signal, onWait: () => undefined });
    const waits = server
      .everywhere(PullWaits)
      .flatMap((each) =>
        Array.from({ length: 300 }, () =>
          each.open({ lane: newId(), sharers: [newId(), teamId] }, 60_000, connection()),
        ),
      );
    const call = ({ id, token }: any): Promise<Answer> =>
      server.anonymous.as(token).post(`${HOOKS}/${id}/pull`, { wait: '1ms' });
    try {
      expectError(await call(hook), 429, 'api.context.rate_limit_exceeded.app_error');
      expect((await call(free)).status).toBe(200);
    } finally {
      for (const wait of waits) wait.close();
    }
    expect((await call(hook)).status).toBe(200);
  });

  it('hands out the messages of a channel one after the other if it is ordered', async () => {
    const hook = await build({ channel_id: '', ordering: 'channel' });
    const other = await buildChannel(server.admin, teamId);
    const first = await fire(hook, 3);
    const message = { channel_id: other, message: hook.trigger_words[0] };
    const elsewhere = (await server.admin.call('POST', '/posts', message)).id;
    const postOf = ({ body }: any): string => JSON.parse(body).post_id;
    const pulled = (await Promise.all(Array.from({ length: 12 }, () => pull(hook)))).flat();
    expect(pulled.map(postOf).sort()).toEqual([first[0], elsewhere].sort());
    const head = pulled.find((delivery) => postOf(delivery) === first[0]);
    await ack(
      hook,
      pulled.flatMap((one) => (one === head ? [] : one.lease_id)),
    );
    await nack(hook, [head.lease_id], { delay: '1h' });
    expect(await pull(hook)).toEqual([]);
    later(3_600_001);
    const [again, ...more] = await pull(hook);
    expect(more).toEqual([]);
    expect([postOf(again), again.attempt]).toEqual([first[0], 2]);
    await ack(hook, [again.lease_id]);
    const order: string[] = [];
    for (let [next] = await pull(hook); next; [next] = await pull(hook)) {
      order.push(postOf(next));
      await ack(hook, [next.lease_id]);
    }
    expect(order).toEqual(first.slice(1));
    expectError(
      await patch(hook, { requests_per_second: 5 }),
      400,
      'model.outgoing_hook.is_valid.requests_per_second.app_error',
    );
  });

  it('keeps the order of a channel when deliveries that wait are retried or recovered', async () => {
    const hook = await build({ ordering: 'channel' });
    const posts = await fire(hook, 4);
    const waiting = await logOf(hook);
    const retry = async ({ id }: any): Promise<void> => {
      expect((await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${id}/retry`)).status).toBe(200);
    };
    await retry(waiting[2]);
    await retry(waiting[1]);
    const [head] = await pull(hook);
    expect(JSON.parse(head.body).post_id).toBe(posts[0]);
    await nack(hook, [head.lease_id], { delay: '1h' });
    const recovery = await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 });
    expect(recovery.body).toMatchObject({ total: 1, waiting: 1 });
    await eventually(async () => {
      const { body } = await server.admin.get(`${HOOKS}/${hook.id}/recover`);
      return body[0].status === 'finished';
    });
    const order: string[] = [];
    for (let [next] = await pull(hook); next; [next] = await pull(hook)) {
      order.push(JSON.parse(next.body).post_id);
      await ack(hook, [next.lease_id]);
    }
    expect(order).toEqual(posts);
  });

  it('cancels waiting deliveries when the way of delivery changes, and requires matching URLs', async () => {
    const hook = await build();
    await fire(hook);
    const url = receiver.url('/pushed');
    expectError(
      await patch(hook, { delivery: 'push' }),
      400,
      'model.outgoing_hook.is_valid.callback.app_error',
      'callback_urls',
    );
    expectError(
      await patch(hook, { callback_urls: [url] }),
      400,
      'model.outgoing_hook.is_valid.callback.app_error',
      'callback_urls',
    );
    expectError(
      await patch(hook, { delivery: 'mail' }),
      400,
      'model.outgoing_hook.is_valid.delivery.app_error',
      'delivery',
    );
    const pushed = await patch(hook, { delivery: 'push', callback_urls: [url] });
    expect(pushed.body).toMatchObject({ delivery: 'push', callback_urls: [url], disabled_at: 0 });
    const [cancelled] = await logOf(hook);
    expect(cancelled).toMatchObject({ status: 'cancelled', reason: 'url_removed' });
    expectError(
      await consumer(hook).post(`${HOOKS}/${hook.id}/pull`, {}),
      409,
      'app.webhooks.outgoing_pull.app_error',
    );
    expectError(
      await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${cancelled.id}/retry`),
      400,
      'app.deliveries.retry.url_removed.app_error',
    );
    const back = await patch(hook, { delivery: 'pull', callback_urls: [] });
    expect(back.body).toMatchObject({ delivery: 'pull', callback_urls: [], disabled_at: 0 });
    await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${cancelled.id}/retry`);
    expect(await pull(hook)).toMatchObject([{ id: cancelled.id }]);
    const sentBack = await server.admin.put(`${HOOKS}/${hook.id}`, back.body);
    expect(sentBack.status).toBe(200);
    expectError(
      await server.admin.put(`${HOOKS}/${hook.id}`, { ...back.body, delivery: 'push' }),
      400,
      BAD_BODY,
      'delivery',
    );
  });

  it('hands out a delivery that was cancelled while it was leased, and is sent again', async () => {
    const hook = await build();
    await fire(hook);
    const [{ id, lease_id: lease }] = await pull(hook, { lease: '1h' });
    await patch(hook, { delivery: 'push', callback_urls: [receiver.url('/pushed')] });
    await patch(hook, { delivery: 'pull', callback_urls: [] });
    const retried = await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${id}/retry`);
    expect(retried.body).toMatchObject({ id, status: 'pending' });
    expect((await ack(hook, [lease])).body).toEqual({ settled: [], expired: [lease] });
    expect(await pull(hook)).toMatchObject([{ id }]);
  });

  it('cancels deliveries that were stored while the webhook was deleted or changed', async () => {
    const [kept, pushed, deleted] = [await build(), await build(), await build()];
    await patch(pushed, { delivery: 'push', callback_urls: [receiver.url('/pushed')] });
    await server.admin.call('DELETE', `${HOOKS.replace('/api/v4', '')}/${deleted.id}`);
    const deliveries = server.app.get(DeliveriesService);
    const late = [kept, pushed, deleted].map(({ id: ownerId }) =>
      deliveries.build({
        ...{ kind: OUTGOING_HOOK, ownerId, subjectId: newId(), url: PULL_URL },
        ...{ body: { channel_id: channelId }, contentType: 'application/json' },
        ...pullPlace(ownerId, channelId),
      }),
    );
    await deliveries.store(late);
    const reasons = async (): Promise<string[]> =>
      (
        await deliveries.listByIds(
          OUTGOING_HOOK,
          late.map(({ id }) => id),
        )
      )
        .sort((one, other) => one.seq - other.seq)
        .map(({ reason }) => reason);
    const calls = server.app.get(PulledCalls);
    await calls['sweep']();
    expect(await reasons()).toEqual(['', '', '']); // another process may not know of the change yet
    later(60_000);
    await calls['sweep']();
    expect(await reasons()).toEqual(['', 'url_removed', 'hook_deleted']);
  });

  it('hands out none that is overdue, but those that are sent again', async () => {
    const hook = await build();
    await fire(hook, 2);
    later(7.1 * DAY_MS);
    expect(await pull(hook)).toEqual([]);
    await server.app.get(Purge).run();
    const log = await logOf(hook);
    for (const row of log)
      expect(row).toMatchObject({ status: 'failed', reason: 'expired', last_error: 'expired' });
    await server.admin.call(
      'POST',
      `${HOOKS.replace('/api/v4', '')}/${hook.id}/deliveries/${log[0].id}/retry`,
    );
    await server.app.get(Purge).run();
    expect(await pull(hook)).toMatchObject([{ id: log[0].id }]);
  });

  it('gives up deliveries behind others that are leased', async () => {
    const hook = await build();
    await fire(hook, 4);
    later(6.99 * DAY_MS);
    const leased = await pull(hook, { limit: 2, lease: '1h' });
    later(7.01 * DAY_MS);
    const calls = server.app.get(PulledCalls);
    const expiry = server.app.get(Clock).now() - 7 * DAY_MS;
    expect(await calls['expireDueBefore'](expiry, 2)).toBe(2);
    expect((await logOf(hook)).map(({ reason }) => reason).sort()).toEqual(['', '', 'expired', 'expired']);
    const leases = leased.map(({ lease_id: lease }) => lease);
    expect((await ack(hook, leases)).body.settled).toEqual(leases);
  });

  it('gives up deliveries that nobody pulls within OUTGOING_PULL_EXPIRY', async () => {
    const hook = await build();
    await fire(hook, 2);
    const [leased] = await pull(hook, { limit: 1, lease: '1h' });
    later(6.9 * DAY_MS);
    await server.app.get(Purge).run();
    expect((await logOf(hook)).map(({ status }) => status)).toEqual(['pending', 'pending']);
    later(7.1 * DAY_MS);
    await server.app.get(Purge).run();
    for (const row of await logOf(hook))
      expect(row).toMatchObject({ status: 'failed', reason: 'expired', last_error: 'expired' });
    expect((await ack(hook, [leased.lease_id])).body.expired).toEqual([leased.lease_id]);
  });

  it('keeps the lanes of the dispatcher free of its deliveries', async () => {
    const hook = await build();
    await fire(hook);
    const dispatchers = server.everywhere(DispatcherService);
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.reload()));
    const lanes = dispatchers.flatMap((dispatcher) => [...dispatcher['bulkheads'].all()]);
    expect(lanes.filter(({ name }) => isPullLane(name))).toEqual([]);
    expect(await pull(hook)).toHaveLength(1);
  });

  describe('accepts', () => {
    let hook: any;

    beforeAll(async () => {
      hook = await build();
    });

    it('users who manage it, and only its own token', async () => {
      const { client: stranger } = await buildMember(server, [teamId]);
      const other = await build();
      for (const route of ['pull', 'ack', 'nack']) {
        const body = route === 'pull' ? {} : { lease_ids: [newId()] };
        const call = (client: ApiClient) => client.post(`${HOOKS}/${hook.id}/${route}`, body);
        expect((await call(server.admin)).status).toBe(200);
        expect((await call(consumer(hook))).status).toBe(200);
        expectError(await call(stranger), 403, 'api.context.permissions.app_error');
        const wrong = { limit: '1', lease_ids: '1' };
        expectError(await stranger.post(`${HOOKS}/${hook.id}/${route}`, wrong), 400, BAD_BODY);
        for (const client of [server.anonymous, consumer(other), server.anonymous.as(newId())])
          expectError(await call(client), 401, 'api.context.session_expired.app_error');
      }
      const read = await consumer(hook).get(`${HOOKS}/${hook.id}`);
      expectError(read, 401, 'api.context.session_expired.app_error');
      expectError(
        await server.admin.post(`${HOOKS}/${newId()}/pull`, {}),
        404,
        'app.webhooks.get_outgoing.app_error',
      );
    });

    it('a pull without body, or with null', async () => {
      for (const options of [{}, { raw: 'null' }]) {
        const answer = await consumer(hook).post(`${HOOKS}/${hook.id}/pull`, undefined, options);
        expect(answer).toMatchObject({ status: 200, body: { deliveries: [] } });
      }
    });

    it.each([
      ['pull', { limit: 0 }, 'limit'],
      ['pull', { limit: 101 }, 'limit'],
      ['pull', { limit: '1' }, 'limit'],
      ['pull', { wait: '61s' }, 'wait'],
      ['pull', { wait: 'soon' }, 'wait'],
      ['pull', { lease: '0s' }, 'lease'],
      ['pull', { lease: '2h' }, 'lease'],
      ['ack', {}, 'lease_ids'],
      ['ack', { lease_ids: [] }, 'lease_ids'],
      ['ack', { lease_ids: ['x'] }, 'lease_ids'],
      ['nack', { lease_ids: Array.from({ length: 101 }, newId) }, 'lease_ids'],
      ['nack', { lease_ids: [newId()], delay: '25h' }, 'delay'],
      ['ack', { lease_ids: [newId()], replies: { [newId()]: { body: '' } } }, 'replies'],
      ['ack', { lease_ids: [newId()], replies: 1 }, 'replies'],
    ])('no %s with a wrong value: %#', async (route, body, field) => {
      expectError(await consumer(hook).post(`${HOOKS}/${hook.id}/${route}`, body), 400, BAD_BODY, field);
    });

    it.each([[1], [{ body: 1 }], [{ body: '', content_type: 1 }]])('no reply %j', async (reply) => {
      const id = newId();
      const body = { lease_ids: [id], replies: { [id]: reply } };
      const answer = await consumer(hook).post(`${HOOKS}/${hook.id}/ack`, body);
      expectError(answer, 400, BAD_BODY, `replies.${id}`);
    });
  });
});
