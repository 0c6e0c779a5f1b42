import { DataSource } from 'typeorm';
import { Delivery, DeliveryPayload } from '../src/delivery/dispatch/delivery.entity.js';
import { PostRowsRepository } from '../src/messaging/posts/writer/post-rows.repository.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
import { newId } from '../src/platform/common/ids.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildChannel, buildIncomingHook, buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { committed } from './support/unit-of-work.js';

const PATH = '/hooks/outgoing';

let server: TestServer;
let receiver: Receiver;
let team: BuiltTeam;

beforeAll(async () => {
  server = await startTestServer({
    ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
    OUTGOING_SCHEDULE: '0s,20ms,1d',
  });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await server?.close();
  await receiver?.close();
});
beforeEach(async () => {
  team = await buildTeam(server.admin);
  receiver.answer = (_, response) => void response.end();
});

const rowsOf = (subjectId: string): Promise<Delivery[]> =>
  server.app
    .get(DataSource)
    .getRepository(Delivery)
    .find({ where: { subjectId }, order: { seq: 'ASC' } });
const payloadsOf = (subjectId: string): Promise<DeliveryPayload[]> =>
  server.app.get(DataSource).getRepository(DeliveryPayload).findBy({ subjectId });
const hookFor = (words: string[], paths: readonly string[] = [`/${newId()}`]): Promise<any> =>
  buildOutgoingHook(server.admin, team.id, {
    channel_id: team.channelId,
    trigger_words: words,
    callback_urls: paths.map((path) => receiver.url(path)),
    content_type: 'application/json',
  });
