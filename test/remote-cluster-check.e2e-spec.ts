import { checkIsRunning } from '../src/remote-cluster/remote-clusters.errors.js';
import { PingsService } from '../src/remote-cluster/pings/pings.service.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { acceptedBy, openedBy, recordOf, startPeeringServer } from './factories/peers.js';
import { answers, ForeignPeer, once, type PeerConnection } from './fakes/foreign-peer.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, type TestServer } from './support/test-server.js';

const TOO_MANY = 'api.context.rate_limit_exceeded.app_error';
const MINUTE = 60_000;

/** docs/contract/secure-connections.md#check */
describe('a check of a connection', () => {
  let server: TestServer;
  let peer: ForeignPeer;
  beforeAll(async () => {
    server = await startPeeringServer({ PEER_PING_INTERVAL: '10m' });
    peer = await ForeignPeer.start();
  });
  afterAll(async () => {
    await server.close();
    await peer.close();
  });
  afterEach(() => {
    peer.misbehave('ping');
    jest.restoreAllMocks();
  });

  const check = ({ remoteId }: Pick<PeerConnection, 'remoteId'>, client = server.admin): Promise<Answer> =>
    client.post(`/remotecluster/${remoteId}/check`);
  const pingsTo = ({ remoteId }: PeerConnection): number => peer.requestsTo('ping', remoteId).length;
  /** A connection that has had its first ping. */
  const connected = async (): Promise<PeerConnection> => {
    const connection = await acceptedBy(peer, server);
    await eventually(async () => (await recordOf(server, connection)).last_ping_at > 0);
    return connection;
  };

  it('pings the peer once in the usual way, and returns the result', async () => {
    const connection = await connected();
    const before = pingsTo(connection);
    const { status, body } = await check(connection);
    expect(status).toBe(200);
    expect(body).toEqual({
      is_reached: true,
      error: '',
      round_trip_ms: expect.any(Number),
      clock_skew_ms: expect.any(Number),
      checked_at: expect.any(Number),
      last_heard_at: expect.any(Number),
      is_silent: false,
      given_site_url: server.url,
      site_url: server.url,
      advice: '',
    });
    expect(pingsTo(connection)).toBe(before + 1);
    const [first, last] = peer.requestsTo('ping', connection.remoteId).slice(-2);
    expect(Object.keys(last!.headers)).toEqual(Object.keys(first!.headers));
    expect(Object.keys(last!.frame.msg)).toEqual(Object.keys(first!.frame.msg));
    expect((await recordOf(server, connection)).last_ping_at).toBeGreaterThan(0);
  });

  it.each([
    [401, /does not know this connection/],
    [404, /no server with secure connections/],
    [501, /disabled on the other server/],
    [500, /cannot reach the other one/],
  ])('explains the response %i of the peer', async (status, advice) => {
    const connection = await connected();
    peer.misbehave('ping', answers(status, '{}'));
    const { body } = await check(connection);
    expect(body).toMatchObject({
      is_reached: false,
      error: `The peer responded with ${status}.`,
      is_silent: false,
    });
    expect(body).not.toHaveProperty('clock_skew_ms');
    expect(body.advice).toMatch(advice);
  });

  it('reports that the peer probably cannot call, if it responds but has long been silent', async () => {
    const connection = await connected();
    await eventually(async () => (await recordOf(server, connection)).last_heard_at > 0);
    const { last_heard_at: heardAt } = await recordOf(server, connection);
    const clock = server.app.get(Clock);
    const now = clock.now.bind(clock);
    const setAhead = (ms: number): void => void jest.spyOn(clock, 'now').mockImplementation(() => now() + ms);
    setAhead(9 * MINUTE);
    expect((await check(connection)).body).toMatchObject({ is_silent: false, last_heard_at: heardAt });
    setAhead(12 * MINUTE);
    const silent = (await check(connection)).body;
    expect(silent).toMatchObject({ is_reached: true, is_silent: true, last_heard_at: heardAt });
    expect(silent.advice).toContain(`It probably cannot reach ${server.url}`);
    await peer.ping(connection);
    await eventually(async () => (await recordOf(server, connection)).last_heard_at > heardAt);
    expect((await check(connection)).body).toMatchObject({ is_silent: false });
  });

  it('waits for a running ping, and times out if that hangs', async () => {
    const connection = await connected();
    let release: () => void = () => undefined;
    peer.misbehave(
      'ping',
      once((_, response) => {
        release = () => void response.destroy();
      }),
    );
    const first = check(connection);
    await eventually(() => pingsTo(connection) >= 2);
    const second = await check(connection);
    expectError(second, 409, 'api.remote_cluster.check_running.app_error');
    expect(second.headers['retry-after']).toBe('15');
    const third = check(connection);
    release();
    expect((await first).body).toMatchObject({ is_reached: false });
    expect((await third).body).toMatchObject({ is_reached: true });
  }, 20_000);

  it('is limited per connection', async () => {
    const [one, other] = [await connected(), await connected()];
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await check(one)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    await eventually(async () => (await check(one)).status === 429); // with several processes, each notifies the others
    const before = pingsTo(one);
    const refused = await check(one);
    expectError(refused, 429, TOO_MANY);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(pingsTo(one)).toBe(before);
    expect((await check(other)).status).toBe(200);
  });

  it('requires a confirmed connection', async () => {
    const pending = await openedBy(peer, server);
    expectError(await check(pending), 400, 'api.remote_cluster.check_not_confirmed.app_error');
    await server.admin.delete(`/remotecluster/${pending.remoteId}`);
    expectError(await check(pending), 404, 'api.remote_cluster.get.not_found');
    expectError(await check({ remoteId: newId() }), 404, 'api.remote_cluster.get.not_found');
    await server.withSettings({ enableRemoteClusters: false }, async () =>
      expectError(await check(pending), 501),
    );
  });

  it('has one audit row, even when it is refused after it has written something', async () => {
    const connection = await connected();
    await check(connection);
    for (const pings of server.everywhere(PingsService))
      jest.spyOn(pings, 'pingNow').mockImplementation(async ({ id }) => {
        await server.app
          .get(UnitOfWork)
          .run(() =>
            server.app.get(UnitOfWork).manager.query('UPDATE remote_clusters SET id = id WHERE id = ?', [id]),
          );
        throw checkIsRunning();
      });
    expectError(await check(connection), 409);
    const { body } = await server.admin.get('/audits?action=checkRemoteCluster');
    const ofIt = body.filter(({ target }: any) => target === connection.remoteId);
    const results = ofIt.map(({ result, status_code: status }: any) => `${result} ${status}`);
    expect(results.sort()).toEqual(['fail 409', 'success 200']);
  });
});
