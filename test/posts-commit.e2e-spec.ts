import { newId } from '../src/platform/common/ids.js';
import { type Companions, IdempotencyService } from '../src/messaging/posts/idempotency.service.js';
import { PostsCreated } from '../src/messaging/posts/posts.events.js';
import { Post } from '../src/messaging/posts/post.entity.js';
import { PostCompanions, type WriteRequest } from '../src/messaging/posts/writer/write-request.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import { buildPostsScene, buildQuietChannel, ordinary, type PostsScene } from './factories/posts.js';
import { buildIncomingHook } from './factories/incoming-hooks.js';
import { announcedBy } from './support/announcements.js';
import { type CountRowWrites, watchRowWrites } from './support/row-writes.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** Effects around the commit of posts (docs/architecture.md#group-commit). */
describe('a commit of posts', () => {
  let server: TestServer;
  let scene: PostsScene;
  let channelId: string;

  beforeAll(async () => {
    server = await startTestServer();
    scene = await buildPostsScene(server);
  });
  beforeEach(async () => {
    channelId = await buildQuietChannel(server, scene);
  });
  afterAll(() => server?.close());

  const write = (companions?: WriteRequest['companions']): Promise<Post[]> => {
    const draft = { userId: scene.author.id, channelId, message: 'hello' };
    return server.app.get(PostWriter).write({ origin: 'user', drafts: [draft], companions });
  };
  const stored = async (): Promise<string[]> =>
    ordinary(await scene.author.client.get(`/channels/${channelId}/posts`)).toSorted();

  it('is shared by posts that arrive together, as the metrics show', async () => {
    const figures = async (): Promise<number[]> => {
      const { text } = await server.first.get('/metrics');
      return ['count', 'sum'].map((name) =>
        Number(new RegExp(`^hookline_post_commit_batch_size_${name} (\\d+)$`, 'm').exec(text)?.[1]),
      );
    };
    const [commits, posts] = (await figures()) as [number, number];
    await Promise.all(Array.from({ length: 100 }, () => write()));
    expect(await figures()).toEqual([commits + 1, posts + 100]);
  });

  it('stays when a later step fails: nothing is stored again, and all posts are announced', async () => {
    let isFailing = true;
    server.app.get(PostCompanions).register(() => {
      const fail = (): void => {
        if (isFailing) throw new Error('the step after the commit has failed');
      };
      return Promise.resolve([{ entity: Post, rows: [], afterCommit: fail }]);
    });
    let posts: Post[][] = [];
    const announced = await announcedBy<PostsCreated>(server, [PostsCreated], async () => {
      posts = await Promise.all([write(), write(), write()]);
    }).finally(() => (isFailing = false));
    const ids = posts.flat().map((post) => post.id);
    expect(await stored()).toEqual(ids.toSorted());
    expect(announced.flatMap((event) => event.created.map(({ post }) => post.id))).toEqual(ids);
    expect(server.logs.join()).toContain('the step after the commit has failed');
  });

  it('that stored the same key in the meantime returns the first post', async () => {
    let earlier: string[] = [];
    const writeIds = async (companions: Companions): Promise<string[]> =>
      (await write(companions)).map((post) => post.id);
    const outcome = await server.app.get(IdempotencyService).once('test', newId(), async (companions) => {
      earlier = await writeIds(companions);
      return writeIds(companions);
    });
    expect(outcome).toEqual({ postIds: earlier, isReplay: true });
    expect(await stored()).toEqual(earlier);
  });

  describe('and the row writes of a thousand calls', () => {
    const CALLS = 1_000;
    let count: CountRowWrites;
    beforeAll(async () => (count = await watchRowWrites(server)), 60_000);

    const calling = (...calls: (() => Promise<{ status: number }>)[]): Promise<Record<string, number>> => {
      let left = CALLS;
      const run = async (call: (typeof calls)[number]): Promise<void> => {
        while (left-- > 0) expect((await call()).status).toBe(200);
      };
      return count(() => Promise.all([0, 1, 2, 3].flatMap(() => calls.map(run))));
    };

    it('with a session and a personal access token only include the last use of each', async () => {
      const { body: token } = await server.admin.post('/users/me/tokens', { description: 'reading' });
      const { client } = scene.author;
      const readers = [client, client.as(token.token)];
      const {
        sessions = 0,
        user_access_tokens: tokens = 0,
        ...others
      } = await calling(...readers.map((reader) => () => reader.get('/users/me')));
      expect(sessions).toBeLessThanOrEqual(1);
      // Each process notes the first use that it sees, and others minutes later.
      expect(tokens).toBeLessThanOrEqual(server.everywhere(PostWriter).length);
      expect(others).toEqual({});
    });

    it('of an incoming webhook store its last use a few times', async () => {
      const hook = await buildIncomingHook(server.admin, channelId);
      const writes = await calling(() => server.anonymous.post(`/hooks/${hook.id}`, { text: 'hello' }));
      expect(writes['posts']).toBe(CALLS);
      expect(writes['incoming_webhooks'] ?? 0).toBeLessThan(CALLS / 20);
      const { body } = await server.admin.get(`/hooks/incoming/${hook.id}`);
      expect(body.last_used).toBeGreaterThan(hook.create_at);
    });
  });
});
