import { DataSource } from 'typeorm';
import { KeptRequest } from '../src/incoming-hooks/kept-requests/kept-request.entity.js';
import { RequestKeeper } from '../src/incoming-hooks/kept-requests/request-keeper.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel, channelName, joinChannel } from './factories/channels.js';
import { buildIncomingHook, buildMember, buildTeam, type BuiltUser } from './factories/incoming-hooks.js';
import { insertKeptRequest } from './factories/kept-requests.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { watchRowWrites } from './support/row-writes.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const NOT_KEPT = 'app.webhooks.get_incoming_request.app_error';
const CUT = 'app.webhooks.replay_incoming_request.cut.app_error';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** docs/contract/incoming-webhooks.md#kept-calls */
describe('the kept calls of an incoming webhook', () => {
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

  const place = (): string => `/hooks/incoming/${hook.id}/requests`;
  /** Each call has its own millisecond, because the newest are kept and listed first. */
  const call = async (
    raw: string | Buffer,
    headers: Record<string, string> = JSON_TYPE,
    query = '',
  ): Promise<Answer> => {
    const before = Date.now();
    while (Date.now() === before) await new Promise(setImmediate);
    return server.anonymous.post(`/hooks/${hook.id}${query}`, undefined, { raw, headers });
  };
  const kept = (query = ''): Promise<any[]> => admin.call('GET', `${place()}${query}`);
  const whole = (id: string): Promise<any> => admin.call('GET', `${place()}/${id}`);
  const requestIdOf = ({ headers }: Answer): string => String(headers['x-request-id']);
  const messages = async (): Promise<string[]> => {
    const { posts, order } = await admin.call('GET', `/channels/${channelId}/posts`);
    return order.map((id: string) => posts[id].message).filter((text: string) => !text.includes('joined'));
  };
  const flush = async (): Promise<void> => {
    for (const keeper of server.everywhere(RequestKeeper)) await keeper.flush();
  };
  const stored = (hookId = hook.id): Promise<number> =>
    server.app.get(DataSource).getRepository(KeptRequest).countBy({ hookId });

  it('are counted per webhook for administrators, for calls refused in the last day', async () => {
    const other = await buildIncomingHook(admin, channelId, { display_name: 'Other' });
    const mine = async (): Promise<any[]> =>
      (await admin.call('GET', '/hooks/incoming/refusing')).filter((one: any) => one.team_id === teamId);
    await call('{"text":"hi"}');
    expect(await mine()).toEqual([]);
    await call('{"text":5}');
    await call('{"text":"hi","channel":"nowhere"}');
    await flush();
    await insertKeptRequest(server, { hookId: other.id, createAt: Date.now() - 86_500_000, status: 400 });
    expect(await mine()).toEqual([
      {
        hook_id: hook.id,
        team_id: teamId,
        display_name: hook.display_name,
        refused_count: 2,
        last_refused_at: (await kept())[0].create_at,
        last_status: 404,
        last_message: (await kept())[0].message,
      },
    ]);
    const member = await buildMember(server, [teamId], true);
    await server.withSettings({ enableIncomingWebhooks: false }, async () => {
      expectError(await member.client.get('/hooks/incoming/refusing'), 403);
      const disabled = 'api.incoming_webhook.disabled.app_error';
      expectError(await admin.get('/hooks/incoming/refusing'), 501, disabled);
    });
  });

  it('do not include API calls below the same name', async () => {
    for (const path of [
      `/hooks/${hook.id}`,
      `/hooks/incoming/${hook.id}/nothing`,
      '/hooks/incoming/nothing/at/all',
    ])
      expectError(await server.admin.post(`/api/v4${path}`, { text: 5 }), 404);
    expect(await kept()).toEqual([]);
  });

  it('include refused calls, newest first, with their causes', async () => {
    const undecodable = await call('{"text":5}');
    const unknown = await call('{"text":"hi","channel":"nowhere"}');
    const list = await kept();
    expect(list).toEqual([
      {
        id: requestIdOf(unknown),
        create_at: expect.any(Number),
        status: 404,
        error_id: 'web.incoming_webhook.channel.app_error',
        message: unknown.body.message,
        body_size: 33,
        is_cut: false,
        not_understood: 0,
      },
      expect.objectContaining({
        id: requestIdOf(undecodable),
        status: 400,
        error_id: 'model.incoming_hook.parse_data.app_error',
        message: 'Invalid webhook payload: text must be a string.',
      }),
    ]);
    expect(await kept('?per_page=1&page=1')).toEqual([list[1]]);
    expect(await kept('?per_page=0')).toEqual([]);
  });

  it('are shown completely, with headers that contain no secret', async () => {
    const answer = await call(
      'text=hi',
      {
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'builder/1' },
        ...{ authorization: 'Bearer of something', 'x-gitlab-token': 'glpat', cookie: 'a=b' },
      },
      '?payload=%5B',
    );
    const [summary] = await kept();
    const request = await whole(requestIdOf(answer));
    expect(request).toEqual({
      ...summary,
      headers: expect.objectContaining({ 'user-agent': 'builder/1' }),
      query_payload: '[',
      body: 'text=hi',
      body_encoding: 'utf8',
      post_ids: [],
    });
    for (const name of ['authorization', 'x-gitlab-token', 'cookie'])
      expect(request.headers).not.toHaveProperty(name);
  });

  it.each([
    ['with a body that is too large', 413, '', { 'content-type': 'text/plain' }],
    ['with one of unknown length', 413, '', { 'transfer-encoding': 'chunked' }],
    ['at an address that is too long', 414, `?payload=${'x'.repeat(2_100)}`, {}],
  ])('include calls that were refused before they were read: %s', async (_, status, query, headers) => {
    const size = status === 413 ? server.settings.maxPayloadBytes + 513 : 2;
    const answer = await call(Buffer.alloc(size, '{'), { ...headers }, query);
    const request = await whole(requestIdOf(answer));
    expect(answer.status).toBe(status);
    expect(request).toMatchObject({ status, error_id: answer.body.id, message: answer.body.message });
    const length = 'transfer-encoding' in headers ? 0 : size;
    expect(request).toMatchObject({ body: '', body_size: length, is_cut: true });
    const replay = await admin.post(`${place()}/${request.id}/replay`);
    expectError(replay, 400, CUT);
  });

  it('include posted calls only with keep_requests', async () => {
    await call('{"text":"not kept"}');
    expect(await kept()).toEqual([]);
    hook = await buildIncomingHook(admin, channelId, { keep_requests: true });
    expect(hook.keep_requests).toBe(true);
    const { body } = await call('{"text":"kept"}', JSON_TYPE, '?wait=true');
    const [request] = await kept();
    expect(request).toMatchObject({ status: 200, error_id: '', message: '' });
    expect(await whole(request.id)).toMatchObject({ body: '{"text":"kept"}', post_ids: body.post_ids });
  });

  it('are enabled by an update, and unchanged by an update without the field', async () => {
    const update = (fields: object): Promise<any> =>
      admin.call('PUT', `/hooks/incoming/${hook.id}`, { ...hook, ...fields });
    expect(await update({ keep_requests: true })).toMatchObject({ keep_requests: true });
    expect(await update({ keep_requests: undefined })).toMatchObject({ keep_requests: true });
    expect(await update({ keep_requests: false })).toMatchObject({ keep_requests: false });
  });

  it('are repeated', async () => {
    const answer = await call('{"text":"later","channel":"later"}');
    expect(answer.status).toBe(404);
    const id = requestIdOf(answer);
    const again = await admin.post(`${place()}/${id}/replay`);
    expectError(again, 404, 'web.incoming_webhook.general.app_error');
    const fields = { team_id: teamId, name: 'later', display_name: 'Later', type: 'O' };
    const later = await admin.call('POST', '/channels', fields);
    const { status, post_ids: ids } = await admin.call('POST', `${place()}/${id}/replay`);
    expect(status).toBe('OK');
    expect(await admin.call('GET', `/posts/${ids[0]}`)).toMatchObject({
      channel_id: later.id,
      message: 'later',
      user_id: hook.user_id,
    });
    expect((await kept()).map((request) => request.id)).toEqual([id]);
  });

  it('are repeated byte by byte, including the query', async () => {
    hook = await buildIncomingHook(admin, channelId, { keep_requests: true });
    const latin = 'application/json; charset=iso-8859-1';
    await call(Buffer.from('{"text":"grün"}', 'latin1'), { 'content-type': latin });
    await call('', FORM_TYPE, '?payload=%7B%22text%22:%22query%22%7D');
    for (const { id } of await kept()) await admin.call('POST', `${place()}/${id}/replay`);
    expect((await messages()).sort()).toEqual(['grün', 'grün', 'query', 'query']);
  });

  it('are not repeated when their body was truncated', async () => {
    const answer = await call(`{"text":5,"props":"${'x'.repeat(64 * 1024)}"}`);
    const request = await whole(requestIdOf(answer));
    expect(request).toMatchObject({ is_cut: true, body_size: 64 * 1024 + 21 });
    expect(Buffer.byteLength(request.body)).toBe(64 * 1024);
    const replay = await admin.post(`${place()}/${request.id}/replay`);
    expectError(replay, 400, CUT);
    expect(replay.body.message).toContain('65536 bytes');
  });

  describe('for a target that others cannot read', () => {
    const DENIED = 'api.context.permissions.app_error';
    let owner: BuiltUser;
    let other: BuiltUser;
    let secret: any;

    beforeEach(async () => {
      owner = await buildMember(server, [teamId], true);
      other = await buildMember(server, [teamId], true);
      secret = await buildChannel(owner.client, teamId, { type: 'P' });
      hook = await buildIncomingHook(owner.client, channelId, { keep_requests: true });
    });

    const send = async (payload: object): Promise<string> => requestIdOf(await call(JSON.stringify(payload)));
    const shown = (client: ApiClient, id: string): Promise<Answer> => client.get(`${place()}/${id}`);

    it.each([
      ['a private channel, with #', () => `#${secret.name}`],
      ['a direct message', () => '@admin'],
    ])('are listed for users who manage the webhook, but not shown: %s', async (_, nameOf) => {
      const posted = await send({ text: 'private', channel: nameOf() });
      const refused = await send({ text: 'private', channel: nameOf(), type: 'unknown' });
      const list = await other.client.call('GET', place());
      expect(list.map(({ id, status }: any) => [id, status])).toEqual([
        [refused, 400],
        [posted, 200],
      ]);
      expect(JSON.stringify(list)).not.toContain(nameOf());
      for (const id of [posted, refused]) {
        expectError(await shown(other.client, id), 403, DENIED);
        expectError(await other.client.post(`${place()}/${id}/replay`), 403, DENIED);
        for (const client of [owner.client, admin])
          expect((await shown(client, id)).body.body).toContain('private');
      }
    });

    it.each([
      ['of the wrong type', '{"text":5,"channel":"@admin"}', JSON_TYPE, '', 400],
      ['that is broken off', '{"channel":"@admin","text":"private', JSON_TYPE, '', 400],
      ['with a channel that does not exist', '{"text":"private","channel":"nowhere"}', JSON_TYPE, '', 404],
      ['as a form', 'payload={"text":"private","channel":"@nobody-there"}', FORM_TYPE, '', 400],
      [
        'in the query of a body that is too large',
        undefined,
        FORM_TYPE,
        '?payload={"channel":"@admin"}',
        413,
      ],
    ])('are not shown while their target is unknown: %s', async (...row) => {
      const [, body = Buffer.alloc(server.settings.maxPayloadBytes + 513), headers, query, status] = row;
      const refused = await call(body, headers, query.replace(/[{"}]/g, encodeURIComponent));
      expect(refused.status).toBe(status);
      const id = requestIdOf(refused);
      expect(await other.client.call('GET', place())).toMatchObject([{ id, status }]);
      expectError(await shown(other.client, id), 403, DENIED);
      expectError(await other.client.post(`${place()}/${id}/replay`), 403, DENIED);
      for (const client of [owner.client, admin]) expect((await shown(client, id)).status).toBe(200);
    });

    it('are shown when they were refused and name no channel', async () => {
      const id = await send({ text: 'for all', type: 'unknown' });
      expect((await shown(other.client, id)).body.body).toContain('for all');
    });

    it('are not shown once the webhook has moved out of a private channel', async () => {
      hook = await buildIncomingHook(owner.client, secret.id);
      const id = await send({ text: 'private', type: 'unknown' });
      await owner.client.call('PUT', `/hooks/incoming/${hook.id}`, { ...hook, channel_id: channelId });
      const later = await send({ text: 'for all', type: 'unknown' });
      expect((await shown(other.client, later)).status).toBe(200);
      expectError(await shown(other.client, id), 403, DENIED);
      expect((await shown(owner.client, id)).status).toBe(200);
    });

    it('are shown to members of the channel, and when the channel is public', async () => {
      const open = await buildChannel(owner.client, teamId);
      const inOpen = await send({ text: 'open', channel: open.name });
      const inSecret = await send({ text: 'private', channel: secret.name });
      await joinChannel(owner.client, secret.id, other.id);
      for (const id of [inOpen, inSecret]) expect((await shown(other.client, id)).status).toBe(200);
    });

    it('stay hidden when the channel is renamed or the message is deleted', async () => {
      const renamed = await send({ text: 'private', channel: secret.name });
      await owner.client.call('PUT', `/channels/${secret.id}/patch`, { name: channelName() });
      await buildChannel(other.client, teamId, { name: secret.name });
      expectError(await shown(other.client, renamed), 403, DENIED);
      const deleted = await send({ text: 'said too much' });
      const [postId] = (await shown(other.client, deleted)).body.post_ids;
      await owner.client.call('DELETE', `/posts/${postId}`);
      expectError(await shown(other.client, deleted), 403, DENIED);
    });
  });

  it('belong to one webhook', async () => {
    const { id } = await insertKeptRequest(server);
    for (const unknown of [id, newId()]) {
      expectError(await admin.get(`${place()}/${unknown}`), 404, NOT_KEPT);
      const replay = await admin.post(`${place()}/${unknown}/replay`);
      expectError(replay, 404, NOT_KEPT);
    }
    expectError(
      await admin.get(`${place()}/short`),
      400,
      'api.context.invalid_url_param.app_error',
      'request_id',
    );
  });

  it('are limited to the last fifty', async () => {
    const answers: Answer[] = [];
    for (let count = 0; count < 60; count++) answers.push(await call('{'));
    const newest = answers.map(requestIdOf).reverse().slice(0, 50);
    expect((await kept()).map(({ id }) => id).sort()).toEqual([...newest].sort());
    const last = await call('[');
    expect((await kept()).map(({ id }) => id)).toContain(requestIdOf(last));
    expect(await stored()).toBe(50);
  });

  it('are dropped from the largest webhook first: a flood drops no calls of quiet webhooks', async () => {
    await call('{');
    await kept();
    const flooder = await buildMember(server, [teamId], true);
    const quiet = await buildIncomingHook(flooder.client, channelId);
    await insertKeptRequest(server, { hookId: quiet.id, createAt: 1 });
    for (let count = 0; count < 41; count++) {
      const { id: hookId } = await buildIncomingHook(flooder.client, channelId);
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          insertKeptRequest(server, { hookId, createAt: Date.now() + 60_000 + count * 50 + i }),
        ),
      );
    }
    const noisy = await buildIncomingHook(flooder.client, channelId);
    await server.anonymous.post(`/hooks/${noisy.id}`, undefined, { raw: '{', headers: JSON_TYPE });
    await flush();
    expect([await stored(), await stored(quiet.id), await stored(noisy.id)]).toEqual([1, 1, 1]);
    expect(await server.app.get(DataSource).getRepository(KeptRequest).count()).toBe(2_000);
  });

  it.each([
    ['webhook', () => `/hooks/incoming/${hook.id}`],
    ['channel', () => `/channels/${channelId}`],
  ])('are deleted with their webhook, including unsaved ones, with the %s', async (_, path) => {
    await call('{');
    await kept();
    expect(await stored()).toBe(1);
    await call('{');
    await admin.call('DELETE', path());
    await flush();
    expect(await stored()).toBe(0);
    expectError(await admin.get(place()), 404, 'app.webhooks.get_incoming.app_error');
  });

  it('return 404 for an unknown webhook', async () => {
    await server.anonymous.post(`/hooks/${newId()}`, { text: 'hi' });
    await server.anonymous.post(`/hooks/${newId()}`, undefined, { raw: '{', headers: JSON_TYPE });
    for (const keeper of server.everywhere(RequestKeeper)) expect(keeper['pending'].size).toBe(0);
  });

  it('add no cost to an accepted call', async () => {
    const count = await watchRowWrites(server);
    const writes = await count(async () => {
      for (let calls = 0; calls < 20; calls++) await call(`{"text":"${calls}"}`);
      await flush();
    });
    expect(writes).toMatchObject({ posts: 20 });
    expect(writes).not.toHaveProperty('incoming_webhook_requests');
  });
});
