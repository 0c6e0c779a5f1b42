import { newId } from '../src/platform/common/ids.js';
import { SyncedAccounts } from '../src/shared-channels/sync/synced-accounts.service.js';
import { SyncedPosts } from '../src/shared-channels/sync/sync.topic.js';
import { acceptedBy, acceptInvite, invitedBy, mainTeamId, startPeeringServer } from './factories/peers.js';
import { answers, ForeignPeer, type PeerConnection } from './fakes/foreign-peer.js';
import { LiveClient } from './support/live-client.js';
import { eventually, type TestServer } from './support/test-server.js';

/* Shared channels against peers that send arbitrary messages, in the terms of docs/contract/shared-channels.md */

const INVITE = 'sharedchannel_invite';
const SYNC = 'sharedchannel_sync';

let server: TestServer;
let teamId: string;
let peer: ForeignPeer;
let other: ForeignPeer;
let connection: PeerConnection;

beforeAll(async () => {
  server = await startPeeringServer({
    OUTGOING_SCHEDULE: '0s,50ms,50ms,50ms,100ms',
    PEER_PING_INTERVAL: '200ms',
  });
  teamId = await mainTeamId(server);
  [peer, other] = [await ForeignPeer.start(), await ForeignPeer.start()];
  connection = await connected(peer);
}, 60_000);
afterAll(async () => {
  await server.close();
  for (const each of [peer, other]) await each.close();
}, 60_000);

/** A connection over which the server has reached the peer. */
const connected = async (to: ForeignPeer): Promise<PeerConnection> => {
  const made = await acceptedBy(to, server);
  const isReached = async () =>
    (await server.admin.get(`/remotecluster/${made.remoteId}`)).body.last_ping_at > 0;
  await eventually(isReached);
  return made;
};
const userOf = (fields: object = {}): any => {
  const id = newId();
  return { id, username: `anna${id.slice(0, 8)}`, create_at: 1, update_at: 2, delete_at: 0, ...fields };
};
const postOf = (channelId: string, user: { id: string }, fields: object = {}): any => ({
  ...{ id: newId(), user_id: user.id, channel_id: channelId, root_id: '', type: '', props: {} },
  ...{ create_at: Date.now(), update_at: Date.now(), edit_at: 0, delete_at: 0 },
  message: `message ${newId()}`,
  ...fields,
});
const sync = (channelId: string, users: any[], posts: any[], from = peer, over = connection) =>
  from.message(over, SYNC, {
    channel_id: channelId,
    users: Object.fromEntries(users.map((user) => [user.id, user])),
    posts,
  });
const invite = (channelId: string, fields: object = {}, from = peer, over = connection) =>
  from.message(over, INVITE, { channel_id: channelId, name: `c-${channelId}`, type: 'O', ...fields });
/** A channel that the peer has shared with the server. */
const foreignChannel = async (from = peer, over = connection, fields: object = {}): Promise<string> => {
  const channelId = newId();
  const answer = await invite(channelId, { display_name: 'Theirs', ...fields }, from, over);
  expect(answer.body).toMatchObject({ status: 'OK' });
  return channelId;
};
/** A channel that the server shares with the peer. */
const ownChannel = async (remoteIds = [connection.remoteId]): Promise<string> => {
  const body = { team_id: teamId, type: 'O', name: `own-${newId()}`, display_name: 'Ours' };
  const { id } = (await server.admin.post('/channels', body)).body;
  for (const remoteId of remoteIds) expect((await share(remoteId, id)).status).toBe(200);
  return id as string;
};
const share = (remoteId: string, channelId: string) =>
  server.admin.post(`/remotecluster/${remoteId}/channels/${channelId}/invite`);
const unshare = (remoteId: string, channelId: string) =>
  server.admin.post(`/remotecluster/${remoteId}/channels/${channelId}/uninvite`);
const find = async (id: string): Promise<any> => (await server.admin.get(`/posts/${id}`)).body;
const say = (channelId: string, fields: object = {}, by = server.admin) =>
  by.post('/posts', { channel_id: channelId, message: `message ${newId()}`, ...fields });
const told = (postId: string, to = peer): any[] =>
  to
    .requestsTo('msg')
    .flatMap(({ frame }) => (frame.msg.payload.posts ?? []).filter((post: any) => post.id === postId));
const shareOf = async (channelId: string): Promise<any> =>
  (
    await server.admin.get(
      `/remotecluster/${connection.remoteId}/sharedchannelremotes?include_deleted=true&per_page=200`,
    )
  ).body.find((each: any) => each.channel_id === channelId);

