import { DataSource } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { PeerPresence } from '../src/remote-cluster/pings/peer-presence.js';
import { PingsService } from '../src/remote-cluster/pings/pings.service.js';
import { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import { acceptedBy, announcedOnline, presenceOf, startPeeringServer } from './factories/peers.js';
import { ForeignPeer } from './fakes/foreign-peer.js';
import { type TestServer } from './support/test-server.js';

const CLAIM_MS = 20_000;
const MINUTE_MS = 60_000;
const AT_ONCE = 3;

/** docs/contract/secure-connections.md#ping */
describe('simultaneous pings', () => {
  let server: TestServer;
  let peer: ForeignPeer;
  let cluster: RemoteCluster;
  let heard: string[];
  let now: number;

  beforeAll(async () => {
    server = await startPeeringServer();
    // A late trigger of Redis starts a round once a test has moved the clock, and its ping takes the claim.
    await Promise.all(server.everywhere(PingsService).map((pings) => pings['rounds'].stop()));
    peer = await ForeignPeer.start();
  });
  afterAll(async () => {
    await server.close();
    await peer.close();
  });
  beforeEach(async () => {
    const connection = await announcedOnline(server, () => acceptedBy(peer, server));
    cluster = await row(connection.remoteId);
    heard = presenceOf(server, connection);
    now = Date.now();
    jest.spyOn(server.app.get(Clock), 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  const row = (remoteId: string): Promise<RemoteCluster> =>
    server.app.get(DataSource).getRepository(RemoteCluster).findOneByOrFail({ liveId: remoteId });
  const several = (): PeerPresence[] =>
    Array.from({ length: AT_ONCE }, () => server.everywhere(PeerPresence)).flat();
  const [first, last] = [(): PeerPresence => several()[0]!, (): PeerPresence => several().at(-1)!];
  const claims = async (): Promise<number[]> =>
    (await Promise.all(several().map((one) => one.claim(cluster)))).filter((until) => until !== undefined);

  it('are one ping, until it has ended', async () => {
    const [until, ...others] = await claims();
    expect([until, others]).toEqual([now + CLAIM_MS, []]);
    now += CLAIM_MS - 1;
    expect(await claims()).toEqual([]);
    await first().release(cluster, until!);
    expect(await claims()).toHaveLength(1);
  });

  it('are taken over by another process when the first one is gone, whose outcome is ignored', async () => {
    const [until] = await claims();
    now += CLAIM_MS;
    const again = await last().claim(cluster);
    expect(again).toBe(now + CLAIM_MS);
    expect(await first().answered(cluster, until!, now)).toBe(false);
    await first().failed(cluster, until!);
    expect(await row(cluster.remoteId)).toMatchObject({ lastPingAt: cluster.lastPingAt, pingedUntil: again });
    expect(await last().answered(cluster, again!, now)).toBe(true);
    expect(await row(cluster.remoteId)).toMatchObject({ lastPingAt: now, pingedUntil: 0 });
  });

  it('do not wait for a claim of a clock that was set back', async () => {
    await claims();
    now -= CLAIM_MS + 1;
    expect(await claims()).toHaveLength(1);
  });

  it('announce once that a peer has gone offline, and that it is back', async () => {
    const fail = async (): Promise<void> => {
      const [until] = await claims();
      await Promise.all([
        ...several().map((one) => one.notHeardOf(cluster)),
        first().failed(cluster, until!),
      ]);
    };
    now = cluster.lastPingAt + 5 * MINUTE_MS - 1;
    await fail();
    expect(heard).toEqual([]);
    now += 1;
    await fail();
    await fail();
    expect(heard).toEqual(['offline']);
    for (let count = 0; count < 2; count++) {
      const [until] = await claims();
      await Promise.all(several().map((one) => one.answered(cluster, until!, now)));
    }
    expect(heard).toEqual(['offline', 'online']);
  });

  it('are not sent to a deleted connection', async () => {
    const until = await first().claim(cluster);
    await server.admin.delete(`/api/v4/remotecluster/${cluster.remoteId}`);
    expect(await last().answered(cluster, until!, now)).toBe(false);
    now += 10 * MINUTE_MS;
    await last().notHeardOf(cluster);
    expect(await claims()).toEqual([]);
    expect(heard).toEqual([]);
  });
});
