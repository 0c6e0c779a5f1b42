import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import type { DomainEvent } from '../src/platform/events/event-bus.js';
import {
  OutgoingHookCreated,
  OutgoingHookDeleted,
  OutgoingHookDisabled,
  OutgoingHookEnabled,
  OutgoingHookUpdated,
} from '../src/outgoing-hooks/outgoing-hooks.events.js';
import { OutgoingHook } from '../src/outgoing-hooks/outgoing-hook.entity.js';
import {
  buildChannel,
  buildIncomingHook,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
  whileGranting,
} from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildRemoteUser, REMOTE_USER } from './factories/users.js';
import { type DnsServer, startDnsServer } from './fakes/dns-server.js';
import { Receiver } from './fakes/receiver.js';
import { announcedBy } from './support/announcements.js';
import { type Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOK_EVENTS = [
  OutgoingHookCreated,
  OutgoingHookUpdated,
  OutgoingHookDeleted,
  OutgoingHookEnabled,
  OutgoingHookDisabled,
];

const PATH = '/api/v4/hooks/outgoing';
const BASE = 'manage_webhooks';
const OTHERS = 'manage_others_outgoing_webhooks';
const DENIED = 'api.context.permissions.app_error';
const BODY = 'api.context.invalid_body_param.app_error';
const OFF = { enableOutgoingWebhooks: false };
const VALID = 'model.outgoing_hook.is_valid';

/** docs/contract/outgoing-webhooks.md */
describe('outgoing webhooks', () => {
  let dns: DnsServer;
  let server: TestServer;
  let admin: ApiClient;
  let local: ApiClient;
  let folder: string;
  let team: BuiltTeam;
  let otherTeam: BuiltTeam;
  let member: BuiltUser;
  let colleague: BuiltUser;
  let teamAdmin: BuiltUser;
  let privateId: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-local-'));
    const socket = join(folder, 'local.sock');
    dns = await startDnsServer({
      'internal.example': [['10.0.0.5']],
      'mixed.example': [['198.41.0.4', 'fd00::1']],
      'allowed.example': [['127.0.0.1']],
      'public.example': [['198.41.0.4']],
      'silent.test': ['SILENT'],
    });
    server = await startTestServer({
      LOCAL_MODE_SOCKET: socket,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      DNS_SERVERS: dns.address,
    });
    local = new ApiClient('http://localhost', '', socket);
    ({ admin } = server);
    team = await buildTeam(admin);
    otherTeam = await buildTeam(admin);
    member = await buildMember(server, [team.id]);
    colleague = await buildMember(server, [team.id]);
    teamAdmin = await buildMember(server, [team.id], true);
    privateId = await buildChannel(admin, team.id, 'P');
  });
  afterAll(async () => {
    await server?.close();
    dns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const granting = <T>(permissions: string[], action: () => Promise<T>, role = 'team_user'): Promise<T> =>
    whileGranting(server, role, permissions, action);
  const body = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
    team_id: team.id,
    channel_id: team.channelId,
    display_name: 'Deployer',
    trigger_words: [newId()],
    callback_urls: ['http://nowhere.example/'],
    ...fields,
  });
  const create = (client: ApiClient, fields: Record<string, unknown> = {}): Promise<Answer> =>
    client.post(PATH, body(fields));
  const made = async (fields: Record<string, unknown> = {}, client = admin): Promise<any> => {
    const answer = await create(client, fields);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  };
  const get = (client: ApiClient, id: string): Promise<Answer> => client.get(`${PATH}/${id}`);
  const put = (client: ApiClient, hook: any, fields: Record<string, unknown> = {}): Promise<Answer> =>
    client.put(`${PATH}/${hook.id}`, { ...hook, ...fields });
  const patch = (client: ApiClient, hook: any, fields: Record<string, unknown>): Promise<Answer> =>
    client.patch(`${PATH}/${hook.id}`, fields);
  const remove = (client: ApiClient, id: string): Promise<Answer> => client.delete(`${PATH}/${id}`);
  const regenerate = (client: ApiClient, id: string): Promise<Answer> =>
    client.post(`${PATH}/${id}/regen_token`);
  const enable = (client: ApiClient, id: string): Promise<Answer> => client.post(`${PATH}/${id}/enable`);
  const list = (client: ApiClient, query = ''): Promise<Answer> => client.get(`${PATH}?${query}`);
  const ids = (answer: Answer): string[] => answer.body.map((hook: any) => hook.id);
  describe('create', () => {
    it('cannot belong to an account of another server', async () => {
      const owner = await buildRemoteUser(server);
      expectError(await create(admin, { creator_id: owner }), 400, REMOTE_USER, 'creator_id');
    });

    it('requires a creator in the team, even for system administrators and in local mode', async () => {
      const stranger = await buildMember(server, [otherTeam.id]);
      const refused = 'api.webhook.create_outgoing.creator_not_in_team.app_error';
      for (const client of [admin, teamAdmin.client, local])
        for (const channelId of [team.channelId, ''])
          expectError(
            await create(client, { creator_id: stranger.id, channel_id: channelId }),
            400,
            refused,
            'creator_id',
          );
      const root = await buildMember(server);
      await admin.put(`/users/${root.id}/roles`, { roles: 'system_user system_admin' });
      expectError(await create(root.client), 400, refused, 'creator_id');
      await admin.post(`/teams/${team.id}/members`, { team_id: team.id, user_id: root.id });
      expect((await create(root.client)).status).toBe(201);
    });

    it('queries the webhooks of the team for similar ones and their number, and not the new one', async () => {
      const queries = server.everywhere(DataSource).map(({ logger }) => jest.spyOn(logger, 'logQuery'));
      await made({ callback_urls: ['https://example.com/alone'] });
      const asked = queries
        .flatMap(({ mock }) => mock.calls)
        .filter(([sql]) => /^SELECT.*FROM \W?outgoing_webhooks\b(?!.*LIMIT 1)/s.test(sql));
      queries.forEach((each) => each.mockRestore());
      expect(asked).toHaveLength(2);
    });

    it('returns the whole record', async () => {
      const answer = await create(admin, {
        username: 'any Name!',
        icon_url: 'no url',
        description: 'Starts a deployment.',
        trigger_when: 1,
        content_type: 'application/json',
        trigger_words: ['!deploy', '!deploy'],
      });
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[a-z0-9]{26}$/),
        token: expect.stringMatching(/^[a-z0-9]{26}$/),
        create_at: expect.any(Number),
        update_at: answer.body.create_at,
        delete_at: 0,
        creator_id: server.adminId,
        channel_id: team.channelId,
        team_id: team.id,
        trigger_words: ['!deploy', '!deploy'],
        trigger_when: 1,
        callback_urls: ['http://nowhere.example/'],
        display_name: 'Deployer',
        description: 'Starts a deployment.',
        content_type: 'application/json',
        username: 'any Name!',
        icon_url: 'no url',
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
        disabled_at: 0,
        disabled_reason: '',
        disabled_urls: [],
        failing_urls: [],
        set_by: server.adminId,
        owner_state: 'active',
        paused_reason: '',
        secrets_unreadable: false,
        previous_secret_until: 0,
      });
      expect((await get(admin, answer.body.id)).body).toEqual(answer.body);
    });

    it('keeps username and icon_url even while overrides are off', async () => {
      await server.withSettings(
        { enablePostUsernameOverride: false, enablePostIconOverride: false },
        async () => {
          expect((await create(admin, { username: 'bot', icon_url: 'x' })).body).toMatchObject({
            username: 'bot',
            icon_url: 'x',
          });
        },
      );
    });

    it.each(['junk', newId()])('does not find the channel %p', async (channelId) => {
      expectError(await create(admin, { channel_id: channelId }), 404, 'app.channel.get.existing.app_error');
    });

    it('warns about internal addresses that will not be called', async () => {
      const warningOf = ({ headers }: Answer): unknown => headers['x-hookline-warnings'];
      const answer = await create(admin, {
        callback_urls: [
          'http://10.0.0.5/',
          'http://[::1]:9/',
          'http://127.0.0.1:9/',
          'http://nowhere.example/',
        ],
      });
      expect(answer.status).toBe(201);
      const warning =
        'callback_urls: 10.0.0.5, ::1 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it';
      expect(warningOf(answer)).toBe(warning);
      expect(warningOf(await put(admin, answer.body))).toBe(warning);
      expect(warningOf(await patch(admin, answer.body, { display_name: 'Same' }))).toBe(warning);
      expect(answer.body.warnings).toEqual([warning]);
      const called = await patch(admin, answer.body, { callback_urls: ['http://nowhere.example/'] });
      expect([called.status, warningOf(called), called.body.warnings]).toEqual([200, undefined, undefined]);
      expect((await get(admin, answer.body.id)).body).not.toHaveProperty('warnings');
    });

    it('warns about names of internal addresses, and about the server itself', async () => {
      const { port } = new URL(server.url);
      const why = (hosts: string): string =>
        `callback_urls: ${hosts} will not be called; ALLOWED_INTERNAL_HOSTS does not contain it`;
      const cases: [string[], string[] | undefined][] = [
        [['https://internal.example/x?key=secret', 'http://internal.example:81/'], [why('internal.example')]],
        [['http://mixed.example/', 'http://10.0.0.5/'], [expect.stringMatching(/mixed.example/)]],
        [['http://allowed.example/', 'http://public.example/', 'http://127.0.0.1/'], undefined],
        [
          [`http://127.0.0.1:${port}/`, `http://allowed.example:${port}/`],
          ['callback_urls: 127.0.0.1, allowed.example will not be called; it is this server'],
        ],
      ];
      const hook = await made();
      for (const [urls, warnings] of cases) {
        const changed = await server.first
          .as(admin.token)
          .patch(`${PATH}/${hook.id}`, { callback_urls: urls });
        expect({ urls, warnings: changed.body.warnings }).toEqual({ urls, warnings });
      }
    });

    it('does not wait for a name server that does not respond', async () => {
      const urls = ['http://silent.test/', 'http://10.0.0.5/'];
      const saved = await create(admin, { callback_urls: urls });
      expect(saved.status).toBe(201);
      expect(saved.body.warnings).toEqual([expect.stringContaining(' 10.0.0.5 will not be called')]);
    });

    it('names the setting for a refused test call, and hides a request that was not sent', async () => {
      const refused = ['http://10.0.0.5/', 'http://internal.example/'];
      const hook = await made({
        callback_urls: [...refused, 'http://nowhere.example/', 'http://127.0.0.1:9/'],
      });
      for (const url of hook.callback_urls) {
        const { status, body: tested } = await admin.post(`${PATH}/${hook.id}/test`, { callback_url: url });
        expect({ url, status, request: tested.request }).toEqual({ url, status: 200, request: null });
        if (refused.includes(url))
          expect(tested.warnings).toEqual([
            `callback_urls: ${new URL(url).hostname} will not be called; ALLOWED_INTERNAL_HOSTS does not contain it`,
          ]);
        else expect(tested).not.toHaveProperty('warnings');
      }
    });

    it.each(['team_id', 'display_name', 'trigger_words', 'callback_urls'])(
      'names %s when it is missing',
      async (key) => {
        const sent = body();
        delete sent[key];
        expectError(await admin.post(PATH, sent), 400, BODY, key);
      },
    );

    it('accepts an empty name, and no words with a channel', async () => {
      expect(await made({ display_name: null, trigger_words: null })).toMatchObject({
        display_name: '',
        trigger_words: [],
        content_type: 'application/x-www-form-urlencoded',
      });
      expect((await made({ content_type: '' })).content_type).toBe('application/x-www-form-urlencoded');
    });

    it('is allowed for team administrators and users with the permission, not for others', async () => {
      expect((await create(teamAdmin.client)).status).toBe(201);
      expectError(await create(member.client), 403, DENIED);
      expect((await granting([BASE], () => create(member.client))).status).toBe(201);
      expectError(await create(server.anonymous), 401, 'api.context.session_expired.app_error');
    });

    it('for an unknown team is refused', async () => {
      expectError(await create(member.client, { team_id: newId() }), 403, DENIED);
      expectError(await create(admin, { team_id: '' }), 403, DENIED);
      expectError(
        await create(admin, { team_id: newId() }),
        403,
        'api.webhook.create_outgoing.permissions.app_error',
      );
      const nowhere = { team_id: newId(), channel_id: '', creator_id: member.id };
      expectError(await create(member.client, nowhere), 403, DENIED);
      for (const client of [admin, local])
        expectError(await create(client, nowhere), 404, 'app.team.get.find.app_error');
      expectError(await create(local, { ...nowhere, team_id: 'junk' }), 400, undefined, 'team_id');
    });

    it("sets another owner with the permission for others' webhooks", async () => {
      expect((await made({ creator_id: member.id })).creator_id).toBe(member.id);
      expectError(await create(admin, { creator_id: newId() }), 404, 'app.user.missing_account.const');
      await granting([BASE], async () => {
        expectError(await create(member.client, { creator_id: colleague.id }), 403, DENIED);
      });
      const answer = await granting([BASE, OTHERS], () =>
        create(member.client, { creator_id: colleague.id }),
      );
      expect(answer.body.creator_id).toBe(colleague.id);
    });

    it("accepts the caller's own id as owner without that permission", async () => {
      const answer = await granting([BASE], () => create(member.client, { creator_id: member.id }));
      expect(answer.body.creator_id).toBe(member.id);
    });

    it('over the local socket names its owner', async () => {
      expect((await create(local, { creator_id: member.id })).body.creator_id).toBe(member.id);
      expectError(await create(local, { creator_id: newId() }), 404, 'app.user.missing_account.const');
      expectError(await create(local), 400, BODY, 'creator_id');
    });

    it('returns 501 while it is switched off, after the permissions', async () => {
      await server.withSettings(OFF, async () => {
        expectError(await create(admin), 501, 'api.outgoing_webhook.disabled.app_error');
        expectError(await create(member.client), 403, DENIED);
      });
    });

    it.each([
      ['nowhere.example/', 'no scheme'],
      ['ftp://nowhere.example/', 'another scheme'],
      ['HTTP://nowhere.example/', 'a scheme in capitals'],
      ['http://', 'no host'],
      ['http:///path', 'no host'],
      ['http://../', 'no host'],
      ['http://@nowhere.example/', 'empty credentials'],
      ['http://user:secret@nowhere.example/', 'credentials'],
      ['http://nowhere.example/ x', 'white space'],
      ['', 'nothing'],
    ])('refuses the callback URL %p: %s', async (url) => {
      const answer = await create(admin, { callback_urls: ['http://nowhere.example/', url] });
      expectError(answer, 400, `${VALID}.url.app_error`, 'callback_urls[1]');
      expect(answer.text).not.toContain('secret');
    });

    it('accepts http and https URLs', async () => {
      await made({ callback_urls: ['http://nowhere.example/', 'https://nowhere.example:8443/a?b=c'] });
    });

    it('requires 1 to 20 URLs of at most 1022 bytes in total', async () => {
      const many = (count: number): string[] =>
        Array.from({ length: count }, (_, index) => `http://h/${index}`);
      await made({ callback_urls: many(20) });
      for (const urls of [[], many(21), [`http://h/${'x'.repeat(1014)}`]])
        expectError(
          await create(admin, { callback_urls: urls }),
          400,
          `${VALID}.callback.app_error`,
          'callback_urls',
        );
      await made({ callback_urls: [`http://h/${'x'.repeat(1013)}`] });
    });

    it.each([
      ['display_name', 64, `${VALID}.display_name.app_error`],
      ['description', 500, `${VALID}.description.app_error`],
      ['username', 64, 'model.outgoing_hook.username.app_error'],
      ['icon_url', 1024, 'model.outgoing_hook.icon_url.app_error'],
    ])('accepts %s up to %i bytes', async (field, max, id) => {
      expect((await made({ [field]: 'x'.repeat(max) }))[field]).toHaveLength(max);
      expectError(await create(admin, { [field]: 'x'.repeat(max + 1) }), 400, id, field);
      expectError(await create(admin, { [field]: 'ü'.repeat(max / 2 + 1) }), 400, id, field);
    });

    it.each(['text/plain', 'application/JSON', 'x'.repeat(129)])(
      'refuses the content type %p',
      async (type) => {
        expectError(
          await create(admin, { content_type: type }),
          400,
          `${VALID}.content_type.app_error`,
          'content_type',
        );
      },
    );

    it('requires trigger words without a channel, and rejects empty or long ones', async () => {
      const triggers = 'api.webhook.create_outgoing.triggers.app_error';
      expectError(await create(admin, { channel_id: '', trigger_words: [] }), 400, triggers, 'trigger_words');
      for (const words of [['a', ''], [' '], ['\u3000']])
        expectError(
          await create(admin, { trigger_words: words }),
          400,
          `${VALID}.trigger_words.app_error`,
          'trigger_words',
        );
      expectError(
        await create(admin, { trigger_words: ['x'.repeat(1023)] }),
        400,
        `${VALID}.words.app_error`,
        'trigger_words',
      );
      await made({ trigger_words: ['x'.repeat(1022)] });
      expectError(await create(admin, { trigger_words: 'word' }), 400, BODY);
      expectError(await create(admin, { trigger_words: [1] }), 400, BODY);
    });

    it.each([2, -1, 1.5, '1'])('refuses trigger_when %p', async (when) => {
      expectError(await create(admin, { trigger_when: when }), 400);
    });

    it('accepts only public channels of the team', async () => {
      expectError(
        await create(admin, { channel_id: privateId }),
        403,
        'api.outgoing_webhook.disabled.app_error',
      );
      expectError(
        await create(admin, { channel_id: otherTeam.channelId }),
        403,
        'api.webhook.create_outgoing.permissions.app_error',
      );
    });

    it('refuses a second hook for the same word, URL and channel', async () => {
      const same = {
        trigger_words: ['one', 'two'],
        callback_urls: ['http://a.example/', 'http://b.example/'],
      };
      await made({ ...same, channel_id: team.channelId });
      const overlapping = { trigger_words: ['two', 'three'], callback_urls: ['http://b.example/'] };
      expectError(await create(admin, overlapping), 400, 'api.webhook.create_outgoing.intersect.app_error');
      await made({ ...overlapping, channel_id: '' });
      await made({ ...overlapping, trigger_words: ['Two'] });
      await made({ trigger_words: [] });
      await made({ trigger_words: [] });
    });

    it('generates ids, times and secrets itself', async () => {
      expectError(
        await create(admin, { id: newId() }),
        400,
        'app.webhooks.save_outgoing.override.app_error',
        'id',
      );
      const hook = await made({ create_at: 100, delete_at: 5, token: 'mine', disabled_at: 7, id: '' });
      expect(hook.create_at).toBeGreaterThan(100);
      expect(hook).toMatchObject({ delete_at: 0, disabled_at: 0 });
      expect(hook.token).not.toBe('mine');
    });

    it.each(['', '{', '[]', 'null', '{"team_id":1}'])('refuses the body %p', async (raw) => {
      const { status } = await admin.post(PATH, undefined, { raw });
      expect(status).toBe(400);
    });

    it('stores no secret in plain text', async () => {
      const hook = await made();
      const row = await server.app
        .get(DataSource)
        .getRepository(OutgoingHook)
        .findOneByOrFail({ id: hook.id });
      const text = JSON.stringify(row);
      expect(text).not.toContain(hook.token);
      expect(text).not.toContain(hook.signing_secret);
    });
  });

  describe('list', () => {
    it('by page, oldest first', async () => {
      const place = await buildTeam(admin);
      const hooks: string[] = [];
      let last = 0;
      while (hooks.length < 3) {
        await eventually(() => Date.now() > last); // those of one millisecond are in the order of their ids
        const hook = await made({ team_id: place.id, channel_id: place.channelId });
        hooks.push(hook.id);
        last = hook.create_at;
      }
      expect(ids(await list(admin, `team_id=${place.id}`))).toEqual(hooks);
      expect(ids(await list(admin, `team_id=${place.id}&per_page=1&page=1`))).toEqual([hooks[1]]);
      expect(ids(await list(local, `team_id=${place.id}`))).toEqual(hooks);
      expect(ids(await list(admin, 'per_page=1'))).toHaveLength(1);
      expect(ids(await list(admin, 'per_page=0'))).toEqual([]);
    });

    it('of a team, of a channel, and of unknown ones', async () => {
      const hook = await made();
      const wide = await made({ channel_id: '' });
      expect(ids(await list(admin, `team_id=${team.id}`))).toEqual(
        expect.arrayContaining([hook.id, wide.id]),
      );
      const inChannel = ids(await list(admin, `channel_id=${team.channelId}&team_id=${otherTeam.id}`));
      expect(inChannel).toContain(hook.id);
      expect(inChannel).not.toContain(wide.id);
      expect((await list(admin, `team_id=${newId()}`)).body).toEqual([]);
      for (const client of [admin, local])
        expectError(await list(client, `channel_id=${newId()}`), 404, 'app.channel.get.existing.app_error');
      expectError(await list(admin, 'team_id=abc'), 400);
      expectError(await list(admin, 'channel_id=abc'), 400);
    });

    it('after the last one of the previous page, if it was ever listed', async () => {
      const place = await buildTeam(admin);
      const made = async (fields: object): Promise<string> =>
        (await buildOutgoingHook(admin, place.id, { trigger_words: [newId()], ...fields })).id;
      const hooks = [await made({ channel_id: place.channelId }), await made({ creator_id: server.adminId })];
      const [first, last] = ids(await list(admin, `team_id=${place.id}`));
      expect([first, last].toSorted()).toEqual(hooks.toSorted());
      expect(ids(await list(admin, `team_id=${place.id}&after=${first}&page=3&per_page=1`))).toEqual([last]);
      expect(ids(await list(admin, `team_id=${place.id}&after=${last}`))).toEqual([]);
      expect(ids(await list(admin, `channel_id=${place.channelId}&after=${hooks[0]}`))).toEqual([]);
      expect(ids(await list(admin, `after=${first}&per_page=200`))).toContain(last);
      await admin.call('DELETE', `${PATH}/${first}`);
      expect(ids(await list(admin, `team_id=${place.id}&after=${first}`))).toEqual([last]);
      const refused = async (client: ApiClient, query: string): Promise<void> =>
        expectError(await list(client, query), 400, 'api.context.invalid_url_param.app_error', 'after');
      for (const after of ['junk', newId()]) await refused(admin, `after=${after}`);
      await refused(admin, `team_id=${team.id}&after=${first}`);
      await refused(admin, `channel_id=${place.channelId}&after=${hooks[1]}`);
      const theirs = (await buildOutgoingHook(admin, team.id, { trigger_words: [newId()] })).id;
      await granting([BASE], () => refused(member.client, `team_id=${team.id}&after=${theirs}`));
    });

    it('for permitted users', async () => {
      expectError(await list(member.client), 403, DENIED);
      await granting([BASE], async () => {
        expect((await list(member.client, `team_id=${team.id}`)).status).toBe(200);
        expect((await list(member.client, `channel_id=${team.channelId}`)).status).toBe(200);
        expectError(await list(member.client, `team_id=${newId()}`), 403, DENIED);
        expectError(await list(member.client, `channel_id=${newId()}`), 403, DENIED);
        expectError(await list(member.client), 403, DENIED);
      });
      expectError(await list(server.anonymous), 401);
      await server.withSettings(OFF, async () => {
        expectError(await list(admin), 501, 'api.outgoing_webhook.disabled.app_error');
        expectError(await list(member.client), 403, DENIED);
      });
    });

    it("only own ones without the permission for others' webhooks", async () => {
      const theirs = await made();
      const own = await granting([BASE], () => made({}, member.client));
      await granting([BASE], async () => {
        for (const query of [`team_id=${team.id}`, `channel_id=${team.channelId}`]) {
          const seen = ids(await list(member.client, `${query}&per_page=200`));
          expect(seen).toContain(own.id);
          expect(seen).not.toContain(theirs.id);
          expect(ids(await list(admin, `${query}&per_page=200`))).toEqual(
            expect.arrayContaining([own.id, theirs.id]),
          );
        }
      });
      await granting(
        [BASE],
        async () => expect(ids(await list(member.client))).not.toContain(theirs.id),
        'system_user',
      );
    });
  });

  describe('one hook', () => {
    const calls: [string, (client: ApiClient, id: string) => Promise<Answer>][] = [
      ['get', get],
      [
        'put',
        (client, id) =>
          client.put(`${PATH}/${id}`, { id, channel_id: '', display_name: '', description: '' }),
      ],
      ['patch', (client, id) => client.patch(`${PATH}/${id}`, {})],
      ['delete', remove],
      ['regen_token', regenerate],
      ['enable', enable],
    ];

    it.each(calls)('%s: id shapes, unknown, no session, switched off', async (_, call) => {
      expectError(await call(admin, 'abc'), 400, 'api.context.invalid_url_param.app_error');
      expectError(await call(admin, newId()), 404, 'app.webhooks.get_outgoing.app_error');
      const hook = await made();
      expectError(await call(server.anonymous, hook.id), 401);
      await server.withSettings(OFF, async () => {
        expectError(await call(admin, hook.id), 501, 'api.outgoing_webhook.disabled.app_error');
      });
    });

    it.each(calls)('%s: own and others’, by team and by channel roles', async (_, call) => {
      const theirs = await made();
      expectError(await call(member.client, theirs.id), 403, DENIED);
      await granting([BASE], async () => expectError(await call(member.client, theirs.id), 403, DENIED));
      const own = await granting([BASE], () => made({}, member.client));
      expect((await granting([BASE], () => call(member.client, own.id))).status).toBe(200);
      expect((await granting([BASE, OTHERS], () => call(member.client, theirs.id))).status).toBe(200);
    });

    it('is returned by channel roles as well', async () => {
      const hook = await made({ creator_id: member.id });
      await admin.post(`/channels/${team.channelId}/members`, { user_id: member.id });
      expect((await granting([BASE], () => get(member.client, hook.id), 'channel_user')).status).toBe(200);
      expectError(await get(member.client, hook.id), 403, DENIED);
    });

    it('has its own kind of id', async () => {
      const hook = await made();
      expectError(await admin.get(`/api/v4/hooks/incoming/${hook.id}`), 404);
      const incoming = await buildIncomingHook(admin, team.channelId);
      expectError(await get(admin, incoming.id), 404);
    });

    it('is not found once deleted', async () => {
      const hook = await made();
      expect((await remove(admin, hook.id)).body).toEqual({ status: 'OK' });
      for (const call of [get, remove, regenerate]) expectError(await call(admin, hook.id), 404);
      expect(ids(await list(admin, `team_id=${team.id}&per_page=200`))).not.toContain(hook.id);
    });

    it('gets a new token and signing secret, even over the local socket', async () => {
      const hook = await made();
      for (const client of [admin, local]) {
        const before = (await get(admin, hook.id)).body;
        const answer = await regenerate(client, hook.id);
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ id: hook.id, status: 'OK', create_at: hook.create_at });
        expect(answer.body.token).toMatch(/^[a-z0-9]{26}$/);
        expect(answer.body.token).not.toBe(before.token);
        expect(answer.body.signing_secret).not.toBe(before.signing_secret);
        expect(answer.body.update_at).toBeGreaterThan(before.update_at);
        expect((await get(admin, hook.id)).body.token).toBe(answer.body.token);
      }
    });
  });

  describe('put', () => {
    it('changes names and channel, and keeps the rest', async () => {
      const hook = await made({ creator_id: member.id, username: 'bot' });
      const answer = await put(teamAdmin.client, hook, {
        display_name: 'Other',
        description: 'Else',
        channel_id: '',
        creator_id: teamAdmin.id,
        token: 'mine',
        create_at: 1,
        delete_at: 5,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        ...hook,
        display_name: 'Other',
        description: 'Else',
        channel_id: '',
        set_by: teamAdmin.id,
        update_at: answer.body.update_at,
      });
      expect(answer.body.update_at).toBeGreaterThan(hook.update_at);
    });

    it('keeps username and icon_url when they are missing, and changes them when sent', async () => {
      const hook = await made({ username: 'bot', icon_url: 'x' });
      const { id, channel_id, display_name, description } = hook;
      const required = { id, channel_id, display_name, description };
      expect((await admin.put(`${PATH}/${id}`, required)).body).toMatchObject({
        username: 'bot',
        icon_url: 'x',
      });
      const changed = await admin.put(`${PATH}/${id}`, { ...required, username: '', icon_url: 'y' });
      expect(changed.body).toMatchObject({ username: '', icon_url: 'y' });
    });

    it.each(['id', 'channel_id', 'display_name', 'description'])(
      'names %s when it is missing',
      async (key) => {
        const hook = await made();
        const sent = { ...hook };
        delete sent[key];
        expectError(await admin.put(`${PATH}/${hook.id}`, sent), 400, BODY);
      },
    );

    it('rejects another id and another team', async () => {
      const hook = await made();
      expectError(await put(admin, hook, { id: newId() }), 400, BODY, 'hook_id');
      expectError(await admin.put(`${PATH}/${hook.id}`, { ...hook, id: newId() }), 400, BODY);
      expectError(
        await put(admin, hook, { team_id: otherTeam.id }),
        400,
        'api.webhook.team_mismatch.app_error',
      );
      expect((await put(admin, hook, { team_id: '' })).status).toBe(200);
    });

    it.each([
      ['trigger_words', ['other']],
      ['trigger_words', []],
      ['trigger_when', 1],
      ['callback_urls', ['http://other.example/']],
      ['content_type', 'application/json'],
    ])('accepts the stored %s, and rejects another one by its name', async (field, value) => {
      const hook = await made();
      expect((await put(admin, hook)).status).toBe(200);
      expectError(await put(admin, hook, { [field]: value }), 400, BODY, field);
      expect((await get(admin, hook.id)).body[field]).toEqual(hook[field]);
    });

    it('rejects other trigger words with the command that changes them, which works', async () => {
      const hook = await made();
      const { message } = (await put(admin, hook, { trigger_words: ["it's", 'new'] })).body;
      const [, body = '', path = ''] = /-d '(.*)' 'http:\/\/[^/]+\/api\/v4(\/\S+)'$/.exec(message) ?? [];
      expect(message).toContain('curl -X PATCH');
      const { status } = await admin.patch(path, JSON.parse(body.replaceAll(`'\\''`, "'")));
      expect(status).toBe(200);
      expect((await get(admin, hook.id)).body.trigger_words).toEqual(["it's", 'new']);
    });

    it.each([
      ['trigger_words', null, { trigger_words: [] }],
      ['trigger_when', null, { trigger_when: 0 }],
      ['callback_urls', null, undefined],
      ['callback_urls', [], undefined],
      ['content_type', null, { content_type: '' }],
      ['content_type', '', { content_type: '' }],
    ])('treats %s %p as the empty value', async (field, value, equal) => {
      const hook = await made({ content_type: 'application/json', trigger_when: 1 });
      expectError(await put(admin, hook, { [field]: value }), 400, BODY, field);
      expect((await get(admin, hook.id)).body).toEqual(hook);
      if (equal) expect((await put(admin, await made(equal), { [field]: value })).status).toBe(200);
    });

    it('moves to a readable channel of the same team', async () => {
      const hook = await made();
      const openId = await buildChannel(admin, team.id, 'O');
      expect((await put(admin, hook, { channel_id: openId })).body.channel_id).toBe(openId);
      expectError(await put(admin, hook, { channel_id: newId() }), 404, 'app.channel.get.existing.app_error');
      expectError(
        await put(teamAdmin.client, hook, { channel_id: privateId }),
        403,
        'api.webhook.create_outgoing.not_open.app_error',
      );
      expect((await put(admin, hook, { channel_id: privateId })).body.channel_id).toBe(privateId);
      expectError(
        await put(admin, hook, { channel_id: otherTeam.channelId }),
        403,
        'api.webhook.create_outgoing.permissions.app_error',
      );
    });

    it('to the word and URL of another hook of the channel is refused', async () => {
      const openId = await buildChannel(admin, team.id, 'O');
      const hook = await made({ channel_id: openId });
      const other = await made({ trigger_words: hook.trigger_words });
      expectError(
        await put(admin, other, { channel_id: openId }),
        400,
        'api.webhook.update_outgoing.intersect.app_error',
      );
    });

    it('without channel and words is refused', async () => {
      const hook = await made({ trigger_words: [] });
      expectError(
        await put(admin, hook, { channel_id: '' }),
        400,
        'api.webhook.create_outgoing.triggers.app_error',
      );
    });

    it('is not allowed for users of another team', async () => {
      const stranger = await buildMember(server, [otherTeam.id], true);
      expectError(await put(stranger.client, await made()), 403, DENIED);
    });

    it('validates the record', async () => {
      const hook = await made();
      expectError(
        await put(admin, hook, { display_name: 'x'.repeat(65) }),
        400,
        `${VALID}.display_name.app_error`,
      );
      expectError(await put(admin, hook, { icon_url: 'x'.repeat(1025) }), 400);
    });
  });

  describe('of a private channel', () => {
    const HIDDEN = {
      token: '',
      signing_secret: '',
      callback_urls: ['https://ci.example', 'http://127.0.0.1:9'],
      disabled_urls: [],
    };
    const callback_urls = ['https://ci.example/T0/key?token=abc', 'http://127.0.0.1:9/key'];
    let hook: any;
    beforeEach(async () => {
      hook = await made({ callback_urls });
      expect((await patch(admin, hook, { channel_id: privateId })).status).toBe(200);
      hook = (await get(admin, hook.id)).body;
    });

    it('is shown without its secrets to managers who cannot read the channel', async () => {
      expect(hook.token).toMatch(/^[a-z0-9]{26}$/);
      expect((await get(teamAdmin.client, hook.id)).body).toEqual({ ...hook, ...HIDDEN });
      for (const query of [`team_id=${team.id}&per_page=200`, `channel_id=${privateId}`]) {
        const listed = (await list(teamAdmin.client, query)).body;
        expect(listed.find(({ id }: any) => id === hook.id)).toEqual({ ...hook, ...HIDDEN });
        expect((await list(admin, query)).body).toContainEqual(hook);
      }
      const [open] = (await list(teamAdmin.client, `channel_id=${team.channelId}`)).body;
      expect(open.token).toMatch(/^[a-z0-9]{26}$/);
    });

    it('is shown without its secrets even to its creator, after they have left the channel', async () => {
      const channelId = await buildChannel(admin, team.id, 'P');
      await admin.post(`/channels/${channelId}/members`, { user_id: teamAdmin.id });
      const own = await made({ callback_urls }, teamAdmin.client);
      const moved = (await patch(teamAdmin.client, own, { channel_id: channelId })).body;
      expect(moved.token).toBe(own.token);
      await admin.delete(`/channels/${channelId}/members/${teamAdmin.id}`);
      expect((await list(teamAdmin.client, `channel_id=${channelId}`)).body).toEqual([
        { ...moved, ...HIDDEN, paused_reason: 'creator_cannot_read' },
      ]);
    });

    it.each([
      ['PUT', '', () => ({ ...hook, channel_id: team.channelId })],
      ['PATCH', '', () => ({ channel_id: team.channelId })],
      ['PATCH', '', () => ({ description: 'x' })],
      ['POST', '/regen_token', () => undefined],
      ['POST', '/enable', () => undefined],
      ['POST', '/test', () => ({})],
      ['GET', '/deliveries', () => undefined],
      ['GET', `/deliveries/${newId()}`, () => undefined],
      ['POST', `/deliveries/${newId()}/retry`, () => undefined],
      ['POST', '/recover', () => ({ since: 0, dry_run: true })],
      ['GET', '/recover', () => undefined],
    ])('refuses %s %s to managers who cannot read the channel', async (method, path, sent) => {
      expectError(await teamAdmin.client.send(method, `${PATH}/${hook.id}${path}`, sent()), 403, DENIED);
      expect((await get(admin, hook.id)).body).toEqual(hook);
      const { status } = await admin.send(method, `${PATH}/${hook.id}${path}`, sent());
      expect(status).toBe(path.includes('deliveries/') ? 404 : 200);
    });

    it('can be deleted even by managers who cannot read the channel; they cannot see its log', async () => {
      expect((await remove(teamAdmin.client, hook.id)).status).toBe(200);
      expectError(await teamAdmin.client.get(`${PATH}/${hook.id}/deliveries`), 403, DENIED);
      expect((await admin.get(`${PATH}/${hook.id}/deliveries`)).status).toBe(200);
    });
  });

  describe('patch', () => {
    it('changes any editable field, and nothing else', async () => {
      const hook = await made();
      const change = {
        channel_id: '',
        display_name: 'New',
        description: 'Newer',
        trigger_words: ['a', 'b'],
        trigger_when: 1,
        callback_urls: ['http://new.example/'],
        content_type: 'application/json',
        username: 'n',
        icon_url: 'i',
      };
      const answer = await patch(admin, hook, { ...change, creator_id: member.id, token: 'x' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...hook, ...change, update_at: answer.body.update_at });
      expect((await patch(admin, hook, {})).body).toMatchObject(change);
    });

    it('validates the record, naming the field', async () => {
      const hook = await made();
      expectError(await patch(admin, hook, { callback_urls: [] }), 400, undefined, 'callback_urls');
      expectError(await patch(admin, hook, { trigger_words: [''] }), 400, undefined, 'trigger_words');
      expectError(await patch(admin, hook, { content_type: 'x' }), 400, undefined, 'content_type');
      expectError(await patch(admin, hook, { trigger_when: 7 }), 400, undefined, 'trigger_when');
    });

    it('accepts its own team, and rejects another one like PUT', async () => {
      const hook = await made();
      const mismatch = 'api.webhook.team_mismatch.app_error';
      for (const client of [admin, member.client])
        expectError(await patch(client, hook, { team_id: otherTeam.id }), 400, mismatch, 'team_id');
      for (const teamId of [team.id, '', null])
        expect((await patch(admin, hook, { team_id: teamId })).body).toMatchObject({ team_id: team.id });
      expectError(await patch(admin, hook, { team_id: 7 }), 400, BODY, 'team_id');
    });

    it('to another team requires the permission there too', async () => {
      const hook = await granting([BASE], () => made({}, member.client));
      const wide = granting([BASE], () =>
        patch(member.client, hook, { channel_id: '', trigger_words: ['w'] }),
      );
      expect((await wide).status).toBe(200);
    });
  });

  describe('with a disabled URL', () => {
    let receiver: Receiver;
    let bad: string;
    let good: string;
    beforeEach(async () => {
      receiver = await Receiver.start((call, response) => {
        response.statusCode = call.path === '/gone' ? 410 : call.path === '/broken' ? 500 : 200;
        response.end();
      });
      bad = receiver.url('/gone');
      good = receiver.url('/good');
    });
    afterEach(() => receiver.close());

    const say = (message: string): Promise<Answer> =>
      admin.post('/posts', { channel_id: team.channelId, message });
    const deliveries = async (hook: any): Promise<any[]> =>
      (await admin.get(`${PATH}/${hook.id}/deliveries`)).body.deliveries;
    /** A hook for these URLs, after `bad` has responded with 410. */
    const withGone = async (...urls: string[]): Promise<any> => {
      const word = newId();
      const hook = await made({ trigger_words: [word], callback_urls: urls });
      await say(word);
      return eventually(async () => {
        const { body: latest } = await get(admin, hook.id);
        return latest.disabled_urls.includes(bad) && latest;
      });
    };

    it('keeps it disabled over other changes', async () => {
      const hook = await withGone(bad, good);
      expect(hook).toMatchObject({ disabled_at: 0, disabled_urls: [bad] });
      expect((await patch(admin, hook, { display_name: 'x' })).body.disabled_urls).toEqual([bad]);
      expect((await put(admin, hook)).body.disabled_urls).toEqual([bad]);
      expect((await patch(admin, hook, { callback_urls: [good] })).body.disabled_urls).toEqual([]);
    });

    it('is disabled once it has no other URL, and says why', async () => {
      const hook = await withGone(bad, good);
      const events = await announcedBy<DomainEvent>(server, HOOK_EVENTS, async () => {
        await patch(admin, hook, { callback_urls: [bad] });
      });
      expect(events.map(({ name }) => name)).toEqual(['outgoing_hook.updated', 'outgoing_hook.disabled']);
      const { body: off } = await get(admin, hook.id);
      expect(off).toMatchObject({ disabled_at: expect.any(Number), disabled_urls: [bad] });
      expect(off.disabled_at).toBeGreaterThan(0);
      expect(off.disabled_reason).not.toBe('');
      const [message] = hook.trigger_words;
      const told = await admin.post(`${PATH}/explain?per_page=200`, { channel_id: team.channelId, message });
      expect(told.body.hooks.find((each: any) => each.hook_id === hook.id)).toMatchObject({
        fires: false,
        reason: 'disabled',
      });
      await patch(admin, hook, { display_name: 'x' });
      expect((await get(admin, hook.id)).body).toMatchObject({
        disabled_at: off.disabled_at,
        disabled_reason: off.disabled_reason,
      });
    });

    it('is enabled again once it has another URL', async () => {
      const hook = await withGone(bad);
      expect(hook.disabled_at).toBeGreaterThan(0);
      const events = await announcedBy<DomainEvent>(server, HOOK_EVENTS, async () => {
        await patch(admin, hook, { callback_urls: [bad, good] });
      });
      expect(events.map(({ name }) => name)).toEqual(['outgoing_hook.updated', 'outgoing_hook.enabled']);
      expect((await get(admin, hook.id)).body).toMatchObject({
        disabled_at: 0,
        disabled_reason: '',
        disabled_urls: [bad],
      });
      await say(hook.trigger_words[0]);
      await eventually(() => receiver.callsTo('/good').length === 1);
    });

    it('or a removed URL: its waiting deliveries are cancelled at once', async () => {
      const broken = receiver.url('/broken');
      const word = newId();
      const hook = await made({ trigger_words: [word], callback_urls: [broken, `${broken}#2`] });
      await say(word);
      await eventually(async () => (await deliveries(hook)).every(({ attempts }) => attempts === 1));
      await patch(admin, hook, { callback_urls: [broken] });
      const rows = await deliveries(hook);
      expect(rows.map((row) => [row.callback_url, row.status, row.reason])).toEqual(
        expect.arrayContaining([
          [broken, 'pending', ''],
          [`${broken}#2`, 'cancelled', 'url_removed'],
        ]),
      );
    });
  });

  it('is deleted with its channel, and not restored with it', async () => {
    const channelId = await buildChannel(admin, team.id, 'O');
    const hook = await made({ channel_id: channelId });
    await admin.delete(`/channels/${channelId}`);
    expectError(await get(admin, hook.id), 404);
    await admin.post(`/channels/${channelId}/restore`);
    expectError(await get(admin, hook.id), 404);
  });

  it('is audited, without its secrets', async () => {
    const hook = await made();
    await regenerate(admin, hook.id);
    const rows = (await admin.get('/audits?per_page=200')).body as any[];
    const actions = rows.filter(({ target }) => target === hook.id).map(({ action }) => action as string);
    expect(actions.sort()).toEqual(['create_outgoing_webhook', 'regenerate_outgoing_webhook_token']);
  });

  it('publishes an event for each change', async () => {
    const events = await announcedBy<DomainEvent>(server, HOOK_EVENTS, async () => {
      const hook = await buildOutgoingHook(admin, team.id, { trigger_words: [newId()] });
      await patch(admin, hook, { display_name: 'x' });
      await enable(admin, hook.id);
      await remove(admin, hook.id);
    });
    expect(events.map(({ name }) => name)).toEqual([
      'outgoing_hook.created',
      'outgoing_hook.updated',
      'outgoing_hook.enabled',
      'outgoing_hook.deleted',
    ]);
  });
});
