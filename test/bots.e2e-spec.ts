import { buildIncomingHook } from './factories/incoming-hooks.js';
import { buildChannel } from './factories/channels.js';
import { buildTeam, joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser, USER_PASSWORD } from './factories/users.js';
import { newId } from '../src/platform/common/ids.js';
import type { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const NOT_FOUND = 'store.sql_bot.get.missing.app_error';

/** docs/contract/messaging.md#bots */
describe('bots', () => {
  let server: TestServer;
  let admin: ApiClient;
  /** Can create bots and manage their own. */
  let maker: BuiltUser;

  const makeBot = async (client: ApiClient = admin, fields: object = {}): Promise<any> =>
    client.call('POST', '/bots', { username: `bot-${newId()}`, ...fields });
  const grant = async (name: string, permissions: readonly string[]): Promise<void> => {
    const role = await admin.call('GET', `/roles/name/${name}`);
    const all = [...role.permissions, ...permissions];
    await admin.call('PUT', `/roles/${role.id}/patch`, { permissions: all });
  };
  const tokenOf = async (client: ApiClient, id: string): Promise<ApiClient> =>
    server.anonymous.as(
      (await client.call('POST', `/users/${id}/tokens`, { description: 'of a bot' })).token,
    );

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    await grant('system_post_all', ['create_bot', 'read_bots', 'manage_bots', 'create_user_access_token']);
    maker = await buildUser(server, { roles: 'system_user system_post_all' });
  });
  afterAll(() => server.close());

  it('are created with the fields of stock servers', async () => {
    const username = `Bot-${newId()}`;
    const named = { display_name: 'Deployments', description: 'Reports each.' };
    const { status, body } = await admin.post('/bots', { username, ...named });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...named,
      user_id: expect.stringMatching(/^[a-z0-9]{26}$/),
      username: username.toLowerCase(),
      owner_id: server.adminId,
      create_at: expect.any(Number),
      update_at: body.create_at,
      delete_at: 0,
    });
    expect((await admin.get(`/bots/${body.user_id}`)).body).toEqual(body);
    expect((await admin.get(`/users/${body.user_id}`)).body).toMatchObject({
      username: body.username,
      first_name: 'Deployments',
      email: `${body.username}@localhost`,
      roles: 'system_user',
      is_bot: true,
      bot_description: 'Reports each.',
    });
    expect((await admin.get('/users/me')).body).not.toHaveProperty('is_bot');
  });

  it.each([
    [{}, 'api.context.invalid_body_param.app_error', 'username'],
    [{ username: 'no spaces' }, 'model.user.is_valid.username.app_error', 'username'],
    [{ username: 'admin' }, 'app.user.save.username_exists.app_error', 'username'],
    [{ display_name: 'é'.repeat(65) }, 'model.user.is_valid.first_name.app_error', 'display_name'],
    [{ description: 'é'.repeat(1_025) }, 'model.bot.is_valid.description.app_error', 'description'],
  ])('are refused as %j', async (body, id, named) => {
    const username = named === 'username' ? {} : { username: 'wordy' };
    expectError(await admin.post('/bots', { ...username, ...body }), 400, id, named);
    if (!('username' in body) && named === 'username') return;
    const { user_id } = await makeBot();
    expectError(await admin.put(`/bots/${user_id}`, body), 400, id, named);
  });

  it('have unique usernames', async () => {
    const { username } = await makeBot();
    expectError(await admin.post('/bots', { username }), 400, 'app.user.save.username_exists.app_error');
  });

  it('cannot sign in with a password or get one', async () => {
    const { user_id: id, username } = await makeBot();
    const blank = await server.anonymous.post('/users/login', { login_id: username, password: '' });
    expectError(blank, 400, 'api.user.login.blank_pwd.app_error', 'password');
    const answer = await admin.put(`/users/${id}/password`, { new_password: USER_PASSWORD });
    expectError(answer, 400, 'api.user.update_password.bot.app_error');
    const claim = { login_id: username, password: USER_PASSWORD };
    const login = await server.anonymous.post('/users/login', claim);
    expectError(login, 401, 'api.user.login.bot_login_forbidden.app_error');
  });

  it('change the given fields, and keep the rest', async () => {
    const bot = await makeBot(admin, { display_name: 'Before', description: 'kept' });
    const username = `bot-${newId()}`;
    const { status, body } = await admin.put(`/bots/${bot.user_id}`, { username, display_name: 'After' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...bot, username, display_name: 'After', update_at: expect.any(Number) });
    expect(body.update_at).toBeGreaterThan(bot.update_at);
    expect((await admin.get(`/users/username/${username}`)).body.email).toBe(`${username}@localhost`);
  });

  it('act by tokens while they are enabled, and own webhooks', async () => {
    const bot = await makeBot();
    const client = await tokenOf(admin, bot.user_id);
    const team = await buildTeam(admin);
    await joinTeam(server, team.id, bot.user_id, true);
    const channel = await buildChannel(admin, team.id);
    const hook = await buildIncomingHook(client, channel.id);
    expect(hook.user_id).toBe(bot.user_id);
    expect((await server.anonymous.post(`/hooks/${hook.id}`, { text: 'hello' })).status).toBe(200);
    const { body: disabled } = await admin.post(`/bots/${bot.user_id}/disable`);
    expect(disabled.delete_at).toBeGreaterThan(0);
    expect((await client.get('/users/me')).status).toBe(401);
    expectError(await admin.get(`/bots/${bot.user_id}`), 404, NOT_FOUND);
    expect((await admin.get(`/bots/${bot.user_id}?include_deleted=true`)).body).toEqual(disabled);
    expect((await admin.post(`/bots/${bot.user_id}/enable`)).body.delete_at).toBe(0);
    expect((await client.get('/users/me')).body.id).toBe(bot.user_id);
  });

  it('are marked in their posts, unlike users', async () => {
    const bot = await makeBot();
    const client = await tokenOf(admin, bot.user_id);
    const team = await buildTeam(admin);
    await joinTeam(server, team.id, bot.user_id, true);
    const channel = await buildChannel(client, team.id);
    const hook = await buildIncomingHook(client, channel.id);
    const post = (author: ApiClient, props: object = {}): Promise<any> =>
      author.call('POST', '/posts', { channel_id: channel.id, message: 'hello', props });
    const own = await post(client, { from_bot: 'false', a: 1 });
    expect(own.props).toEqual({ from_bot: 'true', a: 1 });
    const edited = await client.call('PUT', `/posts/${own.id}/patch`, { props: {} });
    expect(edited.props).toEqual({ from_bot: 'true' });
    const { body } = await server.anonymous.post(`/hooks/${hook.id}?wait=true`, { text: 'hello' });
    const { props } = await admin.call('GET', `/posts/${body.post_ids[0]}`);
    expect(props).toMatchObject({ from_bot: 'true', from_webhook: 'true' });
    await joinTeam(server, team.id, maker.id);
    await admin.call('POST', `/channels/${channel.id}/members`, { user_id: maker.id });
    expect((await post(maker.client, { from_bot: 'true' })).props).toEqual({});
  });

  it('are listed, excluding disabled ones by default', async () => {
    const [kept, gone] = [await makeBot(), await makeBot()];
    await admin.call('POST', `/bots/${gone.user_id}/disable`);
    const ids = async (query: string): Promise<string[]> =>
      (await admin.call('GET', `/bots?per_page=200${query}`)).map((bot: any) => bot.user_id);
    expect(await ids('')).toEqual(expect.arrayContaining([kept.user_id]));
    expect(await ids('')).not.toContain(gone.user_id);
    expect(await ids('&include_deleted=true')).toEqual(expect.arrayContaining([kept.user_id, gone.user_id]));
    const first = await admin.call('GET', '/bots?per_page=1');
    const second = await admin.call('GET', '/bots?per_page=1&page=1');
    expect(await ids('')).toEqual(expect.arrayContaining([first[0].user_id, second[0].user_id]));
    expect(first[0].user_id).not.toBe(second[0].user_id);
  });

  it('are managed by their owner, who sees no others', async () => {
    const own = await makeBot(maker.client);
    const other = await makeBot();
    const listed = await maker.client.call('GET', '/bots?per_page=200');
    expect(listed.map((bot: any) => bot.owner_id)).toEqual([maker.id]);
    expect((await maker.client.put(`/bots/${own.user_id}`, { description: 'mine' })).status).toBe(200);
    for (const call of ['enable', 'disable', `assign/${maker.id}`])
      expectError(await maker.client.post(`/bots/${other.user_id}/${call}`), 404, NOT_FOUND);
    expectError(await maker.client.get(`/bots/${other.user_id}`), 404, NOT_FOUND);
    const client = await tokenOf(maker.client, own.user_id);
    expect((await client.get('/users/me')).body.id).toBe(own.user_id);
    const token = await maker.client.post(`/users/${other.user_id}/tokens`, { description: 'x' });
    expect(token.status).toBe(403);
    await admin.call('PUT', `/users/${own.user_id}/roles`, { roles: 'system_user system_post_all' });
    expect((await client.post('/bots', { username: `bot-${newId()}` })).status).toBe(403);
  });

  it('cannot be managed by an owner with fewer permissions', async () => {
    const own = await makeBot(maker.client);
    await admin.call('PUT', `/users/${own.user_id}/roles`, { roles: 'system_admin system_user' });
    expect((await maker.client.put(`/bots/${own.user_id}`, { description: 'x' })).status).toBe(403);
    expect((await maker.client.post(`/users/${own.user_id}/tokens`, { description: 'x' })).status).toBe(403);
  });

  it('are assigned to another user, but not to a bot', async () => {
    const bot = await makeBot();
    const other = await makeBot();
    const { body } = await admin.post(`/bots/${bot.user_id}/assign/${maker.id}`);
    expect(body).toMatchObject({ user_id: bot.user_id, owner_id: maker.id });
    expect((await maker.client.get(`/bots/${bot.user_id}`)).status).toBe(200);
    expect((await admin.post(`/bots/${bot.user_id}/assign/${other.user_id}`)).status).toBe(403);
    expect((await admin.post(`/bots/${bot.user_id}/assign/${newId()}`)).status).toBe(404);
  });

  it('are disabled with their owner', async () => {
    const owner = await buildUser(server, { roles: 'system_user system_post_all' });
    const bot = await makeBot(owner.client);
    await admin.call('PUT', `/users/${owner.id}/active`, { active: false });
    const orphaned = await admin.call('GET', '/bots?only_orphaned=true&include_deleted=true&per_page=200');
    expect(orphaned).toEqual([expect.objectContaining({ user_id: bot.user_id })]);
    expect(orphaned[0].delete_at).toBeGreaterThan(0);
    await admin.call('PUT', `/users/${owner.id}/active`, { active: true });
    expectError(await admin.get(`/bots/${bot.user_id}`), 404, NOT_FOUND);
  });

  it('are converted from users, and into users', async () => {
    const person = await buildUser(server);
    const token = await tokenOf(admin, person.id);
    const { status, body } = await admin.post(`/users/${person.id}/convert_to_bot`);
    expect([status, body.user_id, body.owner_id]).toEqual([200, person.id, person.id]);
    expect((await person.client.get('/users/me')).status).toBe(401);
    expect((await token.get('/users/me')).body).toMatchObject({ id: person.id, is_bot: true });
    const login = { login_id: person.username, password: USER_PASSWORD };
    expect((await server.anonymous.post('/users/login', login)).status).toBe(401);

    const convert = `/bots/${person.id}/convert_to_user`;
    expect((await admin.post(convert, {})).status).toBe(400);
    const account = { password: USER_PASSWORD, nickname: 'Again' };
    const back = await admin.post(`${convert}?set_system_admin=true`, account);
    expect(back.body).toMatchObject({ id: person.id, nickname: 'Again', roles: 'system_user system_admin' });
    expect(back.body).not.toHaveProperty('is_bot');
    expect((await server.anonymous.post('/users/login', login)).status).toBe(200);
    expectError(await admin.post(convert, { password: USER_PASSWORD }), 404, NOT_FOUND);
    await admin.call('PUT', `/users/${person.id}/roles`, { roles: 'system_user' });
  });

  it('are not converted from the last administrator, nor replace one', async () => {
    const bot = await makeBot();
    await admin.call('PUT', `/users/${bot.user_id}/roles`, { roles: 'system_admin system_user' });
    const answer = await admin.post(`/users/${server.adminId}/convert_to_bot`);
    expectError(answer, 400, 'app.user.update.lastAdmin.app_error');
  });

  it('send direct messages through webhooks that their owners created', async () => {
    const bot = await makeBot(maker.client);
    const team = await buildTeam(admin);
    for (const id of [maker.id, bot.user_id]) await joinTeam(server, team.id, id, id === maker.id);
    const channel = await buildChannel(admin, team.id);
    const hook = await buildIncomingHook(maker.client, channel.id, { user_id: bot.user_id });
    const payload = { text: 'for you', channel: '@admin' };
    expect((await server.anonymous.post(`/hooks/${hook.id}`, payload)).text).toBe('ok');
    await admin.call('POST', `/bots/${bot.user_id}/assign/${server.adminId}`);
    expect((await server.anonymous.post(`/hooks/${hook.id}`, payload)).status).toBe(403);
  });
});