describe('a channel of this server', () => {
  it('is not changed by a former peer', async () => {
    const channelId = await ownChannel();
    await eventually(async () => (await shareOf(channelId)).is_invite_accepted);
    expect((await unshare(connection.remoteId, channelId)).status).toBe(200);
    const answer = await invite(channelId);
    expect(answer.body).toMatchObject({ status: 'FAIL', payload: null });
    expect((await shareOf(channelId)).delete_at).toBeGreaterThan(0);
    const { id } = (await say(channelId)).body;
    expect((await share(connection.remoteId, channelId)).status).toBe(200);
    const { id: next } = (await say(channelId)).body;
    await eventually(() => told(next).length > 0);
    expect(told(id)).toEqual([]);
  });

  it('is shared once for two simultaneous requests, and with two peers', async () => {
    const second = await connected(other);
    const channelId = await ownChannel([]);
    const remotes = [connection.remoteId, connection.remoteId, second.remoteId, second.remoteId];
    const answers = await Promise.all(remotes.map((remoteId) => share(remoteId, channelId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await server.admin.get(`/sharedchannels/${teamId}?per_page=200`);
    expect(body.filter((each: any) => each.id === channelId)).toHaveLength(1);
    const ended = await Promise.all([...new Set(remotes)].map((remoteId) => unshare(remoteId, channelId)));
    expect(ended.map(({ status }) => status)).toEqual([200, 200]);
    const after = (await server.admin.get(`/sharedchannels/${teamId}?per_page=200`)).body;
    expect(after.filter((each: any) => each.id === channelId)).toEqual([]);
  });

  it('is marked as shared, and its members are told when sharing starts and ends', async () => {
    const second = await connected(other);
    const channelId = await ownChannel([]);
    const live = await LiveClient.connect(server.url, server.admin.token);
    const heard = () =>
      live.events
        .filter(
          ({ event, broadcast }) => event === 'channel_updated' && broadcast['channel_id'] === channelId,
        )
        .map(({ data }) => JSON.parse(data['channel']).shared);
    const isShared = async () => (await server.admin.get(`/channels/${channelId}`)).body.shared;
    expect(await isShared()).toBe(null);
    for (const { remoteId } of [connection, second]) {
      await share(remoteId, channelId);
      expect(await isShared()).toBe(true);
    }
    await eventually(() => heard().length === 1);
    await unshare(second.remoteId, channelId);
    expect(await isShared()).toBe(true);
    await unshare(connection.remoteId, channelId);
    expect(await isShared()).toBe(null);
    await eventually(() => heard().length === 2);
    expect(heard()).toEqual([true, null]);
    live.close();
  });

  it('is not shared over a connection that is deleted at the same time', async () => {
    const gone = await connected(other);
    const channels = await Promise.all([1, 2, 3, 4].map(() => ownChannel([])));
    const answers = await Promise.all([
      ...channels.map((channelId) => share(gone.remoteId, channelId)),
      server.admin.delete(`/remotecluster/${gone.remoteId}`),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).toEqual(
      [],
    );
    const { body } = await server.admin.get(`/sharedchannels/${teamId}?per_page=200`);
    expect(body.filter((each: any) => channels.includes(each.id))).toEqual([]);
  });

  it('does not send the URLs behind message actions', async () => {
    const channelId = await ownChannel();
    const integration = { url: 'https://ci.example.com/deploy', context: { key: 'value' } };
    const props = {
      attachments: [{ text: 'x', actions: [{ id: 'go', name: 'Go', type: 'button', integration }] }],
    };
    const { id } = (await say(channelId, { props })).body;
    await eventually(() => told(id).length > 0);
    expect(told(id)[0].props.attachments[0].actions).toEqual([expect.objectContaining({ name: 'Go' })]);
    expect(JSON.stringify(told(id))).not.toContain('ci.example.com');
  });

  it('advances the cursor of the peer only over accepted posts', async () => {
    const channelId = await ownChannel();
    await eventually(async () => (await shareOf(channelId)).is_invite_accepted);
    const before = (await shareOf(channelId)).last_post_update_at;
    peer.misbehave('msg', ({ frame }, response) => {
      const errors = (frame.msg.payload.posts ?? []).map((post: any) => post.id);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'OK', err: '', payload: { post_errors: errors } }));
    });
    const { id } = (await say(channelId)).body;
    await eventually(() => told(id).length > 0);
    peer.misbehave('msg');
    const { id: next, update_at: updateAt } = (await say(channelId)).body;
    await eventually(async () => (await shareOf(channelId)).last_post_id === next);
    expect((await shareOf(channelId)).last_post_update_at).toBe(updateAt);
    expect(before).toBeLessThanOrEqual(updateAt);
  });
});

describe('posts from before a channel was shared', () => {
  it('stay here, no matter what is done to them later', async () => {
    const channelId = await ownChannel([]);
    const [edited, pinned, deleted] = await Promise.all(
      [1, 2, 3].map(async () => (await say(channelId)).body),
    );
    await share(connection.remoteId, channelId);
    await server.admin.put(`/posts/${edited.id}/patch`, { message: 'edited' });
    await server.admin.post(`/posts/${pinned.id}/pin`);
    await server.admin.delete(`/posts/${deleted.id}`);
    const { id: last } = (await say(channelId)).body;
    await eventually(() => told(last).length > 0);
    expect([told(edited.id), told(pinned.id)]).toEqual([[], []]);
    expect(told(deleted.id)).toMatchObject([{ message: '', props: {}, delete_at: expect.any(Number) }]);
  });
});

describe('a peer that refuses for a while', () => {
  const refuses = (channelId: string, topics = [SYNC]): void =>
    peer.misbehave('msg', (request, response, properly) => {
      const { topic, payload } = request.frame.msg;
      if (!topics.includes(topic) || payload.channel_id !== channelId) return properly();
      return answers(200, '{"status":"FAIL","err":"Not now.","payload":null}')(request, response, properly);
    });

  it('receives everything once it accepts messages again', async () => {
    const channelId = await ownChannel();
    await eventually(async () => (await shareOf(channelId)).is_invite_accepted);
    refuses(channelId);
    const [one, two, three] = [await say(channelId), await say(channelId), await say(channelId)].map(
      ({ body }) => body,
    );
    await server.admin.put(`/posts/${two.id}/patch`, { message: 'as it is by then' });
    await server.admin.delete(`/posts/${three.id}`);
    await eventually(() => told(three.id).some((post) => post.delete_at > 0));
    const before = peer.requests.length;
    peer.misbehave('msg');
    const { id: four } = (await say(channelId)).body;
    const sentAgain = () =>
      peer.requests
        .slice(before)
        .flatMap(({ frame }) => frame?.msg?.payload?.posts ?? [])
        .filter((post: any) => [one.id, two.id, three.id, four].includes(post.id));
    await eventually(() => new Set(sentAgain().map(({ id }) => id)).size === 4);
    expect(sentAgain().find(({ id }) => id === two.id)).toMatchObject({ message: 'as it is by then' });
    expect(sentAgain().find(({ id }) => id === three.id)).toMatchObject({
      message: '',
      delete_at: expect.any(Number),
    });
    await say(channelId);
    expect(sentAgain().filter(({ id }) => id === one.id)).toHaveLength(1);
  });

  it('keeps the share open, and receives everything when it is invited again', async () => {
    const channelId = await ownChannel([]);
    refuses(channelId, [INVITE, SYNC]);
    await share(connection.remoteId, channelId);
    const { id } = (await say(channelId)).body;
    await eventually(() => told(id).length > 0);
    expect(await shareOf(channelId)).toMatchObject({ delete_at: 0, is_invite_accepted: false });
    const seen = peer.requests.length;
    peer.misbehave('msg');
    expect((await share(connection.remoteId, channelId)).status).toBe(200);
    await eventually(async () => (await shareOf(channelId)).is_invite_accepted);
    const sentAgain = () =>
      peer.requests.slice(seen).some(({ frame }) => frame?.msg?.payload?.posts?.[0]?.id === id);
    await eventually(sentAgain);
  });

  it('misses nothing that is written while connections are switched off', async () => {
    const channelId = await ownChannel();
    await eventually(async () => (await shareOf(channelId)).is_invite_accepted);
    const id = await server.withSettings({ enableRemoteClusters: false }, async () => {
      return (await say(channelId)).body.id as string;
    });
    await eventually(() => told(id).length > 0);
  });
});

describe('a message that is deleted before a peer receives it', () => {
  it('is not sent to the peer, nor are its replies; only the deletion is', async () => {
    const channelId = await ownChannel();
    await eventually(async () => (await shareOf(channelId)).is_invite_accepted);
    const [root, reply] = await server.withSettings({ enableRemoteClusters: false }, async () => {
      const { body: first } = await say(channelId);
      const { body: second } = await say(channelId, { root_id: first.id });
      await server.admin.put(`/posts/${first.id}/patch`, { message: 'edited' });
      expect((await server.admin.delete(`/posts/${first.id}`)).status).toBe(200);
      return [first, second];
    });
    const { id: last } = (await say(channelId)).body;
    await eventually(() => told(last).length > 0);
    expect(told(root.id)).toMatchObject([{ message: '', props: {}, delete_at: expect.any(Number) }]);
    expect(told(reply.id)).toEqual([]);
  });
});

describe('a shared channel that changes', () => {
  it('is sent to the peers, and listed in its current state', async () => {
    const channelId = await ownChannel();
    const fields = { display_name: 'Renamed', header: 'new header', purpose: 'new purpose' };
    await server.admin.put(`/channels/${channelId}/patch`, fields);
    await server.admin.put(`/channels/${channelId}/privacy`, { privacy: 'P' });
    const { body } = await server.admin.get(`/sharedchannels/${teamId}?per_page=200`);
    expect(body.find((each: any) => each.id === channelId)).toMatchObject({ ...fields, type: 'P' });
    const invites = () =>
      peer
        .requestsTo('msg')
        .filter(({ frame }) => frame.msg.topic === INVITE && frame.msg.payload.channel_id === channelId);
    await eventually(() => invites().length === 3);
    expect(invites().at(-1)!.frame.msg.payload).toMatchObject({ ...fields, type: 'P' });
  });

  it('changes here as at its home', async () => {
    const channelId = await foreignChannel();
    const change = { display_name: 'Other', header: 'h', purpose: 'p', type: 'P' };
    expect((await invite(channelId, change)).body.status).toBe('OK');
    expect((await server.admin.get(`/channels/${channelId}`)).body).toMatchObject(change);
    const own = await ownChannel();
    await invite(own, change);
    expect((await server.admin.get(`/channels/${own}`)).body).toMatchObject({
      display_name: 'Ours',
      type: 'O',
    });
  });

  it('and is archived here loses nothing', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const [first, second] = [postOf(channelId, user), postOf(channelId, user)];
    await sync(channelId, [user], [first]);
    await server.admin.delete(`/channels/${channelId}`);
    const edited = { ...first, message: 'edited', edit_at: first.create_at + 1 };
    expect((await sync(channelId, [user], [edited, second])).body.payload.post_errors).toEqual([]);
    await server.admin.post(`/channels/${channelId}/restore`);
    expect((await find(first.id)).message).toBe('edited');
    expect((await find(second.id)).message).toBe(second.message);
  });
});

