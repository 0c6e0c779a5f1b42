import { newId } from '../src/platform/common/ids.js';
import { laneOf, PEER_MESSAGE } from '../src/remote-cluster/messages/peer-messages.service.js';
import { RemoteClustersRepository } from '../src/remote-cluster/remote-clusters.repository.js';
import { MAX_COUNTED } from '../src/shared-channels/shared-channels.read-model.js';
import { insertDeliveries } from './factories/deliveries.js';
import { acceptedBy, mainTeamId, startPeeringServer } from './factories/peers.js';
import { answers, ForeignPeer, type PeerConnection } from './fakes/foreign-peer.js';
import { eventually, type TestServer } from './support/test-server.js';

const AWAY = answers(503, 'later', 'text/plain');

/** GET /api/v4/remotecluster/{remote_id}/sharedchannelremotes: docs/contract/shared-channels.md#records */
describe('the lag of a peer', () => {
  let server: TestServer;
  let teamId: string;
  let peer: ForeignPeer;
  let connection: PeerConnection;

  beforeAll(async () => {
    server = await startPeeringServer({
      OUTGOING_SCHEDULE: '0s,50ms,50ms,50ms,100ms',
      PEER_PING_INTERVAL: '200ms',
    });
    teamId = await mainTeamId(server);
  }, 60_000);
  beforeEach(async () => {
    peer = await ForeignPeer.start();
    connection = await acceptedBy(peer, server);
    const path = `/remotecluster/${connection.remoteId}`;
    await eventually(async () => (await server.admin.get(path)).body.last_ping_at > 0);
  });
  afterEach(async () => {
    await server.admin.delete(`/remotecluster/${connection.remoteId}`);
    await peer.close();
  });
  afterAll(() => server?.close(), 60_000);

  const share = (channelId: string) =>
    server.admin.post(`/remotecluster/${connection.remoteId}/channels/${channelId}/invite`);
  const sharedChannel = async (): Promise<string> => {
    const body = { team_id: teamId, type: 'O', name: `own-${newId()}`, display_name: 'Ours' };
    const { id } = (await server.admin.post('/channels', body)).body;
    expect((await share(id)).status).toBe(200);
    return id as string;
  };
  const stateOf = async (channelId: string): Promise<any> => {
    const path = `/remotecluster/${connection.remoteId}/sharedchannelremotes?include_deleted=true&per_page=200`;
    return (await server.admin.get(path)).body.find((each: any) => each.channel_id === channelId);
  };
  const say = async (channelId: string, message = 'hello'): Promise<string> =>
    (await server.admin.post('/posts', { channel_id: channelId, message })).body.id;
  const accepted = (channelId: string) =>
    eventually(async () => (await stateOf(channelId)).invite_state === 'accepted');
  const isNothingPending = {
    pending_count: 0,
    pending_is_cut: false,
    oldest_pending_seconds: 0,
    pending_error: '',
  };

  it('grows in each channel while it is offline, and is zero when it is back', async () => {
    const [one, two] = [await sharedChannel(), await sharedChannel()];
    await Promise.all([accepted(one), accepted(two)]);
    peer.misbehave('msg', AWAY);
    const first = await say(one);
    await say(one);
    await server.admin.put(`/posts/${first}/patch`, { message: 'changed' });
    await say(two);
    expect(await stateOf(one)).toMatchObject({ pending_count: 3, pending_is_cut: false });
    expect(await stateOf(two)).toMatchObject({ pending_count: 1, pending_is_cut: false });
    await eventually(async () => (await stateOf(one)).oldest_pending_seconds >= 1);
    const { pending_error: error, invite_state: state } = await stateOf(two);
    expect({ error, state }).toEqual({ error: 'HTTP 503', state: 'accepted' });
    await server.admin.delete(`/posts/${first}`); // only the deletion is sent
    expect(await stateOf(one)).toMatchObject({ pending_count: 2 });
    peer.misbehave('msg');
    for (const channelId of [one, two]) {
      await eventually(async () => (await stateOf(channelId)).pending_count === 0);
      expect(await stateOf(channelId)).toMatchObject(isNothingPending);
    }
  });

  it('reports that an invite waits, and why', async () => {
    peer.misbehave('msg', AWAY);
    const channelId = await sharedChannel();
    await say(channelId);
    await eventually(async () => (await stateOf(channelId)).invite_error !== '');
    expect(await stateOf(channelId)).toMatchObject({
      is_invite_accepted: false,
      invite_state: 'pending',
      invite_error: 'HTTP 503',
      pending_count: 1,
    });
    peer.misbehave('msg');
    await accepted(channelId);
    expect((await stateOf(channelId)).invite_error).toBe('');
  });

  it('reports that an invite was refused, with the message of the peer, until it is accepted', async () => {
    peer.misbehave('msg', answers(200, '{"status":"FAIL","err":"No\\u202e team.","payload":null}'));
    const channelId = await sharedChannel();
    await eventually(async () => (await stateOf(channelId)).invite_state === 'failed');
    expect(await stateOf(channelId)).toMatchObject({
      is_invite_accepted: false,
      invite_state: 'failed',
      invite_error: 'The peer refused: No team.',
      ...isNothingPending,
    });
    peer.misbehave('msg');
    expect((await share(channelId)).status).toBe(200);
    await accepted(channelId);
    expect(await stateOf(channelId)).toMatchObject({ is_invite_accepted: true, invite_error: '' });
  });

  it('reports that a change of the channel was refused', async () => {
    const channelId = await sharedChannel();
    await accepted(channelId);
    peer.misbehave('msg', answers(200, '{"status":"FAIL","err":"No.","payload":null}'));
    await server.admin.put(`/channels/${channelId}/patch`, { header: 'changed' });
    await eventually(async () => (await stateOf(channelId)).invite_state === 'failed');
    expect(await stateOf(channelId)).toMatchObject({
      is_invite_accepted: true,
      invite_error: 'The peer refused: No.',
    });
  });

  it('reports that a share has ended', async () => {
    const channelId = await sharedChannel();
    await accepted(channelId);
    await server.admin.post(`/remotecluster/${connection.remoteId}/channels/${channelId}/uninvite`);
    expect(await stateOf(channelId)).toMatchObject({ invite_state: 'ended', invite_error: '' });
  });

  it('is counted up to a limit per connection', async () => {
    const channelId = await sharedChannel();
    await accepted(channelId);
    peer.misbehave('msg', AWAY);
    const subjectId = await say(channelId);
    const row = await server.app
      .get(RemoteClustersRepository, { strict: false })
      .findLive(connection.remoteId);
    const owner = { id: row!.id, channel_id: channelId, callback_urls: [peer.siteUrl] };
    const waiting = { kind: PEER_MESSAGE, lane: laneOf(owner.id), status: 'pending', subjectId } as const;
    await insertDeliveries(server, owner, MAX_COUNTED - 2, waiting);
    const counted = async () => {
      const { pending_count: count, pending_is_cut: isCut } = await stateOf(channelId);
      return { count, isCut };
    };
    expect(await counted()).toEqual({ count: MAX_COUNTED - 1, isCut: false });
    await insertDeliveries(server, owner, 2, waiting);
    expect(await counted()).toEqual({ count: MAX_COUNTED, isCut: true });
  });
});
