import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { ChannelCreated, ChannelMemberAdded } from '../src/messaging/channels/channels.events.js';
import { type DomainEvent, EventBus } from '../src/platform/events/event-bus.js';
import { newId } from '../src/platform/common/ids.js';
import {
  TeamCreated,
  TeamDeleted,
  TeamMemberAdded,
  TeamMemberRemoved,
  TeamMemberRolesUpdated,
  TeamRestored,
  TeamUpdated,
} from '../src/messaging/teams/teams.events.js';
import { buildChannel, channelNamed, joinChannel } from './factories/channels.js';
import { whileGranting } from './factories/incoming-hooks.js';
import { buildOpenTeam, buildTeam, buildTeamMember, joinTeam, teamName } from './factories/teams.js';
import {
  buildRemoteUser,
  type BuiltUser,
  buildUser,
  newAccount,
  REMOTE_USER,
  USER_PASSWORD,
} from './factories/users.js';
import { announcedBy } from './support/announcements.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const UNKNOWN = 'yyyyyyyyyyyyyyyyyyyyyyyyyy';

/** The list in a response. */
const rows = (list: unknown): any[] => list as any[];
const valuesOf = ({ body }: Answer, field: string): any[] => rows(body).map((one) => one[field]);

const INVALID = 'api.context.invalid_body_param.app_error';
const refuses = async (call: Promise<Answer>, id = INVALID, status = 400): Promise<void> =>
  expectError(await call, status, id);

