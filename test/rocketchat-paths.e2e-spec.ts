import { createHmac } from 'node:crypto';
import { newId } from '../src/platform/common/ids.js';
import { buildIncomingHook, buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const BAD_PATH = 'model.incoming_hook.rocketchat_path.app_error';
const GENERAL = 'web.incoming_webhook.general.app_error';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** docs/contract/incoming-webhooks.md#rocketchat-paths */
describe('a path of Rocket.Chat', () => {
  let server: TestServer;
  let admin: ApiClient;
  let team: BuiltTeam;
  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    team = await buildTeam(admin);
  });
  afterAll(() => server?.close());

  const newPath = (): string => `${newId().slice(0, 17)}/${newId()}`;
  const build = (fields: Record<string, unknown> = {}): Promise<any> =>
    buildIncomingHook(admin, team.channelId, { rocketchat_path: newPath(), ...fields });
  const withUser = (path: string): string => path.replace('/', '/rocket.cat/');
  const send = (path: string, body: unknown, options: object = {}): Promise<Answer> =>
    server.anonymous.send('POST', `/hooks/${path}`, body, options);
  const read = (path: string, query: Record<string, string> = {}): Promise<Answer> =>
    server.anonymous.get(`/hooks/${path}?${new URLSearchParams(query)}`);
  const postOf = async ({ body }: Answer): Promise<any> => {
    expect(body).toMatchObject({ success: true, status: 'OK' });
    return (await admin.get(`/posts/${body.post_ids[0]}`)).body;
  };
  /** An error of the contract with the fields of Rocket.Chat. */
  const expectRefusal = (answer: Answer, ...expected: [status: number, id: string, named?: string]): void => {
    const { success, error, ...body } = answer.body;
    expect([success, error]).toEqual([false, body.message]);
    expectError({ ...answer, body }, ...expected);
  };
  const keptOf = async ({ id }: any): Promise<any[]> =>
    (await admin.get(`/hooks/incoming/${id}/requests`)).body;

  it('posts like the webhook, and responds as Rocket.Chat does', async () => {
    const { rocketchat_path: path } = await build();
    for (const each of [path, withUser(path)]) {
      const { status, headers, text } = await send(each, { text: 'a build' });
      expect([status, headers['content-type'], text]).toEqual([200, 'application/json', '{"success":true}']);
      expect((await read(each, { text: 'by GET' })).text).toBe('{"success":true}');
      expect(await postOf(await send(`${each}?wait=true`, { text: 'with ids' }))).toMatchObject({
        message: 'with ids',
        channel_id: team.channelId,
      });
    }
  });

  it('reads the fields of Rocket.Chat', async () => {
    const { rocketchat_path: path } = await build();
    const sent = {
      msg: 'a build',
      alias: 'Builder',
      avatar: 'https://example.com/b.png',
      emoji: ':rocket:',
      tmid: 'aThreadOfRocketCh',
      attachments: [
        { title: 'Build 812', msg: 'green', collapsed: true, fields: [{ title: 'a', value: 1 }] },
      ],
    };
    const post = await postOf(await send(`${path}?wait=true`, sent));
    expect(post).toMatchObject({
      message: 'a build',
      props: {
        override_username: 'Builder',
        override_icon_url: 'https://example.com/b.png',
        attachments: [{ title: 'Build 812', text: 'green' }],
      },
    });
    const emoji = await postOf(await send(`${path}?wait=true`, { text: 'new', msg: 'old', emoji: ':tada:' }));
    expect(emoji).toMatchObject({
      message: 'new',
      props: { override_icon_emoji: expect.stringContaining('tada') },
    });
    const other = (
      await admin.post('/channels', { team_id: team.id, name: `c${newId()}`, display_name: 'c', type: 'O' })
    ).body;
    for (const channel of [
      { channel: `#${other.name}` },
      { roomId: other.id },
      { channel: [`#${other.name}`] },
    ])
      expect(await postOf(await send(`${path}?wait=true`, { text: 'there', ...channel }))).toMatchObject({
        channel_id: other.id,
      });
    expect((await send(path, { text: 'x', channel: ['#a', '#b'] })).status).toBe(400);
    expect((await send(path, { text: 'x', attachments: {} })).status).toBe(200);
  });

  it('reads forms with a payload, with fields, and with JSON', async () => {
    const { rocketchat_path: path } = await build();
    const fields = new URLSearchParams({ text: 'fields', attachments: '[{"title":"A"}]' }).toString();
    for (const [raw, message] of [
      [`payload=${encodeURIComponent('{"text":"payload"}')}`, 'payload'],
      [fields, 'fields'],
      ['{"text":"json"}', 'json'],
    ] as const)
      expect(await postOf(await send(`${path}?wait=true`, undefined, { raw, headers: FORM }))).toMatchObject({
        message,
      });
    const bad = await send(path, undefined, { raw: 'text=a&attachments=[', headers: FORM });
    expectRefusal(bad, 400, 'web.incoming_webhook.decode.app_error', 'attachments');
  });

  it('reads the query of a GET: fields, or a payload', async () => {
    const { rocketchat_path: path } = await build();
    expect(await postOf(await read(path, { wait: 'true', msg: 'text', alias: 'Query' }))).toMatchObject({
      message: 'text',
      props: { override_username: 'Query' },
    });
    expect(await postOf(await read(path, { wait: 'true', payload: '{"text":"json"}' }))).toMatchObject({
      message: 'json',
    });
  });

  it('posts nothing for an empty call or a HEAD', async () => {
    const hook = await build();
    const { rocketchat_path: path } = hook;
    for (const answer of [await send(path, {}), await read(path), await send(path, undefined)])
      expect([answer.status, answer.text]).toEqual([200, '{"success":true}']);
    const head = await fetch(`${server.url}/hooks/${path}?text=head`, { method: 'HEAD' });
    expect(head.status).toBe(404);
    expect((await admin.get(`/hooks/incoming/${hook.id}`)).body.last_used).toBe(0);
  });

  it('refuses calls with the errors of the webhook, and the fields of Rocket.Chat', async () => {
    const hook = await build({ rate_limit: 2 });
    const { rocketchat_path: path } = hook;
    const empty = await send(path, { text: '' });
    expectRefusal(empty, 400, GENERAL);
    expectRefusal(await read(path, { text: '' }), 400, GENERAL);
    const limited = await read(path, { text: 'late' });
    expectRefusal(limited, 429, 'web.incoming_webhook.rate_limit.app_error');
    expect((await keptOf(hook)).map(({ status }) => status)).toEqual([429, 400, 400]);
    for (const answer of [
      await send(newPath(), { text: 'x' }),
      await read(withUser(newPath()), { text: 'x' }),
    ]) {
      expectRefusal(answer, 404, GENERAL, 'Invalid integration id or token provided');
    }
  });

  it('keeps calls so that they can be replayed', async () => {
    const hook = await build({
      keep_requests: true,
      verifier: { type: 'token', query: 'key', secret: 'a-secret-of-ours' },
    });
    const { rocketchat_path: path } = hook;
    expectRefusal(await read(path, { text: 'no key' }), 401, 'web.incoming_webhook.unverified.app_error');
    await read(path, { key: 'a-secret-of-ours', text: 'by GET', alias: 'Builder' });
    const [kept] = await keptOf(hook);
    const place = `/hooks/incoming/${hook.id}/requests/${kept.id}`;
    const whole = (await admin.get(place)).body;
    expect(JSON.parse(whole.query_payload)).toEqual({ text: 'by GET', alias: 'Builder' });
    const { body } = await admin.post(`${place}/replay`, {});
    expect((await admin.get(`/posts/${body.post_ids[0]}`)).body).toMatchObject({
      message: 'by GET',
      props: { override_username: 'Builder' },
    });
  });

  it('refuses a signed GET unless the URL is signed', async () => {
    const secret = 'a-secret-of-ours';
    const { rocketchat_path: path } = await build({
      verifier: { type: 'hmac', header: 'X-Sign', signed: 'body', secret },
    });
    const sign = { 'x-sign': createHmac('sha256', secret).update('').digest('hex') };
    const answer = await server.anonymous.send('GET', `/hooks/${path}?text=x`, undefined, { headers: sign });
    expectRefusal(answer, 401, 'web.incoming_webhook.unverified.app_error', 'in the URL');
    const raw = '{"text":"signed"}';
    const headers = { 'x-sign': createHmac('sha256', secret).update(raw).digest('hex') };
    expect((await send(path, undefined, { raw, headers })).status).toBe(200);
  });

  it('posts once for an Idempotency-Key, at all addresses of the webhook', async () => {
    const { id, rocketchat_path: path } = await build();
    const headers = { 'idempotency-key': newId() };
    const first = await send(`${path}?wait=true`, { text: 'once' }, { headers });
    const again = await server.anonymous.send(
      'POST',
      `/hooks/${id}?wait=true`,
      { text: 'once' },
      { headers },
    );
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.post_ids).toEqual(first.body.post_ids);
  });

  it('leaves the messages of a webhook where they are', async () => {
    const { id } = await build();
    const { post_ids } = (await admin.post(`/hooks/${id}?wait=true`, { text: 'a message' })).body;
    const place = `/hooks/${id}/messages/${post_ids[0]}`;
    expect((await server.anonymous.get(place)).body.message).toBe('a message');
    expect((await fetch(server.url + place, { method: 'POST' })).status).toBe(404);
    expect((await server.anonymous.send('DELETE', place)).status).toBe(204);
  });

  it('is changed, removed, kept by a change of the Slack path, and freed by a deletion', async () => {
    const [first, second] = [newPath(), newPath()];
    const hook = await build({ rocketchat_path: first });
    const path = `/hooks/incoming/${hook.id}`;
    expect(hook).toMatchObject({ rocketchat_path: first, slack_path: '' });
    const { rocketchat_path: _, ...rest } = hook;
    expect((await admin.put(path, rest)).body.rocketchat_path).toBe(first);
    expect((await admin.patch(path, { rocketchat_path: second })).body.rocketchat_path).toBe(second);
    expect((await send(first, { text: 'x' })).status).toBe(404);
    const next = (await admin.post(`${path}/rotate_url`, {})).body;
    expect((await send(second, { text: 'x' })).status).toBe(200);
    const place = `/hooks/incoming/${next.id}`;
    const slack_path = `T0HOOKLINE/B0BUILDS/${newId()}`;
    expectError(await admin.patch(place, { slack_path }), 400, BAD_PATH, 'rocketchat_path');
    const swapped = (await admin.patch(place, { slack_path, rocketchat_path: '' })).body;
    expect(swapped).toMatchObject({ slack_path, rocketchat_path: '' });
    expect((await send(second, { text: 'x' })).status).toBe(404);
    await admin.patch(place, { slack_path: '', rocketchat_path: second });
    await admin.delete(place);
    expect((await send(second, { text: 'x' })).status).toBe(404);
    await build({ rocketchat_path: second });
    expect((await send(second, { text: 'x' })).status).toBe(200);
  });

  it('belongs to one webhook', async () => {
    const { rocketchat_path } = await build();
    const twice = await admin.post('/hooks/incoming', { channel_id: team.channelId, rocketchat_path });
    expectError(twice, 400, BAD_PATH, 'rocketchat_path');
  });

  it.each([
    '',
    'a',
    `${'a'.repeat(16)}/${'b'.repeat(24)}`,
    `${'a'.repeat(17)}/${'b'.repeat(23)}`,
    `${'a'.repeat(17)}/${'b'.repeat(65)}`,
    `${'ä'.repeat(17)}/${'b'.repeat(24)}`,
  ])('has an id and a token: not %p', async (path) => {
    const rocketchat_path = `/${path}`;
    const answer = await admin.post('/hooks/incoming', { channel_id: team.channelId, rocketchat_path });
    expectError(answer, 400, BAD_PATH, 'rocketchat_path');
  });
});
