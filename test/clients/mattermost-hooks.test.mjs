/** @mattermost/client, Client4: every method for incoming hooks. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildScene,
  buildUser,
  postsIn,
  serverUrl,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';
const hookMissing = 'app.webhooks.get_incoming.app_error';

describe('@mattermost/client: incoming hooks', () => {
  let admin;
  let me;
  let team;
  let channel;

  before(async () => {
    ({ admin, me, team, channel } = await buildScene('hooks'));
  });

  const buildHook = (change = {}, client = admin) =>
    client.createIncomingWebhook({
      channel_id: channel.id,
      display_name: 'Hook',
      description: 'For tests',
      ...change,
    });

  /** A signed-in member of the team with these roles in it. */
  async function buildMember(roles) {
    const member = await buildUser(admin, 'member');
    await admin.addToTeam(team.id, member.user.id);
    if (roles) await admin.updateTeamMemberRoles(team.id, member.user.id, roles);
    return member;
  }

  test('createIncomingWebhook: every field of the record', async () => {
    const hook = await buildHook({
      username: 'robot',
      icon_url: 'https://example.com/robot.png',
      channel_locked: true,
    });
    const { id, create_at: createdAt, update_at: updatedAt, ...rest } = hook;
    assert.match(id, /^[a-z0-9]{26}$/);
    assert.ok(createdAt > 0);
    assert.equal(updatedAt, createdAt);
    assert.equal(typeof rest.last_used, 'number');
    delete rest.last_used;
    assert.deepEqual(rest, {
      ...{ owner_state: 'active', keep_requests: false }, // an extension of this server
      delete_at: 0,
      user_id: me.id,
      channel_id: channel.id,
      team_id: team.id,
      display_name: 'Hook',
      description: 'For tests',
      username: 'robot',
      icon_url: 'https://example.com/robot.png',
      channel_locked: true,
    });
    assert.deepEqual(await admin.getIncomingWebhook(id), hook);
  });

  test('createIncomingWebhook: refusals', async () => {
    await assertRefused(buildHook({ channel_id: unknownId }), 404, 'app.channel.get.existing.app_error');
    await assertRefused(buildHook({ id: unknownId }), 400, 'app.webhooks.save_incoming.existing.app_error');
    await assertRefused(
      buildHook({ display_name: 'x'.repeat(65) }),
      400,
      'model.incoming_hook.display_name.app_error',
    );
    await assertRefused(
      buildHook({ description: 'x'.repeat(501) }),
      400,
      'model.incoming_hook.description.app_error',
    );
    const { user, client } = await buildMember();
    await assertRefused(buildHook({}, client), 403, forbidden);
    const direct = await admin.createDirectChannel([me.id, user.id]);
    await assertRefused(buildHook({ channel_id: direct.id }), 403, forbidden);
  });

  test('createIncomingWebhook for another owner', async () => {
    const { user } = await buildMember();
    assert.equal((await buildHook({ user_id: user.id })).user_id, user.id);
    await assertRefused(buildHook({ user_id: unknownId }), 404, 'app.user.missing_account.const');
  });

  test('a team administrator can, but only in their team', async () => {
    const { client } = await buildMember('team_user team_admin');
    const hook = await buildHook({}, client);
    assert.equal((await client.getIncomingWebhooks(team.id)).length > 0, true);
    await assertRefused(client.getIncomingWebhooks(), 403, forbidden);
    assert.deepEqual(await client.removeIncomingWebhook(hook.id), statusOk);
    const other = await buildScene('other');
    await assertRefused(buildHook({ channel_id: other.channel.id }, client), 403, forbidden);
    await assertRefused(client.getIncomingWebhook(other.hook.id), 403, forbidden);
  });

  test('a permission granted or revoked by patchRole takes effect at once', async () => {
    const { client } = await buildMember('team_user team_post_all_public');
    const role = await admin.getRoleByName('team_post_all_public');
    await assertRefused(buildHook({}, client), 403, forbidden);
    await admin.patchRole(role.id, { permissions: [...role.permissions, 'manage_webhooks'] });
    const hook = await buildHook({}, client);
    const others = await buildHook();
    const listed = await client.getIncomingWebhooks(team.id, 0, 200);
    assert.deepEqual(
      listed.map(({ id }) => id),
      [hook.id],
    );
    await assertRefused(client.getIncomingWebhook(others.id), 403, forbidden);
    await admin.patchRole(role.id, { permissions: role.permissions });
    await assertRefused(client.getIncomingWebhook(hook.id), 403, forbidden);
  });

  test('getIncomingWebhooks: pages, of all teams, of one team, with the total', async () => {
    const scene = await buildScene('listed');
    const hooks = [scene.hook];
    for (const name of ['second', 'third']) {
      hooks.push(await buildHook({ channel_id: scene.channel.id, display_name: name }));
    }
    const ids = hooks.map(({ id }) => id);
    const idsOf = (list) => list.map(({ id }) => id);
    assert.deepEqual(idsOf(await admin.getIncomingWebhooks(scene.team.id)), ids);
    assert.deepEqual(idsOf(await admin.getIncomingWebhooks(scene.team.id, 1, 2)), [ids[2]]);
    const counted = await admin.getIncomingWebhooks(scene.team.id, 0, 2, true);
    assert.deepEqual(idsOf(counted.incoming_webhooks), ids.slice(0, 2));
    assert.equal(counted.total_count, 3);
    const all = await admin.getIncomingWebhooks('', 0, 1, true);
    assert.equal(all.incoming_webhooks.length, 1);
    assert.ok(all.total_count > 3);
    assert.deepEqual(await admin.getIncomingWebhooks(unknownId), []);
  });

  test('getIncomingWebhook: unknown and malformed ids', async () => {
    await assertRefused(admin.getIncomingWebhook(unknownId), 404, hookMissing);
    await assertRefused(admin.getIncomingWebhook('junk'), 400, 'api.context.invalid_url_param.app_error');
  });

  test('updateIncomingWebhook with the whole record, as the client sends it', async () => {
    const hook = await buildHook();
    const target = await buildChannel(admin, team.id);
    const changed = await admin.updateIncomingWebhook({
      ...hook,
      channel_id: target.id,
      display_name: 'Renamed',
      description: '',
      username: 'robot',
      icon_url: 'https://example.com/new.png',
      channel_locked: true,
      user_id: unknownId,
    });
    assert.ok(changed.update_at >= hook.update_at);
    assert.deepEqual(changed, {
      ...hook,
      update_at: changed.update_at,
      channel_id: target.id,
      display_name: 'Renamed',
      description: '',
      username: 'robot',
      icon_url: 'https://example.com/new.png',
      channel_locked: true,
    });
    assert.deepEqual(await admin.getIncomingWebhook(hook.id), changed);
  });

  test('updateIncomingWebhook: refusals', async () => {
    const hook = await buildHook();
    const other = await buildScene('elsewhere');
    await assertRefused(
      admin.updateIncomingWebhook({ ...hook, channel_id: unknownId }),
      404,
      'app.channel.get.existing.app_error',
    );
    await assertRefused(
      admin.updateIncomingWebhook({ ...hook, channel_id: other.channel.id }),
      400,
      'api.context.invalid_body_param.app_error',
    );
    await assertRefused(
      admin.updateIncomingWebhook({ ...hook, team_id: other.team.id }),
      400,
      'api.webhook.team_mismatch.app_error',
    );
    await assertRefused(admin.updateIncomingWebhook({ ...hook, id: unknownId }), 404, hookMissing);
    const { client } = await buildMember();
    await assertRefused(client.updateIncomingWebhook(hook), 403, forbidden);
  });

  test('a changed hook posts with its new name into its new channel', async () => {
    const hook = await buildHook({ username: 'before' });
    const target = await buildChannel(admin, team.id);
    await admin.updateIncomingWebhook({ ...hook, channel_id: target.id, username: 'after' });
    const text = unique('text');
    const answer = await fetch(`${serverUrl}/hooks/${hook.id}`, {
      method: 'POST',
      body: JSON.stringify({ text }),
    });
    assert.equal(await answer.text(), 'ok');
    const [post] = await postsIn(admin, target.id);
    assert.equal(post.message, text);
    assert.equal(post.user_id, me.id);
    assert.equal(post.props.override_username, 'after');
    assert.equal(post.props.webhook_display_name, 'Hook');
    assert.equal(post.props.from_webhook, 'true');
  });

  test('removeIncomingWebhook: it is deleted, and calls are refused', async () => {
    const hook = await buildHook();
    assert.deepEqual(await admin.removeIncomingWebhook(hook.id), statusOk);
    await assertRefused(admin.getIncomingWebhook(hook.id), 404, hookMissing);
    await assertRefused(admin.removeIncomingWebhook(hook.id), 404, hookMissing);
    const answer = await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: '{"text":"x"}' });
    assert.equal(answer.status, 400);
  });
});