describe('an invite to a channel', () => {
  it.each([
    ['name', `a${'_'.repeat(1_000_000)}a`],
    ['name', 5],
    ['display_name', 'x'.repeat(129)],
    ['header', 'x'.repeat(2_049)],
    ['purpose', 'x'.repeat(513)],
    ['type', 'D'],
    ['channel_id', 'short'],
  ])('is refused at once for its %s', async (field, value) => {
    const answer = await invite(newId(), { [field]: value });
    expect(answer.body).toMatchObject({ status: 'FAIL', err: expect.stringContaining(`Invalid ${field}`) });
  });

  it('has a name without invisible characters', async () => {
    const nameOf = async (fields: object): Promise<string> =>
      (await server.admin.get(`/channels/${await foreignChannel(peer, connection, fields)}`)).body
        .display_name;
    expect(await nameOf({ display_name: ' \u202eToo\u200b  many\n' })).toBe('Too many');
    const name = `c-${newId()}`;
    expect(await nameOf({ display_name: ' \u2060', name })).toBe(name);
  });

  it('creates no channel in an archived team', async () => {
    const body = { name: `t${newId()}`, display_name: 'Old', type: 'O' };
    const { id } = (await server.admin.post('/teams', body)).body;
    const made = await connected(other);
    await server.admin.patch(`/remotecluster/${made.remoteId}`, { default_team_id: id });
    await server.admin.delete(`/teams/${id}`);
    const answer = await invite(newId(), {}, other, made);
    expect(answer.body).toMatchObject({ status: 'FAIL' });
    const offer = peer.invite();
    expect((await acceptInvite(server, offer, { default_team_id: id })).status).toBe(400);
  });

  it('creates no more channels than allowed per connection, even concurrently and after the peer ends sharing them', async () => {
    const made = await connected(other);
    const sent = (channelId: string) => invite(channelId, {}, other, made);
    await server.withSettings({ maxChannelsPerConnection: 2 }, async () => {
      const ids = Array.from({ length: 4 }, () => newId());
      const answers = await Promise.all(ids.map(sent));
      const taken = ids.filter((_, index) => answers[index]!.body.status === 'OK');
      const [refused] = ids.filter((_, index) => answers[index]!.body.status === 'FAIL');
      expect(taken).toHaveLength(2);
      const err = 'The connection already has 2 channels of your server here.';
      expect((await sent(refused!)).body).toMatchObject({ status: 'FAIL', err });
      expect((await server.admin.get(`/channels/${refused}`)).status).toBe(404);
      expect((await sent(taken[0]!)).body.status).toBe('OK');
      await other.message(made, 'sharedchannel_uninvite', { channel_id: taken[0] });
      expect((await sent(refused!)).body).toMatchObject({ status: 'FAIL', err });
      expect((await server.admin.delete(`/channels/${taken[0]}`)).status).toBe(200);
      expect((await sent(refused!)).body.status).toBe('OK');
    });
  });

  it('is refused before the end of the handshake', async () => {
    let refuse = (): void => undefined;
    peer.misbehave('confirm_invite', (_, response) => {
      refuse = () => void response.writeHead(500).end();
    });
    const offer = peer.invite();
    const accepting = acceptInvite(server, offer);
    const request = await eventually(() => peer.requestsTo('confirm_invite', offer.connection.remoteId)[0]);
    peer.misbehave('confirm_invite');
    const { token, refreshed_token: refreshed } = request.frame.msg.payload;
    Object.assign(offer.connection, { siteUrl: server.url, remoteToken: token, token: refreshed });
    const channelId = newId();
    const answer = await invite(channelId, {}, peer, offer.connection);
    expect([answer.status, answer.body.id]).toEqual([503, 'api.remote_cluster.peer_not_reached.app_error']);
    refuse();
    expect((await accepting).status).toBe(500);
    expect((await server.admin.get(`/channels/${channelId}`)).status).toBe(404);
  });
});

