import { DataSource, In } from 'typeorm';
import { Purge } from '../src/platform/database/purge.js';
import { IdempotencyKey } from '../src/messaging/posts/idempotency-key.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { IdempotencyService } from '../src/messaging/posts/idempotency.service.js';
import { PostsCreated } from '../src/messaging/posts/events/posts-created.event.js';
import { Post } from '../src/messaging/posts/post.entity.js';
import { PostCompanions } from '../src/messaging/posts/writer/post-companions.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import type { PostDraft, WriteRequest } from '../src/messaging/posts/writer/write-request.js';
import { buildPostsScene, buildQuietChannel, ordinary, type PostsScene } from './factories/posts.js';
import { announcedBy } from './support/announcements.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** What happens around the commit of posts (docs/architecture.md#group-commit). */
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

  const draft = (): PostDraft => ({ userId: scene.author.id, channelId, message: 'hello' });
  const write = (companions?: WriteRequest['companions']): Promise<Post[]> =>
    server.app
      .get(PostWriter)
      .write({ origin: 'user', drafts: [draft()], ...(companions ? { companions } : {}) });
  const stored = async (): Promise<string[]> =>
    ordinary(await scene.author.client.get(`/channels/${channelId}/posts`)).toSorted();

  it('is over when what follows fails: nothing is stored again, and everybody else is told', async () => {
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
    expect(server.logs.filter((line) => line.includes('the step after the commit has failed'))).not.toEqual(
      [],
    );
  });

  it('that stored the same key meanwhile is the answer to the second one', async () => {
    let earlier: string[] = [];
    const outcome = await server.app.get(IdempotencyService).once('test', newId(), async (companions) => {
      earlier = (await write(companions)).map((post) => post.id);
      return write(companions);
    });
    expect(outcome).toEqual({ postIds: earlier, isReplay: true });
    expect(await stored()).toEqual(earlier);
  });

  it('keeps an idempotency key for a day', async () => {
    const keys = server.app.get(DataSource).getRepository(IdempotencyKey);
    const [old, fresh] = [newId(), newId()];
    const hours = (count: number): number => Date.now() - count * 3_600_000;
    await keys.insert({ keyHash: old, createAt: hours(25), postIds: [] });
    await keys.insert({ keyHash: fresh, createAt: hours(23), postIds: [] });
    await server.app.get(Purge).run();
    expect(await keys.findBy({ keyHash: In([old, fresh]) })).toMatchObject([{ keyHash: fresh }]);
  });
});
