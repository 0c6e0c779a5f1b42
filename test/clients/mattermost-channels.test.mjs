/** @mattermost/client, Client4: teams, channels and posts. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildUser,
  postsIn,
  signIn,
  sortedIds,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';

describe('@mattermost/client: teams, channels and posts', () => {
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

  /** A new channel with these messages, oldest first. */
  async function buildPosts(...messages) {
    const channel = await buildChannel(admin, team.id);
    const posts = [];
    for (const message of messages) posts.push(await admin.createPost({ channel_id: channel.id, message }));
    return { channel, posts, ids: posts.map(({ id }) => id) };
  }

  test('createTeam, getTeam, getTeamByName, checkIfTeamExists', async () => {
    assert.match(team.invite_id, /^[a-z0-9]{26}$/);
    assert.deepEqual(await admin.getTeam(team.id), team);
    assert.equal((await admin.getTeamByName(team.name)).id, team.id);
    assert.deepEqual(await admin.checkIfTeamExists(team.name), { exists: true });
    assert.deepEqual(await admin.checkIfTeamExists(unique('none')), { exists: false });
    await assertRefused(admin.getTeam(unknownId), 404, 'app.team.get.find.app_error');
    const mine = await admin.getMyChannels(team.id); // with the direct ones of other suites
    const channels = mine.filter(({ team_id: id }) => id === team.id);
    assert.deepEqual(sortedIds(channels, 'name'), ['off-topic', 'town-square']);
  });

  test('getTeams with and without the total, getMyTeams, getTeamsForUser, getMyTeamMembers', async () => {
    const counted = await admin.getTeams(0, 1, true);
    assert.equal(counted.teams.length, 1);
    assert.ok(counted.total_count >= 2);
    for (const list of [admin.getTeams(0, 200), admin.getMyTeams(), admin.getTeamsForUser(me.id)])
      assert.ok(sortedIds(await list).includes(team.id));
    assert.ok(sortedIds(await admin.getMyTeamMembers(), 'team_id').includes(team.id));
  });

  test('patchTeam, updateTeam, deleteTeam, unarchiveTeam', async () => {
    const own = await admin.createTeam({ name: unique('short'), display_name: 'Short', type: 'O' });
    const patched = await admin.patchTeam({ id: own.id, description: 'patched' });
    assert.equal(patched.description, 'patched');
    const updated = await admin.updateTeam({ ...patched, display_name: 'Again' });
    assert.deepEqual([updated.display_name, updated.description], ['Again', 'patched']);
    assert.deepEqual(await admin.deleteTeam(own.id), statusOk);
    assert.ok((await admin.getTeam(own.id)).delete_at > 0);
    assert.equal((await admin.unarchiveTeam(own.id)).delete_at, 0);
  });

  test('team members: add one, add several, list, get, count, change the role, remove', async () => {
    const own = await admin.createTeam({ name: unique('crowd'), display_name: 'Crowd', type: 'O' });
    const [first, second] = [await buildUser(admin), await buildUser(admin)];
    assert.equal((await admin.addToTeam(own.id, first.user.id)).roles, 'team_user');
    const batch = await admin.addUsersToTeam(own.id, [second.user.id]);
    assert.deepEqual(sortedIds(batch, 'user_id'), [second.user.id]);
    const everybody = [me.id, first.user.id, second.user.id].sort();
    assert.deepEqual(sortedIds(await admin.getTeamMembers(own.id), 'user_id'), everybody);
    assert.deepEqual(sortedIds(await admin.getProfilesInTeam(own.id)), everybody);
    const chosen = await admin.getTeamMembersByIds(own.id, [first.user.id]);
    assert.deepEqual(sortedIds(chosen, 'user_id'), [first.user.id]);
    assert.equal((await admin.getTeamStats(own.id)).total_member_count, 3);
    const roles = 'team_user team_admin';
    assert.deepEqual(await admin.updateTeamMemberRoles(own.id, first.user.id, roles), statusOk);
    assert.equal((await first.client.getTeamMember(own.id, first.user.id)).scheme_admin, true);
    assert.deepEqual(await admin.removeFromTeam(own.id, second.user.id), statusOk);
    await assertRefused(second.client.getMyChannels(own.id), 403, forbidden);
  });

  test('createChannel: open and private, found by id and by name', async () => {
    for (const type of ['O', 'P']) {
      const channel = await buildChannel(admin, team.id, 'made', type);
      assert.equal(channel.type, type);
      assert.equal((await admin.getChannel(channel.id)).name, channel.name);
      assert.equal((await admin.getChannelByName(team.id, channel.name)).id, channel.id);
      assert.equal((await admin.getChannelByNameAndTeamName(team.name, channel.name)).id, channel.id);
      const listed = sortedIds(await admin.getChannels(team.id, 0, 200));
      assert.equal(listed.includes(channel.id), type === 'O');
    }
  });

  test('searches of channels: in a team, and in all teams', async () => {
    const open = await buildChannel(admin, team.id, 'harbour');
    const closed = await buildChannel(admin, team.id, 'harbour', 'P');
    const { client } = await buildMember();
    for (const search of ['searchChannels', 'autocompleteChannels', 'autocompleteChannelsForSearch']) {
      assert.ok(sortedIds(await admin[search](team.id, 'harbour')).includes(open.id), search);
      assert.equal(sortedIds(await client[search](team.id, 'harbour')).includes(closed.id), false, search);
    }
    const options = { team_ids: [team.id] };
    const found = await admin.searchAllChannels('harbour', options);
    assert.deepEqual(sortedIds(found.channels ?? found), sortedIds([open, closed]));
    const page = await admin.searchAllChannels('harbour', { ...options, page: 0, per_page: 1 });
    assert.deepEqual([page.channels.length, page.total_count], [1, 2]);
  });

  test('patchChannel, updateChannelPrivacy, deleteChannel, getArchivedChannels, unarchiveChannel', async () => {
    const channel = await buildChannel(admin, team.id);
    assert.equal((await admin.patchChannel(channel.id, { header: 'a header' })).header, 'a header');
    assert.equal((await admin.updateChannelPrivacy(channel.id, 'P')).type, 'P');
    assert.deepEqual(await admin.deleteChannel(channel.id), statusOk);
    assert.ok(sortedIds(await admin.getArchivedChannels(team.id, 0, 200)).includes(channel.id));
    assert.equal((await admin.unarchiveChannel(channel.id)).delete_at, 0);
  });

  test('createDirectChannel, createGroupChannel', async () => {
    const [first, second] = [await buildUser(admin), await buildUser(admin)];
    const channel = await first.client.createDirectChannel([first.user.id, me.id]);
    assert.deepEqual([channel.type, channel.team_id], ['D', '']);
    assert.equal((await admin.createDirectChannel([me.id, first.user.id])).id, channel.id);
    const group = await admin.createGroupChannel([me.id, first.user.id, second.user.id]);
    assert.equal(group.type, 'G');
    assert.equal((await second.client.getChannel(group.id)).id, group.id);
  });

  test('channel members: add, list, get, count, roles, view, remove', async () => {
    const channel = await buildChannel(admin, team.id, 'members', 'P');
    const { user, client } = await buildMember();
    assert.equal((await admin.addToChannel(user.id, channel.id)).roles, 'channel_user');
    const both = [me.id, user.id].sort();
    assert.deepEqual(sortedIds(await client.getChannelMembers(channel.id), 'user_id'), both);
    assert.deepEqual(sortedIds(await client.getProfilesInChannel(channel.id)), both);
    const chosen = await client.getChannelMembersByIds(channel.id, [user.id]);
    assert.deepEqual(sortedIds(chosen, 'user_id'), [user.id]);
    assert.equal((await client.getMyChannelMember(channel.id)).user_id, user.id);
    assert.equal((await client.getChannelStats(channel.id)).member_count, 2);
    assert.ok(sortedIds(await client.getMyChannelMembers(team.id), 'channel_id').includes(channel.id));
    const roles = 'channel_user channel_admin';
    assert.deepEqual(await admin.updateChannelMemberRoles(channel.id, user.id, roles), statusOk);
    assert.equal((await admin.getChannelMember(channel.id, user.id)).scheme_admin, true);
    const viewed = await client.viewMyChannel(channel.id);
    assert.equal(typeof viewed.last_viewed_at_times[channel.id], 'number');
    assert.deepEqual(await admin.removeFromChannel(user.id, channel.id), statusOk);
    await assertRefused(client.getChannel(channel.id), 403, forbidden);
  });

  test('createPost, once for each pending_post_id, and getPost', async () => {
    const channel = await buildChannel(admin, team.id);
    const pending = `${me.id}:${Date.now()}`;
    const fields = { channel_id: channel.id, pending_post_id: pending, props: { mine: 'kept' } };
    const post = await admin.createPost({ ...fields, message: 'Hello, **world** #first' });
    assert.equal(post.user_id, me.id);
    assert.equal(post.hashtags, '#first');
    assert.equal(post.props.mine, 'kept');
    assert.equal(post.pending_post_id, pending);
    assert.equal(typeof post.metadata, 'object');
    assert.equal((await admin.createPost({ ...fields, message: 'twice' })).id, post.id);
    assert.equal((await admin.getPost(post.id)).message, post.message);
  });

  test('getPosts, getPostsBefore and getPostsAfter, with the neighbours of the page', async () => {
    const { channel, ids } = await buildPosts('one', 'two', 'three', 'four', 'five');
    const read = ({ order, next_post_id: next, prev_post_id: previous }) => ({ order, next, previous });
    const newest = read(await admin.getPosts(channel.id, 0, 2));
    assert.deepEqual(newest, { order: [ids[4], ids[3]], next: '', previous: ids[2] });
    const middle = read(await admin.getPosts(channel.id, 1, 2));
    assert.deepEqual(middle, { order: [ids[2], ids[1]], next: ids[3], previous: ids[0] });
    const earlier = read(await admin.getPostsBefore(channel.id, ids[2], 0, 2));
    assert.deepEqual([earlier.order, earlier.next], [[ids[1], ids[0]], ids[2]]);
    const later = read(await admin.getPostsAfter(channel.id, ids[2], 0, 1));
    assert.deepEqual(later, { order: [ids[3]], next: ids[4], previous: ids[2] });
  });

  test('getPostsSince: new, changed and deleted posts', async () => {
    const { channel, posts } = await buildPosts('stays', 'changes', 'goes');
    const [stays, changes, goes] = posts;
    const since = Math.max(...posts.map((post) => post.update_at));
    await admin.patchPost({ id: changes.id, message: 'changed' });
    await admin.deletePost(goes.id);
    const created = await admin.createPost({ channel_id: channel.id, message: 'new' });
    const list = await admin.getPostsSince(channel.id, since);
    assert.equal(list.posts[stays.id], undefined);
    assert.equal(list.posts[changes.id].message, 'changed');
    assert.equal(list.posts[created.id].message, 'new');
    assert.ok(list.posts[goes.id].delete_at > 0);
  });

  test('a thread: getPostThread, and getPaginatedPostThread as the web app reads it', async () => {
    const { channel, ids } = await buildPosts('root');
    for (const message of ['first', 'second'])
      ids.push((await admin.createPost({ channel_id: channel.id, root_id: ids[0], message })).id);
    assert.equal((await admin.getPost(ids[0])).reply_count, 2);
    const thread = await admin.getPostThread(ids[0]);
    assert.equal(thread.order[0], ids[0]);
    assert.deepEqual(thread.order.toSorted(), ids.toSorted());
    const found = new Set();
    const options = { perPage: 1, direction: 'down' };
    for (let hasNext = true, page = 1; hasNext; page += 1) {
      assert.ok(page <= 5, 'The thread never ends.');
      const answer = await admin.getPaginatedPostThread(ids[0], options);
      const sorted = Object.values(answer.posts).sort((one, other) => one.create_at - other.create_at);
      for (const { id } of sorted) found.add(id);
      hasNext = answer.has_next;
      Object.assign(options, { fromPost: sorted.at(-1).id, fromCreateAt: sorted.at(-1).create_at });
    }
    assert.deepEqual([...found].sort(), ids.toSorted());
  });

  test('patchPost, updatePost, deletePost, getPostsByIds', async () => {
    const { channel, ids } = await buildPosts('old', 'other');
    const patched = await admin.patchPost({ id: ids[0], message: 'new' });
    assert.equal(patched.message, 'new');
    assert.ok(patched.edit_at > 0);
    assert.equal((await admin.updatePost({ ...patched, message: 'newer' })).message, 'newer');
    assert.deepEqual(sortedIds(await admin.getPostsByIds([...ids, unknownId])), ids.toSorted());
    assert.deepEqual(await admin.deletePost(ids[0]), statusOk);
    await assertRefused(admin.getPost(ids[0]), 404, 'app.post.get.app_error');
    assert.deepEqual(sortedIds(await postsIn(admin, channel.id)), [ids[1]]);
  });

  test('pinPost, getPinnedPosts, unpinPost', async () => {
    const { channel, ids } = await buildPosts('pinned', 'not pinned');
    assert.deepEqual(await admin.pinPost(ids[0]), statusOk);
    assert.deepEqual((await admin.getPinnedPosts(channel.id)).order, [ids[0]]);
    assert.deepEqual(await admin.unpinPost(ids[0]), statusOk);
    assert.deepEqual((await admin.getPinnedPosts(channel.id)).order, []);
  });

  test('getPostsUnread starts at the first unread post', async () => {
    const { channel } = await buildPosts('before');
    const { user, client } = await buildMember();
    await client.addToChannel(user.id, channel.id);
    await client.viewMyChannel(channel.id);
    const post = await admin.createPost({ channel_id: channel.id, message: 'unread' });
    assert.equal((await client.getPostsUnread(channel.id, user.id)).order[0], post.id);
  });
});
