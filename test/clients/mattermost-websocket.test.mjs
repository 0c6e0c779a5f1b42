/** @mattermost/client, WebSocketClient: the live events of a stock client. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closeAllLive, closeLive, openGreeted, openLive, startNetwork } from './support/live-client.mjs';
import { buildChannel, buildScene, buildUser, eventually, unique, unknownId } from './support/scene.mjs';

describe('@mattermost/client: WebSocketClient', () => {
  let scene;
  let admin;

  before(async () => {
    scene = await buildScene('live');
    admin = scene.admin;
  });

  after(closeAllLive);

  async function execute(payload, url = scene.hookUrl) {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(payload) });
    assert.equal(answer.status, 200);
  }

  const postOf = ({ post }) => JSON.parse(post);
  const isPost = (message) => (data) => postOf(data).message === message;
  const seqs = (live) => live.events.map(({ seq }) => seq);
  const upTo = (count) => Array.from({ length: count }, (_, index) => index);

  /** A signed-in member of the team, with open events. */
  async function buildWatcher() {
    const member = await buildUser(admin, 'watcher');
    await admin.addToTeam(scene.team.id, member.user.id);
    return { ...member, live: await openGreeted(member.client.getToken()) };
  }

  test('authentication by a challenge with the token, and the hello event', async () => {
    const live = await openGreeted(admin.getToken());
    const [hello] = live.events;
    assert.equal(hello.event, 'hello');
    assert.equal(hello.seq, 0);
    assert.match(hello.data.connection_id, /^[a-z0-9]{26}$/);
    assert.match(hello.data.server_version, /^\d+\.\d+\.\d+\./);
    assert.equal(hello.broadcast.user_id, scene.me.id);
    assert.equal(live.client.connectionId, hello.data.connection_id);
    assert.equal(live.misses, 0);
  });

  test('a wrong token: the server closes the connection without a hello', async () => {
    const live = openLive(unknownId);
    await eventually('the closing', () => live.closings > 0);
    assert.deepEqual(live.events, []);
    await closeLive(live);
  });

  test('ping is answered with pong, an unknown action with an error', async () => {
    const live = await openGreeted(admin.getToken());
    const ask = (action) => new Promise((resolve) => live.client.sendMessage(action, {}, resolve));
    const pong = await new Promise((resolve) => live.client.ping(resolve));
    assert.equal(pong.status, 'OK');
    assert.equal(pong.data.text, 'pong');
    const refused = await ask('no_such_action');
    assert.equal(refused.status, 'FAIL');
    assert.equal(refused.error.id, 'api.web_socket_router.bad_action.app_error');
  });

  test('posted, when a hook is executed', async () => {
    const live = await openGreeted(admin.getToken());
    const message = unique('message');
    await execute({ text: message, username: 'Robot' });
    const { data, broadcast } = await live.received('posted', isPost(message));
    const post = postOf(data);
    assert.equal(post.channel_id, scene.channel.id);
    assert.equal(post.user_id, scene.me.id);
    assert.equal(post.props.from_webhook, 'true');
    assert.equal(post.props.override_username, 'Robot');
    assert.equal(data.channel_type, 'O');
    assert.equal(data.channel_name, scene.channel.name);
    assert.equal(data.channel_display_name, scene.channel.display_name);
    assert.equal(data.sender_name, 'Robot');
    assert.equal(data.team_id, scene.team.id);
    assert.equal(data.set_online, false);
    assert.equal(broadcast.channel_id, scene.channel.id);
  });

  test('posted, when a user posts, with the mentioned users', async () => {
    const { user, client, live } = await buildWatcher();
    await client.addToChannel(user.id, scene.channel.id);
    const message = `${unique('message')} for @${user.username}`;
    await admin.createPost({ channel_id: scene.channel.id, message });
    const { data } = await live.received('posted', isPost(message));
    assert.equal(data.sender_name, `@${scene.me.username}`);
    assert.deepEqual(JSON.parse(data.mentions), [user.id]);
  });

  test('sixty executions at once: sixty events, numbered without a gap, and no reconnect', async () => {
    const live = await openGreeted(admin.getToken());
    const messages = upTo(60).map((index) => `${index} ${unique('message')}`);
    await Promise.all(messages.map((text) => execute({ text })));
    // Other suites post on the same server at the same time; their events reach an administrator too.
    const posted = () =>
      live.events
        .filter(({ event }) => event === 'posted')
        .map(({ data }) => postOf(data).message)
        .filter((message) => messages.includes(message));
    await eventually('all events', () => messages.every((message) => posted().includes(message)));
    assert.deepEqual(posted().toSorted(), messages.toSorted());
    assert.deepEqual(seqs(live), upTo(live.events.length));
    assert.equal(live.closings, 0);
  });

  test('post_edited and post_deleted', async () => {
    const live = await openGreeted(admin.getToken());
    const post = await admin.createPost({ channel_id: scene.channel.id, message: 'old' });
    await admin.patchPost({ id: post.id, message: 'new' });
    const isIt = (data) => postOf(data).id === post.id;
    const edited = await live.received('post_edited', isIt);
    assert.equal(postOf(edited.data).message, 'new');
    await admin.deletePost(post.id);
    await live.received('post_deleted', isIt);
  });

  test('channel_created, channel_deleted, channel_restored', async () => {
    const live = await openGreeted(admin.getToken());
    const channel = await buildChannel(admin, scene.team.id);
    const isIt = (data) => data.channel_id === channel.id;
    await live.received('channel_created', isIt);
    await admin.deleteChannel(channel.id);
    const { data } = await live.received('channel_deleted', isIt);
    assert.ok(data.delete_at > 0);
    await admin.unarchiveChannel(channel.id);
    await live.received('channel_restored', isIt);
  });

  test('added_to_team, user_added, user_removed and leave_team', async () => {
    const { user, client } = await buildUser(admin, 'newcomer');
    const live = await openGreeted(client.getToken());
    await admin.addToTeam(scene.team.id, user.id);
    await live.received('added_to_team', (data) => data.team_id === scene.team.id);
    const channel = await buildChannel(admin, scene.team.id, 'private', 'P');
    await admin.addToChannel(user.id, channel.id);
    await live.received('user_added', (data) => data.user_id === user.id);
    await admin.removeFromChannel(user.id, channel.id);
    await live.received('user_removed', (data) => data.channel_id === channel.id);
    await admin.removeFromTeam(scene.team.id, user.id);
    await live.received('leave_team', (data) => data.team_id === scene.team.id);
  });

  test('typing reaches other users only', async () => {
    const { user, client, live } = await buildWatcher();
    await client.addToChannel(user.id, scene.channel.id);
    const own = await openGreeted(admin.getToken());
    const answer = await new Promise((resolve) => own.client.userTyping(scene.channel.id, '', resolve));
    assert.equal(answer.status, 'OK');
    await live.received('typing', (data) => data.user_id === scene.me.id);
    assert.equal(
      own.find('typing', (data) => data.user_id === scene.me.id),
      undefined,
    );
  });

  test('getStatuses and getStatusesByIds', async () => {
    const { user, live } = await buildWatcher();
    const all = await new Promise((resolve) => live.client.getStatuses(resolve));
    assert.equal(all.status, 'OK');
    const some = await new Promise((resolve) => live.client.getStatusesByIds([user.id], resolve));
    assert.deepEqual(some.data, { [user.id]: 'online' });
  });

  test('a lost network: the client resumes, and receives the missed events', async () => {
    const network = await startNetwork();
    try {
      const live = await openGreeted(admin.getToken(), network);
      const [first, second, third] = ['first', 'second', 'third'].map(unique);
      await execute({ text: first });
      await live.received('posted', isPost(first));
      const { connectionId } = live.client;
      network.cut();
      await eventually('the loss', () => live.closings > 0);
      await execute({ text: second });
      network.restore();
      await live.received('posted', isPost(second));
      await execute({ text: third });
      await live.received('posted', isPost(third));
      assert.equal(live.reconnects, 1);
      assert.equal(live.misses, 0);
      assert.equal(live.client.connectionId, connectionId);
      assert.deepEqual(seqs(live), upTo(live.events.length));
    } finally {
      network.close();
    }
  });

  test('more missed events than are kept: the client is told to reload', async () => {
    const network = await startNetwork();
    try {
      const live = await openGreeted(admin.getToken(), network);
      const { connectionId } = live.client;
      network.cut();
      await eventually('the loss', () => live.closings > 0);
      await Promise.all(upTo(140).map((index) => execute({ text: `missed ${index}` })));
      network.restore();
      await eventually('the new hello event', () => live.misses > 0);
      assert.notEqual(live.client.connectionId, connectionId);
      const message = unique('message');
      await execute({ text: message });
      await live.received('posted', isPost(message));
      const since = live.events.findLastIndex(({ event }) => event === 'hello');
      assert.deepEqual(seqs(live).slice(since), upTo(live.events.length - since));
    } finally {
      network.close();
    }
  });
});
