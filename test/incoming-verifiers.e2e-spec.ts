import { createHmac } from 'node:crypto';
import { DataSource } from 'typeorm';
import { HookPoster } from '../src/incoming-hooks/execution/hook-poster.js';
import { IncomingHook } from '../src/incoming-hooks/incoming-hook.entity.js';
import { Clock } from '../src/platform/common/clock.js';
import { buildIncomingHook, buildTeam } from './factories/incoming-hooks.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const UNVERIFIED = 'web.incoming_webhook.unverified.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const SECRET = 'correct horse battery';
const NEXT = 'the secret that comes next';
const BODY = '{"text":"Build 812 is grün."}';
const GITHUB = { preset: 'github', secret: SECRET };

const mac = (text: string, secret = SECRET, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest(encoding);
const github = (body = BODY, secret = SECRET): Record<string, string> => ({
  'x-hub-signature-256': `sha256=${mac(body, secret)}`,
});

/** docs/contract/incoming-webhooks.md#verifiers */
describe('the verifier of an incoming webhook', () => {
  let server: TestServer;
  let admin: ApiClient;
  let channelId: string;
  let hook: any;

  beforeAll(async () => {
    server = await startTestServer({ TRUSTED_PROXIES: 'loopback' });
    ({ admin } = server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    ({ channelId } = await buildTeam(admin));
    hook = await buildIncomingHook(admin, channelId, { verifier: GITHUB });
  });

  const place = (): string => `/hooks/incoming/${hook.id}`;
  const patch = (verifier: unknown): Promise<Answer> => admin.patch(place(), { verifier });
  const call = (
    headers: Record<string, any> = {},
    raw: string | Buffer = BODY,
    query = '',
  ): Promise<Answer> => server.anonymous.post(`/hooks/${hook.id}${query}`, undefined, { raw, headers });
  const kept = (): Promise<any[]> => admin.call('GET', `${place()}/requests`);
  const messages = async (): Promise<string[]> => {
    const { posts, order } = await admin.call('GET', `/channels/${channelId}/posts`);
    return order.map((id: string) => posts[id].message).filter((text: string) => !text.includes('joined'));
  };
  const stored = (): Promise<IncomingHook> =>
    server.app.get(DataSource).getRepository(IncomingHook).findOneByOrFail({ id: hook.id });
  const at = async (ms: number, action: () => Promise<unknown>): Promise<void> => {
    const clock = jest.spyOn(server.app.get(Clock), 'now').mockReturnValue(ms);
    try {
      await action();
    } finally {
      clock.mockRestore();
    }
  };

  it('accepts calls of the sender, and keeps the refusal of others', async () => {
    expect((await call(github())).text).toBe('ok');
    const forged = await call(github(BODY, 'a guess'));
    expectError(forged, 401, UNVERIFIED, 'X-Hub-Signature-256');
    expectError(await call(), 401, UNVERIFIED, 'the header X-Hub-Signature-256 is missing');
    expect(await messages()).toEqual(['Build 812 is grün.']);
    const refused = await kept();
    expect(refused.map(({ status, error_id }) => [status, error_id])).toEqual([
      [401, UNVERIFIED],
      [401, UNVERIFIED],
    ]);
    const whole = await admin.call('GET', `${place()}/requests/${refused[1].id}`);
    expect(whole).toMatchObject({ message: forged.body.message, body: BODY });
    expect(JSON.stringify(whole)).not.toContain(mac(BODY, 'a guess'));
    expect(Object.keys(whole.headers)).not.toContain('x-hub-signature-256');
    expect(await server.metrics()).toMatch(
      /refus\w*\{reason="web\.incoming_webhook\.unverified\.app_error"\} \d/,
    );
  });

  it('guards the messages of the webhook too', async () => {
    const { post_ids } = (await call(github(), BODY, '?wait=true')).body;
    const path = `/hooks/${hook.id}/messages/${post_ids[0]}`;
    const { anonymous } = server;
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expectError(await anonymous.send(method, path, { text: 'changed' }), 401, UNVERIFIED);
    expect(await messages()).toEqual(['Build 812 is grün.']);
    const raw = '{"text":"changed"}';
    const changed = await anonymous.send('PATCH', path, undefined, { raw, headers: github(raw) });
    expect(changed.body).toEqual({ status: 'OK', post_ids });
    expect((await anonymous.send('GET', path, undefined, { headers: github('') })).status).toBe(200);
    expect((await anonymous.send('DELETE', path, undefined, { headers: github('') })).status).toBe(204);
  });

  it('guards the Slack path', async () => {
    const slack_path = `T0HOOKLINE/B0VERIFIED/${hook.id}`;
    await admin.patch(place(), { slack_path });
    const path = `/services/${slack_path}`;
    expectError(await server.anonymous.post(path, { text: 'forged' }), 401, UNVERIFIED);
    const headers = github();
    expect((await server.anonymous.post(path, undefined, { raw: BODY, headers })).text).toBe('ok');
  });

  it('is checked before the body is decoded, and only for webhooks that exist', async () => {
    expectError(await call({}, 'no JSON'), 401, UNVERIFIED);
    expectError(await call(github('no JSON'), 'no JSON'), 400);
    const { status } = await server.anonymous.post(`/hooks/${'a'.repeat(26)}`, { text: 'hi' });
    expect(status).toBe(400);
  });

  it('covers forms and parts as they were sent', async () => {
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'payload=%7B%22text%22%3A%22form%22%7D'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nparts\r\n--b--\r\n',
      ],
    ] as const)
      expect([type, (await call({ ...github(body), 'content-type': type }, body)).text]).toEqual([
        type,
        'ok',
      ]);
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...github('') };
    expectError(await call(form, '', '?payload=%7B%22text%22%3A%22hi%22%7D'), 401, UNVERIFIED, 'in the URL');
    expect((await messages()).sort()).toEqual(['form', 'parts']);
  });

  it('is shown without its secret', async () => {
    const shown = {
      ...{ preset: 'github', type: 'hmac', algorithm: 'sha256', header: 'X-Hub-Signature-256' },
      ...{ encoding: 'hex', prefix: 'sha256=', signed: 'body', id_header: '', timestamp_header: '' },
      ...{ timestamp_prefix: '', tolerance: 300, previous_secret_expires_at: 0 },
    };
    expect(hook.verifier).toEqual(shown);
    const answers = [
      await admin.get(place()),
      await admin.patch(place(), { description: 'changed' }),
      await admin.put(place(), { ...hook, description: 'again' }),
      await admin.get('/hooks/incoming?per_page=200'),
    ];
    for (const { status, text, body } of answers) {
      expect(status).toBe(200);
      expect([body].flat().find(({ id }: any) => id === hook.id).verifier).toEqual(shown);
      expect(text).not.toContain(SECRET);
    }
    const row = await stored();
    expect(row.sealedVerifierSecrets).toMatch(/^v2\./);
    expect(JSON.stringify(row)).not.toContain(SECRET);
    expect((await call(github())).text).toBe('ok');
  });

  it('stays when it is absent, and is removed by null', async () => {
    const { verifier: _, ...rest } = hook;
    for (const body of [rest, hook])
      expect((await admin.put(place(), body)).body.verifier).toEqual(hook.verifier);
    expectError(await call(), 401, UNVERIFIED);
    expect((await patch(null)).body.verifier).toBeNull();
    expect((await stored()).sealedVerifierSecrets).toBe('');
    expect((await call()).text).toBe('ok');
    expect((await admin.put(place(), { ...rest, verifier: GITHUB })).body.verifier).toEqual(hook.verifier);
    expectError(await call(), 401, UNVERIFIED);
    expect((await admin.put(place(), { ...rest, verifier: null })).body.verifier).toBeNull();
    const without = await buildIncomingHook(admin, channelId, { verifier: null });
    expect(without.verifier).toBeNull();
  });

  it('keeps the replaced secret for a while', async () => {
    const now = Date.now();
    const until = now + server.settings.signingOverlapMs;
    await at(now, async () => {
      expect((await patch({ preset: 'github', secret: NEXT })).body.verifier).toMatchObject({
        previous_secret_expires_at: until,
      });
      for (const secret of [SECRET, NEXT]) expect((await call(github(BODY, secret))).text).toBe('ok');
      // The same secret again changes nothing.
      expect((await patch({ preset: 'github', secret: NEXT })).body.verifier).toMatchObject({
        previous_secret_expires_at: until,
      });
    });
    await at(until - 1, async () => expect((await call(github())).text).toBe('ok'));
    await at(until, async () => {
      expectError(await call(github()), 401, UNVERIFIED);
      expect((await call(github(BODY, NEXT))).text).toBe('ok');
      expect((await patch({ preset: 'github' })).body.verifier.previous_secret_expires_at).toBe(0);
    });
  });

  it('forgets the replaced secret at once if it is not to be rotated', async () => {
    const { body } = await patch({ preset: 'github', secret: NEXT, rotate: false });
    expect(body.verifier.previous_secret_expires_at).toBe(0);
    expectError(await call(github()), 401, UNVERIFIED);
    expect((await call(github(BODY, NEXT))).text).toBe('ok');
    await patch({ preset: 'github', secret: SECRET });
    expect((await call(github(BODY, NEXT))).text).toBe('ok');
    expect((await patch({ preset: 'github', rotate: false })).status).toBe(200);
    expectError(await call(github(BODY, NEXT)), 401, UNVERIFIED);
    await server.withSettings({ signingOverlapMs: 0 }, () => patch({ preset: 'github', secret: NEXT }));
    expectError(await call(github()), 401, UNVERIFIED);
  });

  it('forgets a replaced secret that is not a valid key for the new type', async () => {
    const { body } = await patch({ preset: 'telnyx', secret: Buffer.alloc(32, 7).toString('base64') });
    expect(body.verifier).toMatchObject({ type: 'ed25519', previous_secret_expires_at: 0 });
    const time = String(Math.floor(Date.now() / 1_000));
    const headers = { 'telnyx-timestamp': time, 'telnyx-signature-ed25519': 'AAAA' };
    expectError(await call(headers), 401, UNVERIFIED);
  });

  it('keeps its secret when other fields change', async () => {
    const header = 'X-Signature';
    expect((await patch({ type: 'hmac', header })).body.verifier).toMatchObject({ type: 'hmac', header });
    expect((await call({ 'x-signature': mac(BODY) })).text).toBe('ok');
  });

  it.each<[string, unknown]>([
    ['verifier', 'github'],
    ['verifier', [GITHUB]],
    ['verifier.preset', { preset: 'nobody', secret: SECRET }],
    ['verifier.type', { secret: SECRET }],
    ['verifier.header', { type: 'hmac', header: 'X Y', secret: SECRET }],
    ['verifier.header', { type: 'token', header: 'X-GitHub-Event', secret: SECRET }],
    ['verifier.secret', { preset: 'github', secret: 5 }],
    ['verifier.secret', { preset: 'svix', secret: 'no base64!' }],
    ['verifier.secret', { preset: 'telnyx', secret: 'dG9vIHNob3J0' }],
    ['verifier.secret', { type: 'ip', networks: ['10.0.0.0/8'], secret: SECRET }],
    ['verifier.networks', { type: 'ip', networks: ['10.0.0.0/33'] }],
    ['verifier.hedaer', { preset: 'github', secret: SECRET, hedaer: 'X' }],
  ])('names %s if it is invalid', async (field, verifier) => {
    for (const answer of [
      await patch(verifier),
      await admin.put(place(), { ...hook, verifier }),
      await admin.post('/hooks/incoming', { channel_id: channelId, verifier }),
    ]) {
      expectError(answer, 400, BAD_BODY, field);
      expect(answer.text).not.toContain(SECRET);
    }
    expect((await admin.get(place())).body).toEqual(hook);
  });

  it('requires a secret for a new verifier', async () => {
    const answer = await admin.post('/hooks/incoming', {
      channel_id: channelId,
      verifier: { preset: 'github' },
    });
    expectError(answer, 400, BAD_BODY, 'verifier.secret');
    await patch(null);
    expectError(await patch({ preset: 'github' }), 400, BAD_BODY, 'verifier.secret');
  });

  it('is written in any case, like other fields', async () => {
    const made = await buildIncomingHook(admin, channelId, {
      VERIFIER: { PRESET: 'gitlab', Secret: SECRET },
    });
    expect(made.verifier).toMatchObject({ preset: 'gitlab', header: 'X-Gitlab-Token' });
  });

  it.each<[string, object, Record<string, string>, string?]>([
    ['a token', { preset: 'gitlab' }, { 'x-gitlab-token': SECRET }],
    ['a bearer token', { preset: 'alertmanager' }, { authorization: `Bearer ${SECRET}` }],
    ['a token in the query', { type: 'token', query: 'key' }, {}, `?key=${encodeURIComponent(SECRET)}`],
    [
      'a password',
      { type: 'basic', user: 'alerts' },
      { authorization: `Basic ${Buffer.from(`alerts:${SECRET}`).toString('base64')}` },
    ],
  ])('accepts %s, and does not keep it', async (_, verifier, headers, query = '') => {
    await patch({ ...verifier, secret: SECRET });
    await admin.patch(place(), { keep_requests: true });
    expect((await call(headers, BODY, query)).text).toBe('ok');
    expectError(await call({}, BODY), 401, UNVERIFIED);
    const wrong = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.slice(0, -4)]),
    );
    expectError(await call(wrong, BODY, query && `${query}x`), 401, UNVERIFIED);
    const wholes = await Promise.all(
      (await kept()).map(({ id }) => admin.call('GET', `${place()}/requests/${id}`)),
    );
    expect(wholes).toHaveLength(3);
    for (const secret of [SECRET, encodeURIComponent(SECRET), ...Object.values(headers)])
      expect(JSON.stringify(wholes)).not.toContain(secret);
  });

  it('accepts the networks of the sender, behind trusted proxies too', async () => {
    const networks = ['203.0.113.0/24', '2001:db8::/32'];
    const { body } = await patch({ type: 'ip', networks });
    expect(body.verifier).toEqual({ type: 'ip', networks, previous_secret_expires_at: 0 });
    for (const address of ['203.0.113.9', '2001:db8::5', '198.51.100.1, 203.0.113.9'])
      expect((await call({ 'x-forwarded-for': address })).text).toBe('ok');
    const refused = await call({ 'x-forwarded-for': '203.0.113.9, 198.51.100.1' });
    expectError(refused, 401, UNVERIFIED, '198.51.100.1');
    expectError(await call(), 401, UNVERIFIED);
    expect(JSON.stringify(await kept())).not.toContain('198.51.100.1');
  });

  it('compares signed URLs with SITE_URL', async () => {
    await server.withSettings({ siteUrl: 'https://chat.example.com' }, async () => {
      await patch({ preset: 'twilio', secret: SECRET });
      const url = `https://chat.example.com/hooks/${hook.id}?wait=true`;
      const signature = mac(`${url}payload{"text":"hi"}`, SECRET, 'base64', 'sha1');
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      };
      const body = `payload=${encodeURIComponent('{"text":"hi"}')}`;
      expect((await call(headers, body, '?wait=true')).status).toBe(200);
      expectError(await call(headers, body), 401, UNVERIFIED);
    });
    await server.withSettings({ siteUrl: undefined }, async () => {
      expectError(await patch({ preset: 'trello', secret: SECRET }), 400, BAD_BODY, 'verifier.signed');
    });
  });

  it('refuses old calls', async () => {
    await patch({ preset: 'slack', secret: SECRET });
    const now = Date.now();
    const time = String(Math.floor(now / 1_000));
    const headers = {
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${mac(`v0:${time}:${BODY}`)}`,
    };
    await at(now, async () => expect((await call(headers)).text).toBe('ok'));
    await at(now + 302_000, async () =>
      expectError(await call(headers), 401, UNVERIFIED, 'X-Slack-Request-Timestamp'),
    );
  });

  it.each<[string, Record<string, string | string[]>]>([
    ['a huge header', { 'x-hub-signature-256': `sha256=${'0'.repeat(12_000)}` }],
    ['many signatures', { 'x-hub-signature-256': 'sha256=00,'.repeat(1_000) }],
    ['repeated headers', { 'x-hub-signature-256': ['sha256=00', `sha256=${mac('other')}`] }],
    ['other characters', { 'x-hub-signature-256': 'sha256=\u00e4\u00ff\u00fc' }],
    ['another encoding', { 'x-hub-signature-256': `sha256=${mac(BODY, SECRET, 'base64')}` }],
    ['another algorithm', { 'x-hub-signature-256': `sha1=${mac(BODY, SECRET, 'hex', 'sha1')}` }],
    ['another header', { 'x-hub-signature': `sha256=${mac(BODY)}` }],
    ['an empty header', { 'x-hub-signature-256': '' }],
    ['a prefix alone', { 'x-hub-signature-256': 'sha256=' }],
  ])('refuses %s', async (_, headers) => {
    expectError(await call(headers), 401, UNVERIFIED);
    expect(await messages()).toEqual([]);
  });

  it('accepts one valid signature of repeated headers', async () => {
    const repeated = ['sha256=00', github()['x-hub-signature-256']];
    expect((await call({ 'x-hub-signature-256': repeated })).text).toBe('ok');
  });

  it('does not concern managers, previews and other modules', async () => {
    await call();
    const [{ id }] = await kept();
    expect((await admin.post(`${place()}/requests/${id}/replay`)).status).toBe(200);
    const preview = await admin.post(`${place()}/preview`, { payload: BODY });
    expect(preview.body.posts[0].message).toBe('Build 812 is grün.');
    await server.app.get(HookPoster, { strict: false }).post(hook.id, { text: 'from the server' });
    expect((await messages()).sort()).toEqual(['Build 812 is grün.', 'from the server']);
  });

  it('lets nobody in if its secret cannot be read, until it is sent again', async () => {
    await server.app
      .get(DataSource)
      .getRepository(IncomingHook)
      .update({ id: hook.id }, { sealedVerifierSecrets: 'v2.00000000.AAAA' });
    const options = { raw: BODY, headers: github(), isBroken: true };
    expectError(await server.anonymous.post(`/hooks/${hook.id}`, undefined, options), 500);
    expectError(await patch({ preset: 'github' }), 400, BAD_BODY, 'verifier.secret');
    expect((await patch(GITHUB)).status).toBe(200);
    expect((await call(github())).text).toBe('ok');
  });

  it('leaves no secret in the audit log', async () => {
    await patch({ preset: 'github', secret: NEXT });
    const { text } = await admin.get('/audits?per_page=200');
    expect(text).toContain('patch_incoming_webhook');
    for (const secret of [SECRET, NEXT, 'verifier']) expect(text).not.toContain(secret);
  });
});
