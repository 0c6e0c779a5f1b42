import { DataSource } from 'typeorm';
import { HookMessages } from '../src/incoming-hooks/messages/hook-messages.service.js';
import { MessageKey, MessagePiece } from '../src/incoming-hooks/messages/message.entity.js';
import { MessageWriter } from '../src/incoming-hooks/messages/message-writer.js';
import { MessagesRepository } from '../src/incoming-hooks/messages/messages.repository.js';
import { Post } from '../src/messaging/posts/post.entity.js';
import { Clock } from '../src/platform/common/clock.js';
import { DatabaseUnavailable } from '../src/platform/common/errors/common-errors.js';
import { newId } from '../src/platform/common/ids.js';
import { Purge } from '../src/platform/database/purge.js';
import { buildChannel, buildIncomingHook } from './factories/incoming-hooks.js';
import { buildPost, buildPostsScene, joinChannel, type PostsScene } from './factories/posts.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import type { Answer, RequestOptions } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { LiveClient } from './support/live-client.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const GENERAL = 'web.incoming_webhook.general.app_error';
const DECODE = 'web.incoming_webhook.decode.app_error';
const NO_MESSAGE = 'web.incoming_webhook.message.app_error';
const DAY_MS = 86_400_000;
/** Becomes three posts. */
const LONG = `${'a'.repeat(16_000)}\n${'b'.repeat(16_000)}\n${'c'.repeat(16_000)}`;

