import { PostChangesRepository } from '../src/messaging/posts/post-changes.repository.js';
import { PostsRepository } from '../src/messaging/posts/posts.repository.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import { newId } from '../src/platform/common/ids.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { buildPost, buildPostsScene, buildSeenChannel, type PostsScene } from './factories/posts.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { isAlone } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const MAX_BYTES = 16 * 1024 * 1024;
const BIG = 780_000;
/** More than one response holds. */
const COUNT = 30;

/** Lists are also limited by the size of their posts (docs/contract/messaging.md#post-lists). */
describe('lists of large posts', () => {
  let server: TestServer;
  let scene: PostsScene;
  let author: ApiClient;
  /** A channel with a small post and `COUNT` large ones, oldest first. */
  let channelId: string;
  let first: any;
  let ids: string[];

  beforeAll(async () => {
    server = await startTestServer();
    scene = await buildPostsScene(server);
    author = scene.author.client;
    channelId = await buildSeenChannel(server, scene);
    first = await buildPost(author, channelId);
    ids = await bigPosts(channelId, repeated(''));
  }, 60_000);
  afterAll(() => server?.close());

  /** Creates posts of `BIG` bytes one after another, and returns their ids, oldest first. */
  const bigPosts = async (channelId: string, rootIds: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    const props = { p: 'x'.repeat(BIG) };
    for (const rootId of rootIds) {
      const draft = { userId: scene.author.id, channelId, message: 'big', props, rootId };
      const writer = server.app.get(PostWriter);
      const [post] = await writer.write({ origin: 'hook', drafts: [draft], sizeBytes: BIG });
      ids.push(post!.id);
    }
    return ids;
  };
  const storedVersions = async (postId: string): Promise<string[]> => {
    const { manager } = server.app.get(UnitOfWork);
    const sql = 'SELECT id FROM posts WHERE original_id = ? ORDER BY delete_at DESC, id DESC';
    const rows = await manager.query<{ id: string }[]>(sql, [postId]);
    return rows.map(({ id }) => id);
  };
  const repeated = <T>(value: T): T[] => Array.from({ length: COUNT }, () => value);
  const list = (channelId: string, query = ''): Promise<Answer> =>
    author.get(`/channels/${channelId}/posts?${query}`);
  const expectBounded = ({ status, text, body }: Answer): void => {
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(MAX_BYTES);
    expect(body.order.length).toBeGreaterThan(1);
    for (const id of body.order) expect(body.posts[id].props.p?.length ?? BIG).toBe(BIG);
  };

  it('walk a channel to its end, in both directions', async () => {
    const older: string[] = [];
    for (let query = ''; ;) {
      const answer = await list(channelId, `per_page=200${query}`);
      expectBounded(answer);
      older.push(...answer.body.order);
      expect(answer.body.has_next).toBe(answer.body.prev_post_id === '' ? undefined : true);
      if (answer.body.prev_post_id === '') break;
      query = `&before=${answer.body.order.at(-1)}`;
    }
    expect(older.slice(0, COUNT + 1)).toEqual([first.id, ...ids].toReversed());
    const newer: string[] = [];
    for (let after = first.id; ; after = newer[0]!) {
      const answer = await list(channelId, `per_page=200&after=${after}`);
      expectBounded(answer);
      newer.unshift(...answer.body.order);
      if (answer.body.next_post_id === '') break;
    }
    expect(newer).toEqual(ids.toReversed());
  });

  /** Several instances also repeat recent changes (docs/contract/messaging.md). */
  const expectSince = (found: readonly string[], ids: readonly string[]): void =>
    expect(found.filter((id) => isAlone || ids.includes(id)).sort()).toEqual([...ids].sort());

  it('walk the changes of a channel', async () => {
    const found = new Set<string>();
    for (let time = first.update_at - 1; ;) {
      const answer = await list(channelId, `since=${time}`);
      expectBounded(answer);
      for (const id of answer.body.order) found.add(id);
      if (!answer.body.has_next) break;
      time = Math.max(...answer.body.order.map((id: string) => answer.body.posts[id].update_at));
    }
    expectSince([...found], [first.id, ...ids]);
  });

  it('walk a thread, and include each of its posts after its deletion', async () => {
    const channelId = await buildSeenChannel(server, scene);
    const root = await buildPost(author, channelId);
    const ids = await bigPosts(channelId, repeated(root.id));
    for (const direction of ['down', 'up']) {
      const walked: string[] = [];
      for (let cursor = ''; ;) {
        const answer = await author.get(`/posts/${root.id}/thread?direction=${direction}${cursor}`);
        expectBounded(answer);
        expect(answer.body.order[0]).toBe(root.id);
        walked.push(...answer.body.order.slice(1));
        if (!answer.body.has_next) break;
        const last = answer.body.posts[walked.at(-1)!];
        cursor = `&fromPost=${last.id}&fromCreateAt=${last.create_at}`;
      }
      expect(walked).toEqual(direction === 'down' ? ids : ids.toReversed());
    }
    const { body: small } = await author.get(`/posts/${root.id}/thread?perPage=2`);
    expect(small).toMatchObject({ order: [root.id, ...ids.slice(-2).toReversed()], has_next: true });
    expect((await author.delete(`/posts/${root.id}`)).status).toBe(200);
    const { body } = await list(channelId, `since=${root.update_at - 1}`);
    expectSince(body.order, [root.id, ...ids]);
    expect(body).not.toHaveProperty('has_next');
    for (const id of ids)
      expect(body.posts[id]).toMatchObject({ message: '', delete_at: expect.any(Number) });
  });

  it('count the first posts of the threads', async () => {
    const channelId = await buildSeenChannel(server, scene);
    const roots = await bigPosts(channelId, repeated(''));
    const replies: string[] = [];
    for (const rootId of roots) replies.push((await buildPost(author, channelId, { root_id: rootId })).id);
    const answer = await list(channelId, `per_page=${COUNT}`);
    expectBounded(answer);
    const { order, posts, prev_post_id: next } = answer.body;
    expect(order).toEqual(replies.toReversed().slice(0, order.length));
    for (const id of order) expect(posts).toHaveProperty(posts[id].root_id);
    expect(next).toBe(replies.toReversed()[order.length]);
    const whole = (await list(channelId, `per_page=${COUNT}&skipFetchThreads=true`)).body;
    expect(whole.order).toEqual(replies.toReversed());
    expect(whole).not.toHaveProperty('has_next');
  });

  it('show the posts around the first unread one', async () => {
    const channelId = await buildSeenChannel(server, scene);
    const old = await bigPosts(channelId, repeated(''));
    const { client } = scene.colleague;
    await client.post('/channels/members/me/view', { channel_id: channelId });
    const fresh = await bigPosts(channelId, repeated(''));
    const answer = await client.get(`/users/me/channels/${channelId}/posts/unread`);
    expectBounded(answer);
    const { order, next_post_id: next, prev_post_id: previous } = answer.body;
    const all = [...old, ...fresh];
    const from = all.indexOf(order.at(-1));
    expect(order).toEqual(all.slice(from, from + order.length).toReversed());
    expect(order).toContain(fresh[0]);
    expect(order).toContain(old.at(-1));
    expect([previous, next]).toEqual([all[from - 1], all[from + order.length]]);
  });

  it('contain the pinned posts and the search results that fit', async () => {
    for (const id of ids) expect((await author.post(`/posts/${id}/pin`)).status).toBe(200);
    const terms = { terms: `big in:${(await author.get(`/channels/${channelId}`)).body.name}` };
    for (const answer of [
      await author.get(`/channels/${channelId}/pinned`),
      await author.post(`/teams/${scene.teamId}/posts/search`, terms),
    ]) {
      expectBounded(answer);
      const { order, matches, has_next } = answer.body;
      expect(order).toEqual(ids.toReversed().slice(0, order.length));
      expect(has_next).toBe(true);
      if (matches) expect(Object.keys(matches)).toHaveLength(order.length);
    }
  });

  it('refuse more ids than fit, and count only readable posts', async () => {
    const tooMany = await author.post('/posts/ids', ids);
    expectError(tooMany, 400, 'api.context.invalid_body_param.app_error', 'post_ids');
    const some = await author.post('/posts/ids', ids.slice(0, 10));
    expect(some.body.map((post: any) => post.id)).toEqual(ids.slice(0, 10).toReversed());
    expect((await scene.stranger.client.post('/posts/ids', ids)).body).toEqual([]);
  });

  it('are limited by their JSON size, not their stored size', async () => {
    const channelId = await buildSeenChannel(server, scene);
    const message = '\u0001'.repeat(16_383); // six times as long in JSON
    const drafts = Array.from({ length: 200 }, () => ({ userId: scene.author.id, channelId, message }));
    await server.app.get(PostWriter).write({ origin: 'hook', drafts, sizeBytes: 0 });
    const { text, body } = await list(channelId, 'per_page=200');
    expect(text.length).toBeLessThan(MAX_BYTES);
    expect(body.order.length).toBeGreaterThan(80);
    expect(body.has_next).toBe(true);
    expect(Object.values<any>(body.posts).every((post) => post.message === message)).toBe(true);
  });

  it('contain the latest versions of a post that fit', async () => {
    const post = ids.at(-1)!;
    for (let version = 1; version <= COUNT; version++)
      expect((await author.put(`/posts/${post}/patch`, { message: `version ${version}` })).status).toBe(200);
    const { status, text, body } = await author.get(`/posts/${post}/edit_history`);
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(MAX_BYTES);
    expect(body[0].message).toBe(`version ${COUNT - 1}`);
    expect(await storedVersions(post)).toEqual(body.map((version: any) => version.id));
  });

  it('contain the latest versions of a post above the limit, which its next edits delete', async () => {
    const { id } = await buildPost(author, scene.channelId, { message: 'now' });
    const edit = async (message: string): Promise<void> =>
      expect((await author.put(`/posts/${id}/patch`, { message })).status).toBe(200);
    const listed = async (): Promise<any[]> => (await author.get(`/posts/${id}/edit_history`)).body;
    await server.app.get(UnitOfWork).run(async () => {
      const post = (await server.app.get(PostsRepository).findLive(id))!;
      for (let age = 1; age <= 450; age++) {
        const version = { id: newId(), originalId: id, deleteAt: post.createAt - age };
        const row = { ...post, ...version, message: `before ${age}` };
        await server.app.get(PostChangesRepository).insert(row);
      }
    });
    const before = await listed();
    expect(before.map(({ message }) => message)).toEqual(
      Array.from({ length: 200 }, (_, index) => `before ${index + 1}`),
    );
    await edit('next');
    expect(await storedVersions(id)).toHaveLength(251);
    await edit('last');
    const kept = await listed();
    expect(kept.map(({ message }) => message).slice(0, 3)).toEqual(['next', 'now', 'before 1']);
    expect(kept).toHaveLength(200);
    expect(await storedVersions(id)).toEqual(kept.map((version) => version.id));
    expect((await author.get(`/posts/${id}`)).body.message).toBe('last');
  });
});
