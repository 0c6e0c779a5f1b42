import { Post } from '../src/messaging/posts/post.entity.js';
import { DataSource } from 'typeorm';
import { buildChannel, buildMember } from './factories/incoming-hooks.js';
import { buildPost, buildPostsScene, joinChannel, type PostsScene } from './factories/posts.js';
import type { ApiClient } from './support/api-client.mjs';
import { onlyWhere } from './support/only-where.js';
import { isMysql } from './support/test-database.js';
import type { TestServer } from './support/test-server.js';
import { setAhead, startTwoServers, type TwoServers } from './support/two-servers.js';

const APART_MS = 2_000;
const POSTS_EACH = 60;
const WRITERS_EACH = 3;

const onMysql = onlyWhere(isMysql, 'the embedded database belongs to one process');
onMysql.describe('the order of posts that two processes write', () => {
  let servers: TwoServers;
  let scene: PostsScene;
  let channelId: string;
  let author: ApiClient;

  beforeAll(async () => {
    servers = await startTwoServers();
    scene = await buildPostsScene(servers.one);
    const member = await buildMember(servers.one, [scene.teamId]);
    author = member.client;
    channelId = await buildChannel(servers.one.admin, scene.teamId);
    await joinChannel(servers.one.admin, channelId, member.id);
  }, 60_000);
  afterAll(() => servers?.close());

  const at = (server: TestServer, client = author): ApiClient => server.anonymous.as(client.token);

  /**
   * All users write without pause, to both servers, including replies. Returns the ids in the order of the
   * responses.
   */
  async function write(): Promise<string[]> {
    const ids: string[] = [];
    const root = (await buildPost(at(servers.one), channelId)).id as string;
    ids.push(root);
    const writers = servers.both.flatMap((server) => Array.from({ length: WRITERS_EACH }, () => at(server)));
    await Promise.all(
      writers.map(async (client, writer) => {
        for (let count = 0; count < POSTS_EACH; count++) {
          const fields = writer % WRITERS_EACH === 0 && count % 5 === 0 ? { root_id: root } : {};
          ids.push((await buildPost(client, channelId, fields)).id as string);
        }
      }),
    );
    return ids;
  }

  /** Reads by `next` until `write` is over, and once more. Returns all ids that were seen. */
  async function readWhile(writing: Promise<unknown>, next: () => Promise<string[]>): Promise<string[]> {
    const seen: string[] = [];
    let isOver = false;
    void writing.finally(() => (isOver = true)).catch(() => undefined);
    for (let wasOver = false; !wasOver || seen.length === 0;) {
      wasOver = isOver;
      for (let more = await next(); more.length > 0; more = await next()) seen.push(...more);
      await new Promise(setImmediate);
    }
    return seen;
  }

  /** Continues after the last post that was read. */
  function byAfter(client: ApiClient, first: string): () => Promise<string[]> {
    let last = first;
    return async () => {
      const { order } = await client.call('GET', `/channels/${channelId}/posts?after=${last}&per_page=30`);
      last = order[0] ?? last;
      return order.toReversed();
    };
  }

  /** Continues from the time of the last change that was read, and recognises posts by their ids. */
  function bySince(client: ApiClient, since: number): () => Promise<string[]> {
    const known = new Set<string>();
    let last = since;
    return async () => {
      const { order, posts } = await client.call('GET', `/channels/${channelId}/posts?since=${last}`);
      for (const id of order) last = Math.max(last, posts[id].update_at);
      const fresh = order.filter((id: string) => !known.has(id));
      for (const id of fresh) known.add(id);
      return fresh.toReversed();
    };
  }

  /** Pages from the newest back to known posts. */
  function byPages(client: ApiClient, first: string): () => Promise<string[]> {
    const known = new Set([first]);
    return async () => {
      const fresh: string[] = [];
      for (let before = ''; ;) {
        const from = before === '' ? '' : `&before=${before}`;
        const { order } = await client.call('GET', `/channels/${channelId}/posts?per_page=30${from}`);
        const end = order.findIndex((id: string) => known.has(id));
        fresh.unshift(...(end < 0 ? order : order.slice(0, end)).toReversed());
        before = order.at(-1);
        if (end >= 0) break;
      }
      for (const id of fresh) known.add(id);
      return fresh;
    };
  }

  const rows = () => servers.one.app.get(DataSource).getRepository(Post);

  async function seqs(ids: readonly string[]): Promise<number[]> {
    const byId = new Map((await rows().findBy({ channelId })).map(({ id, seq }) => [id, seq]));
    return ids.map((id) => byId.get(id) as number);
  }

  const largestStepBack = (numbers: readonly number[]): number => {
    let highest = 0;
    let largest = 0;
    for (const number of numbers) {
      largest = Math.max(largest, highest - number);
      highest = Math.max(highest, number);
    }
    return largest;
  };

  it.each([
    ['that agree', 0],
    [`${APART_MS} ms apart`, APART_MS],
  ])(
    'is that of the commits, and readers miss nothing, with clocks %s',
    async (_, apartMs) => {
      const undo = setAhead(servers.other, apartMs);
      try {
        const first = (await buildPost(at(servers.other), channelId)).id as string;
        const { updateAt } = await rows().findOneByOrFail({ id: first });
        const writing = write();
        const [written, after, otherAfter, since, pages] = await Promise.all([
          writing,
          readWhile(writing, byAfter(at(servers.one), first)),
          readWhile(writing, byAfter(at(servers.other), first)),
          apartMs === 0 ? readWhile(writing, bySince(at(servers.other), updateAt)) : undefined,
          readWhile(writing, byPages(at(servers.one), first)),
        ]);
        const inOrder = written.slice().sort();
        expect(written).toHaveLength(1 + 2 * WRITERS_EACH * POSTS_EACH);
        for (const seen of [after, otherAfter, pages]) {
          expect(seen.slice().sort()).toEqual(inOrder);
          expect(largestStepBack(await seqs(seen))).toBe(0);
        }
        if (since) expect(inOrder.filter((id) => !since.includes(id))).toEqual([]);
        expect(largestStepBack(await seqs(written)) / 2048).toBeLessThan(2_000);
      } finally {
        undo();
      }
    },
    90_000,
  );
});
