import { DataSource } from 'typeorm';
import { OwnerLock } from '../src/platform/database/owner-lock.js';
import { buildPost, buildPostsScene, type PostsScene } from './factories/posts.js';
import { type DatabaseProxy, startDatabaseProxy } from './fakes/database-proxy.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { onlyWhere } from './support/only-where.js';
import { isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';
import { startTwoServers, type TwoServers } from './support/two-servers.js';

const WAIT_MS = 5_000;

const onMysql = onlyWhere(isMysql, 'the embedded database belongs to one process');
onMysql.describe('changes since the last one that a client has seen', () => {
  let servers: TwoServers;
  let scene: PostsScene;
  let author: ApiClient;
  let other: ApiClient;
  let aheadMs = 0;
  let proxy: DatabaseProxy;
  let held: TestServer;

  beforeAll(async () => {
    servers = await startTwoServers();
    const { database: place } = servers;
    proxy = await startDatabaseProxy(place.databaseUrl ?? '');
    const env = { ...place.env, DATABASE_URL: proxy.url };
    held = await startTestServer({ REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' }, { ...place, env });
    for (const { app } of [...servers.both, held]) {
      const { clock } = app.get(OwnerLock);
      const now = clock.now.bind(clock);
      jest.spyOn(clock, 'now').mockImplementation(() => now() + aheadMs);
    }
    scene = await buildPostsScene(servers.one);
    author = scene.author.client;
    other = servers.other.anonymous.as(author.token);
  }, 60_000);
  afterAll(async () => {
    await held?.close();
    await proxy?.close();
    await servers?.close();
  });

  const database = (): DataSource => servers.one.app.get(DataSource);

  async function isWaiting(): Promise<boolean> {
    const waiting: unknown[] = await servers.other.app.get(DataSource).query(
      `SELECT id FROM information_schema.processlist
       WHERE db = DATABASE() AND id <> CONNECTION_ID() AND (info LIKE '%FOR UPDATE%' OR info LIKE 'UPDATE posts%')`,
    );
    return waiting.length > 0;
  }

  /**
   * Makes `change` wait for a row that another transaction has locked, while another change comes first. Returns its
   * time.
   */
  async function overtake(table: string, id: string, change: () => Promise<Answer>): Promise<number> {
    const witness = await buildPost(author, scene.channelId);
    let changing: Promise<Answer> | undefined;
    let overtakenAt = 0;
    await database().transaction(async (manager) => {
      await manager.query(`SELECT id FROM ${table} WHERE id = ? FOR UPDATE`, [id]);
      changing = change();
      await eventually(isWaiting);
      aheadMs += WAIT_MS;
      const { body } = await other.put(`/posts/${witness.id}/patch`, { message: 'first' });
      overtakenAt = body.update_at;
    });
    expect((await changing)?.status).toBeLessThan(300);
    return overtakenAt;
  }

  /** Makes `change` at the process whose commit is held back, while another change comes first. Returns its time. */
  async function overtakeCommit(
    text: string,
    change: (client: ApiClient) => Promise<Answer>,
  ): Promise<number> {
    const witness = await buildPost(author, scene.channelId);
    proxy.holdCommitOf(text);
    const changing = change(held.anonymous.as(author.token));
    await eventually(() => proxy.isHolding);
    aheadMs += WAIT_MS;
    await other.post(`/posts/${witness.id}/pin`);
    proxy.release();
    expect((await changing).status).toBeLessThan(300);
    return (await other.call('GET', `/posts/${witness.id}`)).update_at;
  }

  const since = async (time: number, more = ''): Promise<Record<string, Record<string, unknown>>> =>
    (await other.call('GET', `/channels/${scene.channelId}/posts?since=${time}${more}`)).posts;

  it.each(['channels', 'posts'])(
    'include a reply that waited for a row of %s, and its thread',
    async (table) => {
      const { channelId } = scene;
      const root = await buildPost(author, channelId);
      const message = `late for ${table}`;
      const time = await overtake(table, table === 'posts' ? root.id : channelId, () =>
        author.post('/posts', { channel_id: channelId, root_id: root.id, message }),
      );
      expect(Object.values(await since(time))).toContainEqual(expect.objectContaining({ message }));
      expect((await since(time, '&collapsedThreads=true'))[root.id]).toMatchObject({ reply_count: 1 });
    },
  );

  describe.each([
    ['edit', (path: string) => author.put(`${path}/patch`, { message: 'edited' }), { message: 'edited' }],
    ['pin', (path: string) => author.post(`${path}/pin`), { is_pinned: true }],
    ['deletion', (path: string) => author.delete(path), { delete_at: expect.any(Number) as number }],
  ])('include the %s', (_, change, expected) => {
    it.each([
      ['a post', 'it', false, false],
      ['a reply', 'it', true, true],
      ['a reply', 'its thread', true, false],
    ])('of %s that waited for %s', async (_what, _lock, isOfReply, isReplyLocked) => {
      const post = await buildPost(author, scene.channelId);
      const reply = await buildPost(author, scene.channelId, { root_id: post.id });
      const { id } = isOfReply ? reply : post;
      const time = await overtake('posts', isReplyLocked ? reply.id : post.id, () => change(`/posts/${id}`));
      expect((await since(time))[id]).toMatchObject(expected);
    });
  });

  it.each([
    ['post', false],
    ['reply, and its thread', true],
  ])('include a %s whose commit was delayed', async (_, isReply) => {
    const { channelId } = scene;
    const root = await buildPost(author, channelId);
    const message = `held up ${isReply}`;
    const fields = { channel_id: channelId, message, root_id: isReply ? root.id : '' };
    const time = await overtakeCommit('INSERT INTO `posts`', (client) => client.post('/posts', fields));
    await eventually(async () =>
      Object.values(await since(time)).some((post) => post['message'] === message),
    );
    if (isReply)
      expect((await since(time, '&collapsedThreads=true'))[root.id]).toMatchObject({ reply_count: 1 });
  });

  it.each([
    ['an edit', (client: ApiClient, path: string) => client.put(path, { message: 'edited' })],
    ['a deletion', (client: ApiClient, path: string) => client.delete(path)],
  ])('include %s whose commit was delayed', async (what, change) => {
    const post = await buildPost(author, scene.channelId);
    const path = `/posts/${post.id}${what === 'an edit' ? '/patch' : ''}`;
    const time = await overtakeCommit('UPDATE `posts`', (client) => change(client, path));
    await eventually(async () => post.id in (await since(time)));
  });
});