const say = async (message: string, fields: Record<string, unknown> = {}): Promise<any> => {
  const answer = await server.admin.post('/posts', { channel_id: team.channelId, message, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
};
const logOf = async (hook: any): Promise<any[]> =>
  (await server.admin.get(`${PATH}/${hook.id}/deliveries`)).body.deliveries;
const detailOf = async (hook: any, id: string): Promise<any> =>
  (await server.admin.get(`${PATH}/${hook.id}/deliveries/${id}`)).body;
const retry = (hook: any, id: string): Promise<Answer> =>
  server.admin.post(`${PATH}/${hook.id}/deliveries/${id}/retry`);
const missedBy = async (hook: any): Promise<number> =>
  (await server.admin.post(`${PATH}/${hook.id}/recover`, { since: 0, dry_run: true })).body.total;
const urlPath = (hook: any, index = 0): string => new URL(hook.callback_urls[index]).pathname;
const bodiesTo = (path: string): any[] => receiver.callsTo(path).map(({ body }) => JSON.parse(body));
const settled = (hook: any, status: string): Promise<any> =>
  eventually(async () => (await logOf(hook)).find((delivery) => delivery.status === status));

/** Its deliveries are stored as cancelled. */
const disable = async (hook: any): Promise<void> => {
  const { app } = server;
  await app.get(DataSource).query('UPDATE outgoing_webhooks SET disabled_at = 1 WHERE id = ?', [hook.id]);
  await committed(app.get(UnitOfWork), () =>
    app.get(OutgoingHookRecords)['forget']({ ...hook, teamId: team.id }),
  );
};

describe('the payload of a message', () => {
  it('is stored once for all calls, and sent whole to each', async () => {
    const hooks = [
      await hookFor(['deploy'], [`/${newId()}`, `/${newId()}`]),
      await hookFor(['now']),
      await hookFor([]),
    ];
    const post = await say('deploy it now');
    const rows = await rowsOf(post.id);
    expect(rows.map(({ body }) => body)).toEqual([
      { trigger_word: 'deploy' },
      { trigger_word: 'deploy' },
      { trigger_word: 'now' },
      {},
    ]);
    expect(await payloadsOf(post.id)).toEqual([
      {
        kind: 'outgoing_hook',
        subjectId: post.id,
        body: expect.objectContaining({ text: 'deploy it now', post_id: post.id }),
      },
    ]);
    for (const [hook, index, word] of [
      [hooks[0], 0, 'deploy'],
      [hooks[0], 1, 'deploy'],
      [hooks[1], 0, 'now'],
      [hooks[2], 0, ''],
    ] as const) {
      const sent = await eventually(() => bodiesTo(urlPath(hook, index))[0]);
      expect(sent).toMatchObject({ token: hook.token, text: 'deploy it now', trigger_word: word });
    }
  });

  it('is complete in the log, in retries, and when it is resent', async () => {
    receiver.answer = (_, response) => void response.writeHead(503).end();
    const [hook] = [await hookFor(['deploy']), await hookFor(['deploy'])];
    const post = await say('deploy again');
    const first = await eventually(async () => (await logOf(hook)).find(({ attempts }) => attempts === 2));
    const { payload } = await detailOf(hook, first.id);
    expect(payload).toMatchObject({ text: 'deploy again', trigger_word: 'deploy', post_id: post.id });
    receiver.answer = (_, response) => void response.end();
    await eventually(async () => (await retry(hook, first.id)).status === 200); // 409 until its outcome is acknowledged
    await settled(hook, 'delivered');
    const bodies = bodiesTo(urlPath(hook));
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body).toEqual({ token: hook.token, ...payload });
  });

  it('that is stored complete is sent unchanged', async () => {
    const hook = await hookFor(['deploy']);
    const body = { channel_id: team.channelId, text: 'stored whole', trigger_word: 'deploy' };
    await insertDeliveries(server, hook, 1, { body, status: 'failed', reason: 'gone', finishAt: 1 });
    const [delivery] = await logOf(hook);
    expect((await retry(hook, delivery.id)).status).toBe(200);
    await settled(hook, 'delivered');
    expect(bodiesTo(urlPath(hook))).toEqual([expect.objectContaining(body)]);
  });
});

/** docs/contract/outgoing-webhooks.md#triggers */
describe('a message that triggers too many calls', () => {
  const limit = <T>(calls: number, action: () => Promise<T>): Promise<T> =>
    server.withSettings({ outgoingPerMessage: calls }, action);

  it('makes those of the oldest webhooks, and leaves one row for all others', async () => {
    const hooks = [
      await hookFor(
        ['deploy'],
        ['/a', '/b'].map((path) => `/${newId()}${path}`),
      ),
      await hookFor(['deploy']),
      await hookFor(
        ['deploy'],
        ['/a', '/b'].map((path) => `/${newId()}${path}`),
      ),
      await hookFor(['deploy']),
    ];
    const post = await limit(3, () => say('deploy'));
    expect(await rowsOf(post.id)).toHaveLength(4);
    for (const [hook, count] of [
      [hooks[0], 2],
      [hooks[1], 1],
    ])
      await eventually(async () => {
        const made = (await logOf(hook)).filter(({ status }) => status === 'delivered');
        return made.length === count;
      });
    const [cut] = await logOf(hooks[2]);
    expect(cut).toMatchObject({
      status: 'cancelled',
      reason: 'message_limit',
      left_out_calls: 3,
      left_out_hooks: 2,
      post_id: post.id,
      callback_url: hooks[2].callback_urls[0],
      attempts: 0,
    });
    expect(await logOf(hooks[3])).toEqual([]);
    expect((await detailOf(hooks[2], cut.id)).payload).toMatchObject({ text: 'deploy' });
    expect(receiver.callsTo(urlPath(hooks[2]))).toEqual([]);
  });

  it('never sends the skipped ones', async () => {
    const [, hook] = [await hookFor(['deploy']), await hookFor(['deploy'])];
    await limit(1, () => say('deploy'));
    const [cut] = await logOf(hook);
    expectError(await retry(hook, cut.id), 409, 'app.deliveries.message_limit.app_error');
    expect(await missedBy(hook)).toBe(0);
    const { body: recovery } = await server.admin.post(`${PATH}/${hook.id}/recover`, { since: 0 });
    expect(recovery).toMatchObject({ total: 0, status: 'finished' });
    expect(await logOf(hook)).toEqual([cut]);
  });

  it('is explained in the same way', async () => {
    const hooks = [
      await hookFor(['deploy']),
      await hookFor(
        ['deploy'],
        ['/a', '/b'].map((path) => `/${newId()}${path}`),
      ),
      await hookFor(['deploy']),
    ];
    const told = (): Promise<Answer> =>
      server.admin.post(`${PATH}/explain`, { channel_id: team.channelId, message: 'deploy' });
    const reasons = ({ body }: Answer): unknown[] =>
      hooks.map(({ id }) => {
        const { fires, reason } = body.hooks.find((each: any) => each.hook_id === id);
        return [fires, reason];
      });
    expect(reasons(await limit(2, told))).toEqual([
      [true, 'trigger_matches'],
      [true, 'partly_left_out'],
      [false, 'message_limit'],
    ]);
    expect(reasons(await limit(4, told))).toEqual(Array(3).fill([true, 'trigger_matches']));
  });
});

describe('messages that trigger many calls', () => {
  it('share a commit only as far as their calls fit', async () => {
    const [callsPerHook, hookCount, messages] = [20, 20, 24];
    const urls = Array.from({ length: callsPerHook }, (_, index) => `/${index}`);
    for (let index = 0; index < hookCount; index++) {
      const hook = await hookFor(
        ['deploy'],
        urls.map((path) => `/${index}${path}`),
      );
      await disable(hook);
    }
    const steps = jest.spyOn(server.app.get(PostRowsRepository), 'steps');
    const writer = server.app.get(PostWriter);
    const draft = { userId: server.adminId, channelId: team.channelId, message: 'deploy' };
    const posts = await Promise.all(
      Array.from({ length: messages }, () => writer.write({ drafts: [draft], origin: 'user' })),
    );
    const added = steps.mock.calls.map(([, companions]) =>
      companions.reduce((sum, companion) => sum + ('rows' in companion ? companion.rows.length : 0), 0),
    );
    steps.mockRestore();
    expect(Math.max(...added)).toBeLessThanOrEqual(500);
    expect(added.reduce((sum, rows) => sum + rows)).toBe(messages * (callsPerHook * hookCount + 1));
    for (const [post] of posts) expect(await rowsOf(post!.id)).toHaveLength(callsPerHook * hookCount);
  });
});

/** docs/contract/outgoing-webhooks.md#deleted-messages */
describe('a deleted message', () => {
  const GONE = 'app.deliveries.post_deleted.app_error';
  const remove = async (post: any): Promise<void> =>
    expect((await server.admin.delete(`/posts/${post.id}`)).status).toBe(200);
  const waiting = (hook: any): Promise<any> =>
    eventually(async () => (await logOf(hook)).find(({ attempts }) => attempts === 2));
  const fail = (): void => void (receiver.answer = (_, response) => void response.writeHead(503).end());
  const expectForgotten = async (hook: any, post: any, status: string): Promise<void> => {
    const [delivery] = await logOf(hook);
    expect(delivery).toMatchObject({ status, reason: 'post_deleted', next_attempt_at: 0 });
    const detail = await detailOf(hook, delivery.id);
    expect(detail.payload).toEqual({});
    expect(detail.attempt_list.map(({ reply }: any) => reply).join('')).toBe('');
    expectError(await retry(hook, delivery.id), 409, GONE);
    expect(await missedBy(hook)).toBe(0);
    expect((await rowsOf(post.id)).map(({ body }) => body)).toEqual((await rowsOf(post.id)).map(() => ({})));
    expect(await payloadsOf(post.id)).toEqual([]);
  };

  it.each([1, 2])('is not sent: waiting deliveries of %i webhooks are cancelled', async (count) => {
    fail();
    const hooks = [];
    for (let index = 0; index < count; index++) hooks.push(await hookFor(['deploy']));
    const post = await say('deploy');
    for (const hook of hooks) await waiting(hook);
    await remove(post);
    for (const hook of hooks) {
      await expectForgotten(hook, post, 'cancelled');
      expect(receiver.callsTo(urlPath(hook))).toHaveLength(2);
    }
  });

  it.each(['delivered', 'failed', 'cancelled'])('is not resent after it was %s', async (status) => {
    if (status === 'failed') receiver.answer = (_, response) => void response.writeHead(410).end();
    const hook = await hookFor(['deploy'], [`/${newId()}`, `/${newId()}`]);
    if (status === 'cancelled') await disable(hook);
    const post = await say('deploy');
    await eventually(async () => (await logOf(hook)).every((delivery) => delivery.status === status));
    await remove(post);
    expect((await server.admin.post(`${PATH}/${hook.id}/enable`)).status).toBe(200);
    await expectForgotten(hook, post, status);
  });

  it('includes its thread', async () => {
    fail();
    const hook = await hookFor(['deploy']);
    const root = await say('nothing yet');
    const reply = await say('deploy', { root_id: root.id });
    await waiting(hook);
    await remove(root);
    await expectForgotten(hook, reply, 'cancelled');
  });

  it.each([200, 503])('gets no reply and no further call when a call ends with %i', async (status) => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    receiver.answer = async (_, response) => {
      await held;
      response.writeHead(status).end(JSON.stringify({ text: 'I answer to what is gone' }));
    };
    const hook = await hookFor(['deploy']);
    const post = await say('deploy');
    await eventually(() => receiver.callsTo(urlPath(hook))[0]);
    await remove(post);
    answer();
    const [{ id }] = await logOf(hook);
    await eventually(async () => (await detailOf(hook, id)).attempt_list.length > 0 || status === 200);
    receiver.answer = (_, response) => void response.end();
    const other = await say('deploy'); // in the same lane, and after it
    await settled(hook, 'delivered');
    const { posts } = (await server.admin.get(`/channels/${team.channelId}/posts`)).body;
    expect(Object.values<any>(posts).filter(({ message }) => message.startsWith('I answer'))).toEqual([]);
    const [, deleted] = await logOf(hook);
    expect(deleted).toMatchObject({ post_id: post.id, status: 'cancelled', reason: 'post_deleted' });
    expect(bodiesTo(urlPath(hook)).map((body) => body.post_id)).toEqual([post.id, other.id]);
  });

  it('differs from an edited one, which is sent in its first version', async () => {
    const hook = await hookFor(['deploy']);
    const post = await say('deploy first');
    const { id } = await settled(hook, 'delivered');
    expect((await server.admin.put(`/posts/${post.id}/patch`, { message: 'edited' })).status).toBe(200);
    expect((await retry(hook, id)).status).toBe(200);
    await eventually(() => receiver.callsTo(urlPath(hook)).length === 2);
    expect(bodiesTo(urlPath(hook)).map(({ text }) => text)).toEqual(['deploy first', 'deploy first']);
  });
});

