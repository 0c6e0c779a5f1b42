import { HookScheduleCreated } from '../src/hook-schedules/hook-schedules.events.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { buildHookSchedule } from './factories/hook-schedules.js';
import { buildTeam, buildTeamMember, joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { announcedBy } from './support/announcements.js';
import type { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const PATH = '/hook_schedules';
const EXPIRED = 'api.context.session_expired.app_error';
const DENIED = 'api.context.permissions.app_error';
const BODY = 'api.context.invalid_body_param.app_error';
const URL_PARAM = 'api.context.invalid_url_param.app_error';
const NAME = 'model.hook_schedule.display_name.app_error';
const UNKNOWN = 'app.hook_schedule.get.app_error';

describe('hook schedules', () => {
  let server: TestServer;
  let teamId: string;
  let teamAdmin: BuiltUser;
  let manager: ApiClient;
  let member: BuiltUser;
  let stranger: BuiltUser;
  let schedule: any;
  /** Fields of another one. */
  let valid: Record<string, unknown>;

  beforeAll(async () => {
    server = await startTestServer();
    teamId = (await buildTeam(server.admin)).id;
    teamAdmin = await buildUser(server);
    manager = teamAdmin.client;
    await joinTeam(server, teamId, teamAdmin.id, true);
    member = await buildTeamMember(server, teamId);
    // Administers another team.
    stranger = await buildUser(server);
    await joinTeam(server, (await buildTeam(server.admin)).id, stranger.id, true);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    schedule = await buildHookSchedule(manager, teamId);
    valid = {
      team_id: teamId,
      display_name: 'Another hook schedule',
      hook_id: schedule.hook_id,
      text: 'Tea is ready.',
      post_at: schedule.post_at,
    };
  });

  const read = (id: string): Promise<any> => manager.get(`${PATH}/${id}`);

  describe('create', () => {
    it('returns the whole record, and announces it', async () => {
      const announced = await announcedBy(server, [HookScheduleCreated], async () => {
        const { status, body } = await manager.post(PATH, valid);
        expect({ status, body }).toEqual({
          status: 201,
          body: {
            id: expect.stringMatching(/^[a-z0-9]{26}$/),
            create_at: expect.any(Number),
            update_at: body.create_at,
            delete_at: 0,
            creator_id: teamAdmin.id,
            ...valid,
            posted_at: 0,
          },
        });
        expect((await read(body.id)).body).toEqual(body);
      });
      expect(announced).toHaveLength(1);
    });

    it('requires the permission in this team', async () => {
      expectError(await server.anonymous.post(PATH, valid), 401, EXPIRED);
      expectError(await member.client.post(PATH, valid), 403, DENIED);
      expectError(await stranger.client.post(PATH, valid), 403, DENIED);
      expect((await server.admin.post(PATH, valid)).status).toBe(201);
    });

    it.each([
      ['an absent name', { display_name: undefined }, BODY, 'display_name'],
      ['a name that is not a string', { display_name: 7 }, BODY, 'display_name'],
      ['an empty name', { display_name: '' }, NAME, 'display_name'],
      ['a name that is too long', { display_name: 'x'.repeat(65) }, NAME, 'display_name'],
      ['an empty text', { text: '' }, BODY, 'text'],
      ['a time that no clock will show', { post_at: 1e20 }, BODY, 'post_at'],
      ['an absent team', { team_id: undefined }, BODY, 'team_id'],
    ])('refuses %s', async (_, fields, id, named) => {
      expectError(await manager.post(PATH, { ...valid, ...fields }), 400, id, named);
    });

    it('refuses invalid JSON', async () => {
      expectError(await manager.post(PATH, undefined, { raw: '{' }), 400, BODY, 'hook_schedule');
    });

    it('finds no other team', async () => {
      expectError(await server.admin.post(PATH, { ...valid, team_id: newId() }), 404);
    });
  });

  describe('list', () => {
    const list = async (client: ApiClient, query: string): Promise<any> => client.get(`${PATH}?${query}`);

    it('contains those of the team, page by page', async () => {
      const { id } = await buildTeam(server.admin);
      const made = [await buildHookSchedule(server.admin, id), await buildHookSchedule(server.admin, id)];
      const found = await list(server.admin, `team_id=${id}`);
      expect(found.status).toBe(200);
      expect(found.body.map((one: any) => one.id).sort()).toEqual(made.map((one) => one.id).sort());
      const second = await list(server.admin, `team_id=${id}&page=1&per_page=1`);
      expect(second.body).toEqual([found.body[1]]);
      expect((await list(server.admin, `team_id=${id}&per_page=0`)).body).toEqual([]);
    });

    it('contains those of every team for users who can manage all', async () => {
      const { body } = await list(server.admin, 'per_page=200');
      expect(body.map((one: any) => one.id)).toContain(schedule.id);
      expectError(await list(manager, ''), 403, DENIED);
    });

    it('requires the permission in this team', async () => {
      expectError(await list(server.anonymous, `team_id=${teamId}`), 401, EXPIRED);
      expectError(await list(member.client, `team_id=${teamId}`), 403, DENIED);
      expectError(await list(stranger.client, `team_id=${teamId}`), 403, DENIED);
      expectError(await list(manager, 'team_id=junk'), 400, URL_PARAM, 'team_id');
      expectError(await list(manager, `team_id=${newId()}`), 403, DENIED);
    });
  });

  describe.each(['GET', 'PUT', 'DELETE'])('%s of one', (method) => {
    const send = (client: ApiClient, id: string): Promise<any> =>
      client.send(method, `${PATH}/${id}`, method === 'PUT' ? { display_name: 'New name' } : undefined);

    it('works', async () => {
      const { status, body } = await send(manager, schedule.id);
      expect(status).toBe(200);
      if (method === 'GET') expect(body).toEqual(schedule);
      else if (method === 'DELETE') expectError(await read(schedule.id), 404, UNKNOWN);
      else {
        expect(body).toEqual({ ...schedule, display_name: 'New name', update_at: body.update_at });
        expect(body.update_at).toBeGreaterThan(schedule.update_at);
        expect((await read(schedule.id)).body).toEqual(body);
      }
    });

    it('requires the permission in this team', async () => {
      expectError(await send(server.anonymous, schedule.id), 401, EXPIRED);
      expectError(await send(member.client, schedule.id), 403, DENIED);
      expectError(await send(stranger.client, schedule.id), 403, DENIED);
      expect((await read(schedule.id)).body).toEqual(schedule);
    });

    it('finds no other id', async () => {
      expectError(await send(manager, 'junk'), 400, URL_PARAM, 'hook_schedule_id');
      expectError(await send(manager, newId()), 404, UNKNOWN);
    });
  });

  it.each([{}, { display_name: null }, { display_name: 'x'.repeat(65) }])(
    'cannot be changed to %j',
    async (fields) => {
      const answer = await manager.put(`${PATH}/${schedule.id}`, fields);
      expectError(answer, 400, 'display_name' in fields ? NAME : BODY, 'display_name');
    },
  );

  describe('at its time', () => {
    const posted = (id: string): Promise<number> =>
      eventually(async () => (await read(id)).body.posted_at as number);
    const messages = async (): Promise<string[]> => {
      const { body: hook } = await manager.get(`/hooks/incoming/${schedule.hook_id}`);
      const { body } = await manager.get(`/channels/${hook.channel_id}/posts`);
      return Object.values<any>(body.posts).map(({ message }) => message);
    };

    it('is posted once, and not before', async () => {
      const due = await buildHookSchedule(manager, teamId, { text: 'Due.', post_at: Date.now() });
      await posted(due.id);
      await posted((await buildHookSchedule(manager, teamId, { text: 'Overdue.', post_at: 0 })).id);
      expect((await messages()).filter((text) => /due/i.test(text)).sort()).toEqual(['Due.', 'Overdue.']);
      expect((await read(schedule.id)).body).toEqual(schedule);
    });

    it('is given up when its webhook refuses it', async () => {
      const clock = jest.spyOn(server.app.get(Clock), 'now').mockReturnValue(schedule.post_at);
      await server.withSettings({ enableIncomingWebhooks: false }, () => posted(schedule.id));
      clock.mockRestore();
      expect(await messages()).not.toContain(schedule.text);
    });
  });

  it('goes with its webhook', async () => {
    expect((await manager.delete(`/hooks/incoming/${schedule.hook_id}`)).status).toBe(200);
    expectError(await read(schedule.id), 404, UNKNOWN);
  });

  it('can be switched off', async () => {
    await server.withSettings({ enableHookSchedules: false }, async () => {
      expectError(await read(schedule.id), 501, 'app.hook_schedule.disabled.app_error');
      expectError(await manager.get(`${PATH}?team_id=${teamId}`), 501);
    });
  });
});