/** docs/contract/incoming-webhooks.md#threads, #keys and #messages */
describe('messages of incoming webhooks', () => {
  let server: TestServer;
  let scene: PostsScene;
  let channelId: string;
  let hook: any;

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', MAX_PAYLOAD_BYTES: '2000000' });
    scene = await buildPostsScene(server);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    channelId = await buildChannel(server.admin, scene.teamId);
    for (const { id } of [scene.author, scene.colleague]) await joinChannel(server.admin, channelId, id);
    hook = await buildIncomingHook(server.admin, channelId, { username: 'monitor' });
  });

  const send = (payload: unknown, options: RequestOptions = {}, id = hook.id): Promise<Answer> =>
    server.anonymous.post(`/hooks/${id}?wait=true`, payload, options);
  const posted = async (payload: unknown, options: RequestOptions = {}, id = hook.id): Promise<string[]> => {
    const answer = await send(payload, options, id);
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    return answer.body.post_ids;
  };
  const at = (postId: string, id = hook.id): string => `/hooks/${id}/messages/${postId}`;
  const patch = (postId: string, change: unknown, id = hook.id): Promise<Answer> =>
    server.anonymous.patch(at(postId, id), change);
  const remove = (postId: string, id = hook.id): Promise<Answer> => server.anonymous.delete(at(postId, id));
  const read = async (postId: string): Promise<any> => (await server.admin.get(`/posts/${postId}`)).body;
  const isDeleted = async (postId: string): Promise<boolean> =>
    (await server.admin.get(`/posts/${postId}`)).status === 404;
  /** Messages of the channel that users see, oldest first. */
  const messages = async (inChannel = channelId): Promise<any[]> => {
    const { body } = await server.admin.get(`/channels/${inChannel}/posts?per_page=200`);
    const shown = body.order.map((id: string) => body.posts[id]);
    return shown.filter(({ type }: any) => !type.startsWith('system_')).toReversed();
  };
  const textsOf = async (): Promise<string[]> => (await messages()).map(({ message }) => message);
  const rows = <T extends object>(entity: new () => T) => server.app.get(DataSource).getRepository(entity);
  const mentionsOfColleague = async (): Promise<number> =>
    (await server.admin.get(`/channels/${channelId}/members/${scene.colleague.id}`)).body.mention_count;

  describe('threads', () => {
    it('are named by root_id or thread_ts', async () => {
      const root = await buildPost(scene.author.client, channelId);
      const [byRoot] = await posted({ text: 'one', root_id: root.id });
      const [bySlack] = await posted({ text: 'two', thread_ts: root.id, priority: { priority: 'urgent' } });
      const [first, second] = await posted({ text: LONG, root_id: root.id });
      for (const id of [byRoot, bySlack, first, second])
        expect(await read(id!)).toMatchObject({ root_id: root.id, channel_id: channelId, metadata: {} });
      expect((await read(root.id)).reply_count).toBe(5);
    });

    it('can be named in parts', async () => {
      const root = await buildPost(scene.author.client, channelId);
      const fields = { root_id: root.id, text: 'part', key: 'k', on_key: 'update', silent: 'true' };
      const raw =
        Object.entries(fields)
          .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
          .join('') + '--b--\r\n';
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const [id] = await posted(undefined, { raw, headers });
      expect(await read(id!)).toMatchObject({ root_id: root.id, message: 'part' });
      expect(await posted(undefined, { raw, headers })).toEqual([id]);
    });

    it('must begin in the channel', async () => {
      const root = await buildPost(scene.author.client, channelId);
      const reply = await buildPost(scene.author.client, channelId, { root_id: root.id });
      const elsewhere = await buildPost(scene.author.client, scene.channelId);
      const gone = await buildPost(scene.author.client, channelId);
      await scene.author.client.delete(`/posts/${gone.id}`);
      for (const id of [reply.id, elsewhere.id, gone.id, newId(), 'malformed', 'x'.repeat(10_000)])
        expectError(await send({ text: 'a', root_id: id }), 400, GENERAL, 'root_id');
      expectError(await send({ text: 'a', thread_ts: elsewhere.id }), 400, GENERAL, 'thread_ts');
      expectError(await send({ text: 'a', root_id: root.id, channel: '@nobody' }), 400, GENERAL);
      for (const wrong of [true, [], {}]) {
        expectError(await send({ text: 'a', root_id: wrong }), 400, DECODE, 'root_id');
        expectError(await send({ text: 'a', thread_ts: wrong }), 400, DECODE, 'thread_ts');
      }
      expectError(await send({ text: 'a', root_id: 1 }), 400, DECODE, 'root_id');
      expect(await textsOf()).toHaveLength(2);
    });

    it('are not named by timestamps of Slack', async () => {
      for (const thread_ts of ['1712345678.000100', 1712345678.0001, null])
        expect(await read((await posted({ text: 'a', thread_ts }))[0]!)).toMatchObject({ root_id: '' });
    });
  });

  describe('silent messages', () => {
    it('mention nobody', async () => {
      const client = await LiveClient.connect(server.url, scene.colleague.client.token);
      const text = '@all and @channel';
      const before = await mentionsOfColleague();
      const [loud] = await posted({ text });
      const [silent] = await posted({ text, silent: true });
      const eventOf = (id?: string) =>
        client.event('posted', ({ data }) => JSON.parse(data['post']).id === id);
      expect((await eventOf(loud)).data['mentions']).toBe(JSON.stringify([scene.colleague.id]));
      expect((await eventOf(silent)).data['mentions']).toBeUndefined();
      expect(await mentionsOfColleague()).toBe(before + 1);
      expect(await read(silent!)).toMatchObject({ message: text });
      client.socket.close();
    });

    it('are asked for with a boolean', async () => {
      expectError(await send({ text: 'a', silent: 'yes' }), 400, DECODE, 'silent');
    });
  });

  describe('keys', () => {
    it('collect later calls in the thread of the first', async () => {
      const [first] = await posted({ text: 'down', key: 'db1' });
      const [second] = await posted({ text: 'still down', key: 'db1', on_key: 'thread' });
      const [other] = await posted({ text: 'down', key: 'db2' });
      expect(await read(first!)).toMatchObject({ root_id: '', message: 'down', reply_count: 1, edit_at: 0 });
      expect(await read(second!)).toMatchObject({ root_id: first, message: 'still down' });
      expect(await read(other!)).toMatchObject({ root_id: '' });
    });

    it('answer in the thread that the first call named', async () => {
      const root = await buildPost(scene.author.client, channelId);
      await posted({ text: 'down', key: 'db1', root_id: root.id });
      const [second] = await posted({ text: 'still down', key: 'db1' });
      expect(await read(second!)).toMatchObject({ root_id: root.id });
    });

    it('update the first message', async () => {
      const attachments = [{ text: 'details', color: '#ff0000' }];
      const mentions = await mentionsOfColleague();
      const [first] = await posted({ text: 'down', key: 'db1', on_key: 'update', attachments });
      await posted({ text: 'down' });
      const plain = await send({ text: '*up* again, @all', key: 'db1', on_key: 'update', username: 'db' });
      expect(plain.body).toEqual({ status: 'OK', post_ids: [first] });
      const post = await read(first!);
      expect(post).toMatchObject({ message: '*up* again, @all', type: '', is_pinned: false });
      expect(post.props).toMatchObject({ from_webhook: 'true', override_username: 'db' });
      expect(post.props.attachments).toBeUndefined();
      expect(post.edit_at).toBeGreaterThanOrEqual(post.create_at);
      expect(await mentionsOfColleague()).toBe(mentions);
      expect(await textsOf()).toHaveLength(2);
    });

    it('change nothing if the content is the same', async () => {
      const payload = { text: 'down', key: 'db1', on_key: 'update', attachments: [{ text: 'details' }] };
      const [first] = await posted(payload);
      const before = await read(first!);
      expect(await posted(payload)).toEqual([first]);
      expect(await read(first!)).toEqual(before);
    });

    it('resolve the first message, once', async () => {
      const resolve = { text: 'disk is full', key: 'disk', on_key: 'resolve' };
      const [first] = await posted({ text: 'disk is full', key: 'disk', on_key: 'update' });
      expect(await posted(resolve)).toEqual([first]);
      expect(await posted({ ...resolve, text: ':white_check_mark: disk is full' })).toEqual([first]);
      expect(await textsOf()).toEqual([':white_check_mark: disk is full']);
      await posted({ ...resolve, key: 'new' });
      expect((await textsOf()).at(-1)).toBe(':white_check_mark: disk is full');
      expectError(await send({ ...resolve, text: '' }), 400, GENERAL);
    });

    it('begin a new message after the first was resolved', async () => {
      const firing = { text: 'disk is full', key: 'disk' };
      const resolve = { ...firing, on_key: 'resolve' };
      for (const on_key of ['thread', 'update']) {
        const [first] = await posted({ ...firing, on_key });
        expect(await posted(resolve)).toEqual([first]);
        expect(await posted(resolve)).toEqual([first]);
        const [second] = await posted({ ...firing, on_key });
        expect(await read(second!)).toMatchObject({ root_id: '', message: 'disk is full' });
        const [reply] = await posted(firing);
        expect(await read(reply!)).toMatchObject({ root_id: second });
        expect(await posted(resolve)).toEqual([second]);
        expect(await read(first!)).toMatchObject({
          message: ':white_check_mark: disk is full',
          edit_at: expect.any(Number),
        });
      }
    });

    it('begin a new message after a first call that resolves', async () => {
      const resolve = { text: 'up', key: 'db1', on_key: 'resolve' };
      const [first] = await posted(resolve);
      expect(await posted(resolve)).toEqual([first]);
      const [second] = await posted({ text: 'down', key: 'db1' });
      expect(await read(second!)).toMatchObject({ root_id: '', message: 'down' });
    });

    it('begin one new message of simultaneous calls after the first was resolved', async () => {
      const [first] = await posted({ text: 'down', key: 'db1' });
      await posted({ text: 'up', key: 'db1', on_key: 'resolve' });
      await Promise.all(Array.from({ length: 8 }, (_, n) => posted({ text: `${n}`, key: 'db1' })));
      const roots = (await messages()).filter(({ root_id }) => root_id === '');
      expect(roots.map(({ id, reply_count }) => [id, reply_count])).toEqual([
        [first, 0],
        [expect.any(String), 7],
      ]);
    });

    it('are resolved together with their message', async () => {
      for (let round = 0; round < 10; round++) {
        const key = `db${round}`;
        await posted({ text: `${key} down`, key });
        const call = (on_key: string) => posted({ text: `${key} ${on_key}`, key, on_key });
        await Promise.all(['update', 'resolve', 'thread', 'resolve', 'update'].map(call));
        await call('resolve');
        const ofKey = (await messages()).filter(({ message }) => message.includes(key));
        const roots = ofKey.filter(({ root_id }) => root_id === '').map(({ message }) => message);
        expect(new Set(roots)).toEqual(new Set([`:white_check_mark: ${key} resolve`]));
      }
    });

    it('stay open if their message cannot be changed', async () => {
      const [first] = await posted({ text: 'down', key: 'db1' });
      const resolve = { text: 'up', key: 'db1', on_key: 'resolve' };
      for (const repository of server.everywhere(MessagesRepository))
        jest.spyOn(repository, 'insert').mockRejectedValue(new DatabaseUnavailable());
      expect((await send(resolve)).status).toBe(503);
      jest.restoreAllMocks();
      const [reply] = await posted({ text: 'still down', key: 'db1' });
      expect(await read(reply!)).toMatchObject({ root_id: first });
    });

    it('stay with the resolved message if the next one cannot be posted', async () => {
      const resolve = { text: 'up', key: 'db1', on_key: 'resolve' };
      const [first] = await posted(resolve);
      for (const writer of server.everywhere(MessageWriter))
        jest.spyOn(writer, 'store').mockRejectedValue(new DatabaseUnavailable());
      expect((await send({ text: 'down', key: 'db1' })).status).toBe(503);
      jest.restoreAllMocks();
      expect(await posted(resolve)).toEqual([first]);
    });

    it('begin a new message after another process has resolved the first in the meantime', async () => {
      const [first] = await posted({ text: 'up', key: 'db1', on_key: 'resolve' });
      for (const repository of server.everywhere(MessagesRepository))
        jest.spyOn(repository, 'findKey').mockResolvedValueOnce(null);
      const [second] = await posted({ text: 'down', key: 'db1' });
      jest.restoreAllMocks();
      expect(second).not.toBe(first);
      expect(await read(second!)).toMatchObject({ root_id: '' });
    });

    it('of a deleted webhook are deleted with it', async () => {
      await posted({ text: 'down', key: 'db1' });
      const other = await buildIncomingHook(server.admin, channelId);
      await posted({ text: 'down', key: 'db1' }, {}, other.id);
      await server.admin.delete(`/hooks/incoming/${hook.id}`);
      expect(await rows(MessageKey).countBy({ originId: hook.id })).toBe(0);
      expect(await rows(MessageKey).countBy({ originId: other.id })).toBe(1);
    });

    it('come from headers unless the payload has them', async () => {
      const headers = { 'hookline-key': 'db1', 'hookline-on-key': 'update' };
      const [first] = await posted({ text: 'one' }, { headers });
      expect(await posted({ text: 'two' }, { headers })).toEqual([first]);
      const [reply] = await posted({ text: 'three', on_key: 'thread' }, { headers });
      expect(await read(reply!)).toMatchObject({ root_id: first });
      const [other] = await posted({ text: 'four', key: 'db2' }, { headers });
      expect(await read(other!)).toMatchObject({ root_id: '' });
    });

    it('are validated', async () => {
      const tooLong = 'ä'.repeat(191);
      expectError(await send({ text: 'a', key: tooLong }), 400, DECODE, 'key');
      expectError(await send({ text: 'a', key: 5 }), 400, DECODE, 'key');
      expectError(await send({ text: 'a', key: 'a', on_key: 'replace' }), 400, DECODE, 'on_key');
      const headers = { 'hookline-key': 'x'.repeat(191) };
      expectError(await send({ text: 'a' }, { headers }), 400, DECODE, 'key');
      expect(await textsOf()).toEqual([]);
      for (const key of [tooLong.slice(1), '', null]) await posted({ text: 'a', key, on_key: null });
      expect(await rows(MessageKey).countBy({ originId: hook.id })).toBe(1);
    });

    it('belong to their webhook', async () => {
      const other = await buildIncomingHook(server.admin, channelId);
      const [first] = await posted({ text: 'one', key: 'db1', on_key: 'update' });
      const [second] = await posted({ text: 'two', key: 'db1', on_key: 'update' }, {}, other.id);
      expect(second).not.toBe(first);
    });

    it('begin a new message after the first was deleted', async () => {
      for (const on_key of ['thread', 'update', 'resolve']) {
        const [first] = await posted({ text: 'one', key: on_key, on_key });
        await server.admin.delete(`/posts/${first}`);
        const [second] = await posted({ text: 'two', key: on_key, on_key });
        expect(await read(second!)).toMatchObject({ root_id: '', edit_at: 0 });
        const again = on_key === 'resolve' ? on_key : 'update';
        const [third] = await posted({ text: 'three', key: on_key, on_key: again });
        expect(third).toBe(second);
      }
    });

    it('expire after their lifetime without use', async () => {
      const clock = server.app.get(Clock);
      const [old] = await posted({ text: 'one', key: 'old', on_key: 'update' });
      const [used] = await posted({ text: 'one', key: 'used', on_key: 'update' });
      const start = Date.now();
      const spy = jest.spyOn(clock, 'now').mockReturnValue(start + 20 * DAY_MS);
      try {
        expect(await posted({ text: 'two', key: 'used', on_key: 'update' })).toEqual([used]);
        spy.mockReturnValue(start + 31 * DAY_MS);
        expect(await posted({ text: 'three', key: 'used', on_key: 'update' })).toEqual([used]);
        const [renewed] = await posted({ text: 'three', key: 'old', on_key: 'update' });
        expect(renewed).not.toBe(old);
        spy.mockReturnValue(start + 62 * DAY_MS);
        await server.app.get(Purge).run();
        expect(await rows(MessageKey).countBy({ originId: hook.id })).toBe(0);
      } finally {
        spy.mockRestore();
      }
    });

    it('make one message of simultaneous calls', async () => {
      for (const on_key of ['thread', 'update', 'resolve']) {
        const calls = Array.from({ length: 12 }, (_, n) => posted({ text: `${n}`, key: on_key, on_key }));
        const ids = new Set((await Promise.all(calls)).flat());
        expect(ids.size).toBe(on_key === 'thread' ? 12 : 1);
      }
      const shown = await messages();
      expect(shown.filter(({ root_id }) => root_id === '')).toHaveLength(3);
      expect(shown.filter(({ root_id }) => root_id !== '')).toHaveLength(11);
    });

    it('find the message that another process has posted in the meantime', async () => {
      const [first] = await posted({ text: 'one', key: 'db1' });
      for (const repository of server.everywhere(MessagesRepository))
        jest.spyOn(repository, 'findKey').mockResolvedValueOnce(null);
      const answers = await posted({ text: 'two', key: 'db1', on_key: 'update' });
      jest.restoreAllMocks();
      expect(answers).toEqual([first]);
      expect(await textsOf()).toEqual(['two']);
    });

    it('work with idempotency keys', async () => {
      for (const on_key of ['thread', 'update', 'resolve']) {
        const call = (text: string, key: string): Promise<Answer> =>
          send({ text, key: on_key, on_key }, { headers: { 'idempotency-key': key } });
        const first = await call('one', `${on_key}1`);
        const second = await call('two', `${on_key}2`);
        const before = await messages();
        for (const [again, earlier] of [
          [await call('three', `${on_key}2`), second],
          [await call('three', `${on_key}1`), first],
        ] as const) {
          expect(again.body).toEqual(earlier.body);
          expect(again.headers['idempotency-replayed']).toBe('true');
        }
        expect(await messages()).toEqual(before);
      }
    });

    it('of kept calls apply to their replay', async () => {
      await server.admin.patch(`/hooks/incoming/${hook.id}`, { keep_requests: true });
      const headers = { 'hookline-key': 'db1', 'hookline-on-key': 'update' };
      const [first] = await posted({ text: 'one' }, { headers });
      await posted({ text: 'two', key: 'db1', on_key: 'update' });
      const path = `/hooks/incoming/${hook.id}/requests`;
      const { body: calls } = await server.admin.get(path);
      const ids = calls.map(({ id }: any) => id).toReversed();
      expect(calls).toHaveLength(2);
      expect((await server.admin.get(`${path}/${ids[0]}`)).body.headers).toMatchObject(headers);
      const replayed = await server.admin.post(`${path}/${ids[0]}/replay`);
      expect(replayed.body).toEqual({ status: 'OK', post_ids: [first] });
      expect(await textsOf()).toEqual(['one']);
    });

    it('follow their webhook to another channel only while it may post in the old one', async () => {
      const other = await buildChannel(server.admin, scene.teamId);
      const [first] = await posted({ text: 'one', key: 'db1', on_key: 'update' });
      await server.admin.patch(`/hooks/incoming/${hook.id}`, { channel_id: other });
      expect(await posted({ text: 'two', key: 'db1', on_key: 'update' })).toEqual([first]);
      await server.admin.patch(`/hooks/incoming/${hook.id}`, { channel_locked: true });
      const [second] = await posted({ text: 'three', key: 'db1', on_key: 'update' });
      expect(await read(second!)).toMatchObject({ channel_id: other, message: 'three' });
      expect(await read(first!)).toMatchObject({ message: 'two' });
    });

    it('do not let a webhook post where its owner cannot read any more', async () => {
      const secret = await buildChannel(server.admin, scene.teamId, 'P');
      await joinChannel(server.admin, secret, scene.teamAdmin.id);
      hook = await buildIncomingHook(scene.teamAdmin.client, secret);
      const [first] = await posted({ text: 'one', key: 'db1' });
      await scene.teamAdmin.client.patch(`/hooks/incoming/${hook.id}`, { channel_id: channelId });
      await server.admin.delete(`/channels/${secret}/members/${scene.teamAdmin.id}`);
      const [second] = await posted({ text: 'two', key: 'db1' });
      expect(await read(second!)).toMatchObject({ channel_id: channelId, root_id: '' });
      expectError(await patch(first!, { text: 'three' }), 403, GENERAL);
      expectError(await server.anonymous.get(at(first!)), 403, GENERAL);
      expectError(await remove(first!), 403, GENERAL);
    });

    it('leave nothing behind when a post cannot be stored', async () => {
      const [first] = await posted({ text: LONG, key: 'db1', on_key: 'update' });
      const before = await messages();
      for (const repository of server.everywhere(MessagesRepository))
        jest.spyOn(repository, 'insert').mockRejectedValue(new DatabaseUnavailable());
      const headers = { 'idempotency-key': newId() };
      const update = { text: 'short', key: 'db1', on_key: 'update' };
      expect((await send(update, { headers })).status).toBe(503);
      jest.restoreAllMocks();
      expect(await messages()).toEqual(before);
      expect(await rows(MessagePiece).countBy({ messageId: first! })).toBe(2);
      expect(await posted(update, { headers })).toEqual([first]);
      expect(await textsOf()).toEqual(['short']);
    });
  });

  describe('changing them', () => {
    it('shows the message as the posts API does', async () => {
      const [id] = await posted({ text: 'hello', attachments: [{ text: 'details' }] });
      const shown = await server.anonymous.get(at(id!));
      expect(shown.status).toBe(200);
      expect(shown.body).toEqual(await read(id!));
      expect(shown.text).not.toContain('source');
      const ids = await posted({ text: LONG });
      expect((await server.anonymous.get(at(ids[2]!))).body.id).toBe(ids[0]);
    });

    it('changes only what the payload has', async () => {
      const [id] = await posted({
        text: 'down',
        attachments: [{ text: 'details <https://example.com|link>' }],
        props: { card: 'card' },
        icon_emoji: ':rocket:',
      });
      const { props: before, create_at } = await read(id!);
      const expectChange = async (change: object, expected: object): Promise<void> => {
        const answer = await patch(id!, change);
        expect(answer.body).toEqual({ status: 'OK', post_ids: [id] });
        expect(await read(id!)).toMatchObject({ create_at, channel_id: channelId, ...expected });
      };
      await expectChange(
        { text: 'up', channel: 'x', key: 'k', root_id: 'y' },
        { message: 'up', props: before },
      );
      const attachments = [{ text: 'new' }];
      const override_icon_emoji = before.override_icon_emoji;
      await expectChange(
        { attachments, username: 'deployer' },
        { message: 'up', props: { card: 'card', override_username: 'deployer', override_icon_emoji } },
      );
      expect((await read(id!)).props.attachments).toMatchObject(attachments);
      await expectChange(
        { props: { other: 1 }, icon_url: 'https://example.com/a.png' },
        {
          type: 'slack_attachment',
          props: {
            other: 1,
            from_webhook: 'true',
            override_username: 'deployer',
            override_icon_url: 'https://example.com/a.png',
          },
        },
      );
      const { props } = await read(id!);
      expect(props.attachments).toMatchObject(attachments);
      expect(props).not.toMatchObject({ card: 'card' });
      await expectChange({ attachments: [], blocks: 'none' }, { message: 'up', type: '' });
      await expectChange(
        { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'b' } }] },
        { message: 'b' },
      );
      expectError(await patch(id!, { text: '' }), 400, GENERAL, 'text');
      expectError(await patch(id!, { blocks: [{ type: 'input' }] }), 400, GENERAL, 'input');
      expectError(await patch(id!, { text: 5 }), 400, DECODE, 'text');
      await expectChange({}, { message: 'b' });
    });

    it('reads every media type of a payload', async () => {
      const [id] = await posted({ text: 'down' });
      const raw = 'payload=%7B%22text%22%3A%22form%22%7D';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await server.anonymous.patch(at(id!), undefined, { raw, headers })).status).toBe(200);
      expect(await read(id!)).toMatchObject({ message: 'form' });
    });

    it('announces edits and fires no outgoing webhook', async () => {
      await buildOutgoingHook(server.admin, scene.teamId, { channel_id: channelId, trigger_words: ['up'] });
      const client = await LiveClient.connect(server.url, scene.colleague.client.token);
      const [id] = await posted({ text: 'down @all' });
      await patch(id!, { text: 'up @all' });
      const edited = await client.event('post_edited', ({ data }) => JSON.parse(data['post']).id === id);
      expect(JSON.parse(edited.data['post'])).toMatchObject({ message: 'up @all' });
      await remove(id!);
      await client.event('post_deleted', ({ data }) => JSON.parse(data['post']).id === id);
      client.socket.close();
      const { body } = await server.admin.get(`/hooks/outgoing/deliveries?team_id=${scene.teamId}`);
      expect(JSON.stringify(body)).not.toContain(id);
      const history = await rows(Post).findBy({ originalId: id! });
      expect(history.map(({ message }) => message)).toEqual(['down @all']);
    });

    it('deletes surplus posts and adds missing ones', async () => {
      const [first, second, third] = await posted({ text: LONG });
      expect((await patch(second!, { text: 'short' })).body.post_ids).toEqual([first]);
      expect(await textsOf()).toEqual(['short']);
      expect([await isDeleted(second!), await isDeleted(third!)]).toEqual([true, true]);
      const { post_ids: grown } = (await patch(first!, { text: LONG })).body;
      expect(grown[0]).toBe(first);
      const shown = await Promise.all(grown.map(read));
      expect(shown.map(({ message }) => message).join('')).toBe(LONG);
      expect(shown.map(({ root_id }) => root_id)).toEqual(['', first, first]);
      const { post_ids: again } = (await patch(grown[2], { text: LONG.replaceAll('b', 'd') })).body;
      expect(again).toEqual(grown);
      expect((await remove(grown[1])).status).toBe(204);
      expect(await textsOf()).toEqual([]);
      expect(await rows(MessagePiece).countBy({ messageId: first! })).toBe(0);
    });

    it('keeps the text of a split message while its attachments change', async () => {
      const code = `\`\`\`\n${'x\n'.repeat(12_000)}\`\`\``;
      const ids = await posted({ text: code });
      const before = await Promise.all(ids.map(read));
      expect((await patch(ids[0]!, { attachments: [{ text: 'log' }] })).body.post_ids).toEqual(ids);
      const after = await Promise.all(ids.map(read));
      expect(after.map(({ message }) => message)).toEqual(before.map(({ message }) => message));
      expect(after.map(({ props }) => props.attachments?.length)).toEqual([undefined, 1]);
      expect((await patch(ids[0]!, { text: 'short' })).body.post_ids).toEqual([ids[0]]);
      expect((await read(ids[0]!)).props.attachments).toMatchObject([{ text: 'log' }]);
    });

    it('bounds what an update makes of a split message', async () => {
      const text = 'x'.repeat(16_383 * 20);
      const [id] = await posted({ text });
      expectError(await patch(id!, { props: { big: 'y'.repeat(600_000) } }), 400, GENERAL);
      expect((await read(id!)).props.big).toBeUndefined();
    });

    it('works after the webhook has moved', async () => {
      const [id] = await posted({ text: 'here' });
      const other = await buildChannel(server.admin, scene.teamId);
      await server.admin.patch(`/hooks/incoming/${hook.id}`, { channel_id: other, channel_locked: true });
      expect((await patch(id!, { text: 'still here' })).status).toBe(200);
      expect(await read(id!)).toMatchObject({ channel_id: channelId, message: 'still here' });
      expect((await remove(id!)).status).toBe(204);
      expect(await isDeleted(id!)).toBe(true);
    });

    it('keeps the replies of others when a message is deleted', async () => {
      const [first, second] = await posted({ text: LONG, key: 'k', attachments: [{ text: 'details' }] });
      const own = await posted({ text: 'own answer', key: 'k' });
      const reply = await buildPost(scene.author.client, channelId, { root_id: first, message: 'a reply' });
      expect((await remove(second!)).status).toBe(204);
      expect(await textsOf()).toEqual(['(deleted)', 'own answer', 'a reply']);
      const stub = await read(first!);
      expect(stub).toMatchObject({ type: '', reply_count: 2, props: { from_webhook: 'true' } });
      expect(stub.props.attachments).toBeUndefined();
      expect(await read(reply.id)).toMatchObject({ root_id: first });
      expectError(await remove(first!), 404, NO_MESSAGE);
      expectError(await patch(first!, { text: 'a' }), 404, NO_MESSAGE);
      expect((await patch(own[0]!, { text: 'b' })).status).toBe(200);
      const [next] = await posted({ text: 'new', key: 'k' });
      expect(await read(next!)).toMatchObject({ root_id: '' });
    });

    it('forgets the posts of a message that was deleted in another way', async () => {
      const ids = await posted({ text: LONG });
      await server.admin.delete(`/posts/${ids[1]}`);
      expect((await rows(MessagePiece).findBy({ messageId: ids[0]! })).map(({ postId }) => postId)).toEqual([
        ids[2],
      ]);
      await server.admin.delete(`/posts/${ids[0]}`);
      expect(await rows(MessagePiece).countBy({ messageId: ids[0]! })).toBe(0);
    });

    it('deletes the answers of the webhook with the message', async () => {
      const [first] = await posted({ text: 'one', key: 'k' });
      const [answer] = await posted({ text: 'two', key: 'k' });
      await remove(first!);
      expect([await isDeleted(first!), await isDeleted(answer!)]).toEqual([true, true]);
    });

    it('deletes only the message if it is a reply', async () => {
      const root = await buildPost(scene.author.client, channelId);
      const ids = await posted({ text: LONG, root_id: root.id });
      await remove(ids[1]!);
      expect(await read(root.id)).toMatchObject({ reply_count: 0 });
    });

    it('keeps a surplus post that others have answered', async () => {
      const ids = await posted({ text: LONG });
      await buildPost(scene.author.client, channelId, { root_id: ids[2], message: 'a reply' });
      expect((await patch(ids[0]!, { text: 'short' })).body.post_ids).toEqual([ids[0]]);
      expect(await textsOf()).toEqual(['short', '(deleted)', 'a reply']);
    });

    it('refuses messages that the webhook did not post or that are gone', async () => {
      const foreign = await buildPost(scene.author.client, channelId);
      const other = await buildIncomingHook(server.admin, channelId);
      const [ofOther] = await posted({ text: 'a' }, {}, other.id);
      const [deleted] = await posted({ text: 'a' });
      await patch(deleted!, { text: 'b' });
      const [version] = await rows(Post).findBy({ originalId: deleted! });
      await server.admin.delete(`/posts/${deleted}`);
      for (const id of [foreign.id, ofOther, deleted, version!.id, newId()]) {
        for (const answer of [
          await server.anonymous.get(at(id)),
          await patch(id, { text: 'c' }),
          await remove(id),
        ])
          expectError(answer, 404, NO_MESSAGE);
      }
      expectError(
        await server.anonymous.get(at('malformed')),
        400,
        'api.context.invalid_url_param.app_error',
      );
      expectError(await server.anonymous.get(at(ofOther!, newId())), 400, GENERAL);
    });

    it('is refused like posting', async () => {
      const [id] = await posted({ text: 'a' });
      const expectRefused = async (status: number): Promise<void> => {
        for (const answer of [
          await server.anonymous.get(at(id!)),
          await patch(id!, { text: 'c' }),
          await remove(id!),
        ])
          expectError(answer, status);
      };
      await server.withSettings({ enableIncomingWebhooks: false }, () => expectRefused(501));
      await server.admin.patch(`/hooks/incoming/${hook.id}`, { channel_id: scene.channelId });
      await server.admin.delete(`/channels/${channelId}`);
      await expectRefused(400);
      await server.admin.post(`/channels/${channelId}/restore`);
      const gone = await buildIncomingHook(server.admin, channelId, { user_id: scene.reader.id });
      const [ofGone] = await posted({ text: 'a' }, {}, gone.id);
      await server.admin.delete(`/users/${scene.reader.id}`);
      await server.withSettings({ disableOrphanedHooks: true }, async () =>
        expectError(
          await patch(ofGone!, { text: 'b' }, gone.id),
          403,
          'web.incoming_webhook.orphaned.app_error',
        ),
      );
      expect(await read(ofGone!)).toMatchObject({ message: 'a' });
    });

    it('applies simultaneous changes one after the other', async () => {
      const [id] = await posted({ text: 'a' });
      const texts = [LONG, 'short', LONG.replaceAll('a', 'd'), 'shorter', LONG.slice(0, 20_000)];
      const answers = await Promise.all(texts.map((text) => patch(id!, { text })));
      expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
      const shown = await messages();
      expect(texts).toContain(shown.map(({ message }) => message).join(''));
      expect(await rows(MessagePiece).countBy({ messageId: id! })).toBe(shown.length - 1);
      expect((await remove(id!)).status).toBe(204);
      expect(await messages()).toEqual([]);
    });

    it('stores a change completely or not at all', async () => {
      const [id] = await posted({ text: LONG });
      const before = await messages();
      for (const messagesOf of server.everywhere(HookMessages))
        jest.spyOn(messagesOf['repository'], 'deletePieces').mockRejectedValue(new DatabaseUnavailable());
      expect((await patch(id!, { text: 'short' })).status).toBe(503);
      expect((await remove(id!)).status).toBe(503);
      jest.restoreAllMocks();
      expect(await messages()).toEqual(before);
      expect(await rows(MessagePiece).countBy({ messageId: id! })).toBe(2);
    });

    it('leaves messages of before the upgrade alone', async () => {
      const [id] = await posted({ text: 'old' });
      await rows(Post).update({ id: id! }, { sourceId: '' });
      expectError(await patch(id!, { text: 'new' }), 404, NO_MESSAGE);
    });
  });
});
