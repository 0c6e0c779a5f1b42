import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { EntityManager, Repository } from 'typeorm';
import { secretHash } from '../src/platform/audit/audit.service.js';
import { newId } from '../src/platform/common/ids.js';
import { RefusedCalls } from '../src/incoming-hooks/execution/refused-calls.js';
import { RequestKeeper } from '../src/incoming-hooks/kept-requests/request-keeper.js';
import { ChannelsService } from '../src/messaging/channels/channels.service.js';
import { WebhookPostsService } from '../src/messaging/posts/webhook/webhook-posts.service.js';
import { UsersService } from '../src/messaging/users/users.service.js';
import { expectError } from './support/expect-error.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import type { ApiClient, Answer, RequestOptions } from './support/api-client.mjs';
import { UsersRepository } from '../src/messaging/users/users.repository.js';
import { buildChannel } from './factories/channels.js';
import { buildIncomingHook, buildTeam } from './factories/incoming-hooks.js';
import { type BuiltUser, buildUser, newAccount } from './factories/users.js';
import { storedRows } from './support/stored-rows.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const MAX_RUNES = 16_383;
const MAX_BYTES = 2_000_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = 'application/x-www-form-urlencoded';
const FORM_TYPE = { 'content-type': FORM };
const GENERAL = 'web.incoming_webhook.general.app_error';
const DECODE = 'web.incoming_webhook.decode.app_error';

