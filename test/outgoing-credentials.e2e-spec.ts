import { DataSource } from 'typeorm';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { OutgoingHook } from '../src/outgoing-hooks/outgoing-hook.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { buildMember, buildTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const SECRET = 'correct horse "battery" staple';
const KEY = { name: 'X-Api-Key', value: SECRET, secret: true };
const BASIC = { type: 'basic', username: 'hookline', password: SECRET };
const BEARER = { type: 'bearer', token: 'a-bearer-token-of-the-receiver' };

/** docs/contract/outgoing-webhooks.md#headers and #authentication */
describe('headers and authentication of an outgoing webhook', () => {
  let server: TestServer;
  let receiver: Receiver;
  let teamId: string;
  let channelId: string;

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,50ms' });
    receiver = await Receiver.start();
    ({ id: teamId, channelId } = await buildTeam(server.admin));
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });
  beforeEach(() => {
    receiver.answer = (_, response) => void response.end();
    receiver.calls.length = 0;
  });

  const fields = (more: object): Record<string, unknown> => ({
    channel_id: channelId,
    trigger_words: [newId()],
    callback_urls: [receiver.url(`/${newId()}`)],
    content_type: 'application/json',
    ...more,
  });
  const build = (more: object = {}): Promise<any> => buildOutgoingHook(server.admin, teamId, fields(more));
  const patch = ({ id }: any, change: object): Promise<Answer> =>
    server.admin.patch(`${HOOKS}/${id}`, change);
  const fire = async (hook: any): Promise<any> => {
    const message = { channel_id: channelId, message: hook.trigger_words[0] };
    await server.admin.call('POST', '/posts', message);
    return deliveryOf(hook);
  };
  const deliveryOf = async (hook: any, status = 'delivered'): Promise<any> => {
    const { id } = await eventually(async () => {
      const { body } = await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=${status}`);
      return body.deliveries[0];
    });
    return (await server.admin.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body;
  };
  const stored = ({ id }: any): Promise<OutgoingHook> =>
    server.app.get(DataSource).getRepository(OutgoingHook).findOneByOrFail({ id });
  const lastHeaders = (): Record<string, unknown> => receiver.calls.at(-1)!.headers;

  it('are sent with each call, and never shown if they are secret', async () => {
    receiver.answer = ({ headers }, response) => {
      response.setHeader('x-echo', String(headers['x-api-key']));
      response.end(JSON.stringify({ echo: [headers['x-api-key'], headers['authorization']] }));
    };
    const hook = await build({ headers: [KEY, { name: 'X-Stage', value: 'blue' }], auth: BASIC });
    expect(hook).toMatchObject({
      headers: [
        { name: 'X-Api-Key', secret: true },
        { name: 'X-Stage', secret: false, value: 'blue' },
      ],
      auth: { type: 'basic', username: 'hookline' },
      secrets_unreadable: false,
    });
    const delivery = await fire(hook);
    const credentials = Buffer.from(`hookline:${SECRET}`).toString('base64');
    const sent = { 'x-api-key': SECRET, 'x-stage': 'blue', authorization: `Basic ${credentials}` };
    expect(lastHeaders()).toMatchObject(sent);
    const request = await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${delivery.id}/request`);
    const shown = { 'X-Api-Key': '[redacted]', 'X-Stage': 'blue', authorization: 'Basic [redacted]' };
    expect(request.body.headers).toMatchObject(shown);
    const test = await server.admin.post(`${HOOKS}/${hook.id}/test`, {});
    expect(lastHeaders()).toMatchObject(sent);
    expect(test.body).toMatchObject({ request: { headers: shown }, response: { status_code: 200 } });
    const dryRun = await server.admin.post(`${HOOKS}/${hook.id}/dry_run`, { trigger_words: ['x'] });
    const explained = await server.admin.post(`${HOOKS}/explain`, { channel_id: channelId, message: 'x' });
    expect([dryRun.status, explained.status]).toEqual([200, 200]);
    const list = await server.admin.get(`${HOOKS}?team_id=${teamId}`);
    const audits = await server.app.get(DataSource).getRepository(Audit).find();
    const row = await stored(hook);
    const texts = [
      hook,
      delivery,
      request.body,
      test.body,
      dryRun.body,
      explained.body,
      list.body,
      audits,
      row,
    ];
    for (const text of texts.map((each) => JSON.stringify(each))) {
      expect(text).not.toContain('correct horse');
      expect(text).not.toContain(credentials);
    }
    expect(delivery.attempt_list[0].reply).toContain('[redacted]');
  });

  it.each(['get', 'set', 'has', 'toJSON', 'constructor', '~!'])('may have the name %s', async (name) => {
    const hook = await build({ headers: [{ name, value: 'x' }] });
    await fire(hook);
    expect(Object.entries(lastHeaders())).toContainEqual([name.toLowerCase(), 'x']);
  });

  it('change with PUT and PATCH, and keep values that are not sent', async () => {
    const hook = await build({ headers: [KEY], auth: BASIC });
    const { id, channel_id: place, display_name: name, description } = hook;
    const put = { id, channel_id: place, display_name: name, description };
    expect((await server.admin.put(`${HOOKS}/${id}`, put)).body).toMatchObject({ auth: hook.auth });
    const whole = await server.admin.put(`${HOOKS}/${id}`, { ...hook, display_name: 'Sent back' });
    expect(whole.body).toMatchObject({ headers: hook.headers, auth: hook.auth });
    const more = [{ name: 'x-api-key' }, { name: 'X-New', value: 'n' }];
    const changed = await patch(hook, { headers: more, auth: { type: 'basic', username: 'other' } });
    expect(changed.body).toMatchObject({
      headers: [
        { name: 'x-api-key', secret: true },
        { name: 'X-New', secret: false, value: 'n' },
      ],
      auth: { type: 'basic', username: 'other' },
    });
    await fire(hook);
    expect(lastHeaders()).toMatchObject({
      'x-api-key': SECRET,
      'x-new': 'n',
      authorization: `Basic ${Buffer.from(`other:${SECRET}`).toString('base64')}`,
    });
    await patch(hook, { auth: BEARER });
    await server.admin.post(`${HOOKS}/${id}/test`, {});
    expect(lastHeaders()).toMatchObject({ authorization: `Bearer ${BEARER.token}` });
    const none = await patch(hook, { headers: null, auth: null });
    expect(none.body).toMatchObject({ headers: [], auth: null });
    expect(await stored(hook)).toMatchObject({
      headers: null,
      sealedHeaders: '',
      auth: null,
      sealedAuth: '',
    });
    await server.admin.post(`${HOOKS}/${id}/test`, {});
    expect(Object.keys(lastHeaders())).not.toEqual(expect.arrayContaining(['authorization']));
    expect(Object.keys(lastHeaders())).not.toEqual(expect.arrayContaining(['x-api-key']));
  });

  const item = (change: object): object => ({ headers: [KEY, { name: 'X', value: 'x', ...change }] });
  it.each<[string, object, string]>([
    ['headers', { headers: 'x' }, 'list'],
    ['headers', { headers: Array.from({ length: 21 }, (_, n) => ({ name: `X${n}`, value: 'x' })) }, '20'],
    ['headers', { headers: ['A', 'B', 'C'].map((name) => ({ name, value: 'x'.repeat(4_096) })) }, '8192'],
    ['headers[0]', { headers: ['x'] }, 'object'],
    ['headers[1].name', item({ name: 'x-api-KEY' }), 'same name'],
    ['headers[1].name', item({ name: 'a b' }), '1 to 100'],
    ['headers[1].name', item({ name: 'x'.repeat(101) }), '1 to 100'],
    ['headers[1].name', item({ name: '' }), '1 to 100'],
    ...[
      'Host',
      'CONTENT-LENGTH',
      'content-type',
      'connection',
      'transfer-encoding',
      'te',
      'upgrade',
      'expect',
    ]
      .concat([
        'webhook-id',
        'webhook-signature',
        'X-Hookline-Signature-256',
        'user-agent',
        'proxy-authorization',
      ])
      .map((name): [string, object, string] => [
        'headers[1].name',
        item({ name }),
        'sets this header itself',
      ]),
    ['headers[1].value', item({ value: 'a\r\nb: c' }), 'printable'],
    ['headers[1].value', item({ value: 'ü' }), 'printable'],
    ['headers[1].value', item({ value: 'a\tb' }), 'printable'],
    ['headers[1].value', item({ value: ' x' }), 'spaces'],
    ['headers[1].value', item({ value: '' }), '1 to 4096'],
    ['headers[1].value', item({ value: 'x'.repeat(4_097) }), '4096'],
    ['headers[1].value', item({ value: null }), 'missing'],
    ['headers[1].value', item({ value: 1 }), 'printable'],
    ['headers[1].secret', item({ secret: 'yes' }), 'true or false'],
    ['headers[1].valeu', item({ valeu: 'x' }), 'no such field'],
    ['auth', { auth: 'x' }, 'object'],
    ['auth.type', { auth: {} }, 'basic, bearer, oauth2'],
    ['auth.username', { auth: { type: 'basic', username: 'a:b', password: 'x' } }, 'colon'],
    ['auth.username', { auth: { type: 'basic', password: 'x' } }, 'string'],
    ['auth.password', { auth: { type: 'basic', username: 'a' } }, 'missing'],
    ['auth.password', { auth: { type: 'basic', username: 'a', password: 'a\nb' } }, 'printable'],
    ['auth.token', { auth: { type: 'bearer', token: 'a b' } }, 'spaces'],
    ['auth.username', { auth: { ...BEARER, username: 'a' } }, 'no such field'],
    ['auth.token_url', { auth: { type: 'oauth2', token_url: 'ftp://x' } }, 'http'],
    ['auth.token_url', { auth: { type: 'oauth2', token_url: 'https://x/#a' } }, 'fragment'],
    ['auth.client_id', { auth: { type: 'oauth2', token_url: 'https://x/' } }, 'string'],
    ['headers[0].name', { headers: [{ name: 'Authorization', value: 'x' }], auth: BEARER }, 'auth sets'],
  ])('are refused, naming %s (%#)', async (field, body, reason) => {
    const hook = await build();
    for (const answer of [
      await server.admin.post(HOOKS, { team_id: teamId, display_name: 'No', ...fields(body) }),
      await patch(hook, body),
    ]) {
      expectError(answer, 400, BAD_BODY, `Invalid ${field} in`);
      expect(answer.body.message).toContain(reason);
      expect(answer.text).not.toContain('correct horse');
    }
    expect(await stored(hook)).toMatchObject({ headers: null, auth: null });
  });

  it('never show a secret value, not even as another kind of header', async () => {
    const hook = await build({ headers: [KEY] });
    const shown = await patch(hook, { headers: [{ name: 'X-Api-Key', secret: false }] });
    expectError(shown, 400, BAD_BODY, 'headers[0].secret');
    const { body } = await patch(hook, { headers: [{ name: 'X-Api-Key', value: 'open', secret: false }] });
    expect(body.headers).toEqual([{ name: 'X-Api-Key', secret: false, value: 'open' }]);
    const hidden = await patch(hook, { headers: [{ name: 'X-Api-Key', secret: true }] });
    expect(hidden.body.headers).toEqual([{ name: 'X-Api-Key', secret: true }]);
    await server.admin.post(`${HOOKS}/${hook.id}/test`, {});
    expect(lastHeaders()).toMatchObject({ 'x-api-key': 'open' });
  });

  it('send stored secrets to no host that the webhook did not call before', async () => {
    const other = await Receiver.start();
    const hook = await build({ headers: [KEY], auth: BASIC });
    const moved = { callback_urls: [other.url('/')] };
    expectError(await patch(hook, moved), 400, BAD_BODY, 'headers[0].value');
    expectError(await patch(hook, { ...moved, headers: [KEY] }), 400, BAD_BODY, 'auth.password');
    const kept = { ...moved, headers: [{ name: 'X-Api-Key' }], auth: BASIC };
    expectError(await patch(hook, kept), 400, BAD_BODY, 'headers[0].value');
    expect((await patch(hook, { callback_urls: [receiver.url('/another')] })).status).toBe(200);
    expect((await patch(hook, { ...moved, headers: [KEY], auth: BASIC })).status).toBe(200);
    const open = await build({ headers: [{ name: 'X-Stage', value: 'blue' }] });
    expect((await patch(open, moved)).body.headers).toEqual(open.headers);
    await other.close();
  });

  it('stay secret when a new value is sent for another host, unless declared plain', async () => {
    const hook = await build({ headers: [KEY] });
    const next = { name: 'X-API-Key', value: 'the next key' };
    const moved = { callback_urls: ['http://elsewhere.test/'] };
    expect((await patch(hook, { ...moved, headers: [next] })).body.headers).toEqual([
      { name: 'X-API-Key', secret: true },
    ]);
    expect(JSON.stringify(await stored(hook))).not.toContain(next.value);
    const back = { callback_urls: hook.callback_urls, headers: [{ ...next, secret: false }] };
    expect((await patch(hook, back)).body.headers).toEqual([{ ...next, secret: false }]);
  });

  it.each<[string, (hook: any) => Promise<Answer>]>([
    ['it', ({ id }) => server.admin.delete(`${HOOKS}/${id}`)],
    ['its channel', ({ channel_id: id }) => server.admin.delete(`/api/v4/channels/${id}`)],
  ])('are erased with the deletion of %s', async (_, remove) => {
    const team = await buildTeam(server.admin);
    const more = { channel_id: team.channelId, headers: [KEY, { name: 'X-Stage', value: 'blue' }] };
    const hook = await buildOutgoingHook(server.admin, team.id, fields({ ...more, auth: BASIC }));
    expect((await remove(hook)).status).toBe(200);
    const none = { headers: null, sealedHeaders: '', auth: null, sealedAuth: '' };
    expect(await stored(hook)).toMatchObject({ ...none, deleteAt: expect.any(Number) });
    expect((await stored(hook)).deleteAt).toBeGreaterThan(0);
    const log = await server.admin.get(`${HOOKS}/${hook.id}/deliveries`);
    expect(log.status).toBe(200);
  });

  it('are hidden from those who may not use the webhook', async () => {
    const hook = await build({ headers: [{ name: 'X-Stage', value: 'blue' }], auth: BASIC });
    const channel = await server.admin.call('POST', '/channels', {
      ...{ team_id: teamId, name: newId(), display_name: 'Private', type: 'P' },
    });
    await patch(hook, { channel_id: channel.id });
    const manager = await buildMember(server, [teamId], true);
    const { body } = await manager.client.get(`${HOOKS}/${hook.id}`);
    expect(body).toMatchObject({ id: hook.id, token: '', headers: [], auth: null });
  });

  it('make the calls wait if they cannot be decrypted, until they are sent again', async () => {
    const hook = await build({ headers: [KEY], auth: BASIC });
    const other = await build({ headers: [KEY], auth: BASIC });
    const { sealedHeaders, sealedAuth } = await stored(other);
    await server.app
      .get(DataSource)
      .getRepository(OutgoingHook)
      .update(hook.id, { sealedHeaders, sealedAuth });
    await server.admin.call('PATCH', `${HOOKS}/${hook.id}`, { description: 'x' });
    const read = async () => (await server.admin.get(`${HOOKS}/${hook.id}`)).body;
    expect(await read()).toMatchObject({
      secrets_unreadable: true,
      headers: hook.headers,
      token: hook.token,
    });
    const UNREADABLE = 'app.webhooks.secrets_unreadable.app_error';
    expectError(await server.admin.post(`${HOOKS}/${hook.id}/test`, {}), 409, UNREADABLE);
    expectError(await patch(hook, { headers: hook.headers }), 400, BAD_BODY, 'headers[0].value');
    expectError(await patch(hook, { auth: hook.auth }), 400, BAD_BODY, 'auth.password');
    const again = await patch(hook, { headers: [{ name: KEY.name, value: SECRET }], auth: BASIC });
    expect(again.body.headers).toEqual(hook.headers);
    expect(await read()).toMatchObject({ secrets_unreadable: false });
    await fire(hook);
    expect(lastHeaders()).toMatchObject({ 'x-api-key': SECRET });
  });
});
