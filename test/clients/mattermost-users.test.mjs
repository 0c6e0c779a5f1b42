/** @mattermost/client, Client4: sessions, accounts, roles and personal access tokens. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  adminPassword,
  adminUsername,
  assertRefused,
  buildUser,
  newClient,
  signIn,
  statusOk,
  unique,
  unknownId,
  userPassword,
} from './support/scene.mjs';

const sessionExpired = 'api.context.session_expired.app_error';

describe('@mattermost/client: sessions and accounts', () => {
  let admin;
  let me;

  before(async () => {
    admin = await signIn();
    me = await admin.getMe();
  });

  test('login by username: the profile, and the token of the Token header', async () => {
    const client = newClient();
    const profile = await client.login(adminUsername, adminPassword);
    assert.equal(profile.username, adminUsername);
    assert.match(profile.roles, /\bsystem_admin\b/);
    assert.equal(profile.password ?? '', '');
    assert.match(client.getToken(), /^[a-z0-9]{26}$/);
    assert.equal((await client.getMe()).id, profile.id);
  });

  test('login by e-mail address', async () => {
    const client = await signIn(me.email);
    assert.equal((await client.getMe()).id, me.id);
  });

  test('login by id', async () => {
    const client = newClient();
    const profile = await client.loginById(me.id, adminPassword);
    assert.equal(profile.id, me.id);
  });

  test('login with a wrong password and of an unknown account: the same error', async () => {
    const id = 'api.user.login.invalid_credentials_email_username';
    await assertRefused(newClient().login(adminUsername, 'not the password'), 401, id);
    await assertRefused(newClient().login(unique('nobody'), 'not the password'), 401, id);
  });

  test('login with a blank password', async () => {
    await assertRefused(newClient().login(adminUsername, ''), 400, 'api.user.login.blank_pwd.app_error');
  });

  test('a call without a session, and with an unknown token', async () => {
    await assertRefused(newClient().getMe(), 401, sessionExpired);
    const client = newClient();
    client.setToken(unknownId);
    await assertRefused(client.getMe(), 401, sessionExpired);
  });

  test('the server version of the X-Version-ID header', async () => {
    const client = await signIn();
    await client.getMe();
    assert.match(client.getServerVersion(), /^\d+\.\d+\.\d+\./);
  });

  test('logout ends the session', async () => {
    const client = await signIn();
    const token = client.getToken();
    const answer = await client.logout();
    assert.equal(answer.status, 200);
    assert.equal(client.getToken(), '');
    client.setToken(token);
    await assertRefused(client.getMe(), 401, sessionExpired);
  });

  test('sessions: list, revoke one, revoke all', async () => {
    const { user, client } = await buildUser(admin);
    const other = await signIn(user.username, userPassword);
    const sessions = await client.getSessions(user.id);
    assert.equal(sessions.length, 2);
    assert.ok(sessions.every((session) => session.user_id === user.id && session.token === ''));
    const oldest = sessions.toSorted((a, b) => a.create_at - b.create_at)[0];
    assert.deepEqual(await other.revokeSession(user.id, oldest.id), statusOk);
    assert.equal((await other.getSessions(user.id)).length, 1);
    assert.deepEqual(await admin.revokeAllSessionsForUser(user.id), statusOk);
    await assertRefused(other.getMe(), 401, sessionExpired);
  });

  test('createUser: the returned record', async () => {
    const username = unique('Made.By_Client');
    const user = await admin.createUser({
      username,
      email: `${username}@Example.COM`,
      password: userPassword,
      first_name: 'Ada',
      last_name: 'Lovelace',
      nickname: 'ada',
      locale: 'en',
    });
    assert.match(user.id, /^[a-z0-9]{26}$/);
    assert.equal(user.username, username.toLowerCase());
    assert.equal(user.email, `${username}@example.com`.toLowerCase());
    assert.equal(user.roles, 'system_user');
    assert.equal(user.first_name, 'Ada');
    assert.equal(user.delete_at, 0);
    assert.equal(user.create_at, user.update_at);
    assert.equal('password' in user, false);
  });

  test('createUser: taken names and invalid values', async () => {
    const { user } = await buildUser(admin);
    const fresh = () => ({
      username: unique('user'),
      email: `${unique('user')}@example.com`,
      password: userPassword,
    });
    const refused = (change, id) => assertRefused(admin.createUser({ ...fresh(), ...change }), 400, id);
    await refused({ username: user.username }, 'app.user.save.username_exists.app_error');
    await refused({ email: user.email }, 'app.user.save.email_exists.app_error');
    await refused({ username: 'system' }, 'model.user.is_valid.username.app_error');
    await refused({ email: 'not an address' }, 'model.user.is_valid.email.app_error');
    await refused({ password: 'short' }, 'model.user.is_valid.pwd_min_length.app_error');
  });

  test('createUser without a session, on a closed server', async () => {
    const username = unique('stranger');
    const call = newClient().createUser({
      username,
      email: `${username}@example.com`,
      password: userPassword,
    });
    await assertRefused(call, 403, 'api.user.create_user.no_open_server');
  });

  test('getUser, getUserByUsername, getUserByEmail', async () => {
    const { user } = await buildUser(admin);
    assert.equal((await admin.getUser(user.id)).username, user.username);
    assert.equal((await admin.getUserByUsername(user.username)).id, user.id);
    assert.equal((await admin.getUserByEmail(user.email)).id, user.id);
    await assertRefused(admin.getUser(unknownId), 404, 'app.user.missing_account.const');
    await assertRefused(admin.getUser('junk'), 400, 'api.context.invalid_url_param.app_error');
    await assertRefused(admin.getUserByUsername(unique('nobody')), 404, 'app.user.get_by_username.app_error');
    await assertRefused(
      admin.getUserByEmail(`${unique('nobody')}@example.com`),
      404,
      'app.user.missing_account.const',
    );
  });

  test('another user sees less of a record', async () => {
    const { client } = await buildUser(admin);
    const { user } = await buildUser(admin);
    const seen = await client.getUser(user.id);
    assert.equal('notify_props' in seen, false);
    assert.ok('notify_props' in (await admin.getUser(user.id)));
    assert.ok('notify_props' in (await client.getMe()));
  });

  test('getProfiles by page, by ids and by names', async () => {
    const { user: first } = await buildUser(admin, 'aaa');
    const { user: second } = await buildUser(admin, 'aaa');
    assert.equal((await admin.getProfiles(0, 1)).length, 1);
    const names = (await admin.getProfiles(0, 200)).map((profile) => profile.username);
    assert.deepEqual(names, names.toSorted());
    assert.ok(names.includes(first.username));
    const byIds = await admin.getProfilesByIds([first.id, second.id, unknownId]);
    assert.deepEqual(byIds.map(({ id }) => id).sort(), [first.id, second.id].sort());
    const byNames = await admin.getProfilesByUsernames([second.username]);
    assert.deepEqual(
      byNames.map(({ id }) => id),
      [second.id],
    );
    await assertRefused(admin.getProfilesByIds([]), 400, 'api.context.invalid_body_param.app_error');
  });

  test('patchUser and patchMe', async () => {
    const { user, client } = await buildUser(admin);
    const patched = await admin.patchUser({ id: user.id, nickname: 'patched', position: 'Tester' });
    assert.equal(patched.nickname, 'patched');
    assert.equal(patched.position, 'Tester');
    assert.equal(patched.username, user.username);
    const own = await client.patchMe({ first_name: 'Grace' });
    assert.equal(own.first_name, 'Grace');
    assert.equal(own.nickname, 'patched');
    const stranger = (await buildUser(admin)).client;
    await assertRefused(
      stranger.patchUser({ id: user.id, nickname: 'x' }),
      403,
      'api.context.permissions.app_error',
    );
  });

  test('updateUserRoles: granted, used, revoked', async () => {
    const { user, client } = await buildUser(admin);
    await assertRefused(
      client.updateUserRoles(user.id, 'system_user system_admin'),
      403,
      'api.context.permissions.app_error',
    );
    assert.deepEqual(await admin.updateUserRoles(user.id, 'system_user system_admin'), statusOk);
    assert.equal((await client.getMe()).roles, 'system_user system_admin');
    assert.ok((await client.getUserAccessTokens()) instanceof Array);
    assert.deepEqual(await admin.updateUserRoles(user.id, 'system_user'), statusOk);
    await assertRefused(client.getUserAccessTokens(), 403, 'api.context.permissions.app_error');
    await assertRefused(
      admin.updateUserRoles(user.id, 'system_user no_such_role'),
      400,
      'app.role.check_roles_exist.role_not_found',
    );
  });

  test('updateUserActive: a deactivated account is signed out at once, and can be restored', async () => {
    const { user, client } = await buildUser(admin);
    assert.deepEqual(await admin.updateUserActive(user.id, false), statusOk);
    assert.ok((await admin.getUser(user.id)).delete_at > 0);
    await assertRefused(client.getMe(), 401, sessionExpired);
    await assertRefused(
      newClient().login(user.username, userPassword),
      401,
      'api.user.login.inactive.app_error',
    );
    assert.deepEqual(await admin.updateUserActive(user.id, true), statusOk);
    assert.equal((await (await signIn(user.username, userPassword)).getMe()).delete_at, 0);
  });

  test('personal access tokens: create, use, list, get', async () => {
    const { user, client } = await buildUser(admin);
    await assertRefused(
      client.createUserAccessToken(user.id, 'mine'),
      403,
      'api.context.permissions.app_error',
    );
    await admin.updateUserRoles(user.id, 'system_user system_user_access_token');
    const made = await client.createUserAccessToken(user.id, 'mine');
    assert.match(made.token, /^[a-z0-9]{26}$/);
    assert.equal(made.description, 'mine');
    assert.equal(made.is_active, true);
    const byToken = newClient();
    byToken.setToken(made.token);
    assert.equal((await byToken.getMe()).id, user.id);
    const list = await client.getUserAccessTokensForUser(user.id);
    assert.deepEqual(
      list.map(({ id }) => id),
      [made.id],
    );
    assert.equal(list[0].token ?? '', '');
    assert.equal((await client.getUserAccessToken(made.id)).user_id, user.id);
    await assertRefused(
      client.createUserAccessToken(user.id, ''),
      400,
      'api.context.invalid_body_param.app_error',
    );
  });

  test('personal access tokens: disable, enable, revoke', async () => {
    const made = await admin.createUserAccessToken(me.id, unique('token'));
    const byToken = newClient();
    byToken.setToken(made.token);
    assert.equal((await byToken.getMe()).id, me.id);
    assert.deepEqual(await admin.disableUserAccessToken(made.id), statusOk);
    await assertRefused(byToken.getMe(), 401, sessionExpired);
    assert.deepEqual(await admin.enableUserAccessToken(made.id), statusOk);
    assert.equal((await byToken.getMe()).id, me.id);
    assert.deepEqual(await admin.revokeUserAccessToken(made.id), statusOk);
    await assertRefused(byToken.getMe(), 401, sessionExpired);
    await assertRefused(
      admin.getUserAccessToken(made.id),
      404,
      'app.user_access_token.get_by_user.app_error',
    );
  });
});
