/** @mattermost/client, Client4: sessions, accounts, tokens, bots, roles, and the requests of a starting client. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  adminPassword,
  adminUsername,
  assertRefused,
  buildUser,
  newClient,
  serverUrl,
  signIn,
  sortedIds,
  statusOk,
  unique,
  unknownId,
  userPassword,
} from './support/scene.mjs';

const sessionExpired = 'api.context.session_expired.app_error';
const forbidden = 'api.context.permissions.app_error';

describe('@mattermost/client: accounts', () => {
  let admin;
  let me;

  before(async () => {
    admin = await signIn();
    me = await admin.getMe();
  });

  function clientWith(token) {
    const client = newClient();
    client.setToken(token);
    return client;
  }

  test('login and loginById: the profile, the token of a header and the version of the server', async () => {
    const client = newClient();
    const profile = await client.login(adminUsername, adminPassword);
    assert.equal(profile.username, adminUsername);
    assert.match(profile.roles, /\bsystem_admin\b/);
    assert.match(client.getToken(), /^[a-z0-9]{26}$/);
    assert.equal((await client.getMe()).id, profile.id);
    assert.match(client.getServerVersion(), /^\d+\.\d+\.\d+\./);
    assert.equal((await newClient().loginById(me.id, adminPassword)).id, me.id);
    const wrong = newClient().login(adminUsername, 'not the password');
    await assertRefused(wrong, 401, 'api.user.login.invalid_credentials_email_username');
  });

  test('logout ends the session', async () => {
    const client = await signIn();
    const token = client.getToken();
    assert.equal((await client.logout()).status, 200);
    assert.equal(client.getToken(), '');
    await assertRefused(clientWith(token).getMe(), 401, sessionExpired);
  });

  test('sessions: list, revoke one, revoke all', async () => {
    const { user, client } = await buildUser(admin);
    const other = await signIn(user.username, userPassword);
    const sessions = await client.getSessions(user.id);
    assert.equal(sessions.length, 2);
    const oldest = sessions.toSorted((a, b) => a.create_at - b.create_at)[0];
    assert.deepEqual(await other.revokeSession(user.id, oldest.id), statusOk);
    assert.equal((await other.getSessions(user.id)).length, 1);
    assert.deepEqual(await admin.revokeAllSessionsForUser(user.id), statusOk);
    await assertRefused(other.getMe(), 401, sessionExpired);
  });

  test('createUser, getUser, getUserByUsername, getUserByEmail, patchUser, patchMe', async () => {
    const { user, client } = await buildUser(admin);
    assert.equal(user.roles, 'system_user');
    assert.equal((await admin.getUser(user.id)).username, user.username);
    assert.equal((await admin.getUserByUsername(user.username)).id, user.id);
    assert.equal((await admin.getUserByEmail(user.email)).id, user.id);
    await assertRefused(admin.getUser(unknownId), 404, 'app.user.missing_account.const');
    const patched = await admin.patchUser({ id: user.id, nickname: 'patched' });
    assert.equal(patched.nickname, 'patched');
    assert.equal((await client.patchMe({ first_name: 'Grace' })).first_name, 'Grace');
  });

  test('getProfiles by page, by ids and by names, and getKnownUsers', async () => {
    const [first, second] = [await buildUser(admin, 'aaa'), await buildUser(admin, 'aaa')];
    const ids = [first.user.id, second.user.id];
    assert.equal((await admin.getProfiles(0, 1)).length, 1);
    assert.deepEqual(sortedIds(await admin.getProfilesByIds([...ids, unknownId])), ids.toSorted());
    assert.deepEqual(sortedIds(await admin.getProfilesByUsernames([second.user.username])), [ids[1]]);
    assert.deepEqual(await first.client.getKnownUsers(), []);
    await admin.createDirectChannel(ids);
    assert.deepEqual(await first.client.getKnownUsers(), [ids[1]]);
  });

  test('updateUserRoles, updateUserActive', async () => {
    const { user, client } = await buildUser(admin);
    assert.deepEqual(await admin.updateUserRoles(user.id, 'system_user system_admin'), statusOk);
    assert.ok((await client.getUserAccessTokens()) instanceof Array);
    assert.deepEqual(await admin.updateUserRoles(user.id, 'system_user'), statusOk);
    await assertRefused(client.getUserAccessTokens(), 403, forbidden);
    assert.deepEqual(await admin.updateUserActive(user.id, false), statusOk);
    await assertRefused(client.getMe(), 401, sessionExpired);
    assert.deepEqual(await admin.updateUserActive(user.id, true), statusOk);
    assert.equal((await (await signIn(user.username, userPassword)).getMe()).delete_at, 0);
  });

  test('personal access tokens: create, list, use, disable, enable, revoke', async () => {
    const { user, client } = await buildUser(admin);
    await admin.updateUserRoles(user.id, 'system_user system_user_access_token');
    const { id, token, is_active: isActive } = await client.createUserAccessToken(user.id, 'mine');
    assert.equal(isActive, true);
    assert.deepEqual(sortedIds(await client.getUserAccessTokensForUser(user.id)), [id]);
    assert.equal((await client.getUserAccessToken(id)).user_id, user.id);
    const byToken = clientWith(token);
    assert.equal((await byToken.getMe()).id, user.id);
    assert.deepEqual(await admin.disableUserAccessToken(id), statusOk);
    await assertRefused(byToken.getMe(), 401, sessionExpired);
    assert.deepEqual(await admin.enableUserAccessToken(id), statusOk);
    assert.equal((await byToken.getMe()).id, user.id);
    assert.deepEqual(await admin.revokeUserAccessToken(id), statusOk);
    await assertRefused(byToken.getMe(), 401, sessionExpired);
  });

  test('createBot, getBot, patchBot, assignBot, and posts with the token of a bot', async () => {
    const bot = await admin.createBot({ username: unique('bot'), display_name: 'Builds', description: '' });
    assert.equal(bot.owner_id, me.id);
    assert.deepEqual(await admin.getBot(bot.user_id), bot);
    assert.equal((await admin.patchBot(bot.user_id, { display_name: 'Releases' })).display_name, 'Releases');
    const { token } = await admin.createUserAccessToken(bot.user_id, 'for the bot');
    const channel = await admin.createDirectChannel([me.id, bot.user_id]);
    const post = await clientWith(token).createPost({ channel_id: channel.id, message: 'by token' });
    assert.equal(post.props.from_bot, 'true');
    const { user } = await buildUser(admin, 'owner');
    assert.equal((await admin.assignBot(bot.user_id, user.id)).owner_id, user.id);
    await admin.updateUserActive(user.id, false);
    await assertRefused(admin.getBot(bot.user_id), 404, 'store.sql_bot.get.missing.app_error');
    await admin.enableBot(bot.user_id);
    const orphaned = await admin.getBotsOrphaned(0, 200);
    assert.ok(sortedIds(orphaned, 'user_id').includes(bot.user_id));
  });

  test('disableBot, enableBot, getBots, getBotsIncludeDeleted', async () => {
    const bot = await admin.createBot({ username: unique('bot') });
    const isListed = async (list) => sortedIds(await list(0, 200), 'user_id').includes(bot.user_id);
    assert.ok((await admin.disableBot(bot.user_id)).delete_at > 0);
    assert.equal(await isListed(admin.getBots), false);
    assert.equal(await isListed(admin.getBotsIncludeDeleted), true);
    assert.equal((await admin.enableBot(bot.user_id)).delete_at, 0);
    assert.equal(await isListed(admin.getBots), true);
  });

  test('ping, getClientConfig, getClientLicenseOld, and the empty lists that a client requests', async () => {
    const client = newClient();
    assert.equal((await client.ping(true)).database_status, 'OK');
    const [short, long] = [await client.getClientConfig(), await admin.getClientConfig()];
    assert.equal(short.SiteURL, serverUrl);
    assert.match(short.Version, /^\d+\.\d+\.\d+$/);
    assert.equal('EnableIncomingWebhooks' in short, false);
    assert.equal(long.EnableIncomingWebhooks, 'true');
    assert.ok(Object.values(long).every((value) => typeof value === 'string'));
    assert.deepEqual(await client.getClientLicenseOld(), { IsLicensed: 'false' });
    assert.deepEqual(await admin.getCustomEmojis(0, 10, ''), []);
    assert.deepEqual(await admin.getWebappPlugins(), []);
    const unknown = admin.doFetch(`${admin.getBaseRoute()}/no/such/thing`, { method: 'get' });
    await assertRefused(unknown, 404, 'api.context.404.app_error');
  });

  test('preferences and statuses', async () => {
    const { user, client } = await buildUser(admin);
    const named = { user_id: user.id, category: 'display_settings', name: unique('preference') };
    const preference = { ...named, value: 'true' };
    const find = async () => (await client.getMyPreferences()).filter(({ name }) => name === named.name);
    assert.deepEqual(await client.savePreferences(user.id, [preference]), statusOk);
    assert.deepEqual(await find(), [preference]);
    assert.deepEqual(await client.deletePreferences(user.id, [preference]), statusOk);
    assert.deepEqual(await find(), []);
    assert.equal((await client.updateStatus({ user_id: user.id, status: 'away' })).status, 'away');
    assert.equal((await admin.getStatus(user.id)).status, 'away');
    assert.equal((await client.getStatusesByIds([user.id]))[0].status, 'away');
  });

  test('getRolesByNames, getRoleByName, getRole, patchRole', async () => {
    const roles = await admin.getRolesByNames(['team_admin', 'channel_user', 'no_such_role']);
    assert.deepEqual(sortedIds(roles, 'name'), ['channel_user', 'team_admin']);
    const role = await admin.getRoleByName('system_post_all');
    assert.deepEqual(await admin.getRole(role.id), role);
    const permissions = [...role.permissions, 'view_members'];
    const patched = await admin.patchRole(role.id, { permissions });
    assert.deepEqual(patched.permissions.toSorted(), permissions.toSorted());
    const restored = await admin.patchRole(role.id, { permissions: role.permissions });
    assert.deepEqual(restored.permissions, role.permissions);
    const { client } = await buildUser(admin);
    await assertRefused(client.patchRole(role.id, { permissions }), 403, forbidden);
  });
});