describe('a post is sent to every other server, and never back to its origin', () => {
  /** What a peer received of a channel: each state of a post, and the authors sent with it. */
  const received = (channelId: string, at: ForeignPeer): string[] =>
    at
      .requestsTo('msg')
      .map(({ frame }) => frame.msg)
      .filter(({ topic, payload }) => topic === SYNC && payload.channel_id === channelId)
      .flatMap(({ payload }) => [
        ...Object.keys(payload.users).map((id) => `user ${id}`),
        ...payload.posts.map(({ id, edit_at: edited, delete_at: deleted }: any) =>
          [id, edited > 0 && 'edited', deleted > 0 && 'deleted'].filter(Boolean).join(' '),
        ),
      ]);
  /**
   * The server posts something itself. Messages of a channel arrive in order, so all earlier ones have arrived then.
   */
  const last = async (channelId: string, peers: ForeignPeer[]): Promise<string> => {
    const { id } = (await say(channelId)).body;
    await eventually(() => peers.every((at) => told(id, at).length > 0));
    return id as string;
  };
  const editOf = (post: any): any => ({
    ...post,
    message: 'edited',
    edit_at: post.create_at + 1,
    update_at: post.create_at + 1,
  });
  const deletionOf = (post: any): any => ({ ...post, message: '', delete_at: post.create_at + 2 });

  it('from the home of the channel', async () => {
    const second = await connected(other);
    const channelId = await ownChannel([connection.remoteId, second.remoteId]);
    const user = userOf();
    const root = postOf(channelId, user);
    const reply = postOf(channelId, user, { root_id: root.id });
    for (const post of [root, editOf(root), reply, deletionOf(reply)])
      expect((await sync(channelId, [user], [post])).body.payload.post_errors).toEqual([]);
    expect((await server.admin.delete(`/posts/${root.id}`)).status).toBe(200);
    const own = await last(channelId, [peer, other]);
    expect(received(channelId, peer)).toEqual([`user ${server.adminId}`, own]);
    expect(received(channelId, other)).toEqual(
      [
        root.id,
        `${root.id} edited`,
        reply.id,
        `${reply.id} deleted`,
        `${root.id} edited deleted`,
        own,
      ].flatMap((state) => [`user ${state === own ? server.adminId : user.id}`, state]),
    );
  });

  it('from a server that only participates', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const root = postOf(channelId, user);
    const reply = postOf(channelId, user, { root_id: root.id });
    for (const post of [root, editOf(root), reply, deletionOf(reply), root])
      expect((await sync(channelId, [user], [post])).body.payload.post_errors).toEqual([]);
    const own = await last(channelId, [peer]);
    expect(received(channelId, peer)).toEqual([`user ${server.adminId}`, own]);
  });

  it('also when its connection was replaced', async () => {
    const earlier = await connected(other);
    const channelId = await foreignChannel(other, earlier);
    const user = userOf();
    const post = postOf(channelId, user);
    await sync(channelId, [user], [post], other, earlier);
    expect((await server.admin.delete(`/remotecluster/${earlier.remoteId}`)).status).toBe(200);
    const again = await connected(other);
    await invite(channelId, {}, other, again);
    for (const state of [editOf(post), deletionOf(post)])
      expect((await sync(channelId, [user], [state], other, again)).body.payload.post_errors).toEqual([]);
    expect((await server.admin.get(`/posts/${post.id}`)).status).toBe(404);
    const own = await last(channelId, [other]);
    expect(received(channelId, other)).toEqual([`user ${server.adminId}`, own]);
  });
});