/** docs/contract/messaging.md#create-a-post, docs/contract/incoming-webhooks.md#target */
describe.each(['channel', 'team'])('an archived %s', (place) => {
  let path: string;
  let channelId: string;

  beforeEach(async () => {
    channelId = await buildChannel(server.admin, team.id);
    path = place === 'channel' ? `/channels/${channelId}` : `/teams/${team.id}`;
  });
  const archive = async (): Promise<void> => expect((await server.admin.delete(path)).status).toBe(200);
  const restore = async (): Promise<void> =>
    expect((await server.admin.post(`${path}/restore`)).status).toBe(200);
  const send = (hook: any, fields: Record<string, unknown> = {}): Promise<Answer> =>
    server.anonymous.post(`/hooks/${hook.id}`, { text: 'green', ...fields });
  const wideHook = (fields: Record<string, unknown> = {}): Promise<any> =>
    buildOutgoingHook(server.admin, team.id, {
      trigger_words: ['deploy'],
      callback_urls: [receiver.url(`/${newId()}`)],
      content_type: 'application/json',
      ...fields,
    });

  it('accepts no posts and no edits', async () => {
    const { body: post } = await server.admin.post('/posts', { channel_id: channelId, message: 'before' });
    await archive();
    expectError(
      await server.admin.post('/posts', { channel_id: channelId, message: 'deploy' }),
      400,
      'api.post.create_post.can_not_post_to_deleted.error',
    );
    expectError(
      await server.admin.put(`/posts/${post.id}/patch`, { message: 'after' }),
      400,
      'api.post.patch_post.can_not_update_post_in_deleted.error',
    );
    await restore();
    expect((await server.admin.post('/posts', { channel_id: channelId, message: 'x' })).status).toBe(201);
  });

  it('accepts nothing through incoming webhooks', async () => {
    const early = await buildIncomingHook(server.admin, channelId);
    await archive();
    const late = await buildIncomingHook(server.admin, channelId); // that of a channel is deleted with it
    const hooks = place === 'channel' ? [late] : [early, late];
    for (const hook of hooks) {
      expectError(await send(hook), 400, 'web.incoming_webhook.general.app_error', 'archived');
      const direct = await send(hook, { channel: '@admin' });
      expect(direct.status).toBe(place === 'team' ? 400 : 200);
    }
    await restore();
    for (const hook of hooks) expect((await send(hook)).status).toBe(200);
  });

  it('accepts no reply of a receiver, but earlier messages are sent', async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    receiver.answer = async (_, response) => {
      await held;
      response.end(JSON.stringify({ text: 'too late' }));
    };
    const hook = await wideHook();
    await server.admin.post('/posts', { channel_id: channelId, message: 'deploy' });
    await eventually(() => receiver.callsTo(urlPath(hook))[0]);
    await archive();
    answer();
    const { id } = await settled(hook, 'delivered');
    expect((await detailOf(hook, id)).attempt_list).toMatchObject([
      { note: 'The reply was not posted: the channel or its team is archived.' },
    ]);
  });

  it('fires nothing', async () => {
    const hook = await wideHook();
    await archive();
    const { body } = await server.admin.post(`${PATH}/explain`, { channel_id: channelId, message: 'deploy' });
    expect(body.hooks.find((each: any) => each.hook_id === hook.id)).toMatchObject({
      fires: false,
      reason: 'archived_channel',
    });
  });
});
