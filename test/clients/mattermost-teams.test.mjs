/** @mattermost/client, Client4: teams and channels with their members. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildUser,
  signIn,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';
const idsOf = (records, key = 'id') => records.map((record) => record[key]).sort();

describe('@mattermost/client: teams and channels', () => {
  let admin;
  let me;
  let team;

  before(async () => {
    admin = await signIn();
    me = await admin.getMe();
    team = await admin.createTeam({ name: unique('teams'), display_name: 'Teams', type: 'O' });
  });

  /** A signed-in member of the team. */
  async function buildMember() {
    const member = await buildUser(admin, 'member');
    await admin.addToTeam(team.id, member.user.id);
    return member;
  }

  test('createTeam: its creator is its administrator, and it has the two default channels', async () => {
    const { user, client } = await buildUser(admin);
    const name = unique('own');
    const own = await client.createTeam({ name, display_name: 'Own', type: 'O' });
    assert.equal(own.name, name);
    assert.equal(own.email, user.email);
    assert.match(own.invite_id, /^[a-z0-9]{26}$/);
    const member = await client.getTeamMember(own.id, user.id);
    assert.deepEqual(member.roles.split(' ').sort(), ['team_admin', 'team_user']);
    assert.equal(member.scheme_admin, true);
    const names = (await client.getMyChannels(own.id)).map((channel) => channel.name).sort();
    assert.deepEqual(names, ['off-topic', 'town-square']);
  });

  test('createTeam: a taken name and invalid names', async () => {
    const create = (name) => admin.createTeam({ name, display_name: 'X', type: 'O' });
    await assertRefused(create(team.name), 400, 'app.team.save.existing.app_error');
    await assertRefused(create('admin-x'), 400, 'model.team.is_valid.reserved.app_error');
    await assertRefused(create('Upper'), 400, 'model.team.is_valid.characters.app_error');
  });

  test('getTeam, getTeamByName, checkIfTeamExists', async () => {
    assert.deepEqual(await admin.getTeam(team.id), team);
    assert.equal((await admin.getTeamByName(team.name)).id, team.id);
    assert.deepEqual(await admin.checkIfTeamExists(team.name), { exists: true });
    assert.deepEqual(await admin.checkIfTeamExists(unique('none')), { exists: false });
    await assertRefused(admin.getTeam(unknownId), 404, 'app.team.get.find.app_error');
    await assertRefused(admin.getTeamByName(unique('none')), 404, 'app.team.get_by_name.missing.app_error');
  });

  test('a user outside a closed team cannot see it', async () => {
    const { client } = await buildUser(admin);
    await assertRefused(client.getTeam(team.id), 403, forbidden);
  });

  test('getTeams with and without the total, getMyTeams, getTeamsForUser', async () => {
    const counted = await admin.getTeams(0, 1, true);
    assert.equal(counted.teams.length, 1);
    assert.ok(counted.total_count >= 2);
    assert.ok((await admin.getTeams(0, 200)).some(({ id }) => id === team.id));
    assert.ok((await admin.getMyTeams()).some(({ id }) => id === team.id));
    assert.ok((await admin.getTeamsForUser(me.id)).some(({ id }) => id === team.id));
    assert.ok((await admin.getMyTeamMembers()).some((member) => member.team_id === team.id));
  });

  test('patchTeam and updateTeam', async () => {
    const patched = await admin.patchTeam({ id: team.id, description: 'patched' });
    assert.equal(patched.description, 'patched');
    assert.equal(patched.display_name, 'Teams');
    const updated = await admin.updateTeam({ ...patched, display_name: 'Teams again' });
    assert.equal(updated.display_name, 'Teams again');
    assert.equal(updated.description, 'patched');
  });

  test('team members: add one, add several, list, get, count, remove', async () => {
    const own = await admin.createTeam({ name: unique('crowd'), display_name: 'Crowd', type: 'O' });
    const [first, second] = [await buildUser(admin), await buildUser(admin)];
    const added = await admin.addToTeam(own.id, first.user.id);
    assert.equal(added.user_id, first.user.id);
    assert.equal(added.roles, 'team_user');
    const batch = await admin.addUsersToTeam(own.id, [second.user.id]);
    assert.deepEqual(idsOf(batch, 'user_id'), [second.user.id]);
    const everybody = [me.id, first.user.id, second.user.id].sort();
    assert.deepEqual(idsOf(await admin.getTeamMembers(own.id), 'user_id'), everybody);
    assert.deepEqual(idsOf(await admin.getProfilesInTeam(own.id)), everybody);
    const chosen = await admin.getTeamMembersByIds(own.id, [first.user.id]);
    assert.deepEqual(idsOf(chosen, 'user_id'), [first.user.id]);
    assert.equal((await admin.getTeamStats(own.id)).total_member_count, 3);
    assert.deepEqual(await admin.removeFromTeam(own.id, second.user.id), statusOk);
    assert.equal((await admin.getTeamMembers(own.id)).length, 2);
    await assertRefused(second.client.getMyChannels(own.id), 403, forbidden);
  });

  test('updateTeamMemberRoles makes a member an administrator', async () => {
    const { user, client } = await buildMember();
    await assertRefused(client.patchTeam({ id: team.id, company_name: 'X' }), 403, forbidden);
    assert.deepEqual(await admin.updateTeamMemberRoles(team.id, user.id, 'team_user team_admin'), statusOk);
    assert.equal((await client.patchTeam({ id: team.id, company_name: 'X' })).company_name, 'X');
  });

  test('createChannel: open and private, found by id and by name', async () => {
    for (const type of ['O', 'P']) {
      const channel = await buildChannel(admin, team.id, 'made', type);
      assert.equal(channel.type, type);
      assert.equal(channel.creator_id, me.id);
      assert.equal(channel.delete_at, 0);
      assert.equal((await admin.getChannel(channel.id)).name, channel.name);
      assert.equal((await admin.getChannelByName(team.id, channel.name)).id, channel.id);
      assert.equal((await admin.getChannelByNameAndTeamName(team.name, channel.name)).id, channel.id);
      const listed = (await admin.getChannels(team.id, 0, 200)).some(({ id }) => id === channel.id);
      assert.equal(listed, type === 'O');
    }
  });

  test('createChannel: a taken name, invalid values, an unknown team', async () => {
    const channel = await buildChannel(admin, team.id);
    const create = (change) =>
      admin.createChannel({
        team_id: team.id,
        name: unique('bad'),
        display_name: 'Bad',
        type: 'O',
        ...change,
      });
    await assertRefused(
      create({ name: channel.name }),
      400,
      'store.sql_channel.save_channel.exists.app_error',
    );
    await assertRefused(create({ name: 'Not A Name' }), 400, 'model.channel.is_valid.1_or_more.app_error');
    await assertRefused(create({ type: 'D' }), 400, 'api.channel.create_channel.direct_channel.app_error');
  });

  test('a private channel is hidden from others', async () => {
    const channel = await buildChannel(admin, team.id, 'secret', 'P');
    const { client } = await buildMember();
    await assertRefused(client.getChannel(channel.id), 403, forbidden);
    await assertRefused(
      client.getChannelByName(team.id, channel.name),
      404,
      'app.channel.get_by_name.missing.app_error',
    );
    await assertRefused(client.getPosts(channel.id), 403, forbidden);
  });

  test('patchChannel and updateChannelPrivacy', async () => {
    const channel = await buildChannel(admin, team.id);
    const patched = await admin.patchChannel(channel.id, { header: 'a header', display_name: 'Renamed' });
    assert.equal(patched.header, 'a header');
    assert.equal(patched.display_name, 'Renamed');
    assert.equal(patched.name, channel.name);
    assert.equal((await admin.updateChannelPrivacy(channel.id, 'P')).type, 'P');
    assert.equal((await admin.getChannel(channel.id)).type, 'P');
  });

  test('createDirectChannel: the same channel each time', async () => {
    const { user, client } = await buildUser(admin);
    const channel = await client.createDirectChannel([user.id, me.id]);
    assert.equal(channel.type, 'D');
    assert.equal(channel.team_id, '');
    assert.equal(channel.name, [user.id, me.id].sort().join('__'));
    assert.equal((await admin.createDirectChannel([me.id, user.id])).id, channel.id);
    const { client: stranger } = await buildUser(admin);
    await assertRefused(stranger.createDirectChannel([user.id, me.id]), 403, forbidden);
    await assertRefused(
      client.createDirectChannel([user.id, unknownId]),
      400,
      'api.channel.create_direct_channel.invalid_user.app_error',
    );
  });

  test('createGroupChannel', async () => {
    const users = [await buildUser(admin), await buildUser(admin)];
    const channel = await admin.createGroupChannel([me.id, ...users.map(({ user }) => user.id)]);
    assert.equal(channel.type, 'G');
    assert.equal((await users[0].client.getChannel(channel.id)).id, channel.id);
  });

  test('channel members: add, list, get, count, roles, remove', async () => {
    const channel = await buildChannel(admin, team.id, 'members', 'P');
    const { user, client } = await buildMember();
    const added = await admin.addToChannel(user.id, channel.id);
    assert.equal(added.user_id, user.id);
    assert.equal(added.roles, 'channel_user');
    const both = [me.id, user.id].sort();
    assert.deepEqual(idsOf(await client.getChannelMembers(channel.id), 'user_id'), both);
    assert.deepEqual(idsOf(await client.getProfilesInChannel(channel.id)), both);
    assert.deepEqual(idsOf(await client.getChannelMembersByIds(channel.id, [user.id]), 'user_id'), [user.id]);
    assert.equal((await client.getMyChannelMember(channel.id)).user_id, user.id);
    assert.equal((await client.getChannelStats(channel.id)).member_count, 2);
    assert.ok((await client.getMyChannelMembers(team.id)).some((one) => one.channel_id === channel.id));
    const roles = 'channel_user channel_admin';
    assert.deepEqual(await admin.updateChannelMemberRoles(channel.id, user.id, roles), statusOk);
    assert.equal((await admin.getChannelMember(channel.id, user.id)).scheme_admin, true);
    assert.deepEqual(await admin.removeFromChannel(user.id, channel.id), statusOk);
    await assertRefused(client.getChannel(channel.id), 403, forbidden);
    await assertRefused(
      admin.getChannelMember(channel.id, user.id),
      404,
      'app.channel.get_member.missing.app_error',
    );
  });

  test('addToChannel: joining an open channel, and adding a user outside the team', async () => {
    const channel = await buildChannel(admin, team.id);
    const { user, client } = await buildMember();
    assert.equal((await client.addToChannel(user.id, channel.id)).user_id, user.id);
    const { user: stranger } = await buildUser(admin);
    await assertRefused(
      admin.addToChannel(stranger.id, channel.id),
      404,
      'app.team.get_member.missing.app_error',
    );
  });

  test('viewMyChannel', async () => {
    const channel = await buildChannel(admin, team.id);
    const answer = await admin.viewMyChannel(channel.id);
    assert.equal(answer.status, 'OK');
    assert.equal(typeof answer.last_viewed_at_times[channel.id], 'number');
  });

  test('deleteChannel archives with its hooks, unarchiveChannel restores the channel', async () => {
    const channel = await buildChannel(admin, team.id);
    const hook = await admin.createIncomingWebhook({
      channel_id: channel.id,
      display_name: '',
      description: '',
    });
    assert.deepEqual(await admin.deleteChannel(channel.id), statusOk);
    assert.ok((await admin.getChannel(channel.id)).delete_at > 0);
    const archived = (await admin.getArchivedChannels(team.id, 0, 200)).some(({ id }) => id === channel.id);
    assert.equal(archived, true);
    await assertRefused(
      admin.createPost({ channel_id: channel.id, message: 'too late' }),
      400,
      'api.post.create_post.can_not_post_to_deleted.error',
    );
    await assertRefused(admin.deleteChannel(channel.id), 400, 'api.channel.delete_channel.deleted.app_error');
    assert.equal((await admin.unarchiveChannel(channel.id)).delete_at, 0);
    await admin.createPost({ channel_id: channel.id, message: 'back again' });
    await assertRefused(admin.getIncomingWebhook(hook.id), 404, 'app.webhooks.get_incoming.app_error');
  });

  test('town-square can be neither archived nor left', async () => {
    const square = await admin.getChannelByName(team.id, 'town-square');
    await assertRefused(admin.deleteChannel(square.id), 400, 'api.channel.delete_channel.cannot.app_error');
    await assertRefused(
      admin.removeFromChannel(me.id, square.id),
      400,
      'api.channel.remove.default.app_error',
    );
  });

  test('deleteTeam and unarchiveTeam', async () => {
    const own = await admin.createTeam({ name: unique('short'), display_name: 'Short', type: 'O' });
    assert.deepEqual(await admin.deleteTeam(own.id), statusOk);
    assert.ok((await admin.getTeam(own.id)).delete_at > 0);
    assert.equal((await admin.unarchiveTeam(own.id)).delete_at, 0);
  });
});