describe('posts of a peer', () => {
  it('are not reverted by late or repeated messages', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    // In the past, because times in the future become the time of arrival.
    const first = postOf(channelId, user, { message: 'v1', create_at: Date.now() - 1_000 });
    const second = { ...first, message: 'v2', edit_at: first.create_at + 5, update_at: first.create_at + 5 };
    const third = { ...first, message: 'v3', edit_at: first.create_at + 9, update_at: first.create_at + 9 };
    for (const post of [first, second, first, third, second, first])
      expect((await sync(channelId, [user], [post])).body.status).toBe('OK');
    expect(await find(first.id)).toMatchObject({ message: 'v3', edit_at: third.edit_at });
  });

  it('are not marked as edited by a repeated message, even with additions of this server', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const post = postOf(channelId, user, { message: 'see ~town-square @all' });
    await sync(channelId, [user], [post]);
    const before = await find(post.id);
    await sync(channelId, [user], [post]);
    expect(await find(post.id)).toEqual(before);
  });

  it('are not rewritten without being marked as edited', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const post = postOf(channelId, user);
    await sync(channelId, [user], [post]);
    await sync(channelId, [user], [{ ...post, message: 'rewritten' }]);
    const rewritten = await find(post.id);
    expect(rewritten).toMatchObject({ message: 'rewritten', edit_at: rewritten.update_at });
    await sync(channelId, [user], [{ ...post, message: 'once more', edit_at: rewritten.edit_at }]);
    expect((await find(post.id)).edit_at).toBeGreaterThan(rewritten.edit_at);
  });

  it('show a remote program under a name with its server, and a user under no other name', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const props = {
      override_username: 'admin',
      override_icon_url: 'https://example.com/a.png',
      from_bot: 'true',
    };
    const person = postOf(channelId, user, { props });
    const program = postOf(channelId, user, { props: { ...props, from_webhook: 'true' } });
    await sync(channelId, [user], [person, program]);
    const { name } = (await server.admin.get(`/remotecluster/${connection.remoteId}`)).body;
    expect((await find(person.id)).props).toEqual({});
    const shown = { from_webhook: 'true', override_username: `admin:${name}` };
    expect((await find(program.id)).props).toEqual(shown);
    const edited = { ...program, message: 'edited', edit_at: program.create_at + 5, props };
    await sync(channelId, [user], [edited]);
    expect(await find(program.id)).toMatchObject({ message: 'edited', props: shown });
  });

  it('are dropped as replies in a deleted thread, and become roots in an unknown one', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const { id: root } = (await say(channelId)).body;
    await server.admin.delete(`/posts/${root}`);
    const reply = postOf(channelId, user, { root_id: root });
    const alone = postOf(channelId, user, { root_id: newId() });
    const { body } = await sync(channelId, [user], [reply, alone]);
    expect(body).toMatchObject({ status: 'OK', payload: { post_errors: [] } });
    expect((await server.admin.get(`/posts/${reply.id}`)).status).toBe(404);
    expect(await find(alone.id)).toMatchObject({ root_id: '' });
  });

  it('cannot be dated in the future, neither created nor edited', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const [late, edited] = [2 ** 52, 2 ** 53 - 1];
    const post = postOf(channelId, user, { create_at: late, edit_at: late });
    await sync(channelId, [user], [post]);
    const times = async (): Promise<boolean[]> => {
      const { create_at, edit_at } = await find(post.id);
      return [create_at, edit_at].map((time) => time > 0 && time <= Date.now());
    };
    expect(await times()).toEqual([true, true]);
    await sync(channelId, [user], [{ ...post, message: 'edited', edit_at: edited }]);
    expect([(await find(post.id)).message, ...(await times())]).toEqual(['edited', true, true]);
  });

  it('by a user who came over a third server first are not lost', async () => {
    const user = userOf();
    const third = await connected(other);
    const relayed = await foreignChannel(other, third);
    await sync(relayed, [user], [postOf(relayed, user)], other, third);
    const channelId = await foreignChannel();
    const post = postOf(channelId, user);
    const { body } = await sync(channelId, [user], [post]);
    expect(body.payload).toMatchObject({ user_errors: [], post_errors: [], users_syncd: [user.id] });
    const next = postOf(channelId, user);
    await sync(channelId, [], [next]);
    const [one, two] = [await find(post.id), await find(next.id)];
    expect(one.user_id).toBe(two.user_id);
    expect(one.user_id).not.toBe(user.id);
    const author = (await server.admin.get(`/users/${one.user_id}`)).body;
    expect(author).toMatchObject({ remote_id: connection.remoteId });
    expect((await server.admin.get(`/users/${user.id}`)).body.remote_id).toBe(third.remoteId);
  });
});

