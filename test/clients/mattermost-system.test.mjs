/** @mattermost/client, Client4: the requests of a starting stock client, and roles. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildUser,
  newClient,
  serverUrl,
  signIn,
  statusOk,
  unknownId,
} from './support/scene.mjs';

describe('@mattermost/client: start and roles', () => {
  let admin;

  before(async () => {
    admin = await signIn();
  });

  test('ping', async () => {
    assert.equal((await newClient().ping(false)).status, 'OK');
    const status = await newClient().ping(true);
    assert.equal(status.status, 'OK');
    assert.equal(status.database_status, 'OK');
  });

  test('getClientConfig: short without a session, long with one', async () => {
    const short = await newClient().getClientConfig();
    const long = await admin.getClientConfig();
    assert.equal(short.SiteURL, serverUrl);
    assert.match(short.Version, /^\d+\.\d+\.\d+$/);
    assert.equal('EnableIncomingWebhooks' in short, false);
    assert.equal(long.EnableIncomingWebhooks, 'true');
    assert.equal(long.EnablePostUsernameOverride, 'true');
    assert.ok(Object.values(long).every((value) => typeof value === 'string'));
  });

  test('getClientLicenseOld', async () => {
    assert.deepEqual(await newClient().getClientLicenseOld(), { IsLicensed: 'false' });
  });

  test('preferences: save, list, delete', async () => {
    const { user, client } = await buildUser(admin);
    const preference = {
      user_id: user.id,
      category: 'display_settings',
      name: 'use_military_time',
      value: 'true',
    };
    const find = async () => (await client.getMyPreferences()).filter(({ name }) => name === preference.name);
    assert.deepEqual(await client.savePreferences(user.id, [preference]), statusOk);
    assert.deepEqual(await find(), [preference]);
    assert.deepEqual(await client.deletePreferences(user.id, [preference]), statusOk);
    assert.deepEqual(await find(), []);
  });

  test('statuses', async () => {
    const { user, client } = await buildUser(admin);
    const [status] = await client.getStatusesByIds([user.id]);
    assert.equal(status.user_id, user.id);
    assert.ok(['online', 'away', 'dnd', 'offline'].includes(status.status));
    const changed = await client.updateStatus({ user_id: user.id, status: 'away' });
    assert.equal(changed.status, 'away');
    assert.equal((await admin.getStatus(user.id)).status, 'away');
  });

  test('the empty lists that a client requests on start', async () => {
    assert.deepEqual(await admin.getCustomEmojis(0, 10, ''), []);
    assert.deepEqual(await admin.getWebappPlugins(), []);
  });

  test('a path that does not exist', async () => {
    const call = admin.doFetch(`${admin.getBaseRoute()}/no/such/thing`, { method: 'get' });
    await assertRefused(call, 404, 'api.context.404.app_error');
  });

  test('getRolesByNames, getRoleByName, getRole', async () => {
    const roles = await admin.getRolesByNames(['team_admin', 'channel_user', 'no_such_role']);
    assert.deepEqual(roles.map(({ name }) => name).sort(), ['channel_user', 'team_admin']);
    const role = await admin.getRoleByName('team_admin');
    assert.ok(role.permissions.includes('manage_webhooks'));
    assert.ok(role.permissions.includes('manage_others_incoming_webhooks'));
    assert.deepEqual(await admin.getRole(role.id), role);
    await assertRefused(admin.getRolesByNames([]), 400, 'api.context.invalid_body_param.app_error');
    await admin.getRole(unknownId).then(
      () => assert.fail('An unknown role was found.'),
      (error) => assert.equal(error.status_code, 404),
    );
  });

  test('patchRole: for administrators only', async () => {
    const { client } = await buildUser(admin);
    const role = await admin.getRoleByName('system_post_all');
    const permissions = [...role.permissions, 'view_members'];
    await assertRefused(client.patchRole(role.id, { permissions }), 403, 'api.context.permissions.app_error');
    const patched = await admin.patchRole(role.id, { permissions });
    assert.deepEqual(patched.permissions.toSorted(), permissions.toSorted());
    const restored = await admin.patchRole(role.id, { permissions: role.permissions });
    assert.deepEqual(restored.permissions, role.permissions);
  });
});
