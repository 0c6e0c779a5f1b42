import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { PostDeleted } from '../src/messaging/posts/posts.events.js';
import { Post } from '../src/messaging/posts/post.entity.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import { whileGranting } from './factories/incoming-hooks.js';
import {
  buildPost,
  buildPosts,
  buildPostsScene,
  buildQuietChannel,
  buildSeenChannel,
  counters,
  ordinary,
  type PostsScene,
} from './factories/posts.js';
import { announcedBy } from './support/announcements.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { isAlone, isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const DENIED = [403, 'api.context.permissions.app_error'] as const;
const BAD_BODY = [400, 'api.context.invalid_body_param.app_error'] as const;
const BAD_URL = [400, 'api.context.invalid_url_param.app_error'] as const;
const NO_POST = [404, 'app.post.get.app_error'] as const;
const isArchived = (call: string, verb: string) =>
  [400, `api.post.${call}.can_not_${verb}_post_in_deleted.error`] as const;
const invalid = (field: string) =>
  [400, `model.post.is_valid.${field}.app_error`, field.split('_')[0]] as const;

/** docs/contract/messaging.md#posts */
describe('posts', () => {
  let server: TestServer;
  let admin: ApiClient;
  let scene: PostsScene;
  let author: ApiClient;
  let colleague: ApiClient;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    scene = await buildPostsScene(server);
    author = scene.author.client;
    colleague = scene.colleague.client;
  });
  afterAll(() => server?.close());

  const create = (client: ApiClient, fields: Record<string, unknown> = {}, query = ''): Promise<Answer> =>
    client.post(`/posts${query}`, { channel_id: scene.channelId, message: 'Build 812 is green.', ...fields });
  const post = (client = author, fields: Record<string, unknown> = {}): Promise<any> =>
    buildPost(client, scene.channelId, fields);
  const get = (client: ApiClient, id: string): Promise<Answer> => client.get(`/posts/${id}`);
  const patch = (client: ApiClient, id: string, fields: Record<string, unknown>): Promise<Answer> =>
    client.put(`/posts/${id}/patch`, fields);
  const remove = (client: ApiClient, id: string): Promise<Answer> => client.delete(`/posts/${id}`);
  const archived = async (): Promise<{ channelId: string; postId: string }> => {
    const channelId = await buildQuietChannel(server, scene);
    const { id: postId } = await buildPost(author, channelId);
    expect((await admin.delete(`/channels/${channelId}`)).status).toBe(200);
    return { channelId, postId };
  };
  describe('create', () => {
    it('returns the whole record, with the caller as author', async () => {
      const before = Date.now();
      const { status, body, headers } = await create(author, {
        user_id: server.adminId,
        props: { mine: 'kept' },
        pending_post_id: `${scene.author.id}:1`,
      });
      expect(status).toBe(201);
      expect(headers['content-type']).toBe('application/json');
      expect(body).toEqual({
        id: expect.stringMatching(/^[a-z0-9]{26}$/),
        create_at: expect.any(Number),
        update_at: body.create_at,
        edit_at: 0,
        delete_at: 0,
        is_pinned: false,
        user_id: scene.author.id,
        channel_id: scene.channelId,
        root_id: '',
        original_id: '',
        message: 'Build 812 is green.',
        type: '',
        props: { mine: 'kept' },
        hashtags: '',
        file_ids: [],
        pending_post_id: `${scene.author.id}:1`,
        reply_count: 0,
        last_reply_at: 0,
        participants: null,
        metadata: {},
      });
      expect(body.create_at).toBeGreaterThanOrEqual(before);
      expect((await get(author, body.id)).body).toEqual(body);
    });

    it('returns the same error for unknown and inaccessible channels', async () => {
      const secret = await buildQuietChannel(server, scene, 'P');
      for (const channel_id of [newId(), 'junk', '', secret, scene.channelId])
        expectError(await create(scene.reader.client, { channel_id }), ...DENIED);
    });

    it('allows posting into open channels with create_post_public', async () => {
      await whileGranting(server, 'team_user', ['create_post_public'], async () => {
        expect((await create(scene.reader.client)).status).toBe(201);
        const secret = await buildQuietChannel(server, scene, 'P');
        expectError(await create(scene.reader.client, { channel_id: secret }), ...DENIED);
      });
    });

    it('names an invalid field of a body', async () => {
      for (const raw of ['{', '', '[]'])
        expectError(await author.post('/posts', undefined, { raw }), ...BAD_BODY, 'post');
      const wrong: [Record<string, unknown>, string][] = [
        [{ channel_id: 1 }, 'channel_id'],
        [{ channel_id: undefined }, 'channel_id'],
        [{ message: { a: 1 } }, 'message'],
        [{ root_id: false }, 'root_id'],
        [{ props: 'x' }, 'props'],
        [{ props: [] }, 'props'],
        [{ file_ids: 'x' }, 'file_ids'],
        [{ file_ids: [1] }, 'file_ids'],
        [{ type: 3 }, 'type'],
        [{ create_at: 'now' }, 'create_at'],
        [{ create_at: 1.5 }, 'create_at'],
        [{ metadata: 'x' }, 'metadata'],
        [{ metadata: { priority: 'urgent' } }, 'metadata.priority'],
        [{ metadata: { priority: { priority: 'shouting' } } }, 'metadata.priority.priority'],
        [{ metadata: { priority: { requested_ack: 'yes' } } }, 'metadata.priority.requested_ack'],
        [{ pending_post_id: 7 }, 'pending_post_id'],
        [{ pending_post_id: 'x'.repeat(129) }, 'pending_post_id'],
        [{ message: 'a\0b' }, 'message'],
        [{ props: { attachments: 'x' } }, 'props.attachments'],
        [{ props: { attachments: [{ fields: [{ short: 7 }] }] } }, 'props.attachments.0.fields.0.short'],
      ];
      for (const [fields, name] of wrong) expectError(await create(author, fields), ...BAD_BODY, ` ${name} `);
    });

    it('treats null as absent', async () => {
      const names = ['message', 'props', 'file_ids', 'root_id', 'metadata', 'create_at'];
      const { status, body } = await create(author, Object.fromEntries(names.map((name) => [name, null])));
      expect(status).toBe(201);
      expect(body).toMatchObject({ message: '', props: {}, file_ids: [], root_id: '', metadata: {} });
    });

    it('accepts 16383 characters of any size, and no more', async () => {
      for (const character of ['a', 'ü', '😀']) {
        const { status, body } = await create(author, { message: character.repeat(16_383) });
        expect(status).toBe(201);
        expect(Array.from(body.message)).toHaveLength(16_383);
        expectError(
          await create(author, { message: character.repeat(16_384) }),
          ...invalid('message_length'),
        );
      }
    });

    it('refuses props that are too long', async () => {
      const big = await startTestServer({ MAX_PAYLOAD_BYTES: '2000000' });
      try {
        const other = await buildPostsScene(big);
        const send = (length: number): Promise<Answer> => {
          const props = { a: 'x'.repeat(length - '{"a":""}'.length) };
          return other.author.client.post('/posts', { channel_id: other.channelId, props });
        };
        expect((await send(800_000)).status).toBe(201);
        expectError(await send(800_001), ...invalid('props'));
      } finally {
        await big.close();
      }
    });

    it('rejects roots of other channels, replies and unknown posts', async () => {
      const elsewhere = await buildPost(author, await buildQuietChannel(server, scene));
      const root = await post();
      const reply = await post(colleague, { root_id: root.id });
      const gone = await post();
      await remove(author, gone.id);
      const missing = 'api.post.create_post.root_id.app_error';
      for (const root_id of [newId(), 'junk', gone.id, reply.id])
        expectError(await create(author, { root_id }), 400, missing, 'root_id');
      const answer = await create(author, { root_id: elsewhere.id });
      expectError(answer, 400, 'api.post.create_post.channel_root_id.app_error', 'root_id');
    });

    it('counts a reply in its root and in the channel', async () => {
      const root = await post();
      const channelBefore = (await admin.get(`/channels/${scene.channelId}`)).body;
      const reply = await post(colleague, { root_id: root.id });
      const after = (await get(author, root.id)).body;
      expect(after).toMatchObject({ reply_count: 1, last_reply_at: reply.create_at, message: root.message });
      expect(after.update_at).toBeGreaterThanOrEqual(reply.create_at);
      const { body: channel } = await admin.get(`/channels/${scene.channelId}`);
      expect(channel.total_msg_count).toBe(channelBefore.total_msg_count + 1);
      expect(channel.total_msg_count_root).toBe(channelBefore.total_msg_count_root);
      expect(channel.last_post_at).toBe(reply.create_at);
      expect(channel.last_root_post_at).toBe(root.create_at);
    });

    it('accepts only the types that users may use', async () => {
      const ofServer = await create(author, { type: 'system_generic' });
      expectError(ofServer, 400, 'api.context.invalid_param.app_error', 'type');
      for (const type of ['other', 'burn_on_read', `custom_${'x'.repeat(20)}`])
        expectError(await create(author, { type }), ...invalid('type'));
      for (const type of ['me', 'slack_attachment', 'custom_calls'])
        expect((await create(author, { type })).body.type).toBe(type);
    });

    it('rejects archived channels, even for administrators', async () => {
      const { channelId } = await archived();
      const refused = 'api.post.create_post.can_not_post_to_deleted.error';
      expectError(await create(author, { channel_id: channelId }), 400, refused);
      expectError(await create(admin, { channel_id: channelId }), 400, refused);
      expectError(await create(author, { channel_id: channelId, type: 'system_x' }), 400, refused);
    });

    it('lets only administrators set the time', async () => {
      const time = 1_600_000_000_000;
      expect((await create(author, { create_at: time })).body.create_at).not.toBe(time);
      const { body } = await create(admin, { create_at: time });
      expect(body).toMatchObject({ create_at: time, update_at: time });
      for (const create_at of [-1, 2 ** 52, Number.MAX_SAFE_INTEGER]) {
        expectError(await create(admin, { create_at }), ...invalid('create_at'));
        expect((await create(author, { create_at })).status).toBe(201);
      }
    });

    it('rejects a client-side id', async () => {
      expectError(await create(author, { id: newId() }), 400, 'app.post.save.existing.app_error', 'id');
    });

    it('drops file ids, and rejects too many', async () => {
      const dropped = await create(author, { file_ids: [newId(), 'junk'] });
      expect(dropped.body.file_ids).toEqual([]);
      expect(dropped.headers['x-hookline-warnings']).toMatch(/^file_ids was ignored/);
      const many = Array.from({ length: 11 }, newId);
      expectError(await create(author, { file_ids: many }), ...invalid('file_ids'));
    });

    it('keeps the priority of a root and rejects unsupported ones', async () => {
      const urgent = { metadata: { priority: { priority: 'urgent' }, embeds: [{ type: 'link' }] } };
      expect((await create(author, urgent)).body.metadata).toEqual({
        priority: { priority: 'urgent', requested_ack: false, persistent_notifications: false },
      });
      const root = await post();
      const onlyRoots = 'api.post.post_priority.priority_post_only_allowed_for_root_post.request_error';
      expectError(await create(author, { ...urgent, root_id: root.id }), 400, onlyRoots, 'priority');
      for (const flag of ['requested_ack', 'persistent_notifications']) {
        const answer = await create(author, { metadata: { priority: { priority: 'urgent', [flag]: true } } });
        expectError(answer, 501, 'license_error.feature_unavailable');
      }
    });

    it('shows the blocks of attachments', async () => {
      const text = { type: 'mrkdwn', text: '<https://a|b> *c*' };
      const plain = { type: 'section', text: { type: 'plain_text', text: '<!here>' } };
      const attachments = [{ blocks: [{ type: 'section', text }, plain] }, { text: 'd' }];
      const { body } = await create(author, { props: { attachments } });
      expect(body.props.attachments).toMatchObject([
        { text: '[b](https://a) *c*\n\n<!here>' },
        { text: 'd' },
      ]);
    });

    it('uses the last of keys that differ only in case', async () => {
      expect((await create(author, { message: 'first', MESSAGE: 'last' })).body.message).toBe('last');
    });

    it('normalises attachments, hides the URLs of their buttons, and drops reserved props', async () => {
      const { body } = await create(author, {
        props: {
          attachments: [
            { text: 'hello', actions: [{ name: 'Go', integration: { url: 'http://x.example' } }] },
          ],
          channel_mentions: { forged: {} },
        },
      });
      expect(Object.keys(body.props)).toEqual(['attachments']);
      expect(body.props.attachments).toEqual([
        expect.objectContaining({
          text: 'hello',
          fallback: '',
          actions: [{ id: expect.any(String), name: 'Go' }],
        }),
      ]);
      expect(body.type).toBe('');
      expect(body.metadata).toEqual({ embeds: [{ type: 'message_attachment' }] });
    });

    it('finds hashtags and named open channels', async () => {
      const secret = await buildQuietChannel(server, scene, 'P');
      const { name } = (await admin.get(`/channels/${secret}`)).body;
      const { body } = await create(author, { message: `#release in ~town-square, ~${name} and ~nowhere` });
      expect(body.hashtags).toBe('#release');
      const { body: team } = await admin.get(`/teams/${scene.teamId}`);
      expect(body.props).toEqual({
        channel_mentions: { 'town-square': { display_name: 'Town Square', team_name: team.name } },
      });
    });
  });

  describe('mentions', () => {
    it('count once for the mentioned users, and not for the author', async () => {
      const channelId = await buildSeenChannel(server, scene);
      const { body: called } = await colleague.get('/users/me');
      const { body: me } = await author.get('/users/me');
      await buildPost(author, channelId, {
        message: `@${called.username.toUpperCase()}, @${called.username}. @${me.username}`,
      });
      await buildPost(author, channelId, { message: `\`@${called.username}\` mail@${called.username}` });
      expect(await counters(colleague, channelId)).toEqual({ messages: 2, mentions: 1 });
      expect(await counters(author, channelId)).toEqual({ messages: 0, mentions: 0 });
    });

    it('of everyone count for all but the author', async () => {
      const channelId = await buildSeenChannel(server, scene);
      await buildPost(author, channelId, { message: 'now @all' });
      await buildPost(author, channelId, { message: '@here', props: { mentionHighlightDisabled: true } });
      expect(await counters(colleague, channelId)).toEqual({ messages: 2, mentions: 1 });
      expect(await counters(author, channelId)).toEqual({ messages: 0, mentions: 0 });
    });

    it('of everyone require use_channel_mentions', async () => {
      const channelId = await buildSeenChannel(server, scene);
      const { body: role } = await admin.get('/roles/name/channel_user');
      const permissions = role.permissions.filter((name: string) => name !== 'use_channel_mentions');
      expect((await admin.put(`/roles/${role.id}/patch`, { permissions })).status).toBe(200);
      try {
        const made = await buildPost(author, channelId, { message: 'now @channel' });
        expect(made.props).toEqual({ mentionHighlightDisabled: true });
        expect(await counters(colleague, channelId)).toEqual({ messages: 1, mentions: 0 });
      } finally {
        await admin.put(`/roles/${role.id}/patch`, { permissions: role.permissions });
      }
    });

    it('include every direct message', async () => {
      const { body: direct } = await author.post('/channels/direct', [scene.author.id, scene.colleague.id]);
      await buildPost(author, direct.id, { message: 'psst' });
      expect(await counters(colleague, direct.id)).toEqual({ messages: 1, mentions: 1 });
    });
  });

  describe('pending_post_id', () => {
    it('returns the same post again, to the same user only', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const pending_post_id = newId();
      const first = await buildPost(author, channelId, { pending_post_id });
      const second = await buildPost(author, channelId, { pending_post_id, message: 'again' });
      expect(second).toEqual(first);
      const other = await buildPost(colleague, channelId, { pending_post_id });
      expect(other.id).not.toBe(first.id);
      expect(ordinary(await admin.get(`/channels/${channelId}/posts`))).toEqual([other.id, first.id]);
    });

    it('returns nothing of a channel that the author has left', async () => {
      const lost = await buildQuietChannel(server, scene, 'P');
      const pending_post_id = newId();
      await buildPost(author, lost, { pending_post_id });
      expect((await admin.delete(`/channels/${lost}/members/${scene.author.id}`)).status).toBe(200);
      expectError(await create(author, { pending_post_id }), ...DENIED);
    });

    it('creates one post for twenty simultaneous calls', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const pending_post_id = newId();
      const same = (): Promise<any> => buildPost(author, channelId, { pending_post_id });
      const posts = await Promise.all(Array.from({ length: 20 }, same));
      expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
      expect(ordinary(await admin.get(`/channels/${channelId}/posts`))).toHaveLength(1);
    });

    it('stays unused after a refusal, and names a deleted post without its content', async () => {
      const pending_post_id = newId();
      expect((await create(author, { pending_post_id, message: 'x'.repeat(16_384) })).status).toBe(400);
      const made = await post(author, { pending_post_id });
      await remove(author, made.id);
      const again = await create(author, { pending_post_id });
      expect(again.status).toBe(201);
      expect(again.body).toMatchObject({ id: made.id, message: '' });
      expect(again.body.delete_at).toBeGreaterThan(0);
    });
  });

  describe('group commit', () => {
    it('stores 200 posts at once, each once, in one order', async () => {
      const channelId = await buildSeenChannel(server, scene);
      const messages = Array.from({ length: 200 }, (_, index) => `message ${index}`);
      await Promise.all(messages.map((message) => buildPost(author, channelId, { message })));
      const listed: any[] = [];
      for (let page = 0; page < 5; page++) {
        const answer = await author.get(`/channels/${channelId}/posts?page=${page}&per_page=60`);
        listed.push(...ordinary(answer).map((id) => answer.body.posts[id]));
      }
      expect(listed.map((one) => one.message).sort()).toEqual(messages.sort());
      const stored = server.app.get(DataSource).getRepository(Post);
      const rows = await stored.find({ where: { channelId, type: '' }, order: { seq: 'DESC' } });
      expect(rows.map((row) => row.id)).toEqual(listed.map((one) => one.id));
      expect(new Set(rows.map((row) => row.seq)).size).toBe(200);
      expect(await counters(colleague, channelId)).toEqual({ messages: 200, mentions: 0 });
      expect(await counters(author, channelId)).toEqual({ messages: 0, mentions: 0 });
    });

    it('lets one draft fail alone', async () => {
      const channelId = await buildSeenChannel(server, scene);
      const writer = server.app.get(PostWriter);
      const write = (message: string, fails: boolean): Promise<Post[]> =>
        writer.write({
          origin: 'user',
          drafts: [{ userId: scene.author.id, channelId, message }],
          statements: () => (fails ? [{ sql: 'UPDATE teams SET name = NULL', parameters: [] }] : []),
        });
      const writes = Array.from({ length: 12 }, (_, index) => write(`draft ${index}`, index === 5));
      const outcomes = await Promise.allSettled(writes);
      expect(outcomes.map(({ status }) => status).indexOf('rejected')).toBe(5);
      const answer = await author.get(`/channels/${channelId}/posts`);
      const stored = ordinary(answer).map((id) => answer.body.posts[id].message);
      expect(stored).toHaveLength(11);
      expect(stored).not.toContain('draft 5');
      expect(await counters(colleague, channelId)).toEqual({ messages: 11, mentions: 0 });
    });

    onlyWhere(isMysql, 'SQLite has one writer at a time').it(
      'stores posts while a reply waits for an edit of its thread',
      async () => {
        const channelId = await buildSeenChannel(server, scene);
        const root = await buildPost(author, channelId);
        const { manager } = server.app.get(DataSource).createQueryRunner();
        let reply: Promise<unknown> | undefined;
        await manager.transaction(async (transaction) => {
          await transaction.query('UPDATE posts SET update_at = update_at WHERE id = ?', [root.id]);
          let isStored = false;
          reply = buildPost(author, channelId, { root_id: root.id });
          void reply.finally(() => (isStored = true));
          await eventually(async () => {
            const [row] = await manager.query(
              "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE 'UPDATE posts%' AND info LIKE ?",
              [`%${root.id}%`],
            );
            return Number(row.n) > 0;
          });
          await buildPost(colleague, channelId);
          expect(isStored).toBe(false);
        });
        expect(await reply).toMatchObject({ root_id: root.id, reply_count: 1 });
      },
    );

    it('never leaves a reply to a root that is deleted at the same time', async () => {
      const channelId = await buildQuietChannel(server, scene);
      for (let round = 0; round < 5; round++) {
        const root = await buildPost(author, channelId);
        const [, ...replies] = await Promise.all([
          remove(author, root.id),
          ...Array.from({ length: 8 }, () => create(colleague, { channel_id: channelId, root_id: root.id })),
        ]);
        for (const { status, body } of replies) {
          expect([201, 400]).toContain(status);
          if (status === 201) expectError(await get(author, body.id), ...NO_POST);
        }
      }
      expect(ordinary(await admin.get(`/channels/${channelId}/posts`))).toEqual([]);
    });
  });

  describe('get', () => {
    it('is for users who can read the channel', async () => {
      const { id } = await post();
      expect((await get(scene.reader.client, id)).status).toBe(200);
      const secret = await buildPost(author, await buildQuietChannel(server, scene, 'P'));
      expectError(await get(scene.reader.client, secret.id), ...DENIED);
      expect((await get(admin, secret.id)).status).toBe(200);
    });

    it('distinguishes malformed, unknown and deleted ids', async () => {
      expectError(await get(author, 'junk'), ...BAD_URL, 'post_id');
      expectError(await get(author, newId()), ...NO_POST);
      const { id } = await post();
      await remove(author, id);
      expectError(await get(author, id), ...NO_POST);
      expectError(await author.get(`/posts/${id}?include_deleted=true`), ...DENIED);
      const { status, body } = await admin.get(`/posts/${id}?include_deleted=true`);
      expect(status).toBe(200);
      expect(body.delete_at).toBeGreaterThan(0);
    });

    it('is a 304 while the ETag matches, and not after a reply', async () => {
      const { id } = await post();
      const headers = { 'if-none-match': String((await get(author, id)).headers['etag']) };
      const again = (): Promise<Answer> => author.get(`/posts/${id}`, { headers });
      expect(await again()).toMatchObject({ status: 304, text: '' });
      await post(colleague, { root_id: id });
      expect(await again()).toMatchObject({ status: 200, body: { id, reply_count: 1 } });
    });
  });

  describe('by ids', () => {
    const byIds = (client: ApiClient, ids: unknown): Promise<Answer> => client.post('/posts/ids', ids);

    it('returns readable posts, newest first', async () => {
      const [first, second, gone] = await buildPosts(author, scene.channelId, ['one', 'two', 'three']);
      const secret = await buildPost(author, await buildQuietChannel(server, scene, 'P'));
      await remove(author, gone.id);
      const ids = [first.id, 'junk', second.id, newId(), secret.id, gone.id, first.id];
      const found = (answer: Answer): string[] => answer.body.map((one: any) => one.id);
      expect(found(await byIds(scene.reader.client, ids))).toEqual([second.id, first.id]);
      expect(found(await byIds(author, ids))).toEqual([secret.id, second.id, first.id]);
      expect(found(await byIds(scene.stranger.client, ids))).toEqual([]);
    });

    it('rejects what is not a list of ids', async () => {
      for (const ids of [[], {}, [1], Array.from({ length: 1001 }, newId)])
        expectError(await byIds(author, ids), ...BAD_BODY, 'post_ids');
      expectError(await byIds(author, Array.from({ length: 1000 }, newId)), ...NO_POST);
    });
  });

  describe('edit', () => {
    it('changes sent fields and keeps the rest', async () => {
      const made = await post(author, { props: { a: 1 }, message: 'old #tag' });
      const { status, body } = await patch(author, made.id, { message: 'new #other' });
      expect(status).toBe(200);
      const { update_at } = body;
      expect(body).toEqual({
        ...made,
        message: 'new #other',
        hashtags: '#other',
        edit_at: update_at,
        update_at,
      });
      expect(body.update_at).toBeGreaterThan(made.update_at);
      expect((await get(author, made.id)).body).toEqual(body);
    });

    it('replaces everything with PUT', async () => {
      const made = await post(author, { props: { a: 1 } });
      const put = (fields: Record<string, unknown>): Promise<Answer> =>
        author.put(`/posts/${made.id}`, { id: made.id, ...fields });
      const pinned = await put({ message: 'other', is_pinned: true });
      expect(pinned.body).toMatchObject({ message: 'other', is_pinned: true, props: { a: 1 } });
      const emptied = await put({ props: { b: 2 } });
      expect(emptied.body).toMatchObject({ message: '', is_pinned: false, props: { b: 2 } });
      const { user_id, channel_id, type, root_id } = made;
      const ignored = { user_id: newId(), channel_id: newId(), type: 'me', root_id: newId() };
      const kept = { user_id, channel_id, type, root_id };
      expect((await put({ ...emptied.body, ...ignored })).body).toMatchObject(kept);
    });

    it('shows old versions only to the author', async () => {
      const made = await post(author, { message: 'first' });
      const history = (client: ApiClient, id = made.id): Promise<Answer> =>
        client.get(`/posts/${id}/edit_history`);
      expectError(await history(author), ...NO_POST);
      await patch(author, made.id, { message: 'second' });
      await patch(author, made.id, { message: 'third' });
      await author.post(`/posts/${made.id}/pin`);
      const { status, body } = await history(author);
      expect(status).toBe(200);
      expect(body.map((one: any) => one.message)).toEqual(['second', 'first']);
      for (const version of body) {
        expect(version).toMatchObject({ original_id: made.id, create_at: made.create_at });
        expect(version.delete_at).toBeGreaterThan(0);
        expectError(await get(author, version.id), ...NO_POST);
        expectError(await patch(author, version.id, { message: 'x' }), ...DENIED);
      }
      expectError(await history(admin), ...DENIED);
      expectError(await history(author, newId()), ...DENIED);
    });

    it("rejects unknown and deleted posts like others' posts", async () => {
      const made = await post();
      await remove(author, made.id);
      for (const id of [newId(), made.id]) {
        expectError(await patch(author, id, { message: 'x' }), ...DENIED);
        expectError(await author.put(`/posts/${id}`, { id, message: 'x' }), ...DENIED);
      }
      expectError(await patch(author, 'junk', { message: 'x' }), ...BAD_URL);
    });

    it('names an invalid field', async () => {
      const { id } = await post();
      for (const body of [{ id: newId(), message: 'x' }, { message: 'x' }])
        expectError(await author.put(`/posts/${id}`, body), ...BAD_BODY, ' id ');
      for (const path of [id, `${id}/patch`])
        expectError(await author.put(`/posts/${path}`, undefined, { raw: '{' }), ...BAD_BODY, 'post');
      const wrong: [Record<string, unknown>, string][] = [
        [{ message: 1 }, 'message'],
        [{ is_pinned: 'yes' }, 'is_pinned'],
        [{ props: [] }, 'props'],
        [{ props: { attachments: [1] } }, 'props.attachments.0'],
      ];
      for (const [fields, name] of wrong) expectError(await patch(author, id, fields), ...BAD_BODY, name);
      expectError(await patch(author, id, { message: 'x'.repeat(16_384) }), ...invalid('message_length'));
      expect((await get(author, id)).body.edit_at).toBe(0);
    });

    it('rejects system messages, and archived channels', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const { body } = await admin.get(`/channels/${channelId}/posts`);
      const systemPost = body.order.find((id: string) => body.posts[id].type !== '');
      const refused = 'api.post.update_post.system_message.app_error';
      expectError(await patch(admin, systemPost, { message: 'x' }), 400, refused);
      expectError(await author.post(`/posts/${systemPost}/pin`), 400, refused);
      const { postId } = await archived();
      const whole = { id: postId, message: 'x' };
      expectError(await patch(author, postId, whole), ...isArchived('patch_post', 'update'));
      expectError(await author.put(`/posts/${postId}`, whole), ...isArchived('update_post', 'update'));
    });

    it('keeps the origin of the post', async () => {
      const fields = { channel_id: scene.channelId, display_name: 'CI' };
      const hook = await admin.call('POST', '/hooks/incoming', fields);
      const path = `/hooks/${hook.id}?wait=true`;
      const answer = await server.anonymous.post(path, { text: 'x', username: 'bot' });
      const id = answer.body.post_ids[0] as string;
      const { body } = await patch(admin, id, { props: { b: 1, override_username: 'ada' } });
      const sender = { from_webhook: 'true', webhook_display_name: 'CI', override_username: 'bot' };
      expect(body.props).toEqual({ b: 1, ...sender });
      expect(body.edit_at).toBe(0);
    });

    it('does not change the author', async () => {
      const forged = { from_webhook: 'true', override_username: 'admin', webhook_display_name: 'Alerts' };
      const made = await post(author, { props: { a: 1, ...forged } });
      expect(made.props).toEqual({ a: 1 });
      expect((await patch(author, made.id, { props: { b: 2, ...forged } })).body.props).toEqual({ b: 2 });
      const whole = { id: made.id, message: 'x', props: { c: 3, ...forged } };
      expect((await author.put(`/posts/${made.id}`, whole)).body.props).toEqual({ c: 3 });
    });

    it('loses none of twenty simultaneous edits', async () => {
      const made = await post(author, { message: 'start' });
      const messages = Array.from({ length: 20 }, (_, index) => `edit ${index}`);
      const answers = await Promise.all(messages.map((message) => patch(author, made.id, { message })));
      expect(answers.every((answer) => answer.status === 200)).toBe(true);
      const last = (await get(author, made.id)).body;
      const { body: history } = await author.get(`/posts/${made.id}/edit_history`);
      const seen = [last, ...history].map((version: any) => version.message);
      expect(seen.sort()).toEqual([...messages, 'start'].sort());
      expect(new Set(answers.map((answer) => answer.body.update_at)).size).toBe(20);
    });
  });

  describe('delete', () => {
    it('is for the author and team administrators, and works once', async () => {
      const [own, others, third] = await buildPosts(author, scene.channelId, ['one', 'two', 'three']);
      expectError(await remove(colleague, own.id), ...DENIED);
      const { status, body } = await remove(author, own.id);
      expect({ status, body }).toEqual({ status: 200, body: { status: 'OK' } });
      expectError(await remove(author, own.id), ...NO_POST);
      expect((await remove(scene.teamAdmin.client, others.id)).status).toBe(200);
      expect((await remove(admin, third.id)).status).toBe(200);
      const row = await server.app.get(DataSource).getRepository(Post).findOneByOrFail({ id: others.id });
      expect(row).toMatchObject({ props: { deleteBy: scene.teamAdmin.id }, updateAt: row.deleteAt });
    });

    it('rejects malformed and unknown ids and archived channels, and is permanent', async () => {
      expectError(await remove(author, 'junk'), ...BAD_URL, 'post_id');
      expectError(await remove(author, newId()), ...NO_POST);
      const { postId } = await archived();
      expectError(await remove(author, postId), ...isArchived('delete_post', 'delete'));
      const { id } = await post();
      expectError(await author.delete(`/posts/${id}?permanent=true`), ...DENIED);
      const answer = await admin.delete(`/posts/${id}?permanent=true`);
      expectError(answer, 501, 'api.post.delete_post.not_enabled.app_error');
      expect((await get(author, id)).status).toBe(200);
    });

    it('includes the replies of a root, with props of any depth and form', async () => {
      const nested = JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`);
      for (const props of [
        { list: ['ü', 2.5, null, true] },
        {},
        { nested },
        { '}': '"}', deleteBy: 'nobody' },
      ]) {
        const root = await post(author, { props });
        const reply = await post(author, { props, root_id: root.id });
        const single = await post(author, { props });
        expect((await remove(author, single.id)).status).toBe(200);
        expect((await remove(author, root.id)).status).toBe(200);
        for (const { id } of [root, reply, single]) {
          expectError(await get(admin, id), ...NO_POST);
          const { body } = await admin.get(`/posts/${id}?include_deleted=1`);
          expect(body.props).toEqual({ ...props, deleteBy: scene.author.id });
          expect(body.delete_at).toBeGreaterThan(0);
        }
      }
    });

    const onAlone = onlyWhere(isAlone, 'a change is announced in the process where it was made');
    onAlone.it('is announced with the remaining size of the thread', async () => {
      const root = await post();
      const { id } = await post(author, { root_id: root.id });
      await post(author, { root_id: root.id });
      const announced = await announcedBy<PostDeleted>(server, [PostDeleted], () => remove(author, id));
      expect(announced).toMatchObject([{ post: { id, replyCount: 1 }, deletedBy: scene.author.id }]);
    });

    it('removes a reply from the count of its thread', async () => {
      const root = await post();
      const first = await post(colleague, { root_id: root.id });
      const second = await post(author, { root_id: root.id });
      await remove(author, second.id);
      const one = (await get(author, root.id)).body;
      expect(one).toMatchObject({ reply_count: 1, last_reply_at: first.create_at });
      await remove(colleague, first.id);
      const none = (await get(author, root.id)).body;
      expect(none).toMatchObject({ reply_count: 0, last_reply_at: 0 });
      expect(none.update_at).toBeGreaterThan(one.update_at);
    });

    it('is announced for the root and all replies of the thread', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const root = await buildPost(author, channelId);
      const pending = { root_id: root.id, pending_post_id: `${scene.author.id}:thread` };
      const replies = [
        await buildPost(author, channelId, { root_id: root.id, message: 'quagga' }),
        await buildPost(colleague, channelId, { root_id: root.id }),
        await buildPost(author, channelId, pending),
      ];
      expect(replies.map((reply) => reply.reply_count)).toEqual([1, 2, 3]);
      expect((await buildPost(author, channelId, pending)).reply_count).toBe(3);

      const [first, second, third] = replies.map((reply) => reply.id);
      const terms = { terms: 'quagga' };
      const expectAll = async (count: number, ids: string[]): Promise<void> => {
        const lists = [
          await author.get(`/channels/${channelId}/posts`),
          await author.get(`/channels/${channelId}/posts?per_page=1`),
          await author.get(`/channels/${channelId}/posts?per_page=1&skipFetchThreads=true`),
          await author.get(`/channels/${channelId}/posts?after=${root.id}`),
          await author.get(`/channels/${channelId}/posts?before=${third}&per_page=1`),
          await author.get(`/channels/${channelId}/posts?since=${root.create_at - 1}`),
          await author.get(`/posts/${root.id}/thread`),
          await author.get(`/posts/${first}/thread`),
          await author.get(`/posts/${first}/thread?skipFetchThreads=true`),
          await author.post(`/teams/${scene.teamId}/posts/search`, terms),
        ];
        for (const { body } of lists) {
          const thread = Object.values<any>(body.posts).filter(({ type }) => type === '');
          expect(thread.map((one) => one.reply_count)).toEqual(thread.map(() => count));
          expect(thread.length).toBeGreaterThan(0);
        }
        for (const id of ids) expect((await get(author, id)).body.reply_count).toBe(count);
        const { body: some } = await author.post('/posts/ids', ids.slice(1));
        expect(some.map((one: any) => one.reply_count)).toEqual(ids.slice(1).map(() => count));
        expect((await patch(author, first, { message: `quagga ${count}` })).body.reply_count).toBe(count);
        const whole = { id: first, message: 'quagga' };
        expect((await author.put(`/posts/${first}`, whole)).body.reply_count).toBe(count);
      };
      await expectAll(3, [root.id, first, second, third]);
      await remove(colleague, second);
      await expectAll(2, [root.id, first, third]);
    });

    it('happens once for ten simultaneous requests', async () => {
      const root = await post();
      const reply = await post(author, { root_id: root.id });
      await post(author, { root_id: root.id });
      const answers = await Promise.all(Array.from({ length: 10 }, () => remove(author, reply.id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
      expect((await get(author, root.id)).body.reply_count).toBe(1);
    });

    it('is not undone by a simultaneous edit', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await post();
        const both = [patch(author, id, { message: 'x' }), remove(author, id)] as const;
        const [edited, deleted] = await Promise.all(both);
        expect(deleted.status).toBe(200);
        expect([200, 403]).toContain(edited.status);
        expectError(await get(author, id), ...NO_POST);
      }
    });
  });

  describe('pin', () => {
    it('is for readers, and does not count as an edit', async () => {
      const made = await post();
      const pin = (client: ApiClient, id = made.id): Promise<Answer> => client.post(`/posts/${id}/pin`);
      const unpin = (client: ApiClient, id = made.id): Promise<Answer> => client.post(`/posts/${id}/unpin`);
      const { status, body } = await pin(scene.reader.client);
      expect({ status, body }).toEqual({ status: 200, body: { status: 'OK' } });
      const pinned = (await get(author, made.id)).body;
      expect(pinned).toMatchObject({ is_pinned: true, edit_at: 0, message: made.message });
      expect((await unpin(colleague)).status).toBe(200);
      expect((await get(author, made.id)).body.is_pinned).toBe(false);
      const { postId } = await archived();
      for (const act of [pin, unpin]) {
        expectError(await act(author, newId()), ...DENIED);
        expectError(await act(author, postId), ...isArchived('patch_post', 'update'));
      }
    });
  });
});
