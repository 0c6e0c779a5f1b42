/** @mattermost/client, Client4: posts, threads and lists of posts. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildScene,
  buildUser,
  postsIn,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';

describe('@mattermost/client: posts', () => {
  let admin;
  let me;
  let team;

  before(async () => {
    ({ admin, me, team } = await buildScene('written'));
  });

  /** A new channel with these messages, oldest first. */
  async function buildPosts(messages) {
    const channel = await buildChannel(admin, team.id);
    const posts = [];
    for (const message of messages) {
      posts.push(await admin.createPost({ channel_id: channel.id, message }));
    }
    return { channel, posts };
  }

  /** The ids of a thread, read page by page, each from the end of the previous one, as the web app does. */
  async function readInPages(rootId) {
    const found = new Set();
    const options = { perPage: 1, direction: 'down' };
    for (let page = 1; page <= 5; page += 1) {
      const { posts, has_next: hasNext } = await admin.getPaginatedPostThread(rootId, options);
      const sorted = Object.values(posts).sort((one, other) => one.create_at - other.create_at);
      for (const { id } of sorted) found.add(id);
      if (!hasNext) break;
      assert.ok(page < 5, 'The thread never ends.');
      options.fromPost = sorted.at(-1).id;
      options.fromCreateAt = sorted.at(-1).create_at;
    }
    return [...found].sort();
  }

  test('createPost: the returned record, and the same from getPost', async () => {
    const channel = await buildChannel(admin, team.id);
    const pending = `${me.id}:${Date.now()}`;
    const post = await admin.createPost({
      channel_id: channel.id,
      user_id: unknownId,
      message: 'Hello, **world** #first',
      pending_post_id: pending,
      props: { mine: 'kept' },
    });
    assert.match(post.id, /^[a-z0-9]{26}$/);
    assert.equal(post.user_id, me.id);
    assert.equal(post.message, 'Hello, **world** #first');
    assert.equal(post.hashtags, '#first');
    assert.equal(post.type, '');
    assert.equal(post.root_id, '');
    assert.equal(post.edit_at, 0);
    assert.equal(post.props.mine, 'kept');
    assert.equal(post.pending_post_id, pending);
    assert.deepEqual(post.file_ids ?? [], []);
    assert.equal(typeof post.metadata, 'object');
    const again = await admin.createPost({
      channel_id: channel.id,
      message: 'twice',
      pending_post_id: pending,
    });
    assert.equal(again.id, post.id);
    const read = await admin.getPost(post.id);
    assert.equal(read.message, post.message);
    assert.equal(read.create_at, post.create_at);
  });

  test('createPost: refusals', async () => {
    const { channel, posts } = await buildPosts(['root']);
    const other = await buildPosts(['elsewhere']);
    const create = (change) => admin.createPost({ channel_id: channel.id, message: 'x', ...change });
    assert.equal((await create({ message: 'ü'.repeat(16383) })).message.length, 16383);
    await assertRefused(
      create({ message: 'ü'.repeat(16384) }),
      400,
      'model.post.is_valid.message_length.app_error',
    );
    await assertRefused(create({ type: 'system_generic' }), 400, 'api.context.invalid_param.app_error');
    await assertRefused(create({ root_id: unknownId }), 400, 'api.post.create_post.root_id.app_error');
    await assertRefused(
      create({ root_id: other.posts[0].id }),
      400,
      'api.post.create_post.channel_root_id.app_error',
    );
    await assertRefused(create({ channel_id: unknownId }), 403, forbidden);
    const reply = await create({ root_id: posts[0].id });
    await assertRefused(create({ root_id: reply.id }), 400, 'api.post.create_post.root_id.app_error');
  });

  test('a user outside a private channel can neither read nor write there', async () => {
    const channel = await buildChannel(admin, team.id, 'secret', 'P');
    const post = await admin.createPost({ channel_id: channel.id, message: 'secret' });
    const { user, client } = await buildUser(admin);
    await admin.addToTeam(team.id, user.id);
    await assertRefused(client.createPost({ channel_id: channel.id, message: 'x' }), 403, forbidden);
    await assertRefused(client.getPost(post.id), 403, forbidden);
    await assertRefused(client.getPostThread(post.id), 403, forbidden);
  });

  test('getPosts by page: newest first, with the neighbours of the page', async () => {
    const { channel, posts } = await buildPosts(['one', 'two', 'three', 'four', 'five']);
    const ids = posts.map(({ id }) => id);
    const newest = await admin.getPosts(channel.id, 0, 2);
    assert.deepEqual(newest.order, [ids[4], ids[3]]);
    assert.equal(newest.posts[ids[4]].message, 'five');
    assert.equal(newest.next_post_id, '');
    assert.equal(newest.prev_post_id, ids[2]);
    const middle = await admin.getPosts(channel.id, 1, 2);
    assert.deepEqual(middle.order, [ids[2], ids[1]]);
    assert.equal(middle.next_post_id, ids[3]);
    assert.equal(middle.prev_post_id, ids[0]);
    assert.deepEqual(
      (await postsIn(admin, channel.id)).map(({ message }) => message),
      ['five', 'four', 'three', 'two', 'one'],
    );
  });

  test('getPostsBefore and getPostsAfter', async () => {
    const { channel, posts } = await buildPosts(['one', 'two', 'three', 'four', 'five']);
    const ids = posts.map(({ id }) => id);
    const before_ = await admin.getPostsBefore(channel.id, ids[2], 0, 2);
    assert.deepEqual(before_.order, [ids[1], ids[0]]);
    assert.equal(before_.next_post_id, ids[2]);
    const after = await admin.getPostsAfter(channel.id, ids[2], 0, 1);
    assert.deepEqual(after.order, [ids[3]]);
    assert.equal(after.next_post_id, ids[4]);
    assert.equal(after.prev_post_id, ids[2]);
  });

  test('getPostsSince: new, changed and deleted posts', async () => {
    const { channel, posts } = await buildPosts(['stays', 'changes', 'goes']);
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
    assert.equal(list.posts[goes.id].message, '');
  });

  test('a thread: replies, their count, getPostThread and getPaginatedPostThread', async () => {
    const { channel, posts } = await buildPosts(['root']);
    const [root] = posts;
    const replies = [];
    for (const message of ['first', 'second']) {
      replies.push(await admin.createPost({ channel_id: channel.id, root_id: root.id, message }));
    }
    assert.ok(replies.every((reply) => reply.root_id === root.id));
    assert.equal((await admin.getPost(root.id)).reply_count, 2);
    const everything = [root.id, ...replies.map(({ id }) => id)].sort();
    const thread = await admin.getPostThread(root.id);
    assert.equal(thread.order[0], root.id);
    assert.deepEqual(thread.order.toSorted(), everything);
    const byReply = await admin.getPostThread(replies[1].id);
    assert.deepEqual(Object.keys(byReply.posts).sort(), everything);
    assert.deepEqual(await readInPages(root.id), everything);
    await assertRefused(admin.getPostThread(unknownId), 404, 'app.post.get.app_error');
  });

  test('patchPost and updatePost', async () => {
    const { posts } = await buildPosts(['old']);
    const patched = await admin.patchPost({ id: posts[0].id, message: 'new' });
    assert.equal(patched.message, 'new');
    assert.ok(patched.edit_at > 0);
    assert.equal(patched.create_at, posts[0].create_at);
    const updated = await admin.updatePost({ ...patched, message: 'newer' });
    assert.equal(updated.message, 'newer');
    assert.equal((await admin.getPost(posts[0].id)).message, 'newer');
    const { user, client } = await buildUser(admin);
    await admin.addToTeam(team.id, user.id);
    await client.addToChannel(user.id, posts[0].channel_id);
    await assertRefused(client.patchPost({ id: posts[0].id, message: 'mine' }), 403, forbidden);
    await assertRefused(admin.patchPost({ id: unknownId, message: 'x' }), 403, forbidden);
  });

  test('deletePost deletes the replies', async () => {
    const { channel, posts } = await buildPosts(['root']);
    const reply = await admin.createPost({ channel_id: channel.id, root_id: posts[0].id, message: 'reply' });
    assert.deepEqual(await admin.deletePost(posts[0].id), statusOk);
    for (const id of [posts[0].id, reply.id]) {
      await assertRefused(admin.getPost(id), 404, 'app.post.get.app_error');
    }
    await assertRefused(admin.deletePost(posts[0].id), 404, 'app.post.get.app_error');
    assert.deepEqual(await postsIn(admin, channel.id), []);
  });

  test('getPostsByIds', async () => {
    const { posts } = await buildPosts(['one', 'two']);
    const found = await admin.getPostsByIds([posts[0].id, unknownId, posts[1].id]);
    assert.deepEqual(
      found.map(({ message }) => message),
      ['two', 'one'],
    );
    await assertRefused(admin.getPostsByIds([unknownId]), 404, 'app.post.get.app_error');
  });

  test('pinPost, getPinnedPosts, unpinPost', async () => {
    const { channel, posts } = await buildPosts(['pinned', 'not pinned']);
    assert.deepEqual(await admin.pinPost(posts[0].id), statusOk);
    assert.deepEqual((await admin.getPinnedPosts(channel.id)).order, [posts[0].id]);
    assert.deepEqual(await admin.unpinPost(posts[0].id), statusOk);
    assert.deepEqual((await admin.getPinnedPosts(channel.id)).order, []);
  });

  test('getPostsUnread starts at the first unread post', async () => {
    const { channel } = await buildPosts(['before']);
    const { user, client } = await buildUser(admin);
    await admin.addToTeam(team.id, user.id);
    await client.addToChannel(user.id, channel.id);
    await client.viewMyChannel(channel.id);
    const post = await admin.createPost({ channel_id: channel.id, message: 'unread' });
    const list = await client.getPostsUnread(channel.id, user.id);
    assert.equal(list.order[0], post.id);
    const member = await client.getMyChannelMember(channel.id);
    const { total_msg_count: total } = await client.getChannel(channel.id);
    assert.equal(total - member.msg_count, 1);
  });

  test('a direct message reaches the other user', async () => {
    const { user, client } = await buildUser(admin);
    const channel = await admin.createDirectChannel([me.id, user.id]);
    const message = unique('just-for-you');
    await admin.createPost({ channel_id: channel.id, message });
    assert.deepEqual(
      (await postsIn(client, channel.id)).map((post) => post.message),
      [message],
    );
  });
});
