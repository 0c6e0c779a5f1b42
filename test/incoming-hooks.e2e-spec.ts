import { DataSource } from 'typeorm';
import { secretHash } from '../src/platform/audit/audit.service.js';
import { newId } from '../src/platform/common/ids.js';
import { IncomingHooksRepository } from '../src/incoming-hooks/incoming-hooks.repository.js';
import {
  buildChannel,
  buildIncomingHook,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
  changed,
  whileGranting,
} from './factories/incoming-hooks.js';
import { buildAdministrator } from './factories/remote-clusters.js';
import { buildRemoteUser, REMOTE_USER } from './factories/users.js';
import type { ApiClient, Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { isAlone } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const BASE = 'manage_webhooks';
const OTHERS = 'manage_others_incoming_webhooks';
const BYPASS = 'bypass_incoming_webhook_channel_lock';
const DENIED = 'api.context.permissions.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const BAD_URL = 'api.context.invalid_url_param.app_error';
const NOT_FOUND = 'app.webhooks.get_incoming.app_error';
const DISABLED = 'api.incoming_webhook.disabled.app_error';
const NO_CHANNEL = 'app.channel.get.existing.app_error';
const ID_GIVEN = 'app.webhooks.save_incoming.existing.app_error';
const BAD_USERNAME = 'api.incoming_webhook.invalid_username.app_error';
const OFF = { enableIncomingWebhooks: false };
const NO_OVERRIDES = { enablePostUsernameOverride: false, enablePostIconOverride: false };

/** docs/contract/incoming-webhooks.md */
const onAlone = onlyWhere(isAlone, 'an instance publishes it with its own writes, some seconds later');

describe('incoming webhooks', () => {
  let server: TestServer;
  let admin: ApiClient;
  let team: BuiltTeam;
  let otherTeam: BuiltTeam;
  let member: BuiltUser;
  let colleague: BuiltUser;
  let teamAdmin: BuiltUser;
  let privateId: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    team = await buildTeam(admin);
    otherTeam = await buildTeam(admin);
    member = await buildMember(server, [team.id]);
    colleague = await buildMember(server, [team.id]);
    teamAdmin = await buildMember(server, [team.id], true);
    privateId = await buildChannel(admin, team.id, 'P');
  });
  afterAll(() => server?.close());

  const granting = <T>(permissions: string[], action: () => Promise<T>, role = 'team_user'): Promise<T> =>
    whileGranting(server, role, permissions, action);
  const create = (client: ApiClient, fields: Record<string, unknown> = {}): Promise<Answer> =>
    client.post('/api/v4/hooks/incoming', {
      channel_id: team.channelId,
      display_name: 'Build bot',
      ...fields,
    });
  const update = (client: ApiClient, hook: any, fields: Record<string, unknown> = {}): Promise<Answer> =>
    client.put(`/api/v4/hooks/incoming/${hook.id}`, changed(hook, fields));
  const get = (client: ApiClient, id: string): Promise<Answer> => client.get(`/api/v4/hooks/incoming/${id}`);
  const remove = (client: ApiClient, id: string): Promise<Answer> =>
    client.delete(`/api/v4/hooks/incoming/${id}`);
  const list = (client: ApiClient, query = ''): Promise<Answer> =>
    client.get(`/api/v4/hooks/incoming?${query}`);
  const ids = (answer: Answer): string[] => answer.body.map((hook: any) => hook.id);
  describe('create', () => {
    it('cannot belong to an account of another server', async () => {
      const owner = await buildRemoteUser(server);
      expectError(await create(admin, { user_id: owner }), 400, REMOTE_USER, 'user_id');
    });

    it('returns the whole record', async () => {
      const before = Date.now();
      const { status, body, headers } = await create(admin, {
        description: 'Reports builds.',
        channel_locked: true,
      });
      expect(status).toBe(201);
      expect(headers['content-type']).toBe('application/json');
      expect(body).toEqual({
        id: expect.stringMatching(/^[a-z0-9]{26}$/),
        create_at: expect.any(Number),
        update_at: body.create_at,
        delete_at: 0,
        user_id: server.adminId,
        channel_id: team.channelId,
        team_id: team.id,
        display_name: 'Build bot',
        description: 'Reports builds.',
        username: '',
        icon_url: '',
        channel_locked: true,
        keep_requests: false,
        expires_at: 0,
        rate_limit: 0,
        slack_path: '',
        rocketchat_path: '',
        verifier: null,
        format: 'mattermost',
        template: '',
        last_used: 0,
        owner_state: 'active',
      });
      expect(body.create_at).toBeGreaterThanOrEqual(before);
      expect((await get(admin, body.id)).body).toEqual(body);
    });

    it('reports unknown fields, except those of the record', async () => {
      const misspelt = await create(admin, { chanel_locked: true, 'ü\n': 1, Create_At: 5 });
      expect(misspelt.status).toBe(201);
      expect(misspelt.headers['x-hookline-warnings']).toBe('unknown fields were ignored: chanel_locked, ??');
      const back = await update(admin, misspelt.body);
      expect(back.status).toBe(200);
      expect(back.headers).not.toHaveProperty('x-hookline-warnings');
      const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`x${i}`, i]));
      expect((await create(admin, many)).headers['x-hookline-warnings']).toMatch(/x9 and 2 more$/);
    });

    it.each(['junk', newId(), null])('does not find the channel %p', async (channelId) => {
      expectError(await create(admin, { channel_id: channelId }), 404, NO_CHANNEL);
    });

    it('requires only a channel', async () => {
      const { status, body } = await admin.post('/api/v4/hooks/incoming', { channel_id: team.channelId });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        display_name: '',
        description: '',
        username: '',
        icon_url: '',
        channel_locked: false,
      });
    });

    it('is allowed for team administrators and users with the permission, not for others', async () => {
      expect((await create(teamAdmin.client)).status).toBe(201);
      expectError(await create(member.client), 403, DENIED);
      expect((await granting([BASE], () => create(member.client))).status).toBe(201);
      expectError(await create(member.client), 403, DENIED);
    });

    it('accepts another owner only from administrators', async () => {
      const { status, body } = await create(admin, { user_id: member.id });
      expect({ status, owner: body.user_id }).toEqual({ status: 201, owner: member.id });
      for (const unknown of [newId(), 'junk']) {
        expectError(await create(admin, { user_id: unknown }), 404, 'app.user.missing_account.const');
      }
      await granting([BASE], async () => {
        expectError(await create(member.client, { user_id: colleague.id }), 403, DENIED);
        expect((await create(member.client, { user_id: member.id })).status).toBe(201);
        expect((await create(member.client, { user_id: '' })).body.user_id).toBe(member.id);
      });
      expect(
        (await granting([BASE, OTHERS], () => create(member.client, { user_id: colleague.id }))).status,
      ).toBe(201);
    });

    it('locks the hooks of callers without the bypass', async () => {
      await granting([BASE], async () => {
        expect((await create(member.client, { channel_locked: false })).body.channel_locked).toBe(true);
        expect((await create(member.client)).body.channel_locked).toBe(true);
      });
      const { body } = await granting([BASE, BYPASS], () => create(member.client, { channel_locked: false }));
      expect(body.channel_locked).toBe(false);
      expect((await create(teamAdmin.client)).body.channel_locked).toBe(false);
    });

    it('returns 501 when switched off, to callers with the permission', async () => {
      await server.withSettings(OFF, async () => {
        expectError(await create(admin), 501, DISABLED);
        expectError(await create(member.client), 403, DENIED);
        expectError(await create(admin, { channel_id: 'junk' }), 404);
        expectError(await create(admin, { display_name: 'x'.repeat(65) }), 501);
      });
    });

    it('clears name and icon while the overrides are off', async () => {
      await server.withSettings(NO_OVERRIDES, async () => {
        const { status, body } = await create(admin, { username: ':invalid:', icon_url: 'x'.repeat(2000) });
        expect(status).toBe(201);
        expect(body).toMatchObject({ username: '', icon_url: '' });
        expect((await granting([BASE], () => create(member.client))).status).toBe(201);
      });
    });

    it('stores name and icon while they are on', async () => {
      const given = { username: 'build.bot-1_a'.padEnd(64, 'x'), icon_url: 'https://example.com/i.png' };
      expect((await create(admin, given)).body).toMatchObject(given);
      expect((await create(admin)).body).toMatchObject({ username: '', icon_url: '' });
    });

    it.each(['Upper', 'with space', 'all', 'ü', 'x'.repeat(65)])(
      'refuses the username %p',
      async (username) => {
        expectError(await create(admin, { username }), 400, BAD_USERNAME, 'username');
      },
    );

    it.each([
      ['display_name', 64],
      ['description', 500],
      ['icon_url', 1024],
    ])('accepts %s up to %i bytes', async (field, max) => {
      const id = `model.incoming_hook.${field}.app_error`;
      expect((await create(admin, { [field]: 'x'.repeat(max) })).status).toBe(201);
      expect((await create(admin, { [field]: 'ü'.repeat(max / 2) })).body[field]).toBe('ü'.repeat(max / 2));
      expectError(await create(admin, { [field]: 'x'.repeat(max + 1) }), 400, id, field);
      expectError(await create(admin, { [field]: 'ü'.repeat(max / 2 + 1) }), 400, id, field);
    });

    it('checks the rules in order', async () => {
      const long = 'x'.repeat(2000);
      const bad = { id: newId(), username: 'Bad', display_name: long, description: long, icon_url: long };
      expectError(await create(admin, bad), 400, BAD_USERNAME);
      expectError(await create(admin, { ...bad, username: '' }), 400, ID_GIVEN);
      const rest = { ...bad, id: '', username: '' };
      expectError(await create(admin, rest), 400, 'model.incoming_hook.display_name.app_error');
      expectError(
        await create(admin, { ...rest, display_name: '' }),
        400,
        'model.incoming_hook.description.app_error',
      );
    });

    it('sets times, place and use itself', async () => {
      const theirs = {
        create_at: 100,
        update_at: 100,
        delete_at: 100,
        last_used: 100,
        team_id: otherTeam.id,
      };
      const { status, body } = await create(admin, theirs);
      expect(status).toBe(201);
      expect(body).toMatchObject({ delete_at: 0, last_used: 0, team_id: team.id });
      expect(body.create_at).toBeGreaterThan(100);
      expectError(await create(admin, { id: newId() }), 400, ID_GIVEN, 'id');
    });

    it('accepts a private channel only from users who can read it', async () => {
      await granting([BASE], async () => {
        expectError(await create(member.client, { channel_id: privateId }), 403, DENIED);
        const own = await buildChannel(member.client, team.id, 'P');
        expect((await create(member.client, { channel_id: own })).status).toBe(201);
        expect((await create(admin, { channel_id: own })).status).toBe(201);
        expectError(await create(teamAdmin.client, { channel_id: own }), 403, DENIED);
      });
    });

    it('rejects direct and group channels', async () => {
      const direct = await admin.post('/channels/direct', [server.adminId, member.id]);
      expectError(await create(admin, { channel_id: direct.body.id }), 403, DENIED);
      const group = await admin.post('/channels/group', [server.adminId, member.id, colleague.id]);
      expectError(await create(admin, { channel_id: group.body.id }), 403, DENIED);
    });

    it('accepts an archived channel, and rejects a channel of a team without permission', async () => {
      const archived = await buildChannel(admin, team.id);
      await admin.delete(`/channels/${archived}`);
      expect((await create(admin, { channel_id: archived })).status).toBe(201);
      expectError(await create(teamAdmin.client, { channel_id: otherTeam.channelId }), 403, DENIED);
    });

    it.each(['{}', '[]', '{"channel_id":1}', '{"channel_id":"x","channel_locked":"true"}'])(
      'refuses the body %p',
      async (raw) => {
        const answer = await admin.post('/api/v4/hooks/incoming', undefined, { raw });
        expectError(answer, 400, BAD_BODY);
      },
    );

    it('rejects NUL characters by field', async () => {
      expectError(await create(admin, { description: 'a\0b' }), 400, undefined, 'description');
    });
  });

  describe('list', () => {
    let place: BuiltTeam;
    let owner: BuiltUser;
    let mine: any;
    let theirs: any;

    beforeAll(async () => {
      place = await buildTeam(admin);
      owner = await buildMember(server, [place.id]);
      mine = await buildIncomingHook(admin, place.channelId, { user_id: owner.id });
      theirs = await buildIncomingHook(admin, place.channelId);
    });

    it('shows administrators everything, page by page', async () => {
      expect(ids(await list(admin, 'per_page=1000'))).toEqual(expect.arrayContaining([mine.id, theirs.id]));
      expect((await list(admin, 'per_page=1')).body).toHaveLength(1);
      expect((await list(admin, 'per_page=0')).body).toEqual([]);
    });

    it('shows the hooks of one team, oldest first, page by page', async () => {
      expect((await list(admin, `team_id=${place.id}`)).body).toEqual([mine, theirs]);
      expect(ids(await list(admin, `team_id=${place.id}&page=0&per_page=1`))).toEqual([mine.id]);
      expect(ids(await list(admin, `team_id=${place.id}&page=1&per_page=1`))).toEqual([theirs.id]);
      expect((await list(admin, `team_id=${place.id}&page=2&per_page=1`)).body).toEqual([]);
      expect((await list(admin, `team_id=${newId()}`)).body).toEqual([]);
    });

    it('continues after the last one of the previous page, on any page, and counts all', async () => {
      const query = `team_id=${place.id}&after=${mine.id}`;
      expect((await list(admin, query)).body).toEqual([theirs]);
      expect((await list(admin, `${query}&page=5&per_page=1`)).body).toEqual([theirs]);
      expect((await list(admin, `${query}&per_page=0`)).body).toEqual([]);
      expect((await list(admin, `${query}&include_total_count=1`)).body).toEqual({
        incoming_webhooks: [theirs],
        total_count: 2,
      });
      expect(ids(await list(admin, `after=${mine.id}&per_page=200`))).toContain(theirs.id);
      expect((await list(admin, `team_id=${place.id}&after=${theirs.id}`)).body).toEqual([]);
      expect((await list(admin, `team_id=${place.id}&after=`)).body).toEqual([mine, theirs]);
    });

    it('refuses to continue after a hook that was never listed', async () => {
      const secret = await buildChannel(admin, place.id, 'P');
      const hidden = await buildIncomingHook(admin, secret);
      const elsewhere = await buildIncomingHook(admin, team.channelId);
      const refused = async (client: ApiClient, after: string): Promise<void> =>
        expectError(await list(client, `team_id=${place.id}&after=${after}`), 400, BAD_URL, 'after');
      for (const after of ['junk', newId(), elsewhere.id]) await refused(admin, after);
      expect((await list(admin, `team_id=${place.id}&after=${hidden.id}`)).status).toBe(200);
      await granting([BASE, OTHERS], () => refused(owner.client, hidden.id));
      await granting([BASE], () => refused(owner.client, theirs.id));
      await remove(admin, hidden.id);
      expect((await list(admin, `team_id=${place.id}&after=${hidden.id}`)).body).toEqual([]);
    });

    it('requires the permission in the requested scope', async () => {
      expectError(await list(member.client), 403, DENIED);
      expect((await list(teamAdmin.client, `team_id=${team.id}`)).status).toBe(200);
      expectError(await list(teamAdmin.client), 403, DENIED);
      await granting([BASE], async () => {
        expect((await list(owner.client, `team_id=${place.id}`)).status).toBe(200);
        expectError(await list(owner.client, `team_id=${newId()}`), 403, DENIED);
        expectError(await list(owner.client, `team_id=${team.id}`), 403, DENIED);
        expectError(await list(owner.client), 403, DENIED);
      });
    });

    it("filters to own hooks without the permission for others'", async () => {
      await granting([BASE], () => expectOwnOnly(), 'system_user');
      const all = await granting([BASE, OTHERS], () => list(owner.client, `team_id=${place.id}`));
      expect(ids(all)).toEqual([mine.id, theirs.id]);
      expect(ids(await list(admin, `team_id=${place.id}`))).toEqual([mine.id, theirs.id]);
    });

    const expectOwnOnly = async (): Promise<void> => {
      expect(ids(await list(owner.client))).toEqual([mine.id]);
      expect(ids(await list(owner.client, `team_id=${place.id}`))).toEqual([mine.id]);
      const { body } = await list(owner.client, `team_id=${place.id}&include_total_count=true`);
      expect(body).toEqual({ incoming_webhooks: [mine], total_count: 1 });
    };

    it('counts for include_total_count', async () => {
      const { body } = await list(admin, `team_id=${place.id}&include_total_count=true&per_page=1`);
      expect(body).toEqual({ incoming_webhooks: [mine], total_count: 2 });
    });

    it('omits deleted ones, including from the count', async () => {
      const gone = await buildIncomingHook(admin, place.channelId);
      await remove(admin, gone.id);
      const { body } = await list(admin, `team_id=${place.id}&include_total_count=true`);
      expect(body).toEqual({ incoming_webhooks: [mine, theirs], total_count: 2 });
    });

    it('omits hooks that single reads refuse, without short pages', async () => {
      const here = await buildTeam(admin);
      const readable = await buildChannel(admin, here.id, 'P');
      const hidden = await buildChannel(admin, here.id, 'P');
      const manager = await buildMember(server, [here.id], true);
      const system = await buildMember(server, [here.id]);
      for (const { id } of [manager, system])
        await admin.call('POST', `/channels/${readable}/members`, { user_id: id });
      const roles = 'channel_user team_post_all';
      await admin.call('POST', `/channels/${hidden}/members`, { user_id: manager.id });
      await admin.call('PUT', `/channels/${hidden}/members/${manager.id}/roles`, { roles });
      const made: any[] = [];
      for (const channel_id of [hidden, readable, here.channelId, hidden, readable, here.channelId])
        for (const user_id of [manager.id, server.adminId])
          made.push(await buildIncomingHook(admin, channel_id, { user_id }));
      const hooks = made.map(({ id }) => id);
      const shown = async (client: ApiClient, inTeam = true): Promise<number> => {
        const single: string[] = [];
        for (const id of hooks) if ((await get(client, id)).status === 200) single.push(id);
        const query = inTeam ? `team_id=${here.id}` : 'per_page=200';
        const all = ids(await list(client, query)).filter((id) => hooks.includes(id));
        expect(all.toSorted()).toEqual(single.toSorted()); // some are created in the same millisecond
        if (!inTeam) return all.length;
        const pages: string[] = [];
        for (let page = 0; page * 5 < single.length + 5; page++)
          pages.push(...ids(await list(client, `${query}&per_page=5&page=${page}`)));
        expect(pages).toEqual(all);
        const counted = await list(client, `${query}&include_total_count=1&per_page=1`);
        expect(counted.body.total_count).toBe(single.length);
        return all.length;
      };
      const READ = 'read_channel_content';
      expect(await shown(admin)).toBe(12);
      expect(await shown(manager.client)).toBe(12);
      await admin.call('DELETE', `/channels/${hidden}/members/${manager.id}`);
      expect(await shown(manager.client)).toBe(8);
      expect(await granting([READ], () => shown(manager.client), 'team_admin')).toBe(12);
      await withoutReading('channel_user', async () => {
        expect(await shown(manager.client)).toBe(4);
        await admin.call('POST', `/channels/${hidden}/members`, { user_id: manager.id });
        await admin.call('PUT', `/channels/${hidden}/members/${manager.id}/roles`, { roles });
        expect(await shown(manager.client)).toBe(4);
        expect(await granting([READ], () => shown(manager.client), 'team_post_all')).toBe(8);
      });
      await granting(
        [BASE, OTHERS],
        async () => {
          expect(await shown(system.client, false)).toBe(8);
          expect(await granting([READ], () => shown(system.client, false), 'team_user')).toBe(12);
          expect(await granting([READ], () => shown(system.client, false), 'system_user')).toBe(12);
        },
        'system_user',
      );
    });

    /** Runs `action` while channel members may not read. */
    const withoutReading = async (name: string, action: () => Promise<void>): Promise<void> => {
      const role = await admin.call('GET', `/roles/name/${name}`);
      const others = role.permissions.filter((permission: string) => permission !== 'read_channel_content');
      await admin.call('PUT', `/roles/${role.id}/patch`, { permissions: others });
      await action();
      await admin.call('PUT', `/roles/${role.id}/patch`, { permissions: role.permissions });
    };

    it('shows the state of the owners, and filters by it', async () => {
      const deserted = await buildTeam(admin);
      const owners = await Promise.all(Array.from({ length: 3 }, () => buildMember(server, [deserted.id])));
      const stranger = await buildMember(server); // was never in the team
      const hooks: any[] = [];
      for (const { id } of [...owners, stranger])
        hooks.push(await buildIncomingHook(admin, deserted.channelId, { user_id: id }));
      expect(hooks.map((hook) => hook.owner_state)).toEqual(['active', 'active', 'active', 'active']);
      await admin.put(`/users/${owners[1]!.id}/active`, { active: false });
      await admin.delete(`/teams/${deserted.id}/members/${owners[2]!.id}`);
      const inTeam = `team_id=${deserted.id}`;
      const states = ['active', 'deactivated', 'left_team', 'active'];
      expect((await list(admin, inTeam)).body).toEqual(
        hooks.map((hook, row) => ({ ...hook, owner_state: states[row] })),
      );
      expect((await get(admin, hooks[2].id)).body.owner_state).toBe('left_team');
      expect((await update(admin, hooks[1])).body.owner_state).toBe('deactivated');
      const found = async (state: string): Promise<number[]> =>
        ids(await list(admin, `${inTeam}&owner_state=${state}`)).map((id) =>
          hooks.findIndex((hook) => hook.id === id),
        );
      expect(await found('active')).toEqual([0, 3]);
      expect(await found('deactivated')).toEqual([1]);
      expect(await found('left_team')).toEqual([2]);
      expect(await found('deleted')).toEqual([]);
      expect(await found('orphaned')).toEqual([1, 2]);
      expect(await found('')).toEqual([0, 1, 2, 3]);
      const { body } = await list(admin, `${inTeam}&owner_state=orphaned&include_total_count=1&per_page=1`);
      expect([ids({ body: body.incoming_webhooks } as Answer), body.total_count]).toEqual([[hooks[1].id], 2]);
      expectError(await list(admin, 'owner_state=gone'), 400, BAD_URL, 'owner_state');
    });

    it('returns 403 before 501', async () => {
      await server.withSettings(OFF, async () => {
        expectError(await list(member.client), 403);
        expectError(await list(admin), 501, DISABLED);
      });
    });
  });

  describe('get and delete', () => {
    it('gets by id', async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      expect((await get(admin, hook.id)).body).toEqual(hook);
      expectError(await get(admin, newId()), 404, NOT_FOUND);
      expectError(await get(admin, 'abc'), 400, BAD_URL, 'hook_id');
      expectError(await get(admin, 'no-id'), 404);
    });

    it("requires the permission, and another one for others' hooks", async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      for (const call of [get, remove]) {
        expectError(await call(member.client, hook.id), 403, DENIED);
        expectError(await granting([BASE], () => call(member.client, hook.id)), 403, DENIED);
      }
      expect((await granting([BASE, OTHERS], () => get(member.client, hook.id))).status).toBe(200);
      expect((await get(teamAdmin.client, hook.id)).status).toBe(200);
      expect((await remove(teamAdmin.client, hook.id)).status).toBe(200);
    });

    it('includes channel roles', async () => {
      const channelId = await buildChannel(admin, team.id);
      await admin.post(`/channels/${channelId}/members`, { user_id: member.id });
      const own = await buildIncomingHook(admin, channelId, { user_id: member.id });
      const foreign = await buildIncomingHook(admin, channelId);
      await granting(
        [BASE],
        async () => {
          expect((await get(member.client, own.id)).status).toBe(200);
          expect((await update(member.client, own, { description: 'mine' })).body.description).toBe('mine');
          expectError(await get(member.client, foreign.id), 403, DENIED);
          expectError(await get(colleague.client, own.id), 403, DENIED);
          expectError(await update(member.client, own, { channel_id: team.channelId }), 403, DENIED);
          expectError(await create(member.client, { channel_id: channelId }), 403, DENIED);
          expect((await remove(member.client, own.id)).status).toBe(200);
        },
        'channel_user',
      );
      expectError(await get(member.client, foreign.id), 403, DENIED);
    });

    it('hides hooks of a private channel from those who cannot read it', async () => {
      const hook = await buildIncomingHook(admin, privateId, { user_id: teamAdmin.id });
      expectError(await get(teamAdmin.client, hook.id), 403, DENIED);
      expectError(await remove(teamAdmin.client, hook.id), 403, DENIED);
      expectError(await update(teamAdmin.client, hook, { channel_id: team.channelId }), 403, DENIED);
      await admin.post(`/channels/${privateId}/members`, { user_id: teamAdmin.id });
      expect((await get(teamAdmin.client, hook.id)).status).toBe(200);
      await admin.delete(`/channels/${privateId}/members/${teamAdmin.id}`);
      expectError(await get(teamAdmin.client, hook.id), 403, DENIED);
    });

    it('deletes permanently', async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      expectError(await remove(admin, 'abc'), 400, BAD_URL);
      expectError(await remove(admin, newId()), 404, NOT_FOUND);
      const answer = await remove(admin, hook.id);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { status: 'OK' } });
      expectError(await get(admin, hook.id), 404, NOT_FOUND);
      expectError(await remove(admin, hook.id), 404, NOT_FOUND);
      expectError(await update(admin, hook), 404, NOT_FOUND);
    });

    it('deletes once for two simultaneous requests', async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      const answers = await Promise.all([1, 2, 3, 4].map(() => remove(admin, hook.id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    });

    it('returns 501 before 404 and 403, and after 400', async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      await server.withSettings(OFF, async () => {
        for (const call of [get, remove]) {
          expectError(await call(admin, 'abc'), 400);
          expectError(await call(admin, newId()), 501);
          expectError(await call(member.client, hook.id), 501, DISABLED);
        }
      });
    });
  });

  describe('update', () => {
    let hook: any;
    beforeEach(async () => {
      hook = await buildIncomingHook(admin, team.channelId, {
        username: 'old',
        icon_url: 'https://old.example.com',
      });
    });

    it('keeps a username that was free before it was reserved', async () => {
      const hook = (await create(admin)).body;
      const rename = "UPDATE incoming_webhooks SET username = 'here' WHERE id = ?";
      await server.app.get(DataSource).query(rename, [hook.id]);
      const answer = await update(admin, hook, { username: 'here', description: 'changed' });
      expect(answer).toMatchObject({ status: 200, body: { username: 'here', description: 'changed' } });
      expect((await update(admin, hook, { username: 'all' })).status).toBe(400);
    });

    it('keeps name and icon while the overrides are off', async () => {
      const channelId = await buildChannel(admin, team.id);
      const change = { display_name: 'New', description: 'new', channel_id: channelId, channel_locked: true };
      const { status, body } = await server.withSettings(NO_OVERRIDES, () =>
        update(admin, hook, { ...change, username: 'Not Valid', icon_url: 'https://new.example.com' }),
      );
      expect(status).toBe(200);
      expect(body).toEqual({ ...hook, ...change, update_at: body.update_at });
    });

    it('replaces everything while they are on', async () => {
      const channelId = await buildChannel(admin, team.id);
      const change = {
        display_name: '',
        description: 'new',
        channel_id: channelId,
        username: 'new',
        icon_url: 'https://new.example.com',
        channel_locked: true,
      };
      const { status, body, headers } = await update(admin, hook, change);
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json' });
      expect(body).toEqual({ ...hook, ...change, update_at: body.update_at });
      expect(body.update_at).toBeGreaterThan(hook.update_at);
      expect((await get(admin, hook.id)).body).toEqual(body);
    });

    it('clears missing optional fields', async () => {
      const answer = await admin.put(`/api/v4/hooks/incoming/${hook.id}`, {
        id: hook.id,
        channel_id: hook.channel_id,
        display_name: 'x',
        description: '',
      });
      expect(answer.body).toMatchObject({
        username: '',
        icon_url: '',
        channel_locked: false,
        display_name: 'x',
      });
    });

    it('requires an existing hook in its path', async () => {
      expectError(await admin.put('/api/v4/hooks/incoming', hook), 404, 'api.context.404.app_error');
      expectError(await admin.put('/api/v4/hooks/incoming/', hook), 404, 'api.context.404.app_error');
      expectError(await update(admin, { ...hook, id: newId() }), 404, NOT_FOUND);
      expectError(await update(admin, { ...hook, id: 'abc' }), 400, BAD_URL);
    });

    it('requires the permission', async () => {
      const stranger = await buildMember(server, [otherTeam.id], true);
      expectError(await update(member.client, hook), 403, DENIED);
      expectError(await update(stranger.client, hook), 403, DENIED);
      await granting([BASE], async () => {
        expectError(await update(member.client, hook), 403, DENIED);
        const own = await buildIncomingHook(member.client, team.channelId);
        const { status, body } = await update(member.client, own, {
          user_id: colleague.id,
          display_name: 'Mine',
        });
        expect({ status, owner: body.user_id, name: body.display_name }).toEqual({
          status: 200,
          owner: member.id,
          name: 'Mine',
        });
        expectError(await update(colleague.client, own), 403, DENIED);
        expect((await update(teamAdmin.client, own)).body.user_id).toBe(member.id);
      });
    });

    it('ignores read-only fields', async () => {
      const theirs = { create_at: 1, update_at: 2, delete_at: 3, last_used: 4, user_id: 5, token: 'x' };
      const { status, body } = await update(admin, hook, theirs);
      expect(status).toBe(200);
      expect(body).toEqual({ ...hook, update_at: body.update_at });
    });

    it('returns 501 when switched off, after checking the body', async () => {
      await server.withSettings(OFF, async () => {
        expectError(await update(admin, hook), 501, DISABLED);
        expectError(await update(member.client, hook), 501);
        expectError(await admin.put(`/api/v4/hooks/incoming/${hook.id}`, { ...hook, id: newId() }), 400);
        expectError(await admin.put(`/api/v4/hooks/incoming/${hook.id}`, { id: hook.id }), 400);
      });
    });

    it('moves to channels of the team that the caller can read', async () => {
      expectError(await update(teamAdmin.client, hook, { channel_id: privateId }), 403, DENIED);
      expect((await update(admin, hook, { channel_id: privateId })).body.channel_id).toBe(privateId);
      for (const unknown of [newId(), 'junk', '', null]) {
        expectError(await update(admin, hook, { channel_id: unknown }), 404, NO_CHANNEL);
      }
      const foreign = { channel_id: otherTeam.channelId, team_id: undefined };
      expectError(await update(admin, hook, foreign), 400, BAD_BODY, 'channel_id');
      const direct = await admin.post('/channels/direct', [server.adminId, member.id]);
      expectError(await update(admin, hook, { channel_id: direct.body.id }), 400, undefined, 'channel_id');
    });

    it('keeps the lock for callers without the bypass', async () => {
      await granting([BASE], async () => {
        const own = await buildIncomingHook(member.client, team.channelId);
        expect(own.channel_locked).toBe(true);
        expect((await update(member.client, own, { channel_locked: false })).body.channel_locked).toBe(true);
        expect((await update(teamAdmin.client, own, { channel_locked: false })).body.channel_locked).toBe(
          false,
        );
        expect((await update(member.client, own, { channel_locked: false })).body.channel_locked).toBe(true);
      });
    });

    it('validates the new values', async () => {
      const username = await update(admin, hook, { username: 'In Valid' });
      expectError(username, 400, BAD_USERNAME, 'username');
      const name = await update(admin, hook, { display_name: 'ü'.repeat(33) });
      expectError(name, 400, 'model.incoming_hook.display_name.app_error', 'display_name');
      const icon = await update(admin, hook, { icon_url: 'x'.repeat(1025) });
      expectError(icon, 400, 'model.incoming_hook.icon_url.app_error', 'icon_url');
      expect((await get(admin, hook.id)).body).toEqual(hook);
    });

    it('compares the ids of path, hook and body', async () => {
      for (const id of [newId(), '', null]) {
        const answer = await admin.put(`/api/v4/hooks/incoming/${hook.id}`, { ...hook, id });
        expectError(answer, 400, BAD_BODY, 'hook_id');
      }
      const team = await update(admin, hook, { team_id: otherTeam.id });
      expectError(team, 400, 'api.webhook.team_mismatch.app_error', 'team_id');
      expect((await update(admin, hook, { team_id: '' })).status).toBe(200);
    });

    it.each(['id', 'channel_id', 'display_name', 'description'])(
      'names %s when it is missing',
      async (key) => {
        const answer = await admin.put(`/api/v4/hooks/incoming/${hook.id}`, { ...hook, [key]: undefined });
        expectError(answer, 400, BAD_BODY, key);
        if (key === 'id' || key === 'channel_id') return;
        expect((await update(admin, hook, { [key]: null })).body[key]).toBe('');
      },
    );
  });

  describe('patch', () => {
    it('changes one field and leaves the others', async () => {
      const hook = await buildIncomingHook(admin, team.channelId, {
        ...{ username: 'old', icon_url: 'https://old.example.com', description: 'kept' },
        ...{ channel_locked: true, keep_requests: true },
      });
      const { status, body } = await admin.patch(`/hooks/incoming/${hook.id}`, { display_name: 'New' });
      expect({ status, body }).toEqual({
        status: 200,
        body: { ...hook, display_name: 'New', update_at: body.update_at },
      });
      expect(body.update_at).toBeGreaterThan(hook.update_at);
      const again = await admin.patch(`/hooks/incoming/${hook.id}`, { channel_locked: false, username: '' });
      expect(again.body).toMatchObject({ display_name: 'New', channel_locked: false, username: '' });
      expect((await get(admin, hook.id)).body).toEqual(again.body);
    });

    it.each(['null', '[]', '1'])('refuses the body %s', async (raw) => {
      const hook = await buildIncomingHook(admin, team.channelId);
      const answer = await admin.patch(`/hooks/incoming/${hook.id}`, undefined, { raw });
      expectError(answer, 400, BAD_BODY, 'incoming_webhook');
    });

    it('hands a webhook over to another owner, who may be a bot', async () => {
      await granting([BASE], async () => {
        const hook = await buildIncomingHook(member.client, team.channelId);
        const move = (client: ApiClient, owner: string): Promise<Answer> =>
          client.patch(`/hooks/incoming/${hook.id}`, { user_id: owner });
        expectError(await move(member.client, colleague.id), 403, DENIED);
        expectError(await move(admin, ''), 400, BAD_BODY, 'user_id');
        expectError(await move(admin, newId()), 404, 'app.user.missing_account.const');
        const bot = (await admin.post('/bots', { username: `bot-${newId()}` })).body.user_id;
        expect((await move(teamAdmin.client, bot)).body).toEqual({
          ...hook,
          user_id: bot,
          update_at: expect.any(Number),
        });
        await admin.post(`/teams/${team.id}/members`, { team_id: team.id, user_id: bot });
        await admin.post(`/hooks/${hook.id}`, { text: 'by the bot' });
        const { order, posts } = (await admin.get(`/channels/${team.channelId}/posts?per_page=1`)).body;
        expect(posts[order[0]]).toMatchObject({ user_id: bot, message: 'by the bot' });
        expectError(await move(member.client, member.id), 403, DENIED);
      });
    });

    it('does not let the old owner speak for the new one, nor show old calls to the new one', async () => {
      const { username } = (await admin.get(`/users/${colleague.id}`)).body;
      await granting([BASE], async () => {
        const hook = await buildIncomingHook(member.client, team.channelId, { keep_requests: true });
        await member.client.post(`/hooks/${hook.id}`, { text: 'secret', channel: `@${username}` });
        const calls = `/hooks/incoming/${hook.id}/requests`;
        expect((await member.client.get(calls)).body).toHaveLength(1);
        const taken = await admin.patch(`/hooks/incoming/${hook.id}`, {
          ...{ user_id: server.adminId, channel_locked: false },
        });
        expect(taken.status).toBe(200);
        expect((await admin.get(calls)).body).toEqual([]);
        const forged = await server.anonymous.post(`/hooks/${hook.id}`, {
          ...{ text: 'forged', channel: `@${username}` },
        });
        expect(forged.status).toBe(403);
      });
    });

    it('keeps what a concurrent change has set', async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      const path = `/hooks/incoming/${hook.id}`;
      await Promise.all([
        admin.patch(path, { channel_locked: true }),
        admin.patch(path, { description: 'changed at the same time' }),
        admin.patch(path, { display_name: 'Renamed' }),
      ]);
      expect((await get(admin, hook.id)).body).toMatchObject({
        channel_locked: true,
        description: 'changed at the same time',
        display_name: 'Renamed',
      });
    });

    it('counts a webhook towards the limit of its new owner', async () => {
      const place = await buildTeam(admin);
      const owner = await buildMember(server, [place.id]);
      const { id } = await buildIncomingHook(admin, place.channelId);
      await granting([BASE], () =>
        server.withSettings({ incomingWebhooksPerUser: 2 }, async () => {
          await buildIncomingHook(owner.client, place.channelId);
          expect((await admin.patch(`/hooks/incoming/${id}`, { user_id: owner.id })).status).toBe(200);
          const third = await owner.client.post('/hooks/incoming', { channel_id: place.channelId });
          expectError(third, 400, 'app.webhooks.incoming_per_user.app_error');
        }),
      );
    });

    it('refuses what an update refuses', async () => {
      const hook = await buildIncomingHook(admin, team.channelId);
      const refused = async (change: object, status: number, id: string, field?: string): Promise<void> =>
        expectError(await admin.patch(`/hooks/incoming/${hook.id}`, change), status, id, field);
      await refused({ username: 'In Valid' }, 400, BAD_USERNAME, 'username');
      await refused({ channel_id: newId() }, 404, NO_CHANNEL);
      await refused({ channel_id: otherTeam.channelId }, 400, BAD_BODY, 'channel_id');
      await refused({ channel_locked: 'yes' }, 400, BAD_BODY, 'channel_locked');
      expectError(await admin.patch(`/hooks/incoming/${newId()}`, {}), 404, NOT_FOUND);
      await server.withSettings(OFF, () => refused({}, 501, DISABLED));
      expect((await get(admin, hook.id)).body).toEqual(hook);
    });
  });

  describe('side effects of other changes', () => {
    it('is deleted with its channel, and not restored', async () => {
      const channelId = await buildChannel(admin, team.id);
      const hook = await buildIncomingHook(admin, channelId);
      const bystander = await buildIncomingHook(admin, team.channelId);
      const repository = server.app.get(IncomingHooksRepository);
      expect((await repository.findCached(hook.id))?.id).toBe(hook.id);
      await admin.delete(`/channels/${channelId}`);
      expect(await repository.findCached(hook.id)).toBeNull();
      expectError(await get(admin, hook.id), 404, NOT_FOUND);
      expect(ids(await list(admin, 'per_page=200'))).not.toContain(hook.id);
      await admin.post(`/channels/${channelId}/restore`);
      expectError(await get(admin, hook.id), 404);
      expect((await get(admin, bystander.id)).status).toBe(200);
    });

    it('is found in its last state', async () => {
      const repository = server.app.get(IncomingHooksRepository);
      const hook = await buildIncomingHook(admin, team.channelId);
      expect((await repository.findCached(hook.id))?.displayName).toBe('Build bot');
      await update(admin, hook, { display_name: 'Renamed' });
      expect((await repository.findCached(hook.id))?.displayName).toBe('Renamed');
      await remove(admin, hook.id);
      expect(await repository.findCached(hook.id)).toBeNull();
      expect(await repository.findCached('junk')).toBeNull();
    });

    onAlone.it('reports its last use at once, and keeps it', async () => {
      const repository = server.app.get(IncomingHooksRepository);
      const hook = await buildIncomingHook(admin, team.channelId);
      repository.touch(hook.id, 5000);
      repository.touch(hook.id, 4000);
      expect((await get(admin, hook.id)).body.last_used).toBe(5000);
      expect((await update(admin, hook, { display_name: 'x' })).body.last_used).toBe(5000);
      const shown = (await list(admin, `team_id=${team.id}&per_page=200`)).body.find(
        (row: any) => row.id === hook.id,
      );
      expect(shown.last_used).toBe(5000);
      const { body: untouched } = await get(admin, (await buildIncomingHook(admin, team.channelId)).id);
      expect(untouched.last_used).toBe(0);
    });

    it('is audited without its id', async () => {
      // These two were not refused often enough to share rows.
      const [maker, stranger] = [await buildAdministrator(server), await buildMember(server)];
      const { body: hook } = await create(maker.client);
      await update(maker.client, hook);
      await update(maker.client, hook, { channel_id: 'junk' });
      await remove(maker.client, hook.id);
      const unknown = newId();
      await remove(stranger.client, unknown);
      const targets = [hook.id, unknown].map(secretHash);
      expect(targets[0]).toMatch(/^sha256:[0-9a-f]{12}$/);
      const rows = (await admin.get('/audits?per_page=50')).body.filter((row: any) =>
        targets.includes(row.target),
      );
      const shown = rows.map((row: any) => [row.action, row.user_id, row.result, row.status_code].join(' '));
      // In any order, because some have the same millisecond.
      expect(shown.sort()).toEqual(
        [
          `create_incoming_webhook ${maker.id} success 201`,
          `delete_incoming_webhook ${stranger.id} fail 404`,
          `delete_incoming_webhook ${maker.id} success 200`,
          `update_incoming_webhook ${maker.id} fail 404`,
          `update_incoming_webhook ${maker.id} success 200`,
        ].sort(),
      );
    });
  });
});
