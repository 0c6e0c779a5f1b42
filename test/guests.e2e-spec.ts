import { DataSource } from 'typeorm';
import { FitGuestMemberships1795339260801 } from '../src/messaging/migrations/1795339260801-fit-guest-memberships.js';
import { buildChannel, channelNamed, joinChannel } from './factories/channels.js';
import { buildTeam, buildTeamMember, joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { expectError } from './support/expect-error.js';
import { LiveClient } from './support/live-client.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const DENIED = 'api.context.permissions.app_error';

let server: TestServer;
let team: any;
const open: LiveClient[] = [];

beforeAll(async () => {
  server = await startTestServer();
  team = await buildTeam(server.admin);
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});
afterAll(() => server.close());

const setRoles = async (user: BuiltUser, roles: string): Promise<void> => {
  await server.admin.call('PUT', `/users/${user.id}/roles`, { roles });
};
const teamMember = (user: BuiltUser): Promise<any> =>
  server.admin.call('GET', `/teams/${team.id}/members/${user.id}`);
const channelMember = (user: BuiltUser, channelId: string): Promise<any> =>
  server.admin.call('GET', `/channels/${channelId}/members/${user.id}`);
const listen = async (user: BuiltUser): Promise<LiveClient> => {
  const client = await LiveClient.connect(server.url, user.client.token);
  open.push(client);
  return client;
};

const AS_ADMIN = { scheme_user: true, scheme_admin: true };
const GUEST = { scheme_guest: true, scheme_user: false, scheme_admin: false, explicit_roles: '' };
const USER = { scheme_guest: false, scheme_user: true, scheme_admin: false, explicit_roles: '' };

describe('an account that becomes a guest', () => {
  it('has the roles of a guest in every team and channel, at once', async () => {
    const user = await buildTeamMember(server, team.id);
    const channel = await buildChannel(user.client, team.id, { type: 'P' });
    await server.admin.call('PUT', `/teams/${team.id}/members/${user.id}/roles`, {
      roles: 'team_user team_admin team_post_all',
    });
    const privacy = (): Promise<any> => user.client.put(`/channels/${channel.id}/privacy`, { privacy: 'O' });
    expect((await user.client.put(`/teams/${team.id}/patch`, { description: 'x' })).status).toBe(200);
    expect((await channelMember(user, channel.id)).scheme_admin).toBe(true);

    const live = await listen(user);
    await setRoles(user, 'system_guest');
    expect(await teamMember(user)).toMatchObject({ ...GUEST, roles: 'team_guest' });
    expect(await channelMember(user, channel.id)).toMatchObject({ ...GUEST, roles: 'channel_guest' });
    expectError(await privacy(), 403, DENIED);
    expectError(await user.client.put(`/teams/${team.id}/patch`, { description: 'y' }), 403, DENIED);
    expectError(await user.client.put(`/channels/${channel.id}/patch`, { header: 'y' }), 403, DENIED);
    expectError(
      await user.client.post('/hooks/incoming', { channel_id: channel.id, display_name: 'h' }),
      403,
      DENIED,
    );
    expectError(
      await user.client.put(`/teams/${team.id}/members/${user.id}/schemeRoles`, AS_ADMIN),
      403,
      DENIED,
    );
    const told = await live.event('memberrole_updated');
    expect(JSON.parse(told.data['member'])).toMatchObject({ team_id: team.id, roles: 'team_guest' });
    const { data } = await live.event('channel_member_updated', (frame) =>
      String(frame.data['channelMember']).includes(channel.id),
    );
    expect(JSON.parse(data['channelMember'])).toMatchObject({ roles: 'channel_guest' });
    await live.event('user_updated', (frame) => frame.data['user'].roles === 'system_guest');
  });

  it('is an ordinary member again afterwards, without what it had before', async () => {
    const user = await buildTeamMember(server, team.id);
    const channel = await buildChannel(user.client, team.id);
    await server.admin.call('PUT', `/teams/${team.id}/members/${user.id}/schemeRoles`, AS_ADMIN);
    await setRoles(user, 'system_guest');
    expectError(await user.client.post('/channels', newChannel()), 403, DENIED);
    await setRoles(user, 'system_user');
    expect(await teamMember(user)).toMatchObject({ ...USER, roles: 'team_user' });
    expect(await channelMember(user, channel.id)).toMatchObject({ ...USER, roles: 'channel_user' });
    expect((await user.client.post('/channels', newChannel())).status).toBe(201);
    expectError(await user.client.put(`/teams/${team.id}/patch`, { description: 'x' }), 403, DENIED);
  });

  it('keeps nothing that another administrator gives in the same moment', async () => {
    const user = await buildTeamMember(server, team.id);
    const channels = await Promise.all([1, 2, 3].map(() => buildChannel(server.admin, team.id)));
    await Promise.all([
      setRoles(user, 'system_guest'),
      ...channels.map((channel) =>
        server.admin.post(`/channels/${channel.id}/members`, { user_id: user.id }),
      ),
      server.admin.put(`/teams/${team.id}/members/${user.id}/schemeRoles`, AS_ADMIN),
    ]);
    expect(await teamMember(user)).toMatchObject(GUEST);
    for (const { id } of channels) expect(await channelMember(user, id)).toMatchObject(GUEST);
  });

  const newChannel = (): object => ({
    team_id: team.id,
    name: `c${Date.now()}`,
    display_name: 'C',
    type: 'O',
  });
});

describe('a guest who becomes an ordinary user', () => {
  it('is one in every team and channel, and joins the default channel', async () => {
    const user = await buildUser(server, { roles: 'system_guest' });
    await joinTeam(server, team.id, user.id);
    const channel = await buildChannel(server.admin, team.id, { type: 'P' });
    expect(await joinChannel(server.admin, channel.id, user.id)).toMatchObject(GUEST);
    await setRoles(user, 'system_user');
    expect(await teamMember(user)).toMatchObject({ ...USER, roles: 'team_user' });
    expect(await channelMember(user, channel.id)).toMatchObject({ ...USER, roles: 'channel_user' });
    const { id } = await channelNamed(user.client, team.id, 'town-square');
    expect((await channelMember(user, id)).roles).toBe('channel_user');
    expect((await user.client.put(`/channels/${channel.id}/patch`, { header: 'x' })).status).toBe(200);
  });
});

describe('the roles of a guest', () => {
  it('cannot be those of a user or an administrator as well', async () => {
    const user = await buildUser(server);
    for (const roles of ['system_guest system_user', 'system_admin system_guest']) {
      expectError(
        await server.admin.put(`/users/${user.id}/roles`, { roles }),
        400,
        'api.user.update_user_roles.guest_and_user.app_error',
      );
    }
  });

  it('are all that a membership can have', async () => {
    const guest = await buildUser(server, { roles: 'system_guest' });
    await joinTeam(server, team.id, guest.id);
    const channel = await buildChannel(server.admin, team.id);
    await joinChannel(server.admin, channel.id, guest.id);
    for (const scope of ['team', 'channel']) {
      const path = scope === 'team' ? `/teams/${team.id}` : `/channels/${channel.id}`;
      const change = (what: string, body: object): Promise<any> =>
        server.admin.put(`${path}/members/${guest.id}/${what}`, body);
      const id = (rule: string): string => `api.${scope}.update_${scope}_member_roles.${rule}.app_error`;
      const withAdmin = { ...AS_ADMIN, scheme_guest: true, scheme_user: false };
      expectError(await change('schemeRoles', withAdmin), 400, id('guest'));
      const withMore = `${scope}_guest ${scope}_admin`;
      expectError(await change('roles', { roles: withMore }), 400, id('guest'));
      const asUser = await change('schemeRoles', AS_ADMIN);
      expect([asUser.status, asUser.body.id]).toEqual([
        400,
        `api.channel.update_${scope}_member_roles.changing_guest_role.app_error`,
      ]);
    }
  });
});

describe('memberships that the version before stored', () => {
  const query = (sql: string, parameters: unknown[]): Promise<unknown> =>
    server.app.get(DataSource).query(sql, parameters);
  const FLAGS = 'scheme_guest = ?, scheme_user = ?, scheme_admin = ?, explicit_roles = ?';

  /** As an account that changed while its memberships stayed. The server has not read them before. */
  async function stored(roles: string, flags: readonly unknown[]): Promise<[BuiltUser, any]> {
    const user = await buildUser(server);
    const owner = await buildTeamMember(server, team.id);
    const channel = await buildChannel(owner.client, team.id, { type: 'P' });
    await joinTeam(server, team.id, user.id);
    await joinChannel(owner.client, channel.id, user.id);
    await setRoles(user, roles);
    await query(`UPDATE team_members SET ${FLAGS} WHERE user_id = ?`, [...flags, user.id]);
    await query(`UPDATE channel_members SET ${FLAGS} WHERE user_id = ?`, [...flags, user.id]);
    return [user, channel];
  }
  const ADMINISTRATOR = [0, 1, 1, 'team_post_all'];

  it('give a guest no more than the roles of a guest', async () => {
    const [user, channel] = await stored('system_guest', ADMINISTRATOR);
    expectError(await user.client.put(`/teams/${team.id}/patch`, { description: 'x' }), 403, DENIED);
    expectError(await user.client.put(`/channels/${channel.id}/privacy`, { privacy: 'O' }), 403, DENIED);
    expectError(await user.client.put(`/channels/${channel.id}/patch`, { header: 'x' }), 403, DENIED);
    expect((await user.client.get(`/channels/${channel.id}/posts`)).status).toBe(200);
    expect((await user.client.get(`/teams/${team.id}`)).status).toBe(200);
  });

  it('give an ordinary user no less than their roles', async () => {
    const [user, channel] = await stored('system_user', [1, 0, 0, '']);
    expect((await user.client.put(`/channels/${channel.id}/patch`, { header: 'x' })).status).toBe(200);
    expect((await user.client.get(`/teams/${team.id}/channels`)).status).toBe(200);
  });

  it.each(['team', 'channel'])('can be corrected in a %s', async (scope) => {
    const [user, channel] = await stored('system_guest', ADMINISTRATOR);
    const path = scope === 'team' ? `/teams/${team.id}` : `/channels/${channel.id}`;
    const flags = { scheme_guest: true, scheme_user: false, scheme_admin: false };
    const roles = `${path}/members/${user.id}/roles`;
    await server.admin.call('PUT', roles, { roles: `${scope}_guest` });
    const members = await server.admin.call('GET', `${path}/members/${user.id}`);
    expect(members).toMatchObject({ ...flags, explicit_roles: '' });
  });

  it('are corrected by an upgrade', async () => {
    const [guest, channel] = await stored('system_guest', ADMINISTRATOR);
    const [user, other] = await stored('system_user', [1, 0, 0, '']);
    const runner = server.app.get(DataSource).createQueryRunner();
    try {
      for (let run = 0; run < 2; run++) await new FitGuestMemberships1795339260801().up(runner);
    } finally {
      await runner.release();
    }
    expect(await teamMember(guest)).toMatchObject(GUEST);
    expect(await channelMember(guest, channel.id)).toMatchObject(GUEST);
    expect(await teamMember(user)).toMatchObject(USER);
    expect(await channelMember(user, other.id)).toMatchObject(USER);
  });
});
