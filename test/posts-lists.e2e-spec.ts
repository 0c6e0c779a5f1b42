import { newId } from '../src/platform/common/ids.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import {
  buildPost,
  buildPosts,
  buildPostsScene,
  buildQuietChannel,
  ordinary,
  type PostsScene,
} from './factories/posts.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { isAlone } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const DENIED = [403, 'api.context.permissions.app_error'] as const;
const BAD_BODY = [400, 'api.context.invalid_body_param.app_error'] as const;
const BAD_URL = [400, 'api.context.invalid_url_param.app_error'] as const;
const NO_CHANNEL = [404, 'app.channel.get.existing.app_error'] as const;

/** How far before a time several processes look for changes: docs/contract/messaging.md#post-lists */
const LATE_MS = isAlone ? 0 : 2_000;

/** A list of no posts. */
const EMPTY = { order: [], posts: {}, next_post_id: '', prev_post_id: '', first_inaccessible_post_time: 0 };

/** docs/contract/messaging.md#post-lists */
describe('lists of posts', () => {
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

  const idsOf = (posts: readonly any[]): string[] => posts.map((post) => post.id);
  const list = (channelId: string, query = '', client = author): Promise<Answer> =>
    client.get(`/channels/${channelId}/posts?${query}`);
  const remove = async (id: string): Promise<void> => {
    expect((await author.delete(`/posts/${id}`)).status).toBe(200);
  };
  /** Later events have a later time than `time`. */
  const clockPasses = (time: number): Promise<boolean> => eventually(() => Date.now() > time);
  /** A channel with posts, oldest first. */
  const channelWith = async (
    ...messages: string[]
  ): Promise<{ channelId: string; posts: any[]; ids: string[] }> => {
    const channelId = await buildQuietChannel(server, scene);
    const posts = await buildPosts(author, channelId, messages);
    return { channelId, posts, ids: idsOf(posts) };
  };

  describe('a channel', () => {
    it('returns pages, newest first, with the neighbours of the page', async () => {
      const { channelId, ids } = await channelWith('one', 'two', 'three', 'four', 'five');
      const [, two, three, four, five] = ids;
      const { status, body } = await list(channelId, 'page=0&per_page=2');
      expect(status).toBe(200);
      expect(body).toEqual({
        order: [five, four],
        posts: { [five!]: expect.objectContaining({ message: 'five' }), [four!]: expect.any(Object) },
        next_post_id: '',
        prev_post_id: three,
        first_inaccessible_post_time: 0,
      });
      const middle = (await list(channelId, 'page=1&per_page=2')).body;
      expect(middle).toMatchObject({ order: [three, two], next_post_id: four, prev_post_id: ids[0] });
    });

    it('returns nothing beyond the end, and for per_page=0', async () => {
      const { channelId } = await channelWith('one');
      for (const query of ['page=50', 'per_page=0', 'page=999999999&per_page=200'])
        expect((await list(channelId, query)).body).toEqual(EMPTY);
    });

    it('says where to continue when the page number is too high', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const draft = { userId: scene.author.id, channelId, message: 'one of many' };
      for (let written = 0; written < 50_400; written += 2_000) {
        const drafts = Array.from({ length: 2_000 }, () => draft);
        await server.app.get(PostWriter).write({ origin: 'system', drafts });
      }
      expect((await list(channelId, 'page=250&per_page=200')).body.order).toHaveLength(200);
      expectError(await list(channelId, 'page=251&per_page=200'), ...BAD_URL, 'before');
      const { body } = await list(channelId, 'per_page=1');
      const query = `page=251&per_page=200&before=${body.order[0]}`;
      expectError(await list(channelId, query), ...BAD_URL, 'before');
    });

    it('treats invalid page numbers as the first page, like stock servers', async () => {
      const { channelId, ids } = await channelWith('one', 'two');
      expect(ordinary(await list(channelId, 'page=-1&per_page=x'))).toEqual(ids.toReversed());
    });

    it('returns the posts before and after a post', async () => {
      const { channelId, ids } = await channelWith('one', 'two', 'three', 'four', 'five');
      const [one, two, three, four, five] = ids;
      const expectPage = async (query: string, expected: object): Promise<void> =>
        expect((await list(channelId, query)).body).toMatchObject(expected);
      await expectPage(`before=${three}&per_page=2`, { order: [two, one], next_post_id: three });
      await expectPage(`before=${five}&per_page=2&page=1`, { order: [two, one], next_post_id: three });
      const around = { order: [four, three], next_post_id: five, prev_post_id: two };
      await expectPage(`after=${two}&per_page=2`, around);
      await expectPage(`after=${five}`, { order: [], next_post_id: '' });
      await expectPage(`after=${one}&before=${three}`, { order: [five, four, three, two] });
    });

    it('walks all pages by before, no matter what is deleted in the meantime', async () => {
      const { channelId, ids } = await channelWith('1', '2', '3', '4', '5', '6', '7');
      const walked: string[] = [];
      let cursor = '';
      for (;;) {
        const answer = await list(channelId, `per_page=2${cursor === '' ? '' : `&before=${cursor}`}`);
        const page = ordinary(answer);
        walked.push(...page);
        cursor = answer.body.order.at(-1);
        if (page.length === 0 || answer.body.prev_post_id === '') break;
        await remove(page[0]!); // the cursor post would work as well
      }
      expect(walked).toEqual(ids.toReversed());
    });

    it('continues from a deleted post, and not from one of another channel', async () => {
      const { channelId, ids } = await channelWith('one', 'two', 'three');
      const elsewhere = await buildPost(author, await buildQuietChannel(server, scene));
      await remove(ids[1]!);
      expect((await list(channelId, `after=${ids[1]}`)).body.order).toEqual([ids[2]]);
      expect(ordinary(await list(channelId, `before=${ids[1]}`))).toEqual([ids[0]]);
      for (const id of [elsewhere.id, newId()])
        expect((await list(channelId, `after=${id}`)).body.order).toEqual([]);
    });

    it('separates posts of one millisecond', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const create_at = 1_700_000_000_000;
      const posts = [];
      const poster = server.first.as(admin.token); // each process orders its own posts with an explicit time
      for (let index = 0; index < 5; index++) posts.push(await buildPost(poster, channelId, { create_at }));
      const walked: string[] = [];
      for (let page = 0; page < 5; page++) {
        const offset = (await list(channelId)).body.order.length - 5; // system messages come later
        walked.push(...(await list(channelId, `per_page=1&page=${offset + page}`)).body.order);
      }
      expect(walked).toEqual(idsOf(posts).toReversed());
      expect((await list(channelId, `after=${posts[1].id}&per_page=2`)).body.order).toEqual([
        posts[3].id,
        posts[2].id,
      ]);
    });

    it('returns all changes since a time, including stubs of deleted posts', async () => {
      const { channelId, posts } = await channelWith('stays', 'changes', 'goes', 'root');
      const [stays, changes, goes, root] = posts;
      const since = Math.max(...posts.map((post) => post.update_at)) + LATE_MS;
      await clockPasses(since);
      await author.put(`/posts/${changes.id}/patch`, { message: 'changed' });
      await remove(goes.id);
      const reply = await buildPost(colleague, channelId, { root_id: root.id, message: 'reply' });
      const { body } = await list(channelId, `since=${since}&per_page=1&page=7&before=${stays.id}`);
      expect(body.order).toEqual([reply.id, root.id, goes.id, changes.id]);
      expect(body).toMatchObject({ next_post_id: '', prev_post_id: '' });
      expect(body.posts[changes.id].message).toBe('changed');
      expect(body.posts[goes.id]).toMatchObject({ message: '', props: { deleteBy: scene.author.id } });
      expect(body.posts[goes.id].delete_at).toBeGreaterThan(0);
      expect((await list(channelId, 'since=0')).body.posts[stays.id].message).toBe('stays');
      expect((await list(channelId, 'since=-5')).status).toBe(200);
    });

    it('returns at most 1000 changes, reports more, and never splits those of the same time', async () => {
      const channelId = await buildQuietChannel(server, scene);
      const start = Date.now() - 60_000;
      const drafts = Array.from({ length: 1001 }, (_, index) => ({
        userId: scene.author.id,
        channelId,
        message: 'one of many',
        createAt: start + 5_000 * Math.floor(index / 400),
      }));
      await server.app.get(PostWriter).write({ origin: 'user', drafts });
      const { body } = await list(channelId, `since=${start - 1}`);
      expect(body.order).toHaveLength(800);
      expect(body.has_next).toBe(true);
      const { body: others } = await list(channelId, `since=${start + 9_000}`);
      const messages = others.order.map((id: string) => others.posts[id].message);
      expect(messages.filter((message: string) => message === 'one of many')).toHaveLength(201);
      expect(others).not.toHaveProperty('has_next');
    });

    it('includes the roots of listed replies', async () => {
      const { channelId, posts } = await channelWith('root', 'between');
      const reply = await buildPost(colleague, channelId, { root_id: posts[0].id });
      const { body } = await list(channelId, 'per_page=1');
      expect(body.order).toEqual([reply.id]);
      expect(Object.keys(body.posts).sort()).toEqual([reply.id, posts[0].id].sort());
      const bare = (await list(channelId, 'per_page=1&skipFetchThreads=true')).body;
      expect(Object.keys(bare.posts)).toEqual([reply.id]);
    });

    it('lists only roots when threads are collapsed', async () => {
      const { channelId, ids } = await channelWith('root', 'other');
      await buildPost(colleague, channelId, { root_id: ids[0] });
      const answer = await list(channelId, 'collapsedThreads=true');
      expect(ordinary(answer)).toEqual(ids.toReversed());
      expect(answer.body.posts[ids[0]!].reply_count).toBe(1);
      const next = (await list(channelId, `collapsedThreads=true&before=${ids[1]}&per_page=1`)).body;
      expect(next).toMatchObject({ order: [ids[0]], next_post_id: ids[1] });
    });

    it('shows deleted posts only to administrators, and old versions to nobody', async () => {
      const { channelId, ids } = await channelWith('one', 'two');
      await author.put(`/posts/${ids[0]}/patch`, { message: 'changed' });
      await remove(ids[1]!);
      expect(ordinary(await list(channelId))).toEqual([ids[0]]);
      expectError(await list(channelId, 'include_deleted=true'), ...DENIED);
      const answer = await list(channelId, 'include_deleted=true', admin);
      expect(ordinary(answer)).toEqual(ids.toReversed());
      expect(answer.body.posts[ids[1]!].message).toBe('two');
    });

    it.each(['since=now', 'since=1.5', 'before=junk', 'after=junk'])('refuses %s', async (query) => {
      const answer = await list(scene.channelId, query);
      expectError(answer, ...BAD_BODY, query.slice(0, query.indexOf('=')));
    });

    it.each(['posts', 'pinned'])('has no %s if its id is unknown', async (which) => {
      expectError(await author.get(`/channels/${newId()}/${which}`), ...NO_CHANNEL);
      expectError(await author.get(`/channels/junk/${which}`), ...BAD_URL, 'channel_id');
    });
  });

  describe('a thread', () => {
    const thread = (id: string, query = '', client = author): Promise<Answer> =>
      client.get(`/posts/${id}/thread?${query}`);
    const build = async (count: number): Promise<{ root: any; replies: any[] }> => {
      const channelId = await buildQuietChannel(server, scene);
      const root = await buildPost(author, channelId, { message: 'root' });
      const replies = [];
      for (let index = 0; index < count; index++) {
        replies.push(await buildPost(colleague, channelId, { root_id: root.id, message: `reply ${index}` }));
      }
      return { root, replies };
    };

    it('starts with the requested post; the rest is newest first, without deleted ones', async () => {
      const { root, replies } = await build(3);
      const [first, second, third] = idsOf(replies);
      const { status, body } = await thread(root.id);
      expect(status).toBe(200);
      expect(body.order).toEqual([root.id, third, second, first]);
      expect(body.has_next).toBeUndefined();
      expect(body.posts[root.id].reply_count).toBe(3);
      const order = async (id: string, query: string): Promise<string[]> =>
        (await thread(id, query)).body.order;
      expect(await order(second!, '')).toEqual([second, third, first, root.id]);
      expect(await order(root.id, 'direction=down')).toEqual([root.id, first, second, third]);
      expect(await order(root.id, 'direction=up')).toEqual([root.id, third, second, first]);
      expect(await order(root.id, 'skipFetchThreads=true')).toEqual([root.id]);
      expect((await colleague.delete(`/posts/${first}`)).status).toBe(200);
      expect(await order(root.id, '')).toEqual([root.id, third, second]);
      for (const id of [first!, newId()]) expectError(await thread(id), 404, 'app.post.get.app_error');
    });

    it('is walked page by page, each post once, in both directions', async () => {
      const { root, replies } = await build(7);
      for (const direction of ['down', 'up']) {
        for (const collapsed of [true, false]) {
          const walked: string[] = [];
          let cursor = '';
          for (;;) {
            const query = `perPage=2&direction=${direction}&collapsedThreads=${collapsed}`;
            const { body } = await thread(root.id, query + cursor);
            expect(body.order[0]).toBe(root.id);
            const page = body.order.slice(1);
            walked.push(...page);
            if (!body.has_next) break;
            const last = body.posts[page.at(-1)];
            cursor = `&fromPost=${last.id}&fromCreateAt=${last.create_at}`;
          }
          expect(walked).toEqual(direction === 'down' ? idsOf(replies) : idsOf(replies).toReversed());
        }
      }
    });

    it('continues from a time', async () => {
      const { root, replies } = await build(3);
      const { create_at: time } = replies[1];
      const later = replies.filter((reply) => reply.create_at > time);
      const down = (await thread(root.id, `direction=down&fromCreateAt=${time}`)).body;
      expect(down.order).toEqual([root.id, ...idsOf(later)]);
      const earlier = replies.filter((reply) => reply.create_at < time);
      const up = (await thread(root.id, `direction=up&fromCreateAt=${time}`)).body;
      expect(up.order).toEqual([root.id, ...idsOf(earlier).toReversed()]);
    });

    it('returns changes since a time', async () => {
      const { root, replies } = await build(3);
      const since = replies[2].update_at;
      await clockPasses(since);
      await colleague.put(`/posts/${replies[0].id}/patch`, { message: 'changed' });
      const query = `updatesOnly=true&fromUpdateAt=${since}&direction=down&perPage=5`;
      const { body } = await thread(root.id, query);
      expect(body.order).toEqual([root.id, replies[0].id]);
      expect(body.has_next).toBe(false);
    });

    it('names an invalid query parameter', async () => {
      const { root } = await build(1);
      const other = await build(0);
      const wrong: [string, string][] = [
        ['perPage=x', 'perPage'],
        ['perPage=-1', 'perPage'],
        ['perPage=201', 'perPage'],
        ['direction=sideways', 'direction'],
        ['fromCreateAt=x', 'fromCreateAt'],
        ['fromUpdateAt=x', 'fromUpdateAt'],
        ['fromCreateAt=1&fromUpdateAt=1', 'fromUpdateAt'],
        ['fromPost=junk', 'fromPost'],
        [`fromPost=${root.id}`, 'fromPost'],
        [`fromPost=${other.root.id}&fromCreateAt=1`, 'fromPost'],
        ['updatesOnly=true', 'updatesOnly'],
        ['updatesOnly=true&fromUpdateAt=1&direction=up', 'updatesOnly'],
      ];
      for (const [query, name] of wrong) expectError(await thread(root.id, query), ...BAD_BODY, name);
    });
  });

  describe('unread posts', () => {
    const unread = (channelId: string, query = '', client = colleague, userId = 'me'): Promise<Answer> =>
      client.get(`/users/${userId}/channels/${channelId}/posts/unread?${query}`);
    const view = async (channelId: string): Promise<void> => {
      expect((await colleague.post('/channels/members/me/view', { channel_id: channelId })).status).toBe(200);
    };

    it('are returned with the posts around them', async () => {
      const { channelId, ids } = await channelWith('one', 'two');
      await view(channelId);
      await clockPasses(Date.now());
      const later = idsOf(await buildPosts(author, channelId, ['three', 'four', 'five']));
      const { status, body } = await unread(channelId, 'limit_before=1&limit_after=2');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        order: [later[1], later[0], ids[1]],
        next_post_id: later[2],
        prev_post_id: ids[0],
      });
      expect(ordinary(await unread(channelId))).toEqual([...ids, ...later].toReversed());
      expect((await unread(channelId, '', colleague, scene.colleague.id)).status).toBe(200);
    });

    it('are the newest ones when all or none are read', async () => {
      const { channelId, ids } = await channelWith('one', 'two');
      expect((await unread(channelId, 'limit_before=1')).body.order).toEqual([ids[1]]);
      await view(channelId);
      expect((await unread(channelId, 'limit_before=1')).body.order).toEqual([ids[1]]);
    });

    it('reject limit_after=0, other users, and users who are not members', async () => {
      const { channelId } = await channelWith('one');
      const noMember = [404, 'app.channel.get_member.missing.app_error'] as const;
      expectError(await unread(channelId, 'limit_after=0'), ...BAD_URL, 'limit_after');
      expectError(await unread(channelId, '', author, scene.colleague.id), ...DENIED);
      expectError(await unread(channelId, '', scene.reader.client), ...noMember);
      expectError(await unread(newId()), ...NO_CHANNEL);
    });
  });

  describe('pinned posts', () => {
    const pinned = (channelId: string): Promise<Answer> => author.get(`/channels/${channelId}/pinned`);

    it('are listed newest first', async () => {
      const { channelId, ids } = await channelWith('one', 'two', 'three');
      for (const id of [ids[2], ids[0]]) await author.post(`/posts/${id}/pin`);
      expect((await pinned(channelId)).body.order).toEqual([ids[2], ids[0]]);
      await author.post(`/posts/${ids[2]}/unpin`);
      await author.delete(`/posts/${ids[0]}`);
      expect((await pinned(channelId)).body.order).toEqual([]);
    });
  });

  describe('saved posts', () => {
    const flagged = (query = '', client = colleague, user = 'me'): Promise<Answer> =>
      client.get(`/users/${user}/posts/flagged?${query}`);
    const flag = (names: readonly string[], value = 'true'): Promise<Answer> =>
      colleague.put(
        '/users/me/preferences',
        names.map((name) => ({ user_id: scene.colleague.id, category: 'flagged_post', name, value })),
      );

    it('come from the preferences, newest first', async () => {
      const { channelId, ids } = await channelWith('one', 'two', 'three', 'four');
      const elsewhere = await channelWith('elsewhere');
      const [one, two, three, four] = ids;
      expect((await flagged()).body).toEqual(EMPTY);
      await flag([one!, three!, four!, newId(), 'junk', elsewhere.ids[0]!]);
      await flag([two!], 'false');
      await remove(four!);
      expect((await flagged()).body).toMatchObject({
        order: [elsewhere.ids[0], three, one],
        posts: { [three!]: { message: 'three' } },
        next_post_id: '',
        prev_post_id: '',
      });
      expect((await flagged(`channel_id=${channelId}`)).body.order).toEqual([three, one]);
      expect((await flagged(`team_id=${newId()}`)).body.order).toEqual([]);
      expect((await flagged('page=1&per_page=2')).body.order).toEqual([one]);
      expect((await flagged('per_page=0')).body.order).toEqual([]);
      await colleague.delete(`/channels/${elsewhere.channelId}/members/me`);
      expect((await flagged()).body.order).toEqual([three, one]);
    });

    it('are refused to others', async () => {
      expectError(await flagged('', author, scene.colleague.id), ...DENIED);
      expect((await flagged('', admin, scene.colleague.id)).status).toBe(200);
      expectError(await flagged('channel_id=junk'), ...BAD_URL);
    });
  });
});
