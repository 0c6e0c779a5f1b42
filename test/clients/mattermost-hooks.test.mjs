/** @mattermost/client, Client4: webhooks, and secure connections with a second server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import mattermost from '@mattermost/client';
import { startRunningServer } from './support/running-server.mjs';
import {
  assertRefused,
  buildChannel,
  buildScene,
  eventually,
  postsIn,
  serverUrl,
  sortedIds,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const idsOf = (hooks) => hooks.map(({ id }) => id);

describe('@mattermost/client: incoming webhooks', () => {
  let admin, me, team, channel;

  before(async () => {
    ({ admin, me, team, channel } = await buildScene('incoming'));
  });

  const buildHook = (change) =>
    admin.createIncomingWebhook({
      ...{ channel_id: channel.id, display_name: 'Hook', description: 'For tests' },
      ...change,
    });
  const call = (id, text) =>
    fetch(`${serverUrl}/hooks/${id}`, { method: 'POST', body: JSON.stringify({ text }) });

  test('createIncomingWebhook and getIncomingWebhook: every field of the record', async () => {
    const given = { username: 'robot', icon_url: 'https://example.com/robot.png', channel_locked: true };
    const hook = await buildHook(given);
    const { id, create_at: createdAt, update_at: updatedAt, last_used: lastUsed, ...rest } = hook;
    assert.match(id, /^[a-z0-9]{26}$/);
    assert.equal(updatedAt, createdAt);
    assert.equal(typeof lastUsed, 'number');
    assert.deepEqual(rest, {
      // extensions of this server
      ...{
        owner_state: 'active',
        keep_requests: false,
        format: 'mattermost',
        template: '',
        verifier: null,
        expires_at: 0,
        rate_limit: 0,
        slack_path: '',
        rocketchat_path: '',
      },
      ...{ delete_at: 0, user_id: me.id, channel_id: channel.id, team_id: team.id },
      ...{ display_name: 'Hook', description: 'For tests', ...given },
    });
    assert.deepEqual(await admin.getIncomingWebhook(id), hook);
  });

  test('getIncomingWebhooks: pages, of all teams, of one team, with the total', async () => {
    const scene = await buildScene('listed');
    const hooks = [scene.hook];
    for (const name of ['second', 'third'])
      hooks.push(await buildHook({ channel_id: scene.channel.id, display_name: name }));
    const ids = idsOf(hooks);
    assert.deepEqual(idsOf(await admin.getIncomingWebhooks(scene.team.id)), ids);
    assert.deepEqual(idsOf(await admin.getIncomingWebhooks(scene.team.id, 1, 2)), [ids[2]]);
    const counted = await admin.getIncomingWebhooks(scene.team.id, 0, 2, true);
    assert.deepEqual(idsOf(counted.incoming_webhooks), ids.slice(0, 2));
    assert.equal(counted.total_count, 3);
    assert.ok((await admin.getIncomingWebhooks('', 0, 1, true)).total_count > 3);
  });

  test('updateIncomingWebhook with the whole record, as the client sends it, and a call', async () => {
    const hook = await buildHook();
    const target = await buildChannel(admin, team.id);
    const change = { channel_id: target.id, display_name: 'Renamed', description: '', username: 'after' };
    const changed = await admin.updateIncomingWebhook({ ...hook, ...change, user_id: unknownId });
    assert.deepEqual(changed, { ...hook, ...change, update_at: changed.update_at });
    assert.equal(await (await call(hook.id, 'Hello')).text(), 'ok');
    const [post] = await postsIn(admin, target.id);
    assert.deepEqual([post.message, post.props.override_username], ['Hello', 'after']);
  });

  test('removeIncomingWebhook: it is deleted, and calls are refused', async () => {
    const hook = await buildHook();
    assert.deepEqual(await admin.removeIncomingWebhook(hook.id), statusOk);
    await assertRefused(admin.getIncomingWebhook(hook.id), 404, 'app.webhooks.get_incoming.app_error');
    assert.equal((await call(hook.id, 'x')).status, 400);
  });
});

describe('@mattermost/client: outgoing webhooks', () => {
  let admin, me, team, channel;

  before(async () => {
    ({ admin, me, team, channel } = await buildScene('outgoing'));
  });

  const buildHook = (change) =>
    admin.createOutgoingWebhook({
      ...{ team_id: team.id, channel_id: channel.id, display_name: 'Hook', description: 'For tests' },
      ...{ trigger_words: [unique('word')], trigger_when: 0, callback_urls: ['https://example.com/hook'] },
      ...{ content_type: 'application/json', ...change },
    });

  test('createOutgoingWebhook and getOutgoingWebhook: the record', async () => {
    const hook = await buildHook({ trigger_words: ['one', 'two'], username: 'robot' });
    assert.match(hook.token, /^[a-z0-9]{26}$/);
    assert.deepEqual([hook.creator_id, hook.team_id, hook.channel_id], [me.id, team.id, channel.id]);
    assert.deepEqual([hook.trigger_words, hook.username, hook.delete_at], [['one', 'two'], 'robot', 0]);
    assert.deepEqual(await admin.getOutgoingWebhook(hook.id), hook);
  });

  test('getOutgoingWebhooks: by team, by channel, by page', async () => {
    const elsewhere = await buildChannel(admin, team.id, 'elsewhere');
    const [here, there] = [await buildHook(), await buildHook({ channel_id: elsewhere.id })];
    const ofTeam = idsOf(await admin.getOutgoingWebhooks('', team.id, 0, 200));
    assert.ok(ofTeam.includes(here.id) && ofTeam.includes(there.id));
    assert.deepEqual(idsOf(await admin.getOutgoingWebhooks(elsewhere.id, '', 0, 200)), [there.id]);
    assert.equal((await admin.getOutgoingWebhooks('', team.id, 0, 1)).length, 1);
  });

  test('updateOutgoingWebhook with the whole record, regenOutgoingHookToken, removal', async () => {
    const hook = await buildHook();
    const change = { display_name: 'Other', description: '' };
    const updated = await admin.updateOutgoingWebhook({ ...hook, ...change });
    assert.deepEqual(updated, { ...hook, ...change, update_at: updated.update_at });
    const renewed = await admin.regenOutgoingHookToken(hook.id);
    assert.match(renewed.token, /^[a-z0-9]{26}$/);
    assert.notEqual(renewed.token, hook.token);
    assert.deepEqual(await admin.removeOutgoingWebhook(hook.id), statusOk);
    await assertRefused(admin.getOutgoingWebhook(hook.id), 404, 'app.webhooks.get_outgoing.app_error');
  });
});

describe('@mattermost/client: secure connections', () => {
  const password = 'correct horse battery';
  let admin, me, team, inviter, inviterAdmin, inviterTeam;

  before(async () => {
    ({ admin, me, team } = await buildScene('connections'));
    inviter = await startRunningServer();
    inviterAdmin = new mattermost.Client4();
    inviterAdmin.setUrl(inviter.url);
    await inviterAdmin.login('admin', inviter.adminPassword);
    [inviterTeam] = await inviterAdmin.getMyTeams();
  });
  after(() => inviter?.stop());

  const fields = ({ id }, change) => ({
    ...{ name: unique('site'), display_name: unique('Office'), default_team_id: id, password },
    ...change,
  });
  const invite = (change) => admin.createRemoteCluster(fields(team, change));
  const accept = async (change) => {
    const offer = await inviterAdmin.createRemoteCluster(fields(inviterTeam));
    return admin.acceptInviteRemoteCluster(fields(team, { invite: offer.invite, ...change }));
  };
  const listed = async (options) => sortedIds(await admin.getRemoteClusters(options), 'remote_id');

  test('createRemoteCluster: the record, and a password when none was given', async () => {
    const { remote_cluster: cluster, password: given } = await invite({ password: '' });
    assert.match(cluster.site_url, /^pending_[a-z0-9]{26}$/);
    assert.deepEqual([cluster.creator_id, cluster.default_team_id], [me.id, team.id]);
    assert.deepEqual([cluster.token, cluster.remote_token, given.length], ['', '', 16]);
    assert.equal('password' in (await invite()), false);
  });

  test('acceptInviteRemoteCluster: both are connected; getRemoteClusters: confirmed ones only', async () => {
    const { remote_cluster: pending } = await invite();
    const cluster = await accept();
    assert.equal(cluster.site_url, inviter.url);
    const all = await listed({ excludePlugins: true });
    assert.ok(all.includes(pending.remote_id) && all.includes(cluster.remote_id));
    const confirmed = await listed({ onlyConfirmed: true });
    assert.ok(confirmed.includes(cluster.remote_id) && !confirmed.includes(pending.remote_id));
    await eventually('the confirmation and a ping', async () => {
      const theirs = await inviterAdmin.getRemoteCluster(cluster.remote_id);
      return theirs.site_url === serverUrl && theirs.last_ping_at > 0;
    });
    await assertRefused(accept({ password: 'wrong' }), 400, 'api.remote_cluster.invite_decrypt_error');
  });

  test('generateInviteRemoteCluster: a plain text that the other server accepts', async () => {
    const { remote_cluster: cluster } = await invite();
    const again = { password: 'another password' };
    const text = await admin.generateInviteRemoteCluster(cluster.remote_id, again);
    const accepted = await inviterAdmin.acceptInviteRemoteCluster(
      fields(inviterTeam, { invite: text, ...again }),
    );
    assert.equal(accepted.remote_id, cluster.remote_id);
  });

  test('getRemoteCluster, patchRemoteCluster, deleteRemoteCluster', async () => {
    const { remote_cluster: cluster } = await invite();
    assert.deepEqual(await admin.getRemoteCluster(cluster.remote_id), cluster);
    const patched = await admin.patchRemoteCluster(cluster.remote_id, { display_name: 'Moved' });
    assert.equal(patched.display_name, 'Moved');
    assert.deepEqual(await admin.deleteRemoteCluster(cluster.remote_id), statusOk);
    assert.ok((await admin.getRemoteCluster(cluster.remote_id)).delete_at > 0);
    await assertRefused(admin.getRemoteCluster(unknownId), 404, 'api.remote_cluster.get.not_found');
  });

  test('sharedChannelRemoteInvite, getSharedChannelRemotes, sharedChannelRemoteUninvite', async () => {
    const { remote_id: id } = await accept();
    const channel = await buildChannel(admin, team.id, 'shared');
    assert.deepEqual(await admin.sharedChannelRemoteInvite(id, channel.id), statusOk);
    const shares = await admin.getSharedChannelRemotes(id, {});
    assert.deepEqual(sortedIds(shares, 'channel_id'), [channel.id]);
    assert.deepEqual(await admin.sharedChannelRemoteUninvite(id, channel.id), statusOk);
    assert.deepEqual(await admin.getSharedChannelRemotes(id, {}), []);
  });
});