describe('a channel of a peer that was unshared here', () => {
  const WITHDRAWN = {
    status: 'FAIL',
    err: 'The administrators of this server have ended the sharing of this channel.',
  };
  const invited = (channelId: string, over: PeerConnection, by = other) => invite(channelId, {}, by, over);
  /** The peer cannot do anything there, and receives the reason. */
  const refused = async (channelId: string, over: PeerConnection): Promise<void> => {
    const user = userOf();
    const post = postOf(channelId, user);
    expect((await invited(channelId, over)).body).toMatchObject(WITHDRAWN);
    expect((await sync(channelId, [user], [post], other, over)).body).toMatchObject(WITHDRAWN);
    expect((await server.admin.get(`/posts/${post.id}`)).status).toBe(404);
    expect((await server.admin.get(`/users/${user.id}`)).status).toBe(404);
  };
  const taken = async (channelId: string, over: PeerConnection): Promise<void> => {
    const user = userOf();
    const post = postOf(channelId, user);
    expect((await sync(channelId, [user], [post], other, over)).body.payload.post_errors).toEqual([]);
    expect((await find(post.id)).message).toBe(post.message);
    expect((await invited(channelId, over)).body.status).toBe('OK');
  };

  it('can be shared again only by an administrator of this server', async () => {
    const over = await connected(other);
    const channelId = await foreignChannel(other, over);
    expect((await unshare(over.remoteId, channelId)).status).toBe(200);
    await refused(channelId, over);
    const stranger = await invited(channelId, connection, peer);
    expect(stranger.body).toMatchObject({
      status: 'FAIL',
      err: 'A channel with this id already exists here, perhaps over another connection of your server.',
    });
    expect((await share(connection.remoteId, channelId)).status).toBe(400);
    await refused(channelId, over);
    expect((await share(over.remoteId, channelId)).status).toBe(200);
    await taken(channelId, over);
  });

  it('stays unshared when the connection is deleted and created again', async () => {
    const over = await connected(other);
    const channelId = await foreignChannel(other, over);
    expect((await unshare(over.remoteId, channelId)).status).toBe(200);
    await server.admin.delete(`/remotecluster/${over.remoteId}`);
    const again = await connected(other);
    await refused(channelId, again);
    expect((await share(again.remoteId, channelId)).status).toBe(200);
    await taken(channelId, again);
  });

  it('receives nothing more of a message in progress', async () => {
    const over = await connected(other);
    const channelId = await foreignChannel(other, over);
    const [user, late] = [userOf(), userOf()];
    const posts = Array.from({ length: 3 }, () => postOf(channelId, user));
    const withdrawsAfter = (service: any): void => {
      const save = service.save.bind(service);
      jest.spyOn(service, 'save').mockImplementationOnce(async (...args) => {
        const saved = await save(...args);
        expect((await unshare(over.remoteId, channelId)).status).toBe(200);
        return saved;
      });
    };
    withdrawsAfter(server.app.get(SyncedPosts));
    expect((await sync(channelId, [user], posts, other, over)).body).toMatchObject(WITHDRAWN);
    const stored = await Promise.all(
      posts.map(async ({ id }) => (await server.admin.get(`/posts/${id}`)).status),
    );
    expect(stored).toEqual([200, 404, 404]);
    expect((await share(over.remoteId, channelId)).status).toBe(200);
    withdrawsAfter(server.app.get(SyncedAccounts));
    expect((await sync(channelId, [user, late], [], other, over)).body).toMatchObject(WITHDRAWN);
    expect((await server.admin.get(`/users/${late.id}`)).status).toBe(404);
  });

  it('differs from one that the peer itself has ended', async () => {
    const over = await connected(other);
    const channelId = await foreignChannel(other, over);
    await other.message(over, 'sharedchannel_uninvite', { channel_id: channelId });
    const ended = await sync(channelId, [], [], other, over);
    expect(ended.body).toMatchObject({ status: 'FAIL', err: 'The channel is not shared with this server.' });
    expect((await invited(channelId, over)).body.status).toBe('OK');
    await taken(channelId, over);
  });
});