describe('teams', () => {
  let server: TestServer;
  let admin: ApiClient;
  let owner: BuiltUser;
  let stranger: BuiltUser;
  /** A closed team created by `owner`. */
  let team: any;

  beforeAll(async () => {
    server = await startTestServer();
    admin = server.admin;
    owner = await buildUser(server);
    stranger = await buildUser(server);
  });
  beforeEach(async () => {
    team = await buildTeam(owner.client);
  });
  afterAll(() => server.close());

  const exists = async (client: ApiClient, name: string) =>
    (await client.get(`/teams/name/${name}/exists`)).body.exists;

  describe('creation', () => {
    it('creates the team, its default channels and its administrator (38)', async () => {
      const name = teamName();
      const fields = {
        ...{ name, display_name: 'Émilie’s team 😀', type: 'I', description: 'd', company_name: 'c' },
        allowed_domains: 'example.com',
      };
      let answer!: Answer;
      const announced = [TeamCreated, TeamMemberAdded, ChannelCreated, ChannelMemberAdded];
      const events = await announcedBy<any>(server, announced, async () => {
        const ignored = { email: 'Somebody@Else.org', invite_id: 'chosen' };
        answer = await owner.client.post('/teams', { ...fields, ...ignored });
      });
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[a-z0-9]{26}$/),
        create_at: expect.any(Number),
        update_at: answer.body.create_at,
        delete_at: 0,
        ...fields,
        email: owner.email,
        invite_id: expect.stringMatching(/^[a-z0-9]{26}$/),
        allow_open_invite: false,
        scheme_id: null,
        group_constrained: null,
        policy_id: null,
        cloud_limits_archived: false,
      });
      const { id } = answer.body;
      expect((await owner.client.get(`/teams/${id}`)).body).toEqual(answer.body);
      expect((await owner.client.get(`/teams/${id}/members/${owner.id}`)).body).toEqual({
        team_id: id,
        user_id: owner.id,
        roles: 'team_user team_admin',
        delete_at: 0,
        scheme_guest: false,
        scheme_user: true,
        scheme_admin: true,
        explicit_roles: '',
      });
      const channels = (await owner.client.get(`/users/me/teams/${id}/channels`)).body;
      expect(
        rows(channels)
          .filter((channel: any) => channel.team_id === id)
          .map((channel: any) => [channel.name, channel.display_name, channel.type, channel.creator_id]),
      ).toEqual([
        ['off-topic', 'Off-Topic', 'O', ''],
        ['town-square', 'Town Square', 'O', ''],
      ]);
      const townSquare = await channelNamed(owner.client, id, 'town-square');
      const member = (await owner.client.get(`/channels/${townSquare.id}/members/me`)).body;
      expect(member.roles).toBe('channel_user channel_admin');
      expect(events.map((event) => event.name).sort()).toEqual([
        ...['channel.created', 'channel.created', 'channel.member_added', 'channel.member_added'],
        ...['team.created', 'team.member_added'],
      ]);
      expect(events).toContainEqual(new TeamMemberAdded(id, owner.id, owner.id));
    });

    it.each<[string, Record<string, unknown>, string]>([
      ['a reserved name (39)', { name: 'admin-x' }, 'model.team.is_valid.reserved.app_error'],
      ['a name of one character (39)', { name: 'x' }, 'model.team.is_valid.characters.app_error'],
      ['capitals (39)', { name: 'Core-X' }, 'model.team.is_valid.characters.app_error'],
      [
        'domains that exclude its own',
        { allowed_domains: 'other.org' },
        'api.team.is_team_creation_allowed.domain.app_error',
      ],
      ['an id', { id: newId() }, 'store.sql_team.save_team.existing.app_error'],
      ['a number as the name', { name: 5 }, INVALID],
      ['text as a flag', { allow_open_invite: 'yes' }, INVALID],
    ])('refuses %s', async (_what, fields, id) => {
      const body = { name: teamName(), display_name: 'Team', type: 'O', ...fields };
      await refuses(owner.client.post('/teams', body), id);
    });

    it('refuses a taken name, even of an archived team (39)', async () => {
      const again = { name: team.name, display_name: 'Again', type: 'O' };
      await refuses(owner.client.post('/teams', again), 'app.team.save.existing.app_error');
      await owner.client.delete(`/teams/${team.id}`);
      await refuses(owner.client.post('/teams', again), 'app.team.save.existing.app_error');
    });

    it('creates only one team when many requests use the same name', async () => {
      const name = teamName();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          owner.client.post('/teams', { name, display_name: 'Race', type: 'O' }),
        ),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
      const ids = new Set(answers.filter((answer) => answer.status === 400).map((answer) => answer.body.id));
      expect([...ids]).toEqual(['app.team.save.existing.app_error']);
    });

    it('rolls back when a participant fails', async () => {
      const name = teamName();
      const works = server.everywhere(UnitOfWork);
      for (const [index, bus] of server.everywhere(EventBus).entries())
        bus.listen('in transaction', TeamCreated, async ({ teamId }) => {
          const { manager } = works[index]!;
          const [row] = await manager.query('SELECT name FROM teams WHERE id = ?', [teamId]);
          if (row.name === name) throw new Error('refused by the test');
        });
      const body = { name, display_name: 'Doomed', type: 'O' };
      expect((await owner.client.post('/teams', body, { isBroken: true })).status).toBe(500);
      expect(await exists(admin, name)).toBe(false);
    });
  });

  describe('lists', () => {
    it('shows open teams to everyone and closed ones to administrators, with a total on request', async () => {
      const open = await buildOpenTeam(owner.client);
      const all = (client: ApiClient) => client.get('/teams?per_page=200&include_total_count=true');
      const seen = (await all(stranger.client)).body;
      expect(rows(seen.teams).map((one: any) => one.id)).toContain(open.id);
      expect(rows(seen.teams).map((one: any) => one.id)).not.toContain(team.id);
      expect(seen.total_count).toBe(seen.teams.length);
      const known = (await all(admin)).body;
      expect(rows(known.teams).map((one: any) => one.id)).toEqual(expect.arrayContaining([open.id, team.id]));
      const names = rows(known.teams).map((one: any) => one.display_name);
      expect(names).toEqual([...names].sort());
    });

    it('is paged, and shows archived teams to administrators only', async () => {
      const open = await buildOpenTeam(owner.client);
      const idsFor = async (client: ApiClient) => valuesOf(await client.get('/teams?per_page=200'), 'id');
      expect(await idsFor(stranger.client)).toContain(open.id);
      await owner.client.delete(`/teams/${open.id}`);
      expect(await idsFor(stranger.client)).not.toContain(open.id);
      expect(await idsFor(admin)).toContain(open.id);
      const all = (await admin.get('/teams?per_page=200')).body;
      expect((await admin.get('/teams?per_page=2&page=1')).body).toEqual(rows(all).slice(2, 4));
      expect((await admin.get('/teams?per_page=0')).body).toEqual([]);
    });

    it('shows the team of an invite id to everyone, if users may join it', async () => {
      const open = await buildOpenTeam(owner.client);
      const { status, body } = await server.anonymous.get(`/teams/invite/${open.invite_id}`);
      expect([status, body]).toEqual([
        200,
        { id: open.id, name: open.name, display_name: open.display_name, description: open.description },
      ]);
      const closed = await buildTeam(owner.client, { type: 'I' });
      await refuses(
        server.anonymous.get(`/teams/invite/${closed.invite_id}`),
        'api.team.get_invite_info.not_open_team',
        403,
      );
      await refuses(
        server.anonymous.get(`/teams/invite/${newId()}`),
        'app.team.get_by_invite_id.finding.app_error',
        404,
      );
      await owner.client.delete(`/teams/${open.id}`);
      expect((await server.anonymous.get(`/teams/invite/${open.invite_id}`)).status).toBe(404);
    });

    it('refuses callers without permission to create or list', async () => {
      const powerless = await buildUser(server, { roles: 'system_user_access_token' });
      const body = { name: teamName(), display_name: 'T', type: 'O' };
      const id = 'api.team.is_team_creation_allowed.disabled.app_error';
      await refuses(powerless.client.post('/teams', body), id, 403);
      await refuses(powerless.client.get('/teams'), 'api.team.get_all_teams.insufficient_permissions', 403);
      expect((await powerless.client.post('/teams/search', { term: '' })).body).toEqual([]);
    });

    it('finds teams by part of their name', async () => {
      const open = await buildOpenTeam(owner.client);
      const ids = async (client: ApiClient, term: string) =>
        valuesOf(await client.post('/teams/search', { term }), 'id');
      expect(await ids(admin, String(open.name).slice(1).toUpperCase())).toEqual([open.id]);
      expect(await ids(stranger.client, open.display_name)).toEqual([open.id]);
      expect(await ids(stranger.client, team.name)).toEqual([]);
      expect(await ids(admin, '%')).toEqual([]);
      const mark = String(open.name).slice(-6);
      await admin.put(`/teams/${open.id}/patch`, { display_name: `Ärger ${mark}` });
      for (const term of [`Ärger ${mark}`, `ärger ${mark}`])
        expect(await ids(admin, term)).toEqual([open.id]);
      const paged = await admin.post('/teams/search', { term: open.name, page: 0, per_page: 1 });
      expect(paged.body).toMatchObject({ total_count: 1, teams: [{ id: open.id }] });
      expect((await admin.post('/teams/search', { page: -1, per_page: 1 })).status).toBe(400);
      for (const page of [-1, 2 ** 31 + 1])
        expectError(
          await admin.post('/teams/search', { page, per_page: 1 }),
          400,
          INVALID,
          'page in request body: it must be 0 to 2147483648',
        );
      expect((await admin.post('/teams/search', { term: 1 })).status).toBe(400);
      expect((await admin.post('/teams/search', { term: '😀'.repeat(256) })).status).toBe(200);
    });

    it('lists the teams and memberships of a user', async () => {
      const user = await buildTeamMember(server, team.id);
      const second = await buildTeam(user.client);
      const left = await buildTeam(user.client);
      await user.client.delete(`/teams/${left.id}/members/me`);
      const teams = (await user.client.get('/users/me/teams')).body;
      expect(new Set(rows(teams).map((one: any) => one.id))).toEqual(new Set([team.id, second.id]));
      const members = (await user.client.get(`/users/${user.id}/teams/members`)).body;
      expect(rows(members).map((one: any) => [one.team_id, one.delete_at > 0])).toEqual([
        [team.id, false],
        [second.id, false],
        [left.id, true],
      ]);
      expect((await admin.get(`/users/${user.id}/teams`)).body).toHaveLength(2);
    });
  });

  describe('single team', () => {
    it('is hidden from non-members while closed (40)', async () => {
      expect((await stranger.client.get(`/teams/${team.id}`)).status).toBe(403);
      expect((await stranger.client.get(`/teams/name/${team.name}`)).status).toBe(403);
      expect(await exists(stranger.client, team.name)).toBe(false);
      expect(await exists(owner.client, team.name)).toBe(true);
      expect(await exists(admin, team.name)).toBe(true);
    });

    it('is shown to non-members when open, without e-mail address and invite id (41)', async () => {
      const open = await buildOpenTeam(owner.client);
      const answer = await stranger.client.get(`/teams/${open.id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...open, email: '', invite_id: '' });
      expect((await stranger.client.get(`/teams/name/${open.name}`)).body).toEqual(answer.body);
      expect(await exists(stranger.client, open.name)).toBe(true);
    });

    it('shows members the invite id, and managers the e-mail address too', async () => {
      const member = await buildTeamMember(server, team.id);
      expect((await member.client.get(`/teams/${team.id}`)).body).toMatchObject({
        email: '',
        invite_id: team.invite_id,
      });
      expect((await admin.get(`/teams/${team.id}`)).body).toMatchObject({
        email: owner.email,
        invite_id: team.invite_id,
      });
    });

    it('returns 404 and 400 for unknown and invalid ids (42)', async () => {
      await refuses(stranger.client.get(`/teams/${UNKNOWN}`), 'app.team.get.find.app_error', 404);
      await refuses(admin.get('/teams/name/no-such-team'), 'app.team.get_by_name.missing.app_error', 404);
      await refuses(admin.get('/teams/name/Junk_'), 'api.context.invalid_url_param.app_error');
      expect(await exists(admin, 'no-such-team')).toBe(false);
      expect((await admin.get('/teams/name/x/exists')).status).toBe(400);
    });

    it('counts its members', async () => {
      const member = await buildTeamMember(server, team.id);
      const gone = await buildTeamMember(server, team.id);
      await admin.put(`/users/${gone.id}/active`, { active: false });
      expect((await member.client.get(`/teams/${team.id}/stats`)).body).toEqual({
        team_id: team.id,
        total_member_count: 3,
        active_member_count: 2,
      });
    });
  });

  describe('change', () => {
    it('changes only the editable fields of a PUT', async () => {
      const events = await announcedBy(server, [TeamUpdated], async () => {
        const answer = await owner.client.put(`/teams/${team.id}`, {
          ...team,
          display_name: 'New',
          description: 'text',
          name: 'other-name',
          email: 'x@y.z',
          type: 'I',
          invite_id: 'chosen',
          company_name: 'Comp',
          delete_at: 5,
        });
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({
          ...team,
          display_name: 'New',
          description: 'text',
          company_name: 'Comp',
          update_at: expect.any(Number),
        });
      });
      expect(events).toEqual([new TeamUpdated(team.id)]);
    });

    it('checks body, id, permission and existence in this order', async () => {
      const put = (client: ApiClient, id: string, body: unknown) => client.put(`/teams/${id}`, body);
      expect((await stranger.client.put(`/teams/${UNKNOWN}`, undefined, { raw: '{' })).status).toBe(400);
      const mismatch = await put(stranger.client, team.id, { id: UNKNOWN });
      expect(mismatch.status).toBe(400);
      expect(mismatch.body.message).toContain('id');
      expect((await put(stranger.client, team.id, { ...team })).status).toBe(403);
      expect((await put(stranger.client, UNKNOWN, { id: UNKNOWN })).status).toBe(403);
      await refuses(put(admin, UNKNOWN, { id: UNKNOWN }), 'app.team.get.find.app_error', 404);
      await refuses(
        put(owner.client, team.id, { id: team.id, display_name: '' }),
        'model.team.is_valid.name.app_error',
      );
    });

    it('patches single fields, and closing renews the invite id', async () => {
      const patch = (body: unknown, client = owner.client) => client.put(`/teams/${team.id}/patch`, body);
      expect((await patch({ description: 'd' })).body).toEqual({
        ...team,
        description: 'd',
        update_at: expect.any(Number),
      });
      expect((await patch({ allow_open_invite: true })).body).toMatchObject({
        allow_open_invite: true,
        invite_id: team.invite_id,
      });
      const closed = (await patch({ allow_open_invite: false })).body;
      expect(closed.allow_open_invite).toBe(false);
      expect(closed.invite_id).not.toBe(team.invite_id);
      expect((await patch({ display_name: 'x'.repeat(65) })).status).toBe(400);
      expect((await patch({ display_name: 5 })).status).toBe(400);
    });

    it('requires invite_user for a change that opens the team', async () => {
      const member = await buildTeamMember(server, team.id);
      const role = (await admin.get('/roles/name/team_user')).body;
      const manager = (await admin.get('/roles/name/team_admin')).body;
      await joinTeam(server, team.id, member.id, true);
      await admin.put(`/roles/${role.id}/patch`, {
        permissions: rows(role.permissions).filter((permission: string) => permission !== 'invite_user'),
      });
      try {
        expect(manager.permissions).toContain('manage_team');
        const patched = await member.client.put(`/teams/${team.id}/patch`, { description: 'fine' });
        expect(patched.body).toMatchObject({ description: 'fine', email: owner.email, invite_id: '' });
        for (const body of [{ allow_open_invite: true }, { allowed_domains: '' }])
          expect((await member.client.put(`/teams/${team.id}/patch`, body)).status).toBe(403);
        const kept = { ...team, description: 'kept' };
        expect((await member.client.put(`/teams/${team.id}`, kept)).body.description).toBe('kept');
        for (const body of [{ allow_open_invite: true }, { allowed_domains: 'example.com' }])
          expect((await member.client.put(`/teams/${team.id}`, { ...kept, ...body })).status).toBe(403);
        expect((await member.client.put(`/teams/${team.id}/privacy`, { privacy: 'O' })).status).toBe(403);
        expect((await member.client.post(`/teams/${team.id}/regenerate_invite_id`)).status).toBe(403);
      } finally {
        await admin.put(`/roles/${role.id}/patch`, { permissions: role.permissions });
      }
    });

    it('renews the invite id for members', async () => {
      const { client } = await buildTeamMember(server, team.id);
      const { invite_id: renewed } = await client.call('POST', `/teams/${team.id}/regenerate_invite_id`);
      expect(renewed).toMatch(/^[a-z0-9]{26}$/);
      expect(renewed).not.toBe(team.invite_id);
      expect((await owner.client.get(`/teams/${team.id}`)).body.invite_id).toBe(renewed);
    });

    it('is opened and closed by its privacy', async () => {
      const set = (privacy: unknown, client = owner.client) =>
        client.put(`/teams/${team.id}/privacy`, { privacy });
      expect((await set('O')).body).toMatchObject({
        type: 'O',
        allow_open_invite: true,
        invite_id: team.invite_id,
      });
      const closed = (await set('I')).body;
      expect(closed).toMatchObject({ type: 'I', allow_open_invite: false });
      expect(closed.invite_id).not.toBe(team.invite_id);
      expect((await set('I')).body.invite_id).toBe(closed.invite_id);
      for (const privacy of ['P', '', null, 1, undefined]) {
        const answer = await set(privacy);
        expectError(answer, 400, INVALID);
        expect(answer.body.message).toContain('privacy');
      }
    });

    it('archives and restores', async () => {
      const events = await announcedBy<DomainEvent>(server, [TeamDeleted, TeamRestored], async () => {
        for (let i = 0; i < 2; i++) {
          const archived = await owner.client.delete(`/teams/${team.id}`);
          expect([archived.status, archived.body]).toEqual([200, { status: 'OK' }]);
        }
        expect((await owner.client.get(`/teams/${team.id}`)).body.delete_at).toBeGreaterThan(0);
        expect(valuesOf(await owner.client.get('/users/me/teams'), 'id')).not.toContain(team.id);
        const restored = await owner.client.post(`/teams/${team.id}/restore`);
        expect([restored.status, restored.body.delete_at]).toEqual([200, 0]);
      });
      expect(events).toEqual([new TeamDeleted(team.id), new TeamRestored(team.id)]);
      await refuses(
        owner.client.delete(`/teams/${team.id}?permanent=true`),
        'api.user.delete_team.not_enabled.app_error',
        401,
      );
    });
  });

  it('refuses members and channels in an archived team', async () => {
    const open = await buildOpenTeam(owner.client);
    const user = await buildUser(server);
    const channel = { team_id: open.id, name: 'late', display_name: 'Late', type: 'O' };
    await owner.client.delete(`/teams/${open.id}`);
    const archived = 'app.team.archived.app_error';
    const join = { team_id: open.id, user_id: user.id };
    await refuses(user.client.post(`/teams/${open.id}/members`, join), archived);
    await refuses(owner.client.post(`/teams/${open.id}/members`, join), archived);
    await refuses(owner.client.post('/channels', channel), archived);
    await owner.client.post(`/teams/${open.id}/restore`);
    expect((await user.client.post(`/teams/${open.id}/members`, join)).status).toBe(201);
  });

  describe('members', () => {
    const add = (client: ApiClient, teamId: string, userId: string) =>
      client.post(`/teams/${teamId}/members`, { team_id: teamId, user_id: userId });

    it('lets users join an open team, but not a closed one (43, 44)', async () => {
      const user = await buildUser(server);
      expect((await add(user.client, team.id, user.id)).status).toBe(403);
      const open = await buildOpenTeam(owner.client);
      const answer = await add(user.client, open.id, user.id);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        team_id: open.id,
        user_id: user.id,
        roles: 'team_user',
        delete_at: 0,
        scheme_guest: false,
        scheme_user: true,
        scheme_admin: false,
        explicit_roles: '',
      });
      expect((await user.client.get(`/teams/${open.id}/channels`)).status).toBe(200);
      const townSquare = await channelNamed(user.client, open.id, 'town-square');
      expect((await user.client.get(`/channels/${townSquare.id}/members/me`)).body.roles).toBe(
        'channel_user',
      );
    });

    it('adds others once, with one announcement, even under concurrency (45)', async () => {
      const member = await buildTeamMember(server, team.id);
      const user = await buildUser(server);
      const events = await announcedBy<any>(server, [TeamMemberAdded, ChannelMemberAdded], async () => {
        const calls = Array.from({ length: 8 }, () => add(member.client, team.id, user.id));
        const answers = await Promise.all(calls);
        expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
        for (const { body } of answers) expect(body).toEqual(answers[0]!.body);
      });
      expect(events.filter((event) => event instanceof TeamMemberAdded)).toEqual([
        new TeamMemberAdded(team.id, user.id, member.id),
      ]);
      expect(events).toHaveLength(3);
    });

    it.each<[string, () => unknown, number, string]>([
      ['another team in the body (46)', () => ({ team_id: UNKNOWN, user_id: stranger.id }), 400, INVALID],
      ['no team in the body', () => ({ user_id: stranger.id }), 400, INVALID],
      ['an invalid user id', () => ({ team_id: team.id, user_id: 'junk' }), 400, INVALID],
      [
        'a user id of another type',
        () => ({ team_id: team.id, user_id: 5 }),
        400,
        'api.team.add_team_member.invalid_body.app_error',
      ],
      ['a list', () => [], 400, 'api.team.add_team_member.invalid_body.app_error'],
      [
        'an unknown user',
        () => ({ team_id: team.id, user_id: UNKNOWN }),
        404,
        'app.user.missing_account.const',
      ],
    ])('refuses %s', async (_what, body, status, id) => {
      await refuses(owner.client.post(`/teams/${team.id}/members`, body()), id, status);
    });

    it('refuses malformed bodies and unknown teams', async () => {
      const path = `/teams/${team.id}/members`;
      await refuses(
        owner.client.post(path, undefined, { raw: '{"' }),
        'api.team.add_team_member.invalid_body.app_error',
      );
      await refuses(add(stranger.client, UNKNOWN, stranger.id), 'app.team.get.find.app_error', 404);
      expect((await add(stranger.client, UNKNOWN, owner.id)).status).toBe(403);
      await refuses(add(admin, UNKNOWN, owner.id), 'app.team.get.find.app_error', 404);
    });

    it('rejects accounts of other servers', async () => {
      const foreign = await buildRemoteUser(server);
      await refuses(add(admin, team.id, foreign), REMOTE_USER);
      const items = [stranger.id, foreign].map((user_id) => ({ team_id: team.id, user_id }));
      const path = `/teams/${team.id}/members/batch`;
      await refuses(admin.post(path, items), REMOTE_USER);
      const [taken, refused] = rows((await admin.post(`${path}?graceful=true`, items)).body);
      expect([taken.error, refused.error.id]).toEqual([null, REMOTE_USER]);
      expect((await admin.get(`/teams/${team.id}/members/${foreign}`)).status).toBe(404);
    });

    it('accepts only e-mail addresses of the allowed domains', async () => {
      await owner.client.put(`/teams/${team.id}/patch`, { allowed_domains: 'example.com, example.org' });
      const outsider = await buildUser(server, { email: `${newId().slice(0, 10)}@elsewhere.net` });
      await refuses(
        add(owner.client, team.id, outsider.id),
        'api.team.join_user_to_team.allowed_domains.app_error',
      );
      expect((await add(owner.client, team.id, stranger.id)).status).toBe(201);
    });

    describe('with allowed domains', () => {
      const UNCONFIRMED = 'api.team.join_user_to_team.unconfirmed_address.app_error';
      const address = (domain: string): string => `${newId()}@${domain}`;
      let open: any;
      beforeEach(async () => {
        open = await buildOpenTeam(owner.client);
        await owner.client.put(`/teams/${open.id}/patch`, { allowed_domains: 'example.com' });
      });
      const setEmail = (client: ApiClient, email: string, user = 'me') =>
        client.put(`/users/${user}/patch`, { email, password: USER_PASSWORD });

      it('ignores an e-mail address set by the user', async () => {
        const user = await buildUser(server, { email: address('elsewhere.net') });
        expect((await setEmail(user.client, address('example.com'))).status).toBe(200);
        const invite = `/teams/members/invite?invite_id=${open.invite_id}`;
        await refuses(add(user.client, open.id, user.id), UNCONFIRMED);
        await refuses(user.client.post(invite), UNCONFIRMED);
        await refuses(add(owner.client, open.id, user.id), UNCONFIRMED);
        await setEmail(admin, address('elsewhere.net'), user.id);
        await setEmail(admin, address('example.com'), user.id);
        expect((await add(user.client, open.id, user.id)).status).toBe(201);
      });

      it('ignores an e-mail address set by anyone other than a system administrator', async () => {
        const user = await buildUser(server, { email: address('elsewhere.net') });
        const friend = await buildUser(server);
        await whileGranting(server, 'system_user', ['edit_other_users'], async () => {
          expect((await setEmail(friend.client, address('example.com'), user.id)).status).toBe(200);
        });
        await refuses(add(user.client, open.id, user.id), UNCONFIRMED);
      });

      it('keeps a member who changes the e-mail address', async () => {
        const user = await buildUser(server);
        expect((await add(user.client, open.id, user.id)).status).toBe(201);
        await setEmail(user.client, address('example.com'));
        expect((await add(user.client, open.id, user.id)).status).toBe(201);
        expect((await user.client.get(`/teams/${open.id}`)).status).toBe(200);
      });

      it('accepts the e-mail address of a sign-up with an invite, but not of one without', async () => {
        const signUp = async (query = ''): Promise<ApiClient> => {
          const body = newAccount();
          expect((await server.anonymous.post(`/users${query}`, body)).status).toBe(201);
          return server.login(String(body['username']), USER_PASSWORD);
        };
        await server.withSettings({ enableOpenServer: true }, async () => {
          const client = await signUp();
          const { id } = (await client.get('/users/me')).body;
          await refuses(add(client, open.id, id), UNCONFIRMED);
          expect((await add(owner.client, open.id, id)).status).toBe(201);
        });
        const invited = await signUp(`?iid=${open.invite_id}`);
        expect((await invited.get(`/teams/${open.id}`)).status).toBe(200);
      });
    });

    it('never makes a user an administrator because of their e-mail address', async () => {
      const open = await buildOpenTeam(owner.client);
      const moved = `${newId()}@example.com`;
      await owner.client.put('/users/me/patch', { email: moved, password: USER_PASSWORD });
      const taker = await buildUser(server);
      const taken = { email: owner.email, password: USER_PASSWORD };
      expect((await taker.client.put('/users/me/patch', taken)).body.email).toBe(owner.email);
      const joined = await add(taker.client, open.id, taker.id);
      expect([joined.status, joined.body.roles]).toEqual([201, 'team_user']);
      await taker.client.delete(`/teams/${open.id}/members/${taker.id}`);
      expect((await add(taker.client, open.id, taker.id)).body.roles).toBe('team_user');
      const own = await owner.client.get(`/teams/${open.id}/members/${owner.id}`);
      expect(own.body.roles).toBe('team_user team_admin');
      await taker.client.put('/users/me/patch', { email: taker.email, password: USER_PASSWORD });
      await owner.client.put('/users/me/patch', { email: owner.email, password: USER_PASSWORD });
    });

    it('joins by invite id', async () => {
      const invite = (query: string, client = stranger.client) =>
        client.post(`/teams/members/invite${query}`);
      const joined = await invite(`?invite_id=${team.invite_id}`);
      expect([joined.status, joined.body.team_id, joined.body.user_id]).toEqual([201, team.id, stranger.id]);
      expect((await invite(`?invite_id=${team.invite_id}`)).status).toBe(201);
      await refuses(invite(''), 'api.team.add_user_to_team.missing_parameter.app_error');
      await refuses(invite(`?invite_id=${UNKNOWN}`), 'app.team.get_by_invite_id.finding.app_error', 404);
      await refuses(invite('?token=x'), 'api.user.create_user.signup_link_invalid.app_error');
      await owner.client.delete(`/teams/${team.id}`);
      expect((await invite(`?invite_id=${team.invite_id}`)).status).toBe(404);
    });

    it('adds accounts that sign up with an invite to the team, or creates no account', async () => {
      const made = await server.anonymous.post(`/users?iid=${team.invite_id}`, newAccount());
      expect(made.status).toBe(201);
      expect((await owner.client.get(`/teams/${team.id}/members/${made.body.id}`)).body.roles).toBe(
        'team_user',
      );
      const account = newAccount();
      await refuses(
        server.anonymous.post(`/users?iid=${UNKNOWN}`, account),
        'app.team.get_by_invite_id.finding.app_error',
        404,
      );
      expect((await admin.get(`/users/username/${account['username'] as string}`)).status).toBe(404);
    });

    it('adds all users of a batch or none, or as many as possible with graceful', async () => {
      const users = await Promise.all([buildUser(server), buildUser(server)]);
      const items = (ids: string[]): unknown => ids.map((id) => ({ team_id: team.id, user_id: id }));
      const batch = (ids: string[], query = '', client = owner.client) =>
        client.post(`/teams/${team.id}/members/batch${query}`, items(ids));
      const [first, second] = users.map((user) => user.id) as [string, string];
      expect((await batch([first, UNKNOWN])).status).toBe(404);
      expect((await owner.client.get(`/teams/${team.id}/members/${first}`)).status).toBe(404);
      const graceful = await batch([first, UNKNOWN], '?graceful=true');
      expect(graceful.status).toBe(201);
      expect(graceful.body).toEqual([
        {
          user_id: first,
          member: expect.objectContaining({ user_id: first, roles: 'team_user' }),
          error: null,
        },
        {
          user_id: UNKNOWN,
          member: null,
          error: expect.objectContaining({ id: 'app.user.missing_account.const', status_code: 404 }),
        },
      ]);
      const all = await batch([first, second]);
      expect([all.status, valuesOf(all, 'user_id')]).toEqual([201, [first, second]]);
      const path = `/teams/${team.id}/members/batch`;
      const many = Array.from({ length: 257 }, () => ({ team_id: team.id, user_id: newId() }));
      const ofOther = { team_id: UNKNOWN, user_id: first };
      const wrong = ['junk', 5].map((user_id) => [{ team_id: team.id, user_id }]);
      for (const body of [[], {}, [null], [ofOther], ...wrong, many])
        expect((await owner.client.post(path, body)).status).toBe(400);
    });

    it('lists members, sorted by name or without deactivated accounts on request', async () => {
      const b = await buildTeamMember(server, team.id, { username: `b${newId().slice(0, 12)}` });
      const a = await buildTeamMember(server, team.id, { username: `a${newId().slice(0, 12)}` });
      const ids = async (query: string) =>
        valuesOf(await b.client.get(`/teams/${team.id}/members${query}`), 'user_id');
      expect(await ids('')).toEqual([a.id, b.id, owner.id].sort());
      expect(await ids('?sort=Username')).toEqual([a.id, b.id, owner.id]);
      expect(await ids('?sort=Username&per_page=1&page=1')).toEqual([b.id]);
      await admin.put(`/users/${a.id}/active`, { active: false });
      expect(await ids('?sort=Username&exclude_deleted_users=true')).toEqual([b.id, owner.id]);
      const some = await b.client.post(`/teams/${team.id}/members/ids`, [owner.id, UNKNOWN, stranger.id]);
      expect(valuesOf(some, 'user_id')).toEqual([owner.id]);
      expect((await b.client.post(`/teams/${team.id}/members/ids`, [])).status).toBe(400);
    });

    it('removes leaving members from every channel of the team, once (47)', async () => {
      const user = await buildTeamMember(server, team.id);
      const channel = await buildChannel(owner.client, team.id, { type: 'P' });
      await joinChannel(owner.client, channel.id, user.id);
      const townSquare = await channelNamed(owner.client, team.id, 'town-square');
      const events = await announcedBy(server, [TeamMemberRemoved], async () => {
        const remove = () => owner.client.delete(`/teams/${team.id}/members/${user.id}`);
        const answers = await Promise.all(Array.from({ length: 6 }, remove));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
        expect(answers.find(({ status }) => status === 200)!.body).toEqual({ status: 'OK' });
      });
      expect(events).toEqual([new TeamMemberRemoved(team.id, user.id, owner.id)]);
      expect((await owner.client.get(`/teams/${team.id}/members/${user.id}`)).body.delete_at).toBeGreaterThan(
        0,
      );
      const listed = (await owner.client.get(`/teams/${team.id}/members`)).body;
      expect(rows(listed).map((member: any) => member.user_id)).toEqual([owner.id]);
      for (const id of [channel.id, townSquare.id]) {
        expect((await owner.client.get(`/channels/${id}/members/${user.id}`)).status).toBe(404);
        expect((await user.client.get(`/channels/${id}`)).status).toBe(403);
      }
      expect((await user.client.get(`/teams/${team.id}`)).status).toBe(403);
      await refuses(
        owner.client.delete(`/teams/${team.id}/members/${user.id}`),
        'app.team.get_member.missing.app_error',
        404,
      );
      const back = await joinTeam(server, team.id, user.id);
      expect(back).toMatchObject({ delete_at: 0, roles: 'team_user' });
      expect((await user.client.get(`/channels/${townSquare.id}/members/me`)).status).toBe(200);
    });

    it('lets members leave, and returns 404 for a missing membership', async () => {
      const user = await buildTeamMember(server, team.id);
      const other = await buildTeamMember(server, team.id);
      expect((await user.client.delete(`/teams/${team.id}/members/me`)).status).toBe(200);
      await refuses(
        admin.delete(`/teams/${UNKNOWN}/members/${other.id}`),
        'app.team.get.find.app_error',
        404,
      );
      await refuses(
        admin.delete(`/teams/${team.id}/members/${UNKNOWN}`),
        'app.user.missing_account.const',
        404,
      );
      await refuses(
        admin.delete(`/teams/${team.id}/members/${stranger.id}`),
        'app.team.get_member.missing.app_error',
        404,
      );
    });
  });

  describe('roles of members', () => {
    const roles = (userId: string, body: unknown, client = owner.client) =>
      client.put(`/teams/${team.id}/members/${userId}/roles`, body);
    const scheme = (userId: string, body: unknown, client = owner.client) =>
      client.put(`/teams/${team.id}/members/${userId}/schemeRoles`, body);

    it('promotes and demotes members immediately, including in caches', async () => {
      const member = await buildTeamMember(server, team.id);
      expect((await member.client.put(`/teams/${team.id}/patch`, { description: 'x' })).status).toBe(403);
      const events = await announcedBy(server, [TeamMemberRolesUpdated], async () => {
        const raised = await roles(member.id, { roles: 'team_user team_admin team_post_all' });
        expect([raised.status, raised.body]).toEqual([200, { status: 'OK' }]);
      });
      expect(events).toEqual([new TeamMemberRolesUpdated(team.id, member.id)]);
      expect((await member.client.get(`/teams/${team.id}/members/me`)).body).toMatchObject({
        roles: 'team_user team_admin team_post_all',
        explicit_roles: 'team_post_all',
        scheme_admin: true,
      });
      expect((await member.client.put(`/teams/${team.id}/patch`, { description: 'x' })).status).toBe(200);
      expect((await scheme(member.id, { scheme_user: true, scheme_admin: false })).status).toBe(200);
      expect((await member.client.get(`/teams/${team.id}/members/me`)).body.roles).toBe(
        'team_user team_post_all',
      );
      expect((await member.client.put(`/teams/${team.id}/patch`, { description: 'y' })).status).toBe(403);
    });

    it.each<[string, string, string]>([
      ['bad characters', 'team_user Team-Admin', INVALID],
      ['system_admin', 'system_admin', INVALID],
      ['an unknown role', 'team_user no_such_role', 'app.role.check_roles_exist.role_not_found'],
      [
        'a role of channels',
        'team_user channel_user',
        'api.channel.update_team_member_roles.scheme_role.app_error',
      ],
      ['no role', '', 'api.team.update_team_member_roles.unset_user_scheme.app_error'],
      ['a guest', 'team_guest team_user', 'app.role.check_roles_exist.role_not_found'],
    ])('refuses %s', async (_what, text, id) => {
      const member = await buildTeamMember(server, team.id);
      await refuses(roles(member.id, { roles: text }), id);
    });

    it('refuses invalid bodies and unknown users', async () => {
      const member = await buildTeamMember(server, team.id);
      expect((await roles(member.id, {})).status).toBe(400);
      expect((await roles(member.id, { roles: 5 })).status).toBe(400);
      expect((await scheme(member.id, {})).status).toBe(400);
      expect((await scheme(member.id, { scheme_user: 'yes', scheme_admin: true })).status).toBe(400);
      expect((await scheme(member.id, { scheme_user: false, scheme_admin: true })).status).toBe(400);
      const asGuest = { scheme_guest: true, scheme_user: true, scheme_admin: false };
      expect((await scheme(member.id, asGuest)).body.message).toContain('there are no guests');
      expect((await scheme(member.id, { ...asGuest, scheme_guest: false })).status).toBe(200);
      const missing = 'app.team.get_member.missing.app_error';
      await refuses(roles(stranger.id.replace(/^./, 'z'), { roles: 'team_user' }), missing, 404);
      await refuses(scheme(UNKNOWN, { scheme_user: true, scheme_admin: true }), missing, 404);
    });
  });
});