/** docs/contract/incoming-webhooks.md#posting */
describe('executing an incoming webhook', () => {
  let server: TestServer;
  let admin: ApiClient;
  let teamId: string;
  let channel: { id: string; name: string };
  let other: { id: string; name: string };
  let hook: { id: string; display_name: string };
  let member: ApiClient;
  let memberId: string;

  const makeChannel = (name: string): Promise<any> =>
    buildChannel(admin, teamId, { name, display_name: name });
  const makeSecret = (): Promise<any> => buildChannel(admin, teamId, { type: 'P' });
  const makeHook = ({ channel_id = channel.id, ...fields }: Record<string, any> = {}): Promise<any> =>
    buildIncomingHook(admin, channel_id, fields);
  const join = (userId: string, team = teamId): Promise<any> =>
    admin.call('POST', `/teams/${team}/members`, { team_id: team, user_id: userId });
  const execute = (
    raw: string | Buffer,
    headers: Record<string, string> = JSON_TYPE,
    path = '',
  ): Promise<Answer> => server.anonymous.post(`/hooks/${hook.id}${path}`, undefined, { raw, headers });
  const send = (payload: unknown, id = hook.id, options: RequestOptions = {}): Promise<Answer> =>
    server.anonymous.post(`/hooks/${id}`, payload, options);
  const latest = async (channelId = channel.id, count = 1): Promise<any[]> => {
    const { body } = await admin.get(`/channels/${channelId}/posts?per_page=${count}`);
    return body.order.map((id: string) => body.posts[id]);
  };
  const expectOk = (answer: Answer): void => {
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'ok' });
  };

  /** The default, because several users here administer a team. */
  const trusting = <T>(action: () => Promise<T>): Promise<T> =>
    server.withSettings({ sharedWebhookDirectMessages: true }, action);

  beforeAll(async () => {
    server = await startTestServer({
      SHARED_WEBHOOK_DIRECT_MESSAGES: 'false',
      MAX_PAYLOAD_BYTES: String(MAX_BYTES),
    });
    ({ admin } = server);
    teamId = (await admin.get('/teams/name/main')).body.id;
    channel = await makeChannel('builds');
    other = await makeChannel('elsewhere');
    hook = await makeHook();
    ({ id: memberId, client: member } = await buildUser(server, { username: 'hook-owner' }));
    await join(memberId);
  });
  afterAll(() => server.close());

  // First, because the log belongs to the server that was started last.
  describe('a refused call', () => {
    const warnings = (): any[] =>
      server.logs
        .map((line) => JSON.parse(line))
        .filter(({ level, context }) => level === 'warn' && context === 'IncomingHooks');
    const requestId = ({ headers }: Answer): string => String(headers['x-request-id']);
    const lineOf = (answer: Answer): Promise<any> =>
      eventually(() => warnings().find(({ msg }) => msg.includes(requestId(answer))));

    it('is logged with the webhook, the reason and the request', async () => {
      const fresh = await makeHook({ display_name: 'Deploy "east"' });
      const refused = await send({ text: 'x', channel: 'no-such-channel' }, fresh.id);
      const { msg } = await lineOf(refused);
      expect(msg).toContain('"Deploy \\"east\\""');
      expect(msg).toContain(secretHash(fresh.id));
      expect(msg).toContain(
        `404 ${GENERAL} (web.incoming_webhook.channel.app_error): Invalid webhook payload: `,
      );
      expect(server.logs.join('')).not.toContain(fresh.id);
    });

    it('is logged if it is refused before it is read', async () => {
      const fresh = await makeHook({ display_name: 'Big' });
      const refused = await server.anonymous.post(`/hooks/${fresh.id}`, undefined, {
        raw: Buffer.alloc(server.settings.maxPayloadBytes + 1, 'x'),
        headers: JSON_TYPE,
      });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect((await lineOf(refused)).msg).toContain('The incoming webhook "Big"');
    });

    // Each process logs it.
    const toFirst = (body: unknown, id: string): Promise<Answer> => server.first.post(`/hooks/${id}`, body);

    it('is logged once a minute, with the number and all requests', async () => {
      const fresh = await makeHook({ display_name: 'Noisy' });
      const refused: Answer[] = [];
      for (let count = 0; count < 5; count++) refused.push(await toFirst({ text: '' }, fresh.id));
      await lineOf(refused[0]!);
      const calls = server.app.get(RefusedCalls, { strict: false });
      await eventually(() => calls['warnings']['intervals'].get(fresh.id)?.count === 4);
      calls['warnings'].flush();
      const lines = warnings().filter(({ msg }) => msg.includes('"Noisy"'));
      expect(lines).toHaveLength(2);
      expect(lines[1].msg).toContain('refused 4 calls, the last: 400 ');
      for (const answer of refused.slice(1)) expect(lines[1].msg).toContain(requestId(answer));
    });

    it('shares one line among unknown webhooks', async () => {
      const calls = server.app.get(RefusedCalls, { strict: false });
      calls['warnings'].flush();
      const first = await toFirst({ text: 'x' }, newId());
      expect((await lineOf(first)).msg).toContain('An unknown incoming webhook (sha256:');
      const second = await toFirst({ text: 'x' }, newId());
      await eventually(() => calls['warnings']['intervals'].get('')?.ids.includes(requestId(second)));
    });
  });

  describe('transport', () => {
    it('does not decompress a compressed body, and logs it', async () => {
      const coded = { ...JSON_TYPE, 'content-encoding': 'gzip' };
      const answer = await execute(gzipSync('{"text":"small"}'), coded);
      expectError(answer, 400, DECODE, 'without that header');
      const plain = { ...JSON_TYPE, 'content-encoding': 'identity' };
      expect((await execute('{"text":5}', plain)).body.message).not.toContain('header');
    });

    it('responds with exactly ok as plain text, whatever the client accepts', async () => {
      const headers = { accept: 'application/json' };
      const answer = await send({ text: 'hello' }, hook.id, { headers });
      expectOk(answer);
      expect(answer.headers['content-type']).toBe('text/plain');
      expect((await latest())[0].message).toBe('hello');
    });

    // payload-decoder.spec.ts has all media types.
    it.each([
      ['a form', `payload=${encodeURIComponent('{"text":"x\ny"}')}`, FORM_TYPE, '', 'x\ny'],
      ['the query of a form', '', FORM_TYPE, `?payload=${encodeURIComponent('{"text":"q"}')}`, 'q'],
      ['JSON', '{"text":"a\nb\tc"} and more', JSON_TYPE, '', 'a\nb\tc'],
      ['no content type', '{"text":"none"}', {}, '', 'none'],
    ])('accepts a payload in %s', async (_name, raw, headers, query, message) => {
      expectOk(await execute(raw, headers as Record<string, string>, query));
      expect((await latest())[0].message).toBe(message);
    });

    it('accepts multipart parts by their names, and a whole payload', async () => {
      const boundary = 'xyz';
      const parts = (fields: Record<string, string>): string =>
        Object.entries(fields)
          .map(
            ([name, value]) =>
              `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
          )
          .join('') + `--${boundary}--\r\n`;
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      expectOk(await execute(parts({ text: 'in parts', UserName: 'parts-bot' }), headers));
      expect((await latest())[0]).toMatchObject({
        message: 'in parts',
        props: { override_username: 'parts-bot' },
      });
      expectOk(await execute(parts({ payload: '{"text":"whole"}' }), headers));
      expect((await latest())[0].message).toBe('whole');
      expect((await execute(parts({ text: 'x', surprise: 'y' }), headers)).status).toBe(400);
    });

    it.each([
      ['text after the media type', '{"text":"x"}', { 'content-type': `${FORM} this is junk` }],
      ['broken JSON', '{"text":', JSON_TYPE],
      ['too deep nesting', `{"text":"x","props":${'['.repeat(5000)}${']'.repeat(5000)}}`, JSON_TYPE],
    ])('refuses %s with 400', async (_name, raw, headers) => {
      const answer = await execute(raw, headers);
      expectError(answer, 400, DECODE);
      expect(answer.body.detailed_error).toBe('');
    });

    it('shows the inner cause in developer mode only', async () => {
      await server.withSettings({ developerMode: true }, async () => {
        expect((await send({ text: 'x' }, newId())).body.detailed_error).toContain(
          'web.incoming_webhook.invalid.app_error',
        );
      });
    });

    it('refuses a body over the limit with 413, declared or not', async () => {
      const raw = JSON.stringify({ text: 'x'.repeat(MAX_BYTES + 513) });
      const declared = await execute(raw);
      expectError(declared, 413, 'api.context.request_body_too_large.app_error');
      expect((await execute(raw, { ...JSON_TYPE, 'transfer-encoding': 'chunked' })).status).toBe(413);
    });

    it('ignores a stale session', async () => {
      expectOk(
        await send({ text: 'stale' }, hook.id, {
          headers: { authorization: 'Bearer nonsense', cookie: 'MMAUTHTOKEN=gone' },
        }),
      );
    });
  });

  describe('order of checks', () => {
    it('returns 501 when switched off', async () => {
      await server.withSettings({ enableIncomingWebhooks: false }, async () => {
        expect((await send({ text: 'x' })).status).toBe(501);
        expect((await execute('{"text":')).status).toBe(400); // decoding comes first
      });
    });

    it('requires text before it looks up the hook', async () => {
      for (const payload of [{}, { text: '', attachments: [] }, { attachments: [null] }])
        expectError(await send(payload, newId()), 400, GENERAL, 'text is missing');
      expectError(await send({ text: 'x' }, newId()), 400, GENERAL, 'webhook does not exist');
    });

    it('looks up and converts nothing for an unknown hook', async () => {
      const drafts = server.everywhere(WebhookPostsService).map((posts) => jest.spyOn(posts, 'drafts'));
      const spies = [
        ...drafts,
        ...(['find', 'findByName'] as const).flatMap((name) =>
          server.everywhere(ChannelsService).map((channels) => jest.spyOn(channels, name)),
        ),
        ...(['find', 'findAll', 'findByUsername'] as const).flatMap((name) =>
          server.everywhere(UsersService).map((users) => jest.spyOn(users, name)),
        ),
      ];
      try {
        const text = `<@${memberId}> @admin ~builds <https://example.com|label>`;
        const payload = { text, channel: '@admin', attachments: [{ text, fields: [{ value: 1e300 }] }] };
        expect((await send(payload, newId())).body.message).toContain('webhook does not exist');
        for (const spy of spies) expect(spy).not.toHaveBeenCalled();
        expectOk(await send(payload));
        const calls = drafts.map(({ mock }) => mock.calls.length);
        expect(calls.reduce((sum, count) => sum + count)).toBe(1);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    });

    it('stops at once when the hook is deleted', async () => {
      const doomed = await makeHook();
      expectOk(await send({ text: 'alive' }, doomed.id));
      await admin.delete(`/hooks/incoming/${doomed.id}`);
      expect((await send({ text: 'dead' }, doomed.id)).status).toBe(400);
    });
  });

  describe('the channel', () => {
    it('can be overridden by name or id in several spellings', async () => {
      const names = ['elsewhere', ' # ElseWhere ', other.id, `~${other.id} `];
      for (const name of names) expectOk(await send({ text: name, channel: name }));
      expect((await latest(other.id, names.length)).map((post) => post.message)).toEqual(names.reverse());
      expectOk(await send({ text: 'blank', channel: '  ' }));
      expect((await latest())[0].message).toBe('blank');
    });

    it('must exist: 404 with the closest name that the webhook may post into', async () => {
      const secret = await makeSecret();
      const { channelId: abroad } = await buildTeam(admin);
      const theirs = await makeHook({ user_id: memberId });
      const locked = await makeHook({ channel_locked: true });
      const suggested = async (name: string, id: string): Promise<string | undefined> => {
        const answer = await send({ text: 'x', channel: name }, id);
        expectError(answer, 404, GENERAL);
        return / Did you mean (\S+)\?$/.exec(answer.body.message)?.[1];
      };
      for (const name of ['junk', '#', '#junk', abroad, newId()])
        expect(await suggested(name, hook.id)).toBeUndefined();
      expect(await suggested('#Elsewere', hook.id)).toBe('elsewhere');
      expect(await suggested('Town Square', hook.id)).toBe('town-square');
      expect(await suggested(`${secret.name}s`, theirs.id)).toBeUndefined();
      await admin.post(`/channels/${secret.id}/members`, { user_id: memberId });
      expect(await suggested(`${secret.name}s`, theirs.id)).toBe(secret.name);
      expect(await suggested('elsewere', locked.id)).toBeUndefined();
      expect(await suggested('bilds', locked.id)).toBe('builds');
      await Promise.all(server.everywhere(RequestKeeper).map((keeper) => keeper.flush()));
      const { body } = await admin.get(`/hooks/incoming/${theirs.id}/requests`);
      expect(body).toHaveLength(2);
      expect(JSON.stringify(body)).not.toContain(secret.name);
    });

    it('must be a single one: several are refused with 400', async () => {
      for (const name of ['#builds,#elsewhere', 'builds, elsewhere', '@admin @hook-owner']) {
        const answer = await send({ text: 'x', channel: name });
        expectError(answer, 400, GENERAL, 'only one is allowed');
      }
    });

    it('is a direct one for @username, created on demand, even with oneself', async () => {
      expectOk(await send({ text: 'psst', channel: ' @Hook-Owner ' }));
      expectOk(await send({ text: 'note to self', channel: '@admin' }));
      const name = [server.adminId, memberId].sort().join('__');
      const mine = (await member.get(`/users/me/teams/${teamId}/channels`)).body;
      const direct = mine.find((item: any) => item.name === name);
      expect((await latest(direct.id))[0].message).toBe('psst');
      expect((await send({ text: 'x', channel: '@nobody-of-this-name' })).status).toBe(400);
    });

    it('is a new direct one only within the limit of the owner, even under concurrency', async () => {
      const owner = await buildUser(server);
      await join(owner.id);
      const { id } = await makeHook({ user_id: owner.id });
      const people = await Promise.all(Array.from({ length: 4 }, () => buildUser(server)));
      const sendAll = (): Promise<Answer[]> =>
        Promise.all(people.map(({ username }) => send({ text: 'psst', channel: `@${username}` }, id)));
      const refusals = (answers: readonly Answer[]): number[] =>
        answers.flatMap(({ status }, index) => (status === 200 ? [] : [index]));
      await server.withSettings({ maxChannelsPerUser: 8 }, async () => {
        const refused = refusals(await sendAll());
        expect(refused).toHaveLength(2);
        const again = await sendAll(); // posting into an existing direct channel still works
        expect(refusals(again)).toEqual(refused);
        const id = 'api.channel.create_direct_channel.max_by_others.app_error';
        expectError(again[refused[0]!]!, 400, id, '2 direct channels that webhooks have started');
        for (const index of refused) {
          const answer = await owner.client.post('/channels/direct', [owner.id, people[index]!.id]);
          expect(answer.status).toBe(201);
        }
        expect(refusals(await sendAll())).toEqual([]);
      });
    });

    it('cannot be overridden when the hook is locked', async () => {
      const locked = await makeHook({ channel_locked: true });
      expectOk(await send({ text: 'own' }, locked.id));
      for (const name of [channel.name, ' #Builds', channel.id])
        expectOk(await send({ text: 'own by name', channel: name }, locked.id));
      const refused = await send({ text: 'x', channel: other.name }, locked.id);
      expectError(refused, 403, GENERAL);
      expect((await send({ text: 'x', channel: '@hook-owner' }, locked.id)).status).toBe(403);
    });

    it('must be readable by the owner when it is private', async () => {
      const secret = await makeSecret();
      const hooked = await makeHook({ user_id: memberId });
      const own = await makeHook({ user_id: memberId, channel_id: secret.id });
      expect((await send({ text: 'x', channel: secret.name }, hooked.id)).status).toBe(404);
      expect((await send({ text: 'x' }, own.id)).status).toBe(403);
      await admin.post(`/channels/${secret.id}/members`, { user_id: memberId });
      expectOk(await send({ text: 'now', channel: secret.name }, hooked.id));
      expectOk(await send({ text: 'here' }, own.id));
      await admin.delete(`/channels/${secret.id}/members/${memberId}`);
      expect((await send({ text: 'x', channel: secret.name }, hooked.id)).status).toBe(404);
      expect((await send({ text: 'x', channel: secret.name }, own.id)).status).toBe(403);
    });

    it('is reported as existing only where the webhook may post', async () => {
      const secret = await makeSecret();
      const others = await admin.call('POST', '/channels/direct', [server.adminId, memberId]);
      const stranger = await buildUser(server);
      for (const fields of [{}, { channel_locked: true }]) {
        const prober = await makeHook({ user_id: stranger.id, ...fields });
        const answers = [];
        for (const name of [secret.name, `#${secret.name}`, others.name, 'no-such-channel']) {
          const { status, body } = await send({ text: 'x', channel: name }, prober.id);
          answers.push({ status, ...body, request_id: '' });
        }
        expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
          new Set([JSON.stringify(answers[0])]),
        );
        expect(answers[0]).toMatchObject({ status: 404, id: GENERAL });
      }
    });

    it('is never a direct or group one without the owner, not even for an administrator', async () => {
      const one = await buildUser(server);
      const two = await buildUser(server);
      const direct = await admin.call('POST', '/channels/direct', [one.id, two.id]);
      const group = await one.client.call('POST', '/channels/group', [one.id, two.id, memberId]);
      const mine = await makeHook({ channel_locked: false });
      for (const { name } of [direct, group])
        expect((await send({ text: 'I am everywhere', channel: name }, mine.id)).status).toBe(404);
      const theirs = await makeHook({ user_id: one.id });
      for (const { name } of [direct, group])
        expectOk(await send({ text: 'I am here', channel: name }, theirs.id));
    });

    it('is not found by name once archived', async () => {
      const old = await buildChannel(admin, teamId);
      expectOk(await send({ text: 'before', channel: old.name }));
      await admin.delete(`/channels/${old.id}`);
      expect((await send({ text: 'x', channel: old.name })).status).toBe(404);
    });

    it.each([
      [
        'is deactivated',
        (id: string) => admin.put(`/users/${id}/active`, { active: false }),
        (id: string) => admin.put(`/users/${id}/active`, { active: true }),
      ],
      [
        'has left the team',
        (id: string) => admin.delete(`/teams/${teamId}/members/${id}`),
        (id: string) => admin.post(`/teams/${teamId}/members`, { team_id: teamId, user_id: id }),
      ],
    ])('is a public one while the owner %s', async (_, part, comeBack) => {
      // An administrator reads every channel, so only the state of the account matters.
      const owner = await buildUser(server, { roles: 'system_admin system_user' });
      await join(owner.id);
      const secret = await makeSecret();
      const { name: direct } = await admin.call('POST', '/channels/direct', [owner.id, memberId]);
      const open = await makeHook({ user_id: owner.id });
      const hidden = await makeHook({ user_id: owner.id, channel_id: secret.id });
      const statuses = async (): Promise<number[]> => {
        const answers = [await send({ text: 'own private' }, hidden.id)];
        for (const name of ['', other.name, secret.name, direct, '@hook-owner'])
          answers.push(await send({ text: 'x', channel: name }, open.id));
        return answers.map(({ status }) => status);
      };
      expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
      expect((await part(owner.id)).status).toBeLessThan(300);
      expect(await statuses()).toEqual([403, 200, 200, 404, 404, 403]);
      await server.withSettings({ disableOrphanedHooks: true }, async () => {
        expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403]);
        const { body } = await send({ text: 'x' }, open.id);
        expect(body.id).toBe('web.incoming_webhook.orphaned.app_error');
        expectOk(await send({ text: 'the owner of this one is active' }));
      });
      expect((await comeBack(owner.id)).status).toBeLessThan(300);
      await server.withSettings({ disableOrphanedHooks: true }, async () =>
        expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]),
      );
    });
  });

  describe('a webhook that another user created for its owner', () => {
    const MAY_ALL = 'system_admin system_user';
    let victim: BuiltUser;
    let friend: BuiltUser;
    let maker: BuiltUser;
    let secret: { id: string; name: string };
    const teamAdmins: string[] = [];

    const buildTeamAdmin = async (fields: Record<string, unknown> = {}): Promise<BuiltUser> => {
      const user = await buildUser(server, fields);
      await join(user.id);
      const roles = { scheme_user: true, scheme_admin: true };
      await admin.call('PUT', `/teams/${teamId}/members/${user.id}/schemeRoles`, roles);
      teamAdmins.push(user.id);
      return user;
    };
    const makeAs = ({ client }: BuiltUser, fields: Record<string, unknown> = {}): Promise<any> =>
      client.call('POST', '/hooks/incoming', { channel_id: channel.id, user_id: victim.id, ...fields });
    const statusOf = async (id: string, target: string): Promise<number> =>
      (await send({ text: 'Sincerely yours', channel: target }, id)).status;

    beforeAll(async () => {
      [victim, maker, friend] = [await buildTeamAdmin(), await buildTeamAdmin(), await buildUser(server)];
      secret = await makeSecret();
      await admin.call('POST', `/channels/${secret.id}/members`, { user_id: victim.id });
    });

    afterAll(async () => {
      for (const id of teamAdmins) await admin.call('DELETE', `/teams/${teamId}/members/${id}`);
    });

    it('does not post to direct or group channels, and creates none', async () => {
      const { id } = await makeAs(maker);
      const refused = await send({ text: 'Sincerely yours', channel: `@${friend.username}` }, id);
      expectError(refused, 403, GENERAL, 'another user created or changed it');
      const { body: channels } = await victim.client.get(`/users/me/teams/${teamId}/channels`);
      expect(channels.filter(({ type }: any) => type === 'D')).toEqual([]);
      const direct = await victim.client.call('POST', '/channels/direct', [victim.id, friend.id]);
      const group = await victim.client.call('POST', '/channels/group', [victim.id, friend.id, maker.id]);
      for (const { name } of [direct, group]) expect(await statusOf(id, name)).toBe(404);
      expect(await statusOf(id, `@${friend.username}`)).toBe(403);
      expect(await statusOf(id, '')).toBe(200);
      expect(await statusOf(id, other.name)).toBe(200);
    });

    it('posts into private channels that both can read, and into its own', async () => {
      const { id } = await makeAs(maker);
      expect(await statusOf(id, secret.name)).toBe(404);
      await admin.call('POST', `/channels/${secret.id}/members`, { user_id: maker.id });
      expect(await statusOf(id, secret.name)).toBe(200);
      const { id: own } = await makeAs(maker, { channel_id: secret.id });
      await admin.call('DELETE', `/channels/${secret.id}/members/${maker.id}`);
      expect(await statusOf(id, secret.name)).toBe(404);
      expect(await statusOf(own, '')).toBe(200);
      expect(await statusOf(own, `#${secret.name}`)).toBe(200);
    });

    it('can post wherever the owner can while its creator manages the webhooks of others', async () => {
      const boss = await buildTeamAdmin({ roles: MAY_ALL });
      const { id } = await makeAs(boss);
      const statuses = (): Promise<number[]> =>
        trusting(async () => [await statusOf(id, `@${friend.username}`), await statusOf(id, secret.name)]);
      expect(await statuses()).toEqual([200, 200]);
      await admin.call('PUT', `/users/${boss.id}/roles`, { roles: 'system_user' });
      expect(await statuses()).toEqual([403, 404]);
      await admin.call('PUT', `/users/${boss.id}/roles`, { roles: MAY_ALL });
      expect(await statuses()).toEqual([200, 200]);
      await admin.call('PUT', `/users/${boss.id}/active`, { active: false });
      expect(await statuses()).toEqual([403, 404]);
    });

    it('follows the same rules once another user has changed it', async () => {
      const mine = await makeAs(victim, { channel_locked: true });
      const directly = (): Promise<number> => trusting(() => statusOf(mine.id, `@${friend.username}`));
      const change = ({ client }: BuiltUser, fields: Record<string, unknown>): Promise<any> =>
        client.call('PUT', `/hooks/incoming/${mine.id}`, { ...mine, ...fields });
      await change(victim, { channel_locked: false });
      expect(await directly()).toBe(200);
      await admin.call('PUT', `/hooks/incoming/${mine.id}`, { ...mine, channel_locked: false });
      expect(await directly()).toBe(200); // by a system administrator
      await change(maker, { channel_locked: false });
      expect(await directly()).toBe(403);
      await change(victim, { channel_locked: false });
      expect(await directly()).toBe(403); // the other user still knows the URL
    });

    it('uses only caches', async () => {
      const { id } = await makeAs(await buildTeamAdmin({ roles: MAY_ALL }));
      const targets = ['', `@${friend.username}`, secret.name];
      const sendAll = (): Promise<number[]> =>
        trusting(() => Promise.all(targets.map((target) => statusOf(id, target))));
      expect(await sendAll()).toEqual([200, 200, 200]);
      const queries = jest.spyOn(EntityManager.prototype, 'query');
      const finds = jest.spyOn(Repository.prototype, 'findOneBy');
      expect(await sendAll()).toEqual([200, 200, 200]);
      const tables = [
        ...queries.mock.calls.map(([sql]) => / FROM (\w+)/.exec(sql)?.[1]),
        ...finds.mock.contexts.map(({ metadata }) => metadata.tableName),
      ];
      queries.mockRestore();
      finds.mockRestore();
      const asked = ['users', 'team_members', 'channels', 'channel_members', 'roles', 'incoming_webhooks'];
      expect(tables.filter((table) => asked.includes(table ?? ''))).toEqual([]);
    });
  });

  describe('a webhook whose URL others in its team can see', () => {
    let place: { id: string };
    let hall: { id: string; name: string };
    let colleague: BuiltUser;
    let friend: BuiltUser;
    let id: string;

    const manages = (userId: string, isAdmin: boolean): Promise<any> =>
      admin.call('PUT', `/teams/${place.id}/members/${userId}/schemeRoles`, {
        scheme_user: true,
        scheme_admin: isAdmin,
      });
    const direct = (): Promise<Answer> => send({ text: 'psst', channel: `@${friend.username}` }, id);
    const statusAfter = async (action: () => Promise<any>): Promise<number> => {
      expect((await action()).status).toBe(200);
      return (await direct()).status;
    };
    const grant = async (role: string, isGranted: boolean): Promise<any> => {
      const { id: roleId, permissions } = await admin.call('GET', `/roles/name/${role}`);
      const name = 'manage_others_incoming_webhooks';
      const others = permissions.filter((permission: string) => permission !== name);
      return admin.put(`/roles/${roleId}/patch`, { permissions: isGranted ? [...others, name] : others });
    };

    beforeAll(async () => {
      place = await buildTeam(admin);
      [colleague, friend] = [await buildUser(server), await buildUser(server)];
      await join(colleague.id, place.id);
      hall = await admin.call('GET', `/teams/${place.id}/channels/name/town-square`);
      id = (await makeHook({ channel_id: hall.id })).id;
    });
    afterEach(() => manages(colleague.id, false));

    it('of a system administrator cannot post into direct or group channels', async () => {
      await manages(colleague.id, true);
      const listed = await colleague.client.call('GET', `/hooks/incoming?team_id=${place.id}`);
      expect(listed.map((item: any) => item.id)).toContain(id);
      const why = 'others manage the webhooks of its team and see its URL';
      expectError(await direct(), 403, GENERAL, why);
      const opened = [
        await admin.call('POST', '/channels/direct', [server.adminId, colleague.id]),
        await admin.call('POST', '/channels/group', [server.adminId, colleague.id, friend.id]),
      ];
      const statusOf = async (name: string): Promise<number> =>
        (await send({ text: 'psst', channel: name }, id)).status;
      for (const { name } of opened) expect(await statusOf(name)).toBe(404);
      expect(await statusOf('')).toBe(200);
      expect(await statusOf('off-topic')).toBe(200);
      await trusting(async () => {
        expect((await direct()).status).toBe(200);
        for (const { name } of opened) expect(await statusOf(name)).toBe(200);
      });
    });

    it('has no restrictions while only users who manage all webhooks of the system can see it', async () => {
      const boss = await buildUser(server, { roles: 'system_admin system_user' });
      await join(boss.id, place.id);
      expect(await statusAfter(() => manages(boss.id, true).then(() => ({ status: 200 })))).toBe(200);
      const roles = (text: string) => () => admin.put(`/users/${boss.id}/roles`, { roles: text });
      expect(await statusAfter(roles('system_user'))).toBe(403);
      const active = (isActive: boolean) => () => admin.put(`/users/${boss.id}/active`, { active: isActive });
      expect(await statusAfter(active(false))).toBe(200);
      expect(await statusAfter(active(true))).toBe(403);
      expect(await statusAfter(() => admin.delete(`/teams/${place.id}/members/${boss.id}`))).toBe(200);
    });

    it.each([
      ['the role of all members', 'team_user'],
      ['a role without administrators', 'team_admin'],
    ])('follows role changes at once: %s', async (_, role) => {
      await manages(colleague.id, role === 'team_admin');
      const isOpen = role === 'team_user';
      expect((await direct()).status).toBe(isOpen ? 200 : 403);
      expect(await statusAfter(() => grant(role, isOpen))).toBe(isOpen ? 403 : 200);
      expect(await statusAfter(() => grant(role, !isOpen))).toBe(isOpen ? 200 : 403);
    });

    it('has no restrictions for the only team administrator', async () => {
      await manages(colleague.id, true);
      const own = await colleague.client.call('POST', '/hooks/incoming', { channel_id: hall.id });
      const sendOwn = async (): Promise<number> =>
        (await send({ text: 'psst', channel: `@${friend.username}` }, own.id)).status;
      expect(await sendOwn()).toBe(200);
      const second = await buildUser(server);
      await join(second.id, place.id);
      await manages(second.id, true);
      expect(await sendOwn()).toBe(403);
      await manages(second.id, false);
      expect(await sendOwn()).toBe(200);
    });
  });

  describe('the post', () => {
    it('has the props of a webhook post and no reserved ones of the payload', async () => {
      const styled = await makeHook({
        display_name: 'Styled',
        username: 'hook-name',
        icon_url: 'https://example.com/hook.png',
      });
      const forged = {
        ...{ from_webhook: 'no', override_username: 'x', override_icon_url: 'x', from_plugin: 'true' },
        ...{ webhook_display_name: 'x', override_icon_emoji: 'x', add_channel_member: {}, attachments: [1] },
      };
      expectOk(await send({ text: 'props', props: { build: 812, ...forged } }, styled.id));
      const [post] = await latest();
      expect(post).toMatchObject({ user_id: server.adminId, type: '', root_id: '', file_ids: [] });
      expect(post.props).toEqual({
        build: 812,
        from_webhook: 'true',
        webhook_display_name: 'Styled',
        override_username: 'hook-name',
        override_icon_url: 'https://example.com/hook.png',
      });
    });

    it('prefers the name and icon of the payload, and falls back to webhook', async () => {
      expectOk(await send({ text: 'a', username: 'payload-name', icon_url: 'https://example.com/p.png' }));
      expect((await latest())[0].props).toMatchObject({
        override_username: 'payload-name',
        override_icon_url: 'https://example.com/p.png',
      });
      expectOk(await send({ text: 'b' }));
      expect((await latest())[0].props.override_username).toBe('webhook');
      expect((await latest())[0].props).not.toHaveProperty('override_icon_url');
    });

    it('ignores an icon that is not a web image', async () => {
      const icon_url = 'https://example.com/hook.png';
      const { id } = await makeHook({ icon_url });
      expectOk(await send({ text: 'x', icon_url: 'javascript:alert(1)' }, id));
      expect((await latest())[0].props).toMatchObject({ override_icon_url: icon_url });
      expect(await makeHook({ icon_url: 'data:image/svg+xml,<svg/>' })).toMatchObject({ icon_url: '' });
    });

    it('has no overrides while they are switched off', async () => {
      const off = { enablePostUsernameOverride: false, enablePostIconOverride: false };
      const given = { username: 'u', icon_url: 'https://example.com/p.png', icon_emoji: 'smile' };
      await server.withSettings(off, async () => expectOk(await send({ text: 'off', ...given })));
      const [{ props }] = await latest();
      expect(props).toEqual({ from_webhook: 'true', webhook_display_name: 'Build bot' });
    });

    it.each(['smile', ':smile:'])('turns the icon_emoji %s into its picture', async (emoji) => {
      expectOk(await send({ text: 'emoji', icon_emoji: emoji }));
      expect((await latest())[0].props).toMatchObject({
        override_icon_emoji: emoji,
        override_icon_url: '/static/emoji/1f604.png',
      });
    });

    it('keeps attachments that are not null, and becomes a slack_attachment', async () => {
      const fields = [null, { title: 'n', value: 1_000_000, short: 'TRUE' }];
      const attachments = [null, { title: 'T', text: '<https://host|Label> <!here>', fields }, null];
      expectOk(await send({ text: 'with attachment', type: 'me', attachments }));
      const [post] = await latest();
      expect(post.type).toBe('slack_attachment');
      const shown = { title: 'T', text: '[Label](https://host) @here', fallback: '', color: '' };
      expect(post.props.attachments).toEqual([expect.objectContaining(shown)]);
      expect(post.props.attachments[0].fields).toEqual([{ title: 'n', value: '1000000', short: true }]);
    });

    it('converts Slack markup, and nothing that only looks like it', async () => {
      const user = `<@${memberId}>`;
      expectOk(await send({ text: `<!channel> ${user} <@${newId()}x> <https://host|Label> <http://bare>` }));
      expect((await latest())[0].message).toMatch(
        /^@channel @hook-owner <@\w+x> \[Label\]\(https:\/\/host\) <http:\/\/bare>$/,
      );
      const untouched = 'if a < b || c > d { x <| y }\n<one\n|two> `a < b || c`';
      expectOk(await send({ text: untouched }));
      expect((await latest())[0].message).toBe(untouched);
    });

    it('keeps a priority with a valid name', async () => {
      expectOk(await send({ text: 'p', priority: { priority: 'urgent', requested_ack: true } }));
      expect((await latest())[0].metadata.priority).toEqual({ priority: 'urgent', requested_ack: true });
      expectOk(await send({ text: 'p', priority: { priority: '' } }));
      expectOk(await send({ text: 'p', priority: { priority: '😀'.repeat(64) } }));
      expect((await send({ text: 'p', priority: { priority: '😀'.repeat(65) } })).status).toBe(400);
      expect((await send({ text: 'p', priority: { requested_ack: true } })).status).toBe(400);
    });

    it('has an allowed type', async () => {
      expectOk(await send({ text: 'x', type: 'me' }));
      expectOk(await send({ text: 'x', type: 'custom_build' }));
      for (const type of ['system_generic', 'bogus', `custom_${'x'.repeat(30)}`]) {
        expect((await send({ text: 'x', type })).status).toBe(400);
      }
    });
  });

  it('looks up the first 200 mentioned users at once, and does not cache unknown ones', async () => {
    const read = jest.spyOn(server.app.get(UsersRepository), 'listByIds');
    const readOne = jest.spyOn(server.app.get(UsersRepository), 'findFresh');
    // Each process caches the users that it knows.
    const toFirst = (payload: unknown): Promise<Answer> => server.first.post(`/hooks/${hook.id}`, payload);
    const unknown = Array.from({ length: 300 }, () => `<@${newId()}>`);
    const known = `<@${memberId}>`;
    try {
      for (const round of [1, 2]) {
        expectOk(await toFirst({ text: [known, ...unknown].join('') }));
        expect((await latest())[0].message).toBe(['@hook-owner', ...unknown].join(''));
        expect(read).toHaveBeenCalledTimes(round);
      }
      const asked = unknown.slice(0, 199).map((mention) => mention.slice(2, -1));
      expect(read).toHaveBeenLastCalledWith(asked);
      expectOk(await toFirst({ text: [...unknown, known].join('') }));
      expect((await latest())[0].message).toBe([...unknown, known].join(''));
      for (const [id] of readOne.mock.calls) expect(asked).not.toContain(id);
    } finally {
      read.mockRestore();
      readOne.mockRestore();
    }
  });

  describe('splitting', () => {
    it('splits long text into consecutive posts, by code points', async () => {
      const text = '🚀'.repeat(MAX_RUNES) + 'x'.repeat(10);
      expectOk(await send({ text }));
      const [second, first] = await latest(channel.id, 2);
      expect([first.message, second.message]).toEqual([text.slice(0, -10), 'x'.repeat(10)]);
    });

    it('splits many empty attachments, and reports their expanded size', async () => {
      const writes = server.everywhere(PostWriter).map((writer) => jest.spyOn(writer, 'write'));
      try {
        expectOk(await send({ attachments: Array.from({ length: 10_000 }, () => ({})) }));
        const posts = await latest(channel.id, 3);
        expect(posts.flatMap((post) => post.props.attachments)).toHaveLength(10_000);
        const [[written] = []] = writes.flatMap(({ mock }) => mock.calls);
        expect(written?.sizeBytes).toBeGreaterThan(JSON.stringify(posts).length);
      } finally {
        writes.forEach((write) => write.mockRestore());
      }
    });

    it('refuses attachments that expand too much, in the same order as props that are too large', async () => {
      const attachments = Array.from({ length: 60_000 }, () => ({}));
      expectError(await send({ attachments }), 400, GENERAL, 'props are too large');
      expect((await send({ attachments }, newId())).body.message).toContain('webhook does not exist');
      expect((await send({ attachments, priority: {} })).body.message).toContain('priority');
      const post = await admin.post('/posts', { channel_id: channel.id, props: { attachments } });
      expectError(post, 400, 'model.post.is_valid.props.app_error');
    });

    it('refuses props that cannot be split to fit', async () => {
      expectError(await send({ text: 'x', props: { huge: 'y'.repeat(1_600_000) } }), 400, GENERAL);
      const attachments = [{ text: 'a'.repeat(570_000) }, { text: 'b'.repeat(250_000) }];
      expectOk(await send({ text: 'two', attachments }));
      const [second, first] = await latest(channel.id, 2);
      expect([first.message, second.message]).toEqual(['two', '']);
      expect([first.props.attachments.length, second.props.attachments.length]).toEqual([1, 1]);
    });
  });

  describe('a refusal leaves nothing behind', () => {
    interface Refusal {
      readonly status: number;
      readonly hook?: Record<string, unknown>;
      readonly payload?: Record<string, unknown>;
      readonly raw?: string;
      readonly key?: string;
      readonly settings?: Record<string, unknown>;
    }
    const GROWING = Array.from({ length: 60_000 }, () => ({}));
    /** Without a named channel it is that of a user with whom the owner has no direct channel yet. */
    const REFUSALS: Readonly<Record<string, Refusal>> = {
      'disabled webhooks': { status: 501, settings: { enableIncomingWebhooks: false } },
      'an invalid body': { status: 400, raw: '{"channel":' },
      'no text': { status: 400, payload: { text: '' } },
      'an unknown user': { status: 400, payload: { channel: '@nobody-of-this-name' } },
      'an unknown channel': { status: 404, payload: { channel: 'no-such-channel' } },
      'a locked webhook, for another channel': {
        status: 403,
        hook: { channel_locked: true },
        payload: { channel: 'elsewhere' },
      },
      'a locked webhook, for a user': { status: 403, hook: { channel_locked: true } },
      'a private channel that the owner cannot read': {
        status: 404,
        payload: { channel: 'refused-private' },
      },
      'a priority without its value': { status: 400, payload: { priority: {} } },
      'a system type': { status: 400, payload: { type: 'system_join' } },
      'an unknown type of a long text': {
        status: 400,
        payload: { type: 'unknown', text: 'x'.repeat(MAX_RUNES * 3) },
      },
      'attachments that expand too much': { status: 400, payload: { attachments: GROWING } },
      'a key that is too long': { status: 400, key: 'k'.repeat(256) },
    };
    beforeAll(async () => {
      await buildChannel(admin, teamId, { name: 'refused-private', type: 'P' });
      expectOk(await send({ text: 'counted' }));
    });

    it.each(Object.keys(REFUSALS))('%s', async (name) => {
      const { status, payload, raw, key = newId(), settings = {}, ...given } = REFUSALS[name]!;
      const { username } = await admin.call('POST', '/users', newAccount());
      const refusing = await makeHook({ user_id: memberId, ...given.hook });
      const executed = async (): Promise<[string | undefined, unknown, Record<string, string>]> => {
        const metrics = (await server.anonymous.get('/metrics')).text;
        const { last_used: lastUsed } = await admin.call('GET', `/hooks/incoming/${refusing.id}`);
        return [
          /^hookline_incoming_hook_executions_total\{.*"ok".*$/m.exec(metrics)?.[0],
          lastUsed,
          await storedRows(server),
        ];
      };
      const before = await executed();
      expect(before[0]).toBeDefined();
      const body = { text: 'refused', channel: `@${username}`, ...payload };
      const headers = { ...JSON_TYPE, 'idempotency-key': key };
      const answer = await server.withSettings(settings, () =>
        send(undefined, refusing.id, { raw: raw ?? JSON.stringify(body), headers }),
      );
      expect(answer.status).toBe(status);
      expect(await executed()).toEqual(before);
    });
  });

  describe('blocks', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Build 812' } },
      { type: 'section', text: { type: 'mrkdwn', text: 'See <https://host/812|the log>, <!here>.' } },
      { type: 'image', image_url: 'https://host/graph.png', alt_text: 'Load' },
      { type: 'table', rows: [] },
    ];

    it('of Slack become text and attachments, and unknown ones are counted', async () => {
      const keeping = await makeHook({ keep_requests: true });
      const answer = await server.anonymous.post(`/hooks/${keeping.id}?wait=true`, { blocks });
      expect(answer.body).toMatchObject({ status: 'OK', not_understood: 1 });
      const [post] = await latest();
      expect(answer.body.post_ids).toEqual([post.id]);
      expect(post.message).toBe('#### Build 812\n\nSee [the log](https://host/812), @here.');
      expect(post.props.attachments).toEqual([
        expect.objectContaining({ title: 'Load', image_url: 'https://host/graph.png' }),
      ]);
      const kept = (await admin.call('GET', `/hooks/incoming/${keeping.id}/requests`)) as any[];
      expect(kept).toEqual([expect.objectContaining({ status: 200, not_understood: 1 })]);
    });

    it.each([
      [{ blocks: [{ type: 'table' }, { type: 'actions', elements: [{ type: 'static_select' }] }] }],
      [{ attachments: [{ color: 'good', blocks: [{ type: 'table' }, { type: 'static_select' }] }] }],
    ])('that cannot be shown are refused: %j', async (payload) => {
      const before = await latest();
      const why = 'text is missing, and none of its blocks can be shown (table, static_select)';
      expectError(await send(payload), 400, GENERAL, why);
      expect(await latest()).toEqual(before);
    });

    it('of Mattermost are kept, with a text rendered from them', async () => {
      const props = { mm_blocks: [{ type: 'text', text: 'Deployed.' }], other: 1 };
      const answer = await send({ props }, hook.id);
      expectOk(answer);
      const [post] = await latest();
      expect(post).toMatchObject({ message: 'Deployed.', props });
    });
  });

  describe('idempotency and ids', () => {
    const keyed = (key: string, text: string, path = ''): Promise<Answer> =>
      server.anonymous.post(`/hooks/${hook.id}${path}`, { text }, { headers: { 'idempotency-key': key } });
    const count = async (): Promise<number> =>
      (await admin.get(`/channels/${channel.id}`)).body.total_msg_count;

    it.each(['true', '1'])('returns the ids of the posts on request (%s)', async (wait) => {
      const answer = await execute(
        JSON.stringify({ text: 'z'.repeat(MAX_RUNES + 1) }),
        JSON_TYPE,
        `?wait=${wait}`,
      );
      expect(answer.body).toEqual({ status: 'OK', post_ids: [expect.any(String), expect.any(String)] });
      const stored = await admin.post('/posts/ids', answer.body.post_ids);
      expect(stored.body).toHaveLength(2);
    });

    it('posts once per key, however often it is sent', async () => {
      const key = randomBytes(8).toString('hex');
      const before = await count();
      const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(key, 'once', '?wait=true')));
      const ids = new Set(answers.map((answer) => answer.body.post_ids.join()));
      expect(ids.size).toBe(1);
      const replay = await keyed(key, 'once more', '?wait=true');
      expect(replay.body.post_ids.join()).toBe([...ids][0]);
      expect(replay.headers['idempotency-replayed']).toBe('true');
      expectOk(await keyed(key, 'plain'));
      expect(await count()).toBe(before + 1);
    });

    it('separates the keys of two hooks', async () => {
      const second = await makeHook();
      const before = await count();
      const headers = { 'idempotency-key': newId() };
      for (const { id } of [hook, second]) expectOk(await send({ text: `by ${id}` }, id, { headers }));
      expect(await count()).toBe(before + 2);
      expect((await latest())[0].message).toBe(`by ${second.id}`);
    });

    it('releases the key of a refused call', async () => {
      const key = randomBytes(8).toString('hex');
      const headers = { 'idempotency-key': key };
      expect((await send({ text: 'x', channel: 'junk' }, hook.id, { headers })).status).toBe(404);
      expectOk(await send({ text: 'now right' }, hook.id, { headers }));
    });
  });

  it('records the last use of a hook', async () => {
    const fresh = await makeHook();
    expect(fresh.last_used).toBe(0);
    const before = Date.now();
    expectOk(await server.first.post(`/hooks/${fresh.id}`, { text: 'used' })); // the others learn it some seconds later
    const { body } = await server.first.as(admin.token).get(`/hooks/incoming/${fresh.id}`);
    expect(body.last_used).toBeGreaterThanOrEqual(before);
  });
});