describe('accounts of a peer', () => {
  it('that are deactivated here stay so', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const read = async (): Promise<any> => (await server.admin.get(`/users/${user.id}`)).body;
    await sync(channelId, [user], []);
    expect((await server.admin.delete(`/users/${user.id}`)).status).toBe(200);
    await sync(channelId, [{ ...user, nickname: 'new' }], []);
    expect(await read()).toMatchObject({ nickname: 'new', delete_at: expect.any(Number) });
    const since = (await read()).delete_at;
    expect(since).toBeGreaterThan(5);
    for (const delete_at of [5, 0]) {
      await sync(channelId, [{ ...user, delete_at }], []);
      expect((await read()).delete_at).toBe(since);
    }
    const post = postOf(channelId, user);
    expect((await sync(channelId, [user], [post])).body.payload.post_errors).toEqual([post.id]);
    expect((await server.admin.put(`/users/${user.id}/active`, { active: true })).status).toBe(200);
    expect((await read()).delete_at).toBe(0);
    expect((await sync(channelId, [user], [post])).body.payload.post_errors).toEqual([]);
  });

  it('that are deactivated by the peer and here stay so until both activate them', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const deleteAt = async (): Promise<number> =>
      (await server.admin.get(`/users/${user.id}`)).body.delete_at;
    const setActive = async (active: boolean): Promise<void> => {
      expect((await server.admin.put(`/users/${user.id}/active`, { active })).status).toBe(200);
    };
    await sync(channelId, [{ ...user, delete_at: 5 }], []);
    await setActive(true);
    expect(await deleteAt()).toBe(5);
    await setActive(false);
    await sync(channelId, [{ ...user, delete_at: 6 }], []);
    expect(await deleteAt()).toBeGreaterThan(6);
    await setActive(true);
    expect(await deleteAt()).toBe(6);
    await sync(channelId, [user], []);
    expect(await deleteAt()).toBe(0);
    expect((await server.admin.get(`/users/${user.id}`)).body.props).not.toHaveProperty('RemoteDeleteAt');
  });

  it('write nothing while they are deactivated here, but can delete their posts', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    const post = postOf(channelId, user);
    await sync(channelId, [user], [post]);
    expect((await server.admin.delete(`/users/${user.id}`)).status).toBe(200);
    const next = postOf(channelId, user);
    const edited = { ...post, message: 'edited', edit_at: post.create_at + 1 };
    for (const users of [[user], []]) {
      const { body } = await sync(channelId, users, [next, edited]);
      expect(body.payload.post_errors).toEqual([next.id, post.id]);
    }
    expect((await server.admin.get(`/posts/${next.id}`)).status).toBe(404);
    const colleague = userOf();
    const inOtherName = await sync(channelId, [colleague], [{ ...edited, user_id: colleague.id }]);
    expect(inOtherName.body.payload.post_errors).toEqual([post.id]);
    expect((await find(post.id)).message).toBe(post.message);
    const gone = await sync(channelId, [user], [{ ...post, delete_at: Date.now() }]);
    expect(gone.body.payload.post_errors).toEqual([]);
    expect((await server.admin.get(`/posts/${post.id}`)).status).toBe(404);
  });

  it('can post after their own server has deactivated them', async () => {
    const channelId = await foreignChannel();
    const user = userOf();
    await sync(channelId, [user], []);
    const late = postOf(channelId, user);
    await sync(channelId, [{ ...user, delete_at: 5 }], [late]);
    expect((await find(late.id)).message).toBe(late.message);
  });

  it('and their programs cannot hide their origin', async () => {
    const channelId = await foreignChannel();
    const user = userOf({
      nickname: '\u202enimda\u200b',
      first_name: ' A\u00a0\n\tdmin ',
      last_name: '\u2066',
    });
    const named = (override_username: string) =>
      postOf(channelId, user, { props: { from_webhook: 'true', override_username } });
    const posts = [`admin${' '.repeat(58)}`, '\u202enimda', '\u200b\u2060'].map(named);
    await sync(channelId, [user], posts);
    const account = (await server.admin.get(`/users/${user.id}`)).body;
    expect([account.nickname, account.first_name, account.last_name]).toEqual(['nimda', 'A dmin', '']);
    const { name } = (await server.admin.get(`/remotecluster/${connection.remoteId}`)).body;
    const shown = await Promise.all(posts.map(async ({ id }) => (await find(id)).props.override_username));
    expect(shown).toEqual([`admin:${name}`, `nimda:${name}`, undefined]);
  });

  it('all get a name here, however many of them have the same one there', async () => {
    const name = 'n'.repeat(64);
    const made = await server.admin.post('/remotecluster', { name, default_team_id: teamId });
    const over = other.open(made.body.invite, made.body.password);
    expect((await other.confirm(over)).status).toBe(200);
    const channelId = await foreignChannel(other, over);
    const username = `same${newId().slice(0, 8)}`;
    const users = Array.from({ length: 24 }, () => userOf({ username }));
    const { body } = await sync(channelId, users, [], other, over);
    expect(body.payload.user_errors).toEqual([]);
    const names = await Promise.all(
      users.map(async ({ id }) => (await server.admin.get(`/users/${id}`)).body.username as string),
    );
    expect(new Set(names).size).toBe(24);
    const suffix = `:${name.slice(0, 32)}`;
    expect(names.every((each) => each.startsWith(username) && each.endsWith(suffix))).toBe(true);
    expect(names.every((each) => each.length <= 64)).toBe(true);
    expect(names.slice(0, 2)).toEqual([`${username}${suffix}`, `${username}-2${suffix}`]);
  });

  it('are limited per connection, even concurrently and after a restart', async () => {
    const over = await connected(other);
    const channelId = await foreignChannel(other, over);
    const users = Array.from({ length: 6 }, () => userOf());
    await server.withSettings({ maxUsersPerConnection: 3 }, async () => {
      const [first, ...rest] = users;
      const known = await sync(channelId, [first], [], other, over);
      expect(known.body.payload.user_errors).toEqual([]);
      const counts = server.app.get(SyncedAccounts)['taken'];
      counts.delete(over.remoteId); // as a new process
      const answers = await Promise.all(rest.map((user) => sync(channelId, [user], [], other, over)));
      expect(answers.flatMap(({ body }) => body.payload.user_errors)).toHaveLength(3);
      const refused = userOf();
      const late = postOf(channelId, refused);
      const { payload } = (await sync(channelId, [refused], [late], other, over)).body;
      expect(payload).toMatchObject({ user_errors: [refused.id], post_errors: [late.id] });
      const renamed = await sync(channelId, [{ ...first, nickname: 'new' }], [], other, over);
      expect(renamed.body.payload.user_errors).toEqual([]);
      expect((await server.admin.get(`/users/${first.id}`)).body.nickname).toBe('new');
    });
    const again = await sync(channelId, users, [], other, over);
    expect(again.body.payload.user_errors).toEqual([]);
  });
});

