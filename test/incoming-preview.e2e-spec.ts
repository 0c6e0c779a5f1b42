import { buildChannel } from './factories/channels.js';
import { buildIncomingHook, buildMember, buildTeam, type BuiltUser } from './factories/incoming-hooks.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** docs/contract/incoming-webhooks.md#preview */
describe('the preview of an incoming webhook call', () => {
  let server: TestServer;
  let admin: ApiClient;
  let teamId: string;
  let channelId: string;
  let hook: any;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    ({ id: teamId, channelId } = await buildTeam(admin));
    hook = await buildIncomingHook(admin, channelId);
  });

  const preview = (payload: unknown, contentType?: string, by = admin): Promise<Answer> =>
    by.post(`/api/v4/hooks/incoming/${hook.id}/preview`, {
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      ...(contentType === undefined ? {} : { content_type: contentType }),
    });
  const postsIn = async (id: string): Promise<any[]> => {
    const { posts, order } = await admin.call('GET', `/channels/${id}/posts`);
    return order.map((post: string) => posts[post]).filter(({ type }: any) => !type.startsWith('system_'));
  };

  it('shows what the call would post, and posts nothing', async () => {
    const payload = {
      text: 'Build *812* <https://example.com|here>',
      username: 'build-bot',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'in blocks' } }, { type: 'unheard of' }],
      attachments: [{ color: 'good', title: 'Build 812', text: 'green' }],
    };
    const { status, body } = await preview(payload);
    expect(status).toBe(200);
    expect(await postsIn(channelId)).toEqual([]);
    await server.anonymous.post(`/hooks/${hook.id}`, payload);
    const [post] = await postsIn(channelId);
    expect(body).toMatchObject({ post_count: 1, not_understood: expect.any(Number) });
    expect(body.posts).toHaveLength(1);
    expect(body.posts[0]).toMatchObject({
      channel_id: channelId,
      message: post.message,
      type: post.type,
      props: { attachments: post.props.attachments, override_username: 'build-bot' },
    });
  });

  it('does not count as a use, and stores no call', async () => {
    await preview({ text: 'text' });
    await preview('{');
    const { last_used: used } = await admin.call('GET', `/hooks/incoming/${hook.id}`);
    expect(used).toBe(0);
    expect(await admin.call('GET', `/hooks/incoming/${hook.id}/requests`)).toEqual([]);
  });

  it('reads a form', async () => {
    const form = `payload=${encodeURIComponent('{"text":"from a form"}')}`;
    const { body } = await preview(form, 'application/x-www-form-urlencoded');
    expect(body.posts[0].message).toBe('from a form');
  });

  it('shows the result in another channel', async () => {
    const other = await buildChannel(admin, teamId);
    const { body } = await preview({ text: 'text', channel: other.name });
    expect(body.posts[0].channel_id).toBe(other.id);
  });

  it('creates no direct channel', async () => {
    const friend: BuiltUser = await buildMember(server, [teamId]);
    const { username } = await admin.call('GET', `/users/${friend.id}`);
    const before = await admin.call('GET', '/users/me/channels');
    const { status, body } = await preview({ text: 'text', channel: `@${username}` });
    expect(status).toBe(200);
    expect(body.posts[0]).toMatchObject({ channel_id: '', message: 'text' });
    expect(await admin.call('GET', '/users/me/channels')).toHaveLength(before.length);
  });

  it('shows how a long text is split, and the number of posts', async () => {
    const { body } = await preview({ text: 'word '.repeat(20_000) });
    expect(body.post_count).toBeGreaterThan(1);
    expect(body.posts.length).toBe(body.post_count);
  });

  it.each([
    ['undecodable JSON', '{', 400, 'web.incoming_webhook.decode.app_error'],
    ['an empty text', '{"text":""}', 400, 'web.incoming_webhook.general.app_error'],
    ['an unknown channel', '{"text":"a","channel":"nowhere"}', 404, 'web.incoming_webhook.general.app_error'],
  ])('refuses %s as a call does', async (_, payload, status, id) => {
    expectError(await preview(payload), status, id);
    const call = await server.anonymous.post(`/hooks/${hook.id}`, undefined, {
      raw: payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(call.status).toBe(status);
    expect((await preview(payload)).body.message).toBe(call.body.message);
  });

  it('reports a payload that is missing or not a string', async () => {
    const ask = (body: unknown): Promise<Answer> =>
      admin.post(`/api/v4/hooks/incoming/${hook.id}/preview`, body);
    for (const body of [{}, { payload: { text: 'a' } }, { payload: 'a', content_type: 'x'.repeat(256) }]) {
      const answer = await ask(body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(/payload|content_type/);
    }
  });

  it('does not name a channel that the caller cannot read', async () => {
    const other = await buildMember(server, [teamId], true);
    const hidden = await buildChannel(admin, teamId, { type: 'P' });
    expect((await preview({ text: 'text' }, undefined, other.client)).status).toBe(200);
    for (const channel of [
      hidden.name,
      'nowhere',
      '@nobody',
      `@${(await admin.call('GET', '/users/me')).username}`,
    ])
      expectError(await preview({ text: 'text', channel }, undefined, other.client), 403);
  });
});
