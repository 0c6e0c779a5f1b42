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
const SWITCHED_OFF = 'api.outgoing_webhook.disabled.app_error';
const OTHER_TEAM = 'api.webhook.create_outgoing.permissions.app_error';
const NO_TRIGGERS = 'api.webhook.create_outgoing.triggers.app_error';
const MISMATCH = 'api.webhook.team_mismatch.app_error';
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
  const listed = async (client: ApiClient, query = ''): Promise<string[]> =>
    (await list(client, query)).body.map((hook: any) => hook.id);
  const refused = async (
    answer: Promise<Answer>,
    status: number,
    id?: string,
    named?: string,
  ): Promise<void> => expectError(await answer, status, id, named);

  describe('create', () => {
    it('requires a creator in the team, even for system administrators and in local mode', async () => {
      const stranger = await buildMember(server, [otherTeam.id]);
      const root = await buildMember(server);
      await admin.put(`/users/${root.id}/roles`, { roles: 'system_user system_admin' });
      const notInTeam = 'api.webhook.create_outgoing.creator_not_in_team.app_error';
      for (const client of [admin, teamAdmin.client, local])
        for (const channel_id of [team.channelId, ''])
          await refused(
            create(client, { creator_id: stranger.id, channel_id }),
            400,
            notInTeam,
            'creator_id',
          );
      await refused(create(root.client), 400, notInTeam, 'creator_id');
      await refused(
        create(admin, { creator_id: await buildRemoteUser(server) }),
        400,
        REMOTE_USER,
        'creator_id',
      );
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

    it('returns the whole record, with ids, times and secrets of the server', async () => {
      const fields = {
        username: 'any Name!',
        icon_url: 'no url',
        description: 'Starts a deployment.',
        trigger_when: 1,
        content_type: 'application/json',
        trigger_words: ['!deploy', '!deploy'],
      };
      const given = { create_at: 100, delete_at: 5, token: 'mine', disabled_at: 7, id: '' };
      // Names and icons are stored even while overrides are off.
      const off = { enablePostUsernameOverride: false, enablePostIconOverride: false };
      const answer = await server.withSettings(off, () => create(admin, { ...fields, ...given }));
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual({
        ...{ events: ['message.triggered'], bot_user_id: '', include_bots: false },
        ...body(fields),
        id: expect.stringMatching(/^[a-z0-9]{26}$/),
        token: expect.stringMatching(/^[a-z0-9]{26}$/),
        create_at: expect.any(Number),
        update_at: answer.body.create_at,
        delete_at: 0,
        creator_id: server.adminId,
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
        disabled_at: 0,
        disabled_reason: '',
        disabled_urls: [],
        failing_urls: [],
        set_by: server.adminId,
        owner_state: 'active',
        paused_reason: '',
        delivery: 'push',
        ordering: '',
        requests_per_second: 0,
        secrets_unreadable: false,
        previous_secret_until: 0,
        headers: [],
        auth: null,
      });
      expect(answer.body.create_at).toBeGreaterThan(100);
      expect((await get(admin, answer.body.id)).body).toEqual(answer.body);
      const id = 'app.webhooks.save_outgoing.override.app_error';
      await refused(create(admin, { id: newId() }), 400, id, 'id');
    });

    it('warns about addresses that will not be called, and about names of them', async () => {
      const { port } = new URL(server.url);
      const why = (hosts: string): string =>
        `callback_urls: ${hosts} will not be called; ALLOWED_INTERNAL_HOSTS does not contain it`;
      const cases: [string[], string[] | undefined][] = [
        [['https://internal.example/x?key=secret', 'http://internal.example:81/'], [why('internal.example')]],
        [['http://mixed.example/', 'http://10.0.0.5/'], [expect.stringMatching(/mixed.example/)]],
        [['http://allowed.example/', 'http://public.example/', 'http://127.0.0.1/'], undefined],
        [['http://10.0.0.5/', 'http://[::1]:9/', 'http://nowhere.example/'], [why('10.0.0.5, ::1')]],
        [['http://silent.test/', 'http://10.0.0.5/'], [why('10.0.0.5')]], // it does not wait for the name server
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
      const created = await create(admin, { callback_urls: ['http://10.0.0.5/'] });
      const renamed = await put(admin, created.body, { display_name: 'Same' });
      for (const { headers, body: saved } of [created, renamed])
        expect([headers['x-hookline-warnings'], saved.warnings]).toEqual([
          why('10.0.0.5'),
          [why('10.0.0.5')],
        ]);
      const called = await patch(admin, created.body, { callback_urls: ['http://nowhere.example/'] });
      expect([called.headers['x-hookline-warnings'], called.body.warnings]).toEqual([undefined, undefined]);
      expect((await get(admin, hook.id)).body).not.toHaveProperty('warnings');
    });

    it('warns about a token endpoint that will not be called', async () => {
      const auth = (host: string): object => ({
        ...{ type: 'oauth2', token_url: `http://${host}/token`, client_id: 'a', client_secret: 'b' },
      });
      const why = 'auth.token_url: 10.0.0.5 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it';
      const created = await create(admin, { auth: auth('10.0.0.5') });
      const renamed = await put(admin, created.body, { display_name: 'Same' });
      for (const { headers, body: saved } of [created, renamed])
        expect([headers['x-hookline-warnings'], saved.warnings]).toEqual([why, [why]]);
      const both = { callback_urls: ['http://10.0.0.6/'], auth: auth('10.0.0.5') };
      expect((await patch(admin, created.body, both)).body.warnings).toEqual([
        'callback_urls: 10.0.0.6 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it',
        why,
      ]);
      const called = await patch(admin, created.body, {
        ...{ callback_urls: ['http://nowhere.example/'], auth: auth('nowhere.example') },
      });
      expect(called.body).not.toHaveProperty('warnings');
    });

    it('names the setting for a refused test call, and hides a request that was not sent', async () => {
      const internal = ['http://10.0.0.5/', 'http://internal.example/'];
      const others = ['http://nowhere.example/', 'http://127.0.0.1:9/'];
      const hook = await made({ callback_urls: [...internal, ...others] });
      for (const url of hook.callback_urls) {
        const { status, body: tested } = await admin.post(`${PATH}/${hook.id}/test`, { callback_url: url });
        expect({ url, status, request: tested.request }).toEqual({ url, status: 200, request: null });
        if (internal.includes(url))
          expect(tested.warnings).toEqual([
            `callback_urls: ${new URL(url).hostname} will not be called; ALLOWED_INTERNAL_HOSTS does not contain it`,
          ]);
        else expect(tested).not.toHaveProperty('warnings');
      }
    });

    it('accepts an empty name, and no words with a channel', async () => {
      const form = 'application/x-www-form-urlencoded';
      const empty = { display_name: '', trigger_words: [], content_type: form };
      expect(await made({ display_name: null, trigger_words: null })).toMatchObject(empty);
      expect((await made({ content_type: '' })).content_type).toBe(form);
    });

    it('for an unknown team is refused', async () => {
      const nowhere = { team_id: newId(), channel_id: '', creator_id: member.id };
      await refused(create(admin, { team_id: '' }), 403, DENIED);
      await refused(create(admin, { team_id: newId() }), 403, OTHER_TEAM);
      await refused(create(member.client, nowhere), 403, DENIED);
      for (const client of [admin, local])
        await refused(create(client, nowhere), 404, 'app.team.get.find.app_error');
      await refused(create(local, { ...nowhere, team_id: 'junk' }), 400, undefined, 'team_id');
    });

    it("sets another owner with the permission for others' webhooks, or over the local socket", async () => {
      const unknown = 'app.user.missing_account.const';
      for (const client of [admin, local]) {
        expect((await made({ creator_id: member.id }, client)).creator_id).toBe(member.id);
        await refused(create(client, { creator_id: newId() }), 404, unknown);
      }
      await refused(create(local), 400, BODY, 'creator_id');
      await granting([BASE], async () => {
        await refused(create(member.client, { creator_id: colleague.id }), 403, DENIED);
        expect((await made({ creator_id: member.id }, member.client)).creator_id).toBe(member.id);
      });
      const others = granting([BASE, OTHERS], () => made({ creator_id: colleague.id }, member.client));
      expect((await others).creator_id).toBe(colleague.id);
    });

    it.each([
      ['nowhere.example/', 'no scheme'],
      ['HTTP://nowhere.example/', 'a scheme in capitals'],
      ['http:///path', 'no host'],
      ['http://user:secret@nowhere.example/', 'credentials'],
      ['http://nowhere.example/ x', 'white space'],
      ['', 'nothing'],
    ])('refuses the callback URL %p: %s', async (url) => {
      const answer = await create(admin, { callback_urls: ['http://nowhere.example/', url] });
      expectError(answer, 400, `${VALID}.url.app_error`, 'callback_urls[1]');
      expect(answer.text).not.toContain('secret');
    });

    const urls = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `http://h/${index}`);
    it.each<[string, object]>([
      ['20 URLs', { callback_urls: urls(20) }],
      ['URLs of 1022 bytes', { callback_urls: [`http://h/${'x'.repeat(1013)}`] }],
      ['https URLs', { callback_urls: ['https://nowhere.example:8443/a?b=c'] }],
      ['words of 1022 bytes', { trigger_words: ['x'.repeat(1022)] }],
      ['the first word as trigger', { trigger_when: 2 }],
      ['a long display_name', { display_name: 'x'.repeat(64) }],
      ['a long description', { description: 'x'.repeat(500) }],
      ['a long username', { username: 'x'.repeat(64) }],
      ['a long icon_url', { icon_url: 'x'.repeat(1024) }],
    ])('accepts %s', async (_, fields) => {
      expect(await made({ ...fields })).toMatchObject(fields);
    });

    it.each<readonly [string, object, string | undefined]>([
      ['team_id', { team_id: undefined }, BODY],
      ['display_name', { display_name: undefined }, BODY],
      ['trigger_words', { trigger_words: undefined }, BODY],
      ['callback_urls', { callback_urls: undefined }, BODY],
      ['callback_urls', { callback_urls: [] }, `${VALID}.callback.app_error`],
      ['callback_urls', { callback_urls: urls(21) }, `${VALID}.callback.app_error`],
      ['callback_urls', { callback_urls: [`http://h/${'x'.repeat(1014)}`] }, `${VALID}.callback.app_error`],
      ['display_name', { display_name: 'x'.repeat(65) }, `${VALID}.display_name.app_error`],
      ['display_name', { display_name: 'ü'.repeat(33) }, `${VALID}.display_name.app_error`],
      ['description', { description: 'x'.repeat(501) }, `${VALID}.description.app_error`],
      ['username', { username: 'x'.repeat(65) }, 'model.outgoing_hook.username.app_error'],
      ['icon_url', { icon_url: 'x'.repeat(1025) }, 'model.outgoing_hook.icon_url.app_error'],
      ['content_type', { content_type: 'text/plain' }, `${VALID}.content_type.app_error`],
      ['content_type', { content_type: 'application/JSON' }, `${VALID}.content_type.app_error`],
      ['content_type', { content_type: 'x'.repeat(129) }, `${VALID}.content_type.app_error`],
      ['trigger_words', { channel_id: '', trigger_words: [] }, NO_TRIGGERS],
      ['trigger_words', { trigger_words: ['a', ''] }, `${VALID}.trigger_words.app_error`],
      ['trigger_words', { trigger_words: ['\u3000'] }, `${VALID}.trigger_words.app_error`],
      ['trigger_words', { trigger_words: ['x'.repeat(1023)] }, `${VALID}.words.app_error`],
      ['trigger_words', { trigger_words: 'word' }, BODY],
      ['trigger_words', { trigger_words: [1] }, BODY],
      ...[3, -1, 1.5, '1'].map((trigger_when) => ['trigger_when', { trigger_when }, undefined] as const),
    ])('refuses an invalid %s: %j', async (field, fields, id) => {
      await refused(create(admin, { ...fields }), 400, id, field);
    });

    it('accepts only public channels of the team', async () => {
      await refused(create(admin, { channel_id: privateId }), 403, SWITCHED_OFF); // the id of the contract
      await refused(create(admin, { channel_id: otherTeam.channelId }), 403, OTHER_TEAM);
      for (const channel_id of ['junk', newId()])
        await refused(create(admin, { channel_id }), 404, 'app.channel.get.existing.app_error');
    });

    it('refuses a second hook for the same word, URL and channel', async () => {
      const callback_urls = ['http://a.example/', 'http://b.example/'];
      await made({ callback_urls, trigger_words: ['one', 'two'], channel_id: team.channelId });
      const overlapping = { trigger_words: ['two', 'three'], callback_urls: ['http://b.example/'] };
      await refused(create(admin, overlapping), 400, 'api.webhook.create_outgoing.intersect.app_error');
      await made({ ...overlapping, channel_id: '' });
      await made({ ...overlapping, trigger_words: ['Two'] });
      for (const trigger_words of [[], []]) await made({ trigger_words });
    });

    it.each(['', '{', '[]', 'null', '{"team_id":1}'])('refuses the body %p', async (raw) => {
      expect((await admin.post(PATH, undefined, { raw })).status).toBe(400);
    });

    it('stores no secret in plain text', async () => {
      const { id, token, signing_secret } = await made();
      const row = await server.app.get(DataSource).getRepository(OutgoingHook).findOneByOrFail({ id });
      for (const secret of [token, signing_secret]) expect(JSON.stringify(row)).not.toContain(secret);
    });
  });

  describe('list', () => {
    it('by page, oldest first, of a team, of a channel, and of unknown ones', async () => {
      const place = await buildTeam(admin);
      const hooks: string[] = [];
      let last = 0;
      while (hooks.length < 3) {
        await eventually(() => Date.now() > last); // those of one millisecond are in the order of their ids
        const channel_id = hooks.length === 1 ? '' : place.channelId;
        const hook = await made({ team_id: place.id, channel_id });
        hooks.push(hook.id);
        last = hook.create_at;
      }
      const cases: [string, string[]][] = [
        [`team_id=${place.id}`, hooks],
        [`team_id=${place.id}&per_page=1&page=1`, hooks.slice(1, 2)],
        [`team_id=${otherTeam.id}&channel_id=${place.channelId}`, [hooks[0]!, hooks[2]!]],
        [`team_id=${newId()}`, []],
        ['per_page=0', []],
      ];
      for (const client of [admin, local]) {
        for (const [query, found] of cases) expect(await listed(client, query)).toEqual(found);
        expect(await listed(client, 'per_page=1')).toHaveLength(1);
        await refused(list(client, `channel_id=${newId()}`), 404, 'app.channel.get.existing.app_error');
      }
      for (const query of ['team_id=abc', 'channel_id=abc']) await refused(list(admin, query), 400);
    });

    it('after the last one of the previous page, if it was ever listed', async () => {
      const place = await buildTeam(admin);
      const build = async (fields: object): Promise<string> =>
        (await buildOutgoingHook(admin, place.id, { trigger_words: [newId()], ...fields })).id;
      const hooks = [await build({ channel_id: place.channelId }), await build({})];
      const [first, last] = await listed(admin, `team_id=${place.id}`);
      expect([first, last].toSorted()).toEqual(hooks.toSorted());
      const cases: [string, unknown[]][] = [
        [`team_id=${place.id}&after=${first}&page=3&per_page=1`, [last]],
        [`team_id=${place.id}&after=${last}`, []],
        [`channel_id=${place.channelId}&after=${hooks[0]}`, []],
      ];
      for (const [query, found] of cases) expect(await listed(admin, query)).toEqual(found);
      expect(await listed(admin, `after=${first}&per_page=200`)).toContain(last);
      await remove(admin, first!);
      expect(await listed(admin, `team_id=${place.id}&after=${first}`)).toEqual([last]);
      const ends = (client: ApiClient, query: string): Promise<void> =>
        refused(list(client, query), 400, 'api.context.invalid_url_param.app_error', 'after');
      for (const after of ['junk', newId()]) await ends(admin, `after=${after}`);
      await ends(admin, `team_id=${team.id}&after=${first}`);
      await ends(admin, `channel_id=${place.channelId}&after=${hooks[1]}`);
      const theirs = (await made()).id;
      await granting([BASE], () => ends(member.client, `team_id=${team.id}&after=${theirs}`));
    });

    it("for permitted users, and only own ones without the permission for others' webhooks", async () => {
      const theirs = await made();
      await granting([BASE], async () => {
        const own = await made({}, member.client);
        for (const query of [`team_id=${team.id}`, `channel_id=${team.channelId}`]) {
          const seen = await listed(member.client, `${query}&per_page=200`);
          expect([seen.includes(own.id), seen.includes(theirs.id)]).toEqual([true, false]);
        }
        for (const query of [`team_id=${newId()}`, `channel_id=${newId()}`, ''])
          await refused(list(member.client, query), 403, DENIED);
      });
      const onSystem = granting([BASE], () => listed(member.client), 'system_user');
      expect(await onSystem).not.toContain(theirs.id);
    });
  });

  it('returns 501 for every use while it is switched off, after the permissions', async () => {
    const { id } = await made();
    const input = { channel_id: team.channelId, message: 'x', team_id: team.id, trigger_words: ['x'] };
    await server.withSettings(OFF, async () => {
      for (const client of [admin, member.client]) {
        const [status, errorId] = client === admin ? [501, SWITCHED_OFF] : [403, DENIED];
        for (const answer of [create(client), list(client), list(client, `team_id=${team.id}`)])
          await refused(answer, status, errorId);
        for (const path of ['explain', 'dry_run'])
          await refused(client.post(`${PATH}/${path}`, input), status, errorId);
      }
      for (const path of ['deliveries', 'deliveries/stats', 'deliveries/stats?endpoint=x', 'endpoints'])
        await refused(admin.get(`${PATH}/${path}`), 501, SWITCHED_OFF);
      for (const path of ['endpoints/details?endpoint=https://a.example', `${id}/stats`, `${id}/deliveries`])
        await refused(admin.get(`${PATH}/${path}`), 501, SWITCHED_OFF);
      for (const path of ['stats', `${id}/dry_run`])
        await refused(admin.post(`${PATH}/${path}`, { hook_ids: [id] }), 501, SWITCHED_OFF);
    });
  });

  describe('one hook', () => {
    const calls: [string, (client: ApiClient, id: string) => Promise<Answer>][] = [
      ['get', get],
      ['put', (client, id) => put(client, { id, channel_id: '', display_name: '', description: '' })],
      ['patch', (client, id) => patch(client, { id }, {})],
      ['delete', remove],
      ['regen_token', regenerate],
      ['enable', enable],
    ];

    it.each(calls)('%s: id shapes, switched off, own and others’', async (_, call) => {
      await refused(call(admin, 'abc'), 400, 'api.context.invalid_url_param.app_error');
      await refused(call(admin, newId()), 404, 'app.webhooks.get_outgoing.app_error');
      const theirs = await made();
      await server.withSettings(OFF, () => refused(call(admin, theirs.id), 501, SWITCHED_OFF));
      await granting([BASE], async () => {
        await refused(call(member.client, theirs.id), 403, DENIED);
        const own = await made({}, member.client);
        expect((await call(member.client, own.id)).status).toBe(200);
      });
      expect((await granting([BASE, OTHERS], () => call(member.client, theirs.id))).status).toBe(200);
    });

    it('is returned by channel roles as well', async () => {
      const hook = await made({ creator_id: member.id });
      await admin.post(`/channels/${team.channelId}/members`, { user_id: member.id });
      expect((await granting([BASE], () => get(member.client, hook.id), 'channel_user')).status).toBe(200);
      await refused(get(member.client, hook.id), 403, DENIED);
    });

    it('has its own kind of id', async () => {
      const incoming = await buildIncomingHook(admin, team.channelId);
      await refused(admin.get(`/api/v4/hooks/incoming/${(await made()).id}`), 404);
      await refused(get(admin, incoming.id), 404);
    });

    it('is not found once deleted', async () => {
      const hook = await made();
      expect((await remove(admin, hook.id)).body).toEqual({ status: 'OK' });
      for (const call of [get, remove, regenerate]) await refused(call(admin, hook.id), 404);
      expect(await listed(admin, `team_id=${team.id}&per_page=200`)).not.toContain(hook.id);
    });

    it('gets a new token and signing secret, even over the local socket', async () => {
      const hook = await made();
      for (const client of [admin, local]) {
        const before = (await get(admin, hook.id)).body;
        const { status, body: after } = await regenerate(client, hook.id);
        expect(status).toBe(200);
        expect(after).toMatchObject({ id: hook.id, status: 'OK', create_at: hook.create_at });
        expect(after.token).toMatch(/^[a-z0-9]{26}$/);
        expect(after.token).not.toBe(before.token);
        expect(after.signing_secret).not.toBe(before.signing_secret);
        expect(after.update_at).toBeGreaterThan(before.update_at);
        expect((await get(admin, hook.id)).body.token).toBe(after.token);
      }
    });
  });

  describe('put', () => {
    it('changes names and channel, and keeps the rest', async () => {
      const hook = await made({ creator_id: member.id, username: 'bot', icon_url: 'x' });
      const change = { display_name: 'Other', description: 'Else', channel_id: '' };
      const ignored = { creator_id: teamAdmin.id, token: 'mine', create_at: 1, delete_at: 5 };
      const { status, body: after } = await put(teamAdmin.client, hook, { ...change, ...ignored });
      expect(status).toBe(200);
      expect(after).toEqual({ ...hook, ...change, set_by: teamAdmin.id, update_at: after.update_at });
      expect(after.update_at).toBeGreaterThan(hook.update_at);
      const required = { id: hook.id, ...change };
      const kept = await admin.put(`${PATH}/${hook.id}`, required);
      expect(kept.body).toMatchObject({ username: 'bot', icon_url: 'x' });
      const changed = await admin.put(`${PATH}/${hook.id}`, { ...required, username: '', icon_url: 'y' });
      expect(changed.body).toMatchObject({ username: '', icon_url: 'y' });
    });

    it('rejects missing fields, another id and another team', async () => {
      const hook = await made();
      for (const key of ['id', 'channel_id', 'display_name', 'description'])
        await refused(put(admin, hook, { [key]: undefined }), 400, BODY);
      await refused(admin.put(`${PATH}/${hook.id}`, { ...hook, id: newId() }), 400, BODY, 'hook_id');
      await refused(put(admin, hook, { team_id: otherTeam.id }), 400, MISMATCH);
      expect((await put(admin, hook, { team_id: '' })).status).toBe(200);
    });

    it.each([
      ['trigger_words', ['other'], undefined],
      ['trigger_words', null, { trigger_words: [] }],
      ['trigger_when', 0, undefined],
      ['trigger_when', 2, { trigger_when: 2 }],
      ['trigger_when', null, { trigger_when: 0 }],
      ['callback_urls', ['http://other.example/'], undefined],
      ['callback_urls', null, undefined],
      ['callback_urls', [], undefined],
      ['content_type', 'application/x-www-form-urlencoded', undefined],
      ['content_type', null, { content_type: '' }],
      ['content_type', '', { content_type: '' }],
    ])('accepts the stored %s, and rejects %p by its name', async (field, value, equal) => {
      const hook = await made({ content_type: 'application/json', trigger_when: 1 });
      await refused(put(admin, hook, { [field]: value }), 400, BODY, field);
      expect((await get(admin, hook.id)).body).toEqual(hook);
      expect((await put(admin, hook)).status).toBe(200);
      if (equal) expect((await put(admin, await made(equal), { [field]: value })).status).toBe(200);
    });

    it('rejects other trigger words with the command that changes them, which works', async () => {
      const hook = await made();
      const { message } = (await put(admin, hook, { trigger_words: ["it's", 'new'] })).body;
      const [, sent = '', path = ''] = /-d '(.*)' 'http:\/\/[^/]+\/api\/v4(\/\S+)'$/.exec(message) ?? [];
      expect(message).toContain('curl -X PATCH');
      const { status } = await admin.patch(path, JSON.parse(sent.replaceAll(`'\\''`, "'")));
      expect(status).toBe(200);
      expect((await get(admin, hook.id)).body.trigger_words).toEqual(["it's", 'new']);
    });

    it('moves to a readable channel of the same team', async () => {
      const hook = await made();
      const openId = await buildChannel(admin, team.id, 'O');
      const move = (channel_id: string, client = admin): Promise<Answer> => put(client, hook, { channel_id });
      expect((await move(openId)).body.channel_id).toBe(openId);
      await refused(move(newId()), 404, 'app.channel.get.existing.app_error');
      const notOpen = 'api.webhook.create_outgoing.not_open.app_error';
      await refused(move(privateId, teamAdmin.client), 403, notOpen);
      expect((await move(privateId)).body.channel_id).toBe(privateId);
      await refused(move(otherTeam.channelId), 403, OTHER_TEAM);
    });

    it('validates the record', async () => {
      const openId = await buildChannel(admin, team.id, 'O');
      const hook = await made({ channel_id: openId });
      const other = await made({ trigger_words: hook.trigger_words });
      const similar = 'api.webhook.update_outgoing.intersect.app_error';
      await refused(put(admin, other, { channel_id: openId }), 400, similar);
      await refused(put(admin, await made({ trigger_words: [] }), { channel_id: '' }), 400, NO_TRIGGERS);
      const long = { display_name: 'x'.repeat(65) };
      await refused(put(admin, hook, long), 400, `${VALID}.display_name.app_error`);
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
      const { status, body: after } = await patch(admin, hook, {
        ...change,
        creator_id: member.id,
        token: 'x',
      });
      expect(status).toBe(200);
      expect(after).toEqual({ ...hook, ...change, update_at: after.update_at });
      expect((await patch(admin, hook, {})).body).toMatchObject(change);
    });

    it.each([
      ['callback_urls', []],
      ['trigger_words', ['']],
      ['content_type', 'x'],
      ['trigger_when', 7],
      ['team_id', 7],
    ])('names an invalid %s', async (field, value) => {
      await refused(patch(admin, await made(), { [field]: value }), 400, undefined, field);
    });

    it('accepts its own team, and rejects another one like PUT', async () => {
      const hook = await made();
      for (const client of [admin, member.client])
        await refused(patch(client, hook, { team_id: otherTeam.id }), 400, MISMATCH, 'team_id');
      for (const teamId of [team.id, '', null])
        expect((await patch(admin, hook, { team_id: teamId })).body).toMatchObject({ team_id: team.id });
    });

    it('to the whole team requires the permission there', async () => {
      const widen = async (): Promise<Answer> =>
        patch(member.client, await made({}, member.client), { channel_id: '', trigger_words: ['w'] });
      expect((await granting([BASE], widen)).status).toBe(200);
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