describe('a peer that pretends to be another one', () => {
  it('by its URL receives nothing of that peer', async () => {
    const real = await connected(other);
    const channelId = await foreignChannel(other, real);
    const user = userOf();
    const post = postOf(channelId, user);
    await sync(channelId, [user], [post], other, real);
    await server.admin.delete(`/remotecluster/${real.remoteId}`);
    const { body } = await server.admin.post('/remotecluster', { name: 'thief', default_team_id: teamId });
    const thief = peer.open(body.invite, body.password);
    expect((await peer.confirm(thief, { site_url: other.siteUrl })).status).toBe(200);
    const answer = await invite(channelId, {}, peer, thief);
    expect(answer.status).toBe(503);
    const own = await foreignChannel(peer, thief);
    const renamed = await sync(own, [{ ...user, nickname: 'stolen' }], [], peer, thief);
    expect(renamed.status).toBe(503);
    expect((await server.admin.get(`/users/${user.id}`)).body.nickname).toBe('');
    // The real server, with a new connection, is trusted once it has been reached.
    const again = await connected(other);
    expect((await invite(channelId, {}, other, again)).body.status).toBe('OK');
    const edited = { ...post, message: 'edited', edit_at: post.create_at + 1 };
    expect((await sync(channelId, [user], [edited], other, again)).body.payload.post_errors).toEqual([]);
    expect((await find(post.id)).message).toBe('edited');
  });

  it('by the ids of its posts blocks none of them', async () => {
    const real = await connected(other);
    const [taken, channelId] = [await foreignChannel(), await foreignChannel(other, real)];
    const [thief, user] = [userOf(), userOf()];
    const root = postOf(channelId, user);
    const reply = postOf(channelId, user, { root_id: root.id });
    await sync(taken, [thief], [postOf(taken, thief, { id: root.id })]);
    const told = async (...posts: any[]): Promise<any[]> => {
      const { body } = await sync(channelId, [user], posts, other, real);
      expect(body.payload.post_errors).toEqual([]);
      return Object.values((await server.admin.get(`/channels/${channelId}/posts`)).body.posts);
    };
    const posts = await told(root, reply, root);
    const [stored, below] = [root, reply].map(({ message }) =>
      posts.find((each) => each.message === message),
    );
    expect(below).toMatchObject({ id: reply.id, root_id: stored.id });
    const edited = await told({ ...root, message: 'edited', edit_at: root.create_at + 1 });
    expect(edited.find(({ id }) => id === stored.id).message).toBe('edited');
    const left = await told({ ...root, delete_at: Date.now() });
    expect(left.filter(({ user_id }) => user_id === user.id)).toEqual([]);
    expect((await find(root.id)).user_id).toBe(thief.id);
  });

  it('by the id of a deleted connection is refused', async () => {
    const real = await invitedBy(other, server);
    await server.admin.delete(`/remotecluster/${real.remoteId}`);
    const offer = peer.invite(3, { remote_id: real.remoteId });
    const answer = await acceptInvite(server, offer);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('invite')]);
    expect(peer.requestsTo('confirm_invite', real.remoteId)).toEqual([]);
  });
});
