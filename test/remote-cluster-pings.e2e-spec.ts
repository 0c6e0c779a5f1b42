import { PingsService } from '../src/remote-cluster/pings/pings.service.js';
import { Clock } from '../src/platform/common/clock.js';
import {
  announcedOnline,
  acceptedBy,
  invitedBy,
  openedBy,
  presenceOf,
  recordOf,
  startPeeringServer,
} from './factories/peers.js';
import {
  answers,
  ForeignPeer,
  type Misbehaviour,
  pads,
  type PeerConnection,
  type PeerRequest,
} from './fakes/foreign-peer.js';
import { onlyWhere } from './support/only-where.js';
import { isAlone } from './support/test-database.js';
import { eventually, type TestServer } from './support/test-server.js';

const ID = /^[A-Za-z0-9]{26}$/;
const MIB = 1024 * 1024;

/** docs/contract/secure-connections.md#ping */
describe('pings', () => {
  const onAlone = onlyWhere(isAlone, 'each process knows the clocks of those peers that answered it');
  let pinger: TestServer;
  let target: ForeignPeer;
  beforeAll(async () => {
    pinger = await startPeeringServer({ PEER_PING_INTERVAL: '100ms', PEER_OFFLINE_AFTER: '2s' });
    target = await ForeignPeer.start();
  });
  afterAll(async () => {
    await pinger.close();
    await target.close();
  });
  afterEach(async () => {
    target.misbehave('ping');
    for (const { remote_id: id } of (await pinger.admin.get('/api/v4/remotecluster')).body)
      await pinger.admin.delete(`/api/v4/remotecluster/${id}`);
  });

  const pingsTo = ({ remoteId }: PeerConnection): number => target.requestsTo('ping', remoteId).length;
  const morePings = async (connection: PeerConnection, count = 3): Promise<void> => {
    const before = pingsTo(connection);
    await eventually(() => pingsTo(connection) >= before + count);
  };
  const lastPing = async (connection: PeerConnection): Promise<number> =>
    (await recordOf(pinger, connection)).last_ping_at as number;

  it('contain the token of the peer and the time', async () => {
    const connection = await acceptedBy(target, pinger);
    const ping = await eventually(() => target.requestsTo('ping', connection.remoteId)[0]);
    expect(ping.headers).toMatchObject({
      'content-type': 'application/json',
      'x-remotecluster-id': connection.remoteId,
      'x-remotecluster-token': connection.token,
    });
    expect(ping.frame).toEqual({
      remote_id: connection.remoteId,
      msg: {
        id: expect.stringMatching(ID),
        topic: 'ping',
        create_at: expect.any(Number),
        payload: { sent_at: expect.any(Number), recv_at: 0 },
      },
    });
    expect(Math.abs(ping.frame.msg.payload.sent_at - ping.at)).toBeLessThan(10_000);
    await morePings(connection);
    const ids = target.requestsTo('ping', connection.remoteId).map(({ frame }) => frame.msg.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  onAlone.it('measure the clock offset of the peer from the middle of the call', async () => {
    const connection = await acceptedBy(target, pinger);
    const metrics = pinger.app.get(PingsService)['metrics'];
    const noted = () => metrics['peers'].get(connection.remoteId);
    const most = async (): Promise<number> =>
      Number(
        /^hookline_peer_clock_skew_seconds (\S+)$/m.exec((await pinger.anonymous.get('/metrics')).text)?.[1],
      );
    const clock = jest.spyOn(pinger.app.get(Clock), 'now');
    try {
      let sentAt = Date.now();
      for (const [seconds, received] of [
        [5_400, (middle: number) => middle + 5_400_000],
        [5_400, () => 'no time'],
        [5_400, () => 0],
        [-3_600, (middle: number) => middle - 3_600_000],
        [0, (middle: number) => middle],
      ] as const) {
        sentAt += 10_000;
        clock.mockReturnValue(sentAt);
        const came = new Promise<PeerRequest>((resolve) =>
          target.misbehave('ping', (request, response) => {
            // An earlier one has another time.
            if (request.frame.msg.payload.sent_at !== sentAt) return void response.end('{}');
            clock.mockReturnValue(sentAt + 1_000);
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify({ sent_at: sentAt, recv_at: received(sentAt + 500) }));
            target.misbehave('ping', (_, next) => void next.destroy());
            resolve(request);
          }),
        );
        expect((await came).frame.msg.create_at).toBe(sentAt);
        await eventually(async () => (await lastPing(connection)) === sentAt + 1_000);
        await eventually(() => noted()?.answeredAt === sentAt + 1_000); // once it is stored
        expect(noted()?.skewSeconds).toBe(seconds);
        expect(Math.abs(await most())).toBeGreaterThanOrEqual(Math.abs(seconds));
      }
    } finally {
      clock.mockRestore();
    }
  });

  it('are sent to each confirmed connection in turn, and to no pending or deleted one', async () => {
    const three = [
      await acceptedBy(target, pinger),
      await invitedBy(target, pinger),
      await acceptedBy(target, pinger),
    ];
    const pending = await openedBy(target, pinger);
    const gone = await acceptedBy(target, pinger);
    await morePings(gone, 1);
    await pinger.admin.delete(`/api/v4/remotecluster/${gone.remoteId}`);
    await morePings(three[0]!, 2); // a running one has arrived
    const before = three.map(pingsTo);
    const goneBefore = pingsTo(gone);
    await eventually(() => three.every((connection, i) => pingsTo(connection) >= before[i]! + 5));
    const rounds = three.map((connection, i) => pingsTo(connection) - before[i]!);
    expect(Math.max(...rounds) - Math.min(...rounds)).toBeLessThanOrEqual(1);
    expect(pingsTo(pending)).toBe(0);
    expect(pingsTo(gone)).toBe(goneBefore);
  });

  const failures: [string, Misbehaviour][] = [
    ['201', answers(201, '{"sent_at":1,"recv_at":1}')],
    ['500', answers(500, '{"sent_at":1,"recv_at":1}')],
    ['200 and HTML', answers(200, '<html></html>', 'text/html')],
    ['200 and half of it', answers(200, '{"sent_at":1,')],
    ['more than 1 MiB', pads('{"sent_at":1,"recv_at":1}', MIB + 1)],
    ['a broken connection', (_, response) => void response.destroy()],
  ];
  it('with a response other than 200 and an object are failures, and are retried', async () => {
    const connection = await acceptedBy(target, pinger);
    for (const [what, behaviour] of failures) {
      await eventually(async () => (await lastPing(connection)) > 0);
      target.misbehave('ping', behaviour);
      await morePings(connection, 2); // a successful one may have been running
      const before = await lastPing(connection);
      await morePings(connection, 2);
      expect([what, await lastPing(connection)]).toEqual([what, before]);
      target.misbehave('ping');
      await eventually(async () => (await lastPing(connection)) > before);
    }
  });

  it('report once that a peer goes offline or online', async () => {
    const connection = await openedBy(target, pinger);
    const heard = presenceOf(pinger, connection);
    target.misbehave('ping', answers(500));
    await target.confirm(connection);
    await morePings(connection, 5);
    expect(heard).toEqual([]);
    target.misbehave('ping');
    await eventually(() => heard.length > 0);
    await morePings(connection, 5);
    expect(heard).toEqual(['online']);

    const seen = await lastPing(connection);
    target.misbehave('ping', answers(500));
    await eventually(() => heard.length > 1);
    const stale = await lastPing(connection);
    expect(stale).toBeGreaterThanOrEqual(seen);
    await morePings(connection, 5);
    expect(heard).toEqual(['online', 'offline']);
    expect(await lastPing(connection)).toBe(stale);
    const list = await pinger.admin.get('/api/v4/remotecluster?exclude_offline=true');
    expect(list.body.map((record: any) => record.remote_id)).not.toContain(connection.remoteId);

    target.misbehave('ping');
    await eventually(() => heard.length > 2);
    await morePings(connection, 5);
    expect(heard).toEqual(['online', 'offline', 'online']);
  });

  it('to a peer that has deleted the connection keep the record, which goes offline', async () => {
    const connection = await announcedOnline(pinger, () => invitedBy(target, pinger));
    const heard = presenceOf(pinger, connection);
    connection.isDeleted = true;
    await eventually(() => heard.includes('offline'));
    await morePings(connection);
    expect(heard).toEqual(['offline']);
    expect(await recordOf(pinger, connection)).toMatchObject({ delete_at: 0, site_url: target.siteUrl });
  });

  it('are not rescheduled by the pings of the peer', async () => {
    target.misbehave('ping', answers(500));
    const connection = await acceptedBy(target, pinger);
    for (let i = 0; i < 3; i++) expect((await target.ping(connection)).status).toBe(200);
    expect(await lastPing(connection)).toBe(0);
  });
});
