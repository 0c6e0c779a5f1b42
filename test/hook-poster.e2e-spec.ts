import { HookPoster } from '../src/incoming-hooks/execution/hook-poster.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { newId } from '../src/platform/common/ids.js';
import { buildIncomingHook, buildTeam } from './factories/incoming-hooks.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

describe('posting through a hook from inside the server', () => {
  let server: TestServer;
  let poster: HookPoster;
  let unitOfWork: UnitOfWork;
  let channelId: string;
  let hook: any;

  beforeAll(async () => {
    server = await startTestServer();
    poster = server.app.get(HookPoster, { strict: false });
    unitOfWork = server.app.get(UnitOfWork);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    ({ channelId } = await buildTeam(server.admin));
    hook = await buildIncomingHook(server.admin, channelId, { username: 'gardener' });
  });

  /** The posts of webhooks in the channel, newest first. */
  const posted = async (): Promise<any[]> => {
    const { body } = await server.admin.get(`/channels/${channelId}/posts`);
    return body.order.map((id: string) => body.posts[id]).filter((post: any) => post.props.from_webhook);
  };

  it('creates the same post as a call of the hook', async () => {
    const ids = await poster.post(hook.id, { text: 'Water the plants.', props: { row: 1 } });
    const called = await server.anonymous.post(`/hooks/${hook.id}`, {
      text: 'Water the plants.',
      props: { row: 1 },
    });
    expect(called.status).toBe(200);
    const posts = await posted();
    expect(posts.map(({ id }) => id)).toContain(ids[0]);
    const [one, other] = posts.map((post) => ({ ...post, id: '', create_at: 0, update_at: 0 }));
    expect(one).toEqual(other);
    expect(one).toMatchObject({ message: 'Water the plants.', user_id: server.adminId });
    expect(one.props).toMatchObject({ from_webhook: 'true', override_username: 'gardener', row: 1 });
  });

  it('posts once with the open unit of work, and records the use of the hook', async () => {
    const ids = await unitOfWork.run(async () => {
      const made = await poster.post(hook.id, { text: 'a'.repeat(20_000) });
      expect(made).toHaveLength(2);
      return made;
    });
    expect((await posted()).map(({ id }) => id).sort()).toEqual([...ids].sort());
    const used = async (): Promise<boolean> =>
      (await server.admin.get(`/hooks/incoming/${hook.id}`)).body.last_used > 0;
    expect(await eventually(used)).toBe(true);
  });

  it('posts and announces nothing when the unit of work fails', async () => {
    const work = unitOfWork.run(async () => {
      await poster.post(hook.id, { text: 'Never said.' });
      throw new Error('failed for the test');
    });
    await expect(work).rejects.toThrow('failed for the test');
    await unitOfWork.run(() => poster.post(hook.id, { text: 'Said.' }));
    expect((await posted()).map(({ message }) => message)).toEqual(['Said.']);
  });

  it('is refused like a call of the hook', async () => {
    const refused = async (hookId: string, message: Record<string, unknown>): Promise<void> => {
      const answer = await server.anonymous.post(`/hooks/${hookId}`, message);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      await expect(unitOfWork.run(() => poster.post(hookId, message))).rejects.toMatchObject({
        id: answer.body.id,
        status: answer.status,
        message: answer.body.message,
      });
    };
    await refused(newId(), { text: 'x' });
    await refused(hook.id, {});
    await refused(hook.id, { text: 'x', channel: 'no-such-channel' });
    await refused(hook.id, { text: 'x', type: 'system_join' });
    await server.withSettings({ enableIncomingWebhooks: false }, () => refused(hook.id, { text: 'x' }));
    expect((await server.admin.delete(`/hooks/incoming/${hook.id}`)).status).toBe(200);
    await refused(hook.id, { text: 'x' });
    expect(await posted()).toEqual([]);
  });
});
