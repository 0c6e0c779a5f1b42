import { newId } from '../src/platform/common/ids.js';
import { apiDocument } from '../scripts/api-document.mjs';
import { DataSource } from 'typeorm';
import { buildChannel, channelNamed, joinChannel } from './factories/channels.js';
import { buildIncomingHook } from './factories/incoming-hooks.js';
import { buildTeam, buildTeamMember, joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { expectError } from './support/expect-error.js';
import { LiveClient } from './support/live-client.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

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

describe('memberships that do not fit the account', () => {
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
});

describe('whom a guest may not see', () => {
  const MARKER = 'nightingale';
  /** Somebody as requests name them. */
  type Named = Pick<BuiltUser, 'id' | 'username' | 'email'>;
  type Operation = Record<string, any>;

  const NOBODY: Named = { id: newId(), username: `${MARKER}0`, email: `${MARKER}0@example.com` };
  let guest: BuiltUser;
  let near: BuiltUser;
  let stranger: BuiltUser;
  /** Administers the system, and is in no channel. */
  let root: BuiltUser;
  let channel: any;
  let other: any;
  let nearPost: any;
  let document: any;

  beforeAll(async () => {
    document = apiDocument();
    guest = await buildUser(server, { roles: 'system_guest' });
    await joinTeam(server, team.id, guest.id);
    near = await buildTeamMember(server, team.id);
    stranger = await buildTeamMember(server, team.id, { username: `${MARKER}1`, nickname: MARKER });
    root = await buildUser(server, { roles: 'system_admin system_user' });
    channel = await buildChannel(server.admin, team.id);
    other = await buildChannel(stranger.client, team.id);
    for (const { id } of [guest, near]) await joinChannel(server.admin, channel.id, id);
    nearPost = await near.client.call('POST', '/posts', { channel_id: channel.id, message: 'hello' });
    await stranger.client.call('POST', '/posts', { channel_id: other.id, message: MARKER });
    await listen(stranger);
  });

  const pathValues = (who: Named): Record<string, string> => ({
    user_id: who.id,
    username: who.username,
    email: who.email,
    team_id: team.id,
    team_name: team.name,
    channel_id: channel.id,
    channel_name: channel.name,
    post_id: nearPost.id,
    ...{ category: 'direct_channel_show', preference_name: who.id, role_name: 'system_guest' },
    ...{ role_id: newId(), token_id: newId(), hook_id: newId(), delivery_id: newId(), remote_id: newId() },
    recovery_id: newId(),
    invite_id: newId(),
    bot_user_id: who.id,
    request_id: newId(),
    id: newId(),
  });
  const queryValues = (who: Named): Record<string, string> => ({
    ...{ in_team: team.id, in_channel: channel.id, team_id: team.id, channel_id: channel.id },
    ...{ name: who.username, creator_id: who.id, per_page: '200', limit: '100', format: 'old' },
  });

  const resolved = (schema: any): any =>
    schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;

  /** A value of a field, which names the user wherever a user can be named. */
  function valueOf(name: string, given: any, who: Named): unknown {
    const schema = resolved(given);
    if (/^(user|creator|owner|author)_id$/.test(name)) return who.id;
    if (/^(user|creator|owner|author)_ids$/.test(name)) return [who.id];
    if (name === 'team_id') return team.id;
    if (name === 'channel_id') return channel.id;
    if (name === 'term') return who.username;
    if (name === 'terms') return `from:${who.username}`;
    if (/_id$|^(channel|username|email)$/.test(name)) return '';
    if (schema.type === 'object') return {};
    return schema.example ?? schema.default ?? (schema.type === 'boolean' ? false : 'x');
  }
  const objectOf = (schema: any, who: Named): object =>
    Object.fromEntries(
      Object.entries(resolved(schema).properties ?? {}).map(([name, field]) => [
        name,
        valueOf(name, field, who),
      ]),
    );

  function bodiesOf(operation: Operation, path: string, who: Named): unknown[] {
    const schema = resolved(operation['requestBody']?.content?.['application/json']?.schema);
    if (!schema) return [undefined];
    if (schema.type === 'array' && resolved(schema.items).type === 'string') {
      const others = path.endsWith('/usernames') ? ['', ''] : [guest.id, near.id];
      const named = path.endsWith('/usernames') ? who.username : who.id;
      return [[named], [named, others[0]], [named, others[1]], [named, others[1], others[0]]];
    }
    if (schema.type === 'array') return [[objectOf(schema.items, who)]];
    const body = objectOf(schema, who);
    return 'id' in body ? [body, { ...body, id: who.id }] : [body];
  }

  /** The requests of an operation that name somebody: in the path, the query or the body. */
  function requestsOf(path: string, operation: Operation, who: Named): { target: string; body: unknown }[] {
    const parameters: any[] = operation['parameters'] ?? [];
    const values = pathValues(who);
    const unknown = parameters.filter(({ in: place, name }) => place === 'path' && !(name in values));
    if (unknown.length > 0) throw new Error(`${path} has a new parameter: say what it stands for.`);
    const asked = parameters.filter(({ in: place, name }) => place === 'query' && queryValues(who)[name]);
    const query = asked.map(({ name }) => `${name}=${queryValues(who)[name]}`).join('&');
    const queries = query === '' ? [''] : ['', `?${query}`];
    const namesInBody = JSON.stringify(bodiesOf(operation, path, who)).includes(who.id);
    const userIds = path.includes('{user_id}') && namesInBody ? [who.id, 'me'] : [who.id];
    return userIds.flatMap((userId) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ({ ...values, user_id: userId })[name]!);
      return queries.flatMap((text) =>
        bodiesOf(operation, path, who).map((body) => ({ target: filled + text, body })),
      );
    });
  }

  /** What is the same for all: without ids, times and the names that were asked for. */
  const comparable = ({ status, text }: any, who: Named): string =>
    `${status} ${text}`
      .replaceAll(who.username, 'NAME')
      .replace(/[a-z0-9]{26}/g, 'ID')
      .replace(/\d{13}/g, 'TIME');

  const operations = (): [string, string, Operation][] =>
    Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]): [string, string, Operation] => [
        verb.toUpperCase(),
        path,
        operation,
      ]),
    );
  /** They end the session, upgrade the connection, or count requests. */
  const NOT_SENT = ['POST /api/v4/users/logout', 'GET /api/v4/websocket', 'GET /metrics'];

  it('is shown by no route, and cannot be told from nobody', async () => {
    const failed: unknown[] = [];
    let sent = 0;
    for (const [verb, path, operation] of operations()) {
      if (NOT_SENT.includes(`${verb} ${path}`)) continue;
      const [hidden, nobody] = [stranger, NOBODY].map((who) => requestsOf(path, operation, who));
      for (const [index, { target, body }] of hidden!.entries()) {
        const answer = await guest.client.send(verb, target, body);
        const reference = await guest.client.send(verb, nobody![index]!.target, nobody![index]!.body);
        sent++;
        const shows = [stranger.username, stranger.email, stranger.id].some(
          (secret) => answer.text.includes(secret) && !(target + JSON.stringify(body ?? '')).includes(secret),
        );
        const isAnswered = answer.status < 300 && answer.text.includes(stranger.id);
        const differs = comparable(answer, stranger) !== comparable(reference, NOBODY);
        if (shows || isAnswered || differs)
          failed.push({
            verb,
            target,
            body,
            text: answer.text.slice(0, 300),
            other: reference.text.slice(0, 300),
          });
      }
    }
    expect(failed).toEqual([]);
    expect(sent).toBeGreaterThan(150);
  });

  const idsOf = (list: unknown): string[] => (list as any[]).map((one) => one.user_id ?? one.id).sort();
  const sorted = (...ids: string[]): string[] => ids.sort();

  it('is left out of the lists, which still have the people of the channel', async () => {
    const seen = sorted(guest.id, near.id, server.adminId);
    const get = (path: string): Promise<any> => guest.client.call('GET', path);
    const all = [guest.id, near.id, stranger.id, NOBODY.id, server.adminId];
    const post = (path: string): Promise<any> => guest.client.call('POST', path, all);
    for (const path of ['members', 'members?sort=Username', 'members?exclude_deleted_users=true'])
      expect(idsOf(await get(`/teams/${team.id}/${path}`))).toEqual(seen);
    expect(await get(`/teams/${team.id}/stats`)).toMatchObject({
      total_member_count: 3,
      active_member_count: 3,
    });
    expect(await get(`/teams/${team.id}/members?per_page=1&page=1`)).toHaveLength(1);
    expect(idsOf(await post(`/teams/${team.id}/members/ids`))).toEqual(seen);
    expect(idsOf(await get(`/channels/${channel.id}/members`))).toEqual(seen);
    expect(idsOf(await post(`/channels/${channel.id}/members/ids`))).toEqual(seen);
    expect(idsOf(await post('/users/ids'))).toEqual(seen);
    expect(idsOf(await post('/users/status/ids'))).toEqual(seen);
    expect((await get(`/users/${near.id}/status`)).user_id).toBe(near.id);
    expect((await get(`/teams/${team.id}/members/${near.id}`)).user_id).toBe(near.id);
    expect(idsOf(await near.client.call('POST', '/users/status/ids', all))).toEqual(all.sort());
  });

  it('is in no status over the websocket', async () => {
    const client = await listen(guest);
    await listen(near);
    const ask = async (action: string, data?: object): Promise<string[]> =>
      Object.keys((await client.ask(action, data as Record<string, unknown>)).data ?? {}).sort();
    await eventually(async () => (await ask('get_statuses')).includes(near.id));
    expect(await ask('get_statuses')).toEqual(sorted(guest.id, near.id));
    const ids = [guest.id, near.id, stranger.id, NOBODY.id];
    expect(await ask('get_statuses_by_ids', { user_ids: ids })).toEqual(sorted(guest.id, near.id));
    const nearClient = await listen(near);
    const answer = await nearClient.ask('get_statuses_by_ids', { user_ids: ids });
    expect(Object.keys(answer.data ?? {}).sort()).toEqual(ids.sort());
  });

  it('cannot be written to, other than the people of the channel', async () => {
    for (const { id } of [stranger, NOBODY]) {
      expectError(await guest.client.post('/channels/direct', [guest.id, id]), 403, DENIED);
      expectError(await guest.client.post('/channels/group', [near.id, id]), 403, DENIED);
    }
    expect((await guest.client.post('/channels/direct', [guest.id, near.id])).status).toBe(201);
    expect((await guest.client.post('/channels/group', [near.id, server.adminId])).status).toBe(201);
  });

  it('may write to a guest, who then sees them', async () => {
    const writer = await buildTeamMember(server, team.id);
    expectError(await guest.client.get(`/users/${writer.id}`), 403, DENIED);
    await writer.client.call('POST', '/channels/direct', [writer.id, guest.id]);
    expect((await guest.client.get(`/users/${writer.id}`)).status).toBe(200);
    expect((await guest.client.post('/channels/direct', [guest.id, writer.id])).status).toBe(201);
  });

  it('is not found as the author of what they left behind', async () => {
    const author = await buildTeamMember(server, team.id);
    await joinChannel(server.admin, channel.id, author.id);
    const mark = newId();
    await author.client.call('POST', '/posts', { channel_id: channel.id, message: `left ${mark}` });
    const found = async (name: string): Promise<number> =>
      (
        await guest.client.call('POST', `/teams/${team.id}/posts/search`, {
          terms: `${mark} from:${name}`,
          is_or_search: false,
        })
      ).order.length;
    expect(await found(author.username)).toBe(1);
    await server.admin.call('DELETE', `/channels/${channel.id}/members/${author.id}`);
    expect([await found(author.username), await found(NOBODY.username)]).toEqual([0, 0]);
  });

  it('leaves the team unheard, other than the people of the channel', async () => {
    const leaving = await buildTeamMember(server, team.id);
    const unseen = await buildTeamMember(server, team.id);
    await joinChannel(server.admin, channel.id, leaving.id);
    const [client, nearClient] = [await listen(guest), await listen(near)];
    for (const { id } of [unseen, leaving])
      await server.admin.call('DELETE', `/teams/${team.id}/members/${id}`);
    const heard = (one: LiveClient): string[] =>
      one.named('leave_team').map(({ data }) => data['user_id'] as string);
    await eventually(() => heard(nearClient).length === 2 && heard(client).includes(leaving.id));
    expect(heard(client)).toEqual([leaving.id]);
    expect(heard(nearClient)).toEqual([unseen.id, leaving.id]);
  });

  it('is not reached by the webhook of a guest', async () => {
    const hook = await buildIncomingHook(server.admin, channel.id, { user_id: guest.id });
    const send = (to: string): Promise<any> =>
      server.anonymous.send('POST', `/hooks/${hook.id}`, { text: 'x', channel: `@${to}` });
    const [hidden, nobody, seen] = [
      await send(stranger.username),
      await send(NOBODY.username),
      await send(near.username),
    ];
    const { request_id: _one, ...refusal } = hidden.body;
    const { request_id: _other, ...reference } = nobody.body;
    expect(refusal).toEqual(reference);
    expect([hidden.status, seen.status]).toEqual([400, 200]);
  });

  it('is in public channels that the webhook of a guest does not find', async () => {
    const hook = await buildIncomingHook(server.admin, channel.id, { user_id: guest.id });
    const send = (to: string): Promise<any> =>
      server.anonymous.send('POST', `/hooks/${hook.id}`, { text: 'x', channel: to });
    const [hidden, nothing] = [await send(other.name), await send(`no-${other.name}`)];
    expect([hidden.status, hidden.body?.id]).toEqual([404, nothing.body.id]);
    const shared = await buildChannel(server.admin, team.id);
    await joinChannel(server.admin, shared.id, guest.id);
    expect([(await send(shared.name)).status, (await send('')).status]).toEqual([200, 200]);
  });

  it('cannot be named by a guest who may add people and make webhooks', async () => {
    const rights: Record<string, string[]> = {
      team_guest: [
        'add_user_to_team',
        'manage_webhooks',
        'manage_others_incoming_webhooks',
        'manage_others_outgoing_webhooks',
      ],
      channel_guest: ['manage_public_channel_members'],
    };
    const roles = await Promise.all(
      Object.keys(rights).map((name) => server.admin.call('GET', `/roles/name/${name}`)),
    );
    const permit = async (more: boolean): Promise<void> => {
      for (const { id, name, permissions } of roles)
        await server.admin.call('PUT', `/roles/${id}/patch`, {
          permissions: more ? [...permissions, ...rights[name]!] : permissions,
        });
    };
    const fellow = await buildTeamMember(server, team.id);
    await server.admin.call('POST', '/channels/direct', [fellow.id, guest.id]);
    const in_team = { team_id: team.id };
    const outgoing = {
      ...in_team,
      channel_id: channel.id,
      display_name: 'o',
      callback_urls: ['http://a.b/'],
    };
    const requests: [string, (id: string) => unknown][] = [
      [`/teams/${team.id}/members`, (id) => ({ ...in_team, user_id: id })],
      [`/teams/${team.id}/members/batch`, (id) => [{ ...in_team, user_id: id }]],
      [`/teams/${team.id}/members/batch?graceful=1`, (id) => [{ ...in_team, user_id: id }]],
      [`/channels/${channel.id}/members`, (id) => ({ user_id: id })],
      ['/hooks/incoming', (id) => ({ channel_id: channel.id, display_name: 'i', user_id: id })],
      ['/hooks/outgoing', (id) => ({ ...outgoing, trigger_words: [newId()], creator_id: id })],
    ];
    await permit(true);
    try {
      for (const [path, body] of requests) {
        for (const { id } of [stranger, NOBODY])
          expectError(await guest.client.post(path, body(id)), 403, DENIED);
        expect([path, (await guest.client.post(path, body(fellow.id))).status]).toEqual([path, 201]);
      }
    } finally {
      await permit(false);
    }
  });

  it('is in no public channel that a guest names, but is not in', async () => {
    const { props } = await guest.client.call('POST', '/posts', {
      channel_id: channel.id,
      message: `~${other.name} and ~${channel.name}`,
    });
    expect(Object.keys(props.channel_mentions)).toEqual([channel.name]);
  });

  it('types unheard in the channel of a guest', async () => {
    const client = await listen(guest);
    const [typing, nearTyping] = [await listen(root), await listen(near)];
    for (const one of [typing, nearTyping]) await one.ask('user_typing', { channel_id: channel.id });
    const { data } = await client.event('typing');
    expect(data['user_id']).toBe(near.id);
    expect(client.named('typing')).toHaveLength(1);
  });
});
