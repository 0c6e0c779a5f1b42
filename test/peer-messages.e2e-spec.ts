import { DataSource } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { DatabaseUnavailable } from '../src/platform/common/errors/common-errors.js';
import { newId } from '../src/platform/common/ids.js';
import type { JsonObject } from '../src/platform/common/json.js';
import { insertRows } from '../src/platform/database/rows.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import { Delivery, DeliveryAttempt } from '../src/delivery/dispatch/delivery.entity.js';
import { PeerMessageKind } from '../src/remote-cluster/messages/peer-message.kind.js';
import { type PeerMessage, PeerMessages } from '../src/remote-cluster/messages/peer-messages.service.js';
import { type Topic, Topics } from '../src/remote-cluster/messages/topics.js';
import { RemoteClusterTokens } from '../src/remote-cluster/remote-cluster-tokens.js';
import type { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import { RemoteClustersRepository } from '../src/remote-cluster/remote-clusters.repository.js';
import { SecretUnreadable } from '../src/platform/secrets/secret-box.js';
import { acceptedBy, recordOf, startPeeringServer } from './factories/peers.js';
import { answers, ForeignPeer, type PeerConnection } from './fakes/foreign-peer.js';
import { createTestDatabase } from './support/test-database.js';
import { eventually, type TestServer } from './support/test-server.js';

const TOPIC = 'test_topic';
const DAY_MS = 86_400_000;
const OK = '{"status":"OK","err":"","payload":{"taken":true}}';
const FAIL = '{"status":"FAIL","err":"Not now.","payload":null}';
/** The error of the contract, as a peer returns it. */
const errorOf = (status: number): string =>
  JSON.stringify({ id: 'api.x', message: 'No.', status_code: status });

let server: TestServer;
let peer: ForeignPeer;
let topic: Partial<Topic<unknown>>;
/** The instance that has received a response. */
let working = 0;

beforeAll(async () => {
  server = await startPeeringServer({ PEER_PING_INTERVAL: '100ms' });
  peer = await ForeignPeer.start();
  registerTopic();
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(() => {
  topic = {};
  peer.misbehave('ping', answers(500)); // so that no ping wakes waiting messages
});
afterEach(async () => {
  jest.restoreAllMocks();
  peer.misbehave('ping');
  peer.misbehave('msg');
  for (const { remote_id: id } of (await server.admin.get('/api/v4/remotecluster')).body)
    await server.admin.delete(`/api/v4/remotecluster/${id}`);
});

const registerTopic = (): void => {
  for (const [index, topics] of server.everywhere(Topics).entries())
    topics.register({
      name: TOPIC,
      parse: (payload) => payload,
      receive: () => Promise.resolve(null),
      acknowledged: async (...given) => {
        working = index;
        await topic.acknowledged?.(...given);
      },
      refused: async (...given) => {
        working = index;
        await topic.refused?.(...given);
      },
      isWanted: async (...given) => (await topic.isWanted?.(...given)) ?? true,
      groupOf: (sent) => topic.groupOf?.(sent) ?? String(sent['group']),
    });
};
const messages = (): PeerMessages => server.app.get(PeerMessages);
const rows = () => server.app.get(DataSource).getRepository(Delivery);
const clusterOf = async ({ remoteId }: PeerConnection): Promise<RemoteCluster> =>
  (await server.app.get(RemoteClustersRepository).findLive(remoteId))!;
const newMessage = (payload: JsonObject): PeerMessage => ({ topic: TOPIC, payload, subjectId: newId() });
/** A message that is neither stored nor sent. */
const build = (peer: RemoteCluster, payload: JsonObject): Delivery =>
  messages().companionOf([{ peer, message: newMessage(payload) }]).rows[0] as Delivery;
const send = (cluster: RemoteCluster, ...payloads: JsonObject[]): Promise<Delivery[]> =>
  server.app.get(UnitOfWork).run(async () => {
    const sent: Delivery[] = [];
    for (const payload of payloads) sent.push(await messages().send(cluster, newMessage(payload)));
    return sent;
  });
const again = ({ id }: Delivery): Promise<Delivery> => rows().findOneByOrFail({ id });
const reaches = (delivery: Delivery, status: string): Promise<Delivery> =>
  eventually(async () => {
    const row = await again(delivery);
    return row.status === status ? row : undefined;
  });
const hasTried = (delivery: Delivery, attempts: number): Promise<unknown> =>
  eventually(async () => (await again(delivery)).attempts >= attempts);
const notesOf = async ({ id }: Delivery): Promise<string[]> =>
  (
    await server.app
      .get(DataSource)
      .getRepository(DeliveryAttempt)
      .find({ where: { deliveryId: id }, order: { number: 'ASC' } })
  ).map(({ note }) => note);
/** What the peer was asked about a connection: the numbers of the payloads, and its responses. */
const asked = ({ remoteId }: PeerConnection): [number, number][] =>
  peer
    .requestsTo('msg', remoteId)
    .map(({ frame, status }) => [frame.msg.payload.n as number, status] as [number, number]);
const withSchedule = <T>(delaysMs: number[], action: () => Promise<T>): Promise<T> =>
  server.withSettings({ outgoingScheduleMs: delaysMs }, action);
/** The peer responds to messages by number and attempt; the default is [200, OK]. */
const answer = (respond: (n: number, time: number, payload: any) => [number, string] | undefined): void => {
  const times = new Map<string, number>();
  peer.misbehave('msg', (request, response, properly) => {
    const { id, payload } = request.frame.msg;
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    const [status, text] = respond(payload.n, time, payload) ?? [200, OK];
    return answers(status, text)(request, response, properly);
  });
};

describe('a message that cannot be prepared', () => {
  it('fails with the reason, and blocks nothing', async () => {
    const refused: unknown[] = [];
    topic.refused = async (_, sent) => void refused.push(sent['n']);
    topic.isWanted = async (_, sent) => {
      if (sent['n'] === 1) throw new TypeError('The share of it is broken.');
      return true;
    };
    const connection = await acceptedBy(peer, server);
    const [broken, next] = await send(await clusterOf(connection), { n: 1 }, { n: 2 });
    await reaches(next!, 'delivered');
    expect(await again(broken!)).toMatchObject({
      status: 'failed',
      reason: 'unprepared',
      attempts: 1,
      lastError: 'unprepared',
    });
    expect(await notesOf(broken!)).toEqual([
      'It could not be prepared: TypeError: The share of it is broken.',
    ]);
    expect(asked(connection)).toEqual([[2, 200]]);
    expect(refused).toEqual([1]);
    expect(server.logs.some((line) => line.includes(broken!.id) && line.includes('"error"'))).toBe(true);
  });

  it('because the database is away waits', async () => {
    let isAway = true;
    topic.isWanted = () =>
      isAway ? Promise.reject(new DatabaseUnavailable(new Error('away'))) : Promise.resolve(true);
    const prepares = server.everywhere(PeerMessageKind).map((kind) => jest.spyOn(kind, 'prepare'));
    const cluster = await clusterOf(await acceptedBy(peer, server));
    const [message] = await send(cluster, { n: 1 });
    await eventually(() => prepares.some(({ mock }) => mock.calls.length > 0));
    isAway = false;
    await eventually(async () => {
      messages().peerAnswers(cluster.id);
      return (await again(message!)).status === 'delivered';
    });
  });

  it('because the key of its token is missing waits', async () => {
    const cluster = await clusterOf(await acceptedBy(peer, server));
    const boxes = server.everywhere(RemoteClusterTokens).map((tokens) =>
      jest.spyOn(tokens, 'remoteToken').mockImplementation(() => {
        throw new SecretUnreadable('A stored secret was encrypted with another key.');
      }),
    );
    const [message] = await send(cluster, { n: 1 });
    await eventually(() => boxes.some(({ mock }) => mock.calls.length > 0));
    boxes.forEach((box) => box.mockRestore());
    await eventually(async () => {
      messages().peerAnswers(cluster.id);
      return (await again(message!)).status === 'delivered';
    });
    expect((await again(message!)).attempts).toBe(1);
  });
});

describe('a response to a message', () => {
  const final: [number, string][] = [
    [400, errorOf(400)],
    [404, errorOf(404)],
    [422, errorOf(422)],
    [413, '<html>from a proxy in front of the peer</html>'],
  ];
  it('is final when the peer itself cannot accept the message, and when it is too large', async () => {
    const refused: unknown[] = [];
    topic.refused = async (_, sent) => void refused.push(sent['n']);
    const connection = await acceptedBy(peer, server);
    answer((n) => final[n]);
    const numbers = [...final.keys(), final.length];
    const sent = await send(await clusterOf(connection), ...numbers.map((n) => ({ n })));
    await reaches(sent.at(-1)!, 'delivered');
    for (const [n, [status]] of final.entries())
      expect(await again(sent[n]!)).toMatchObject({ status: 'failed', attempts: 1, lastCode: status });
    expect(refused).toEqual([...final.keys()]);
  });

  const passing: [times: number, status: number, text: string][] = [
    [1, 404, 'default backend - 404'],
    [1, 404, '{"id":"a","status_code":"404"}'],
    [1, 400, '<html></html>'],
    [1, 410, errorOf(410)],
    [1, 503, errorOf(503)],
    [3, 200, '{}'],
    [1, 200, '<html></html>'],
  ];
  it('does not come from the peer otherwise, and the message is sent again', async () => {
    const connection = await acceptedBy(peer, server);
    answer((n, time) => {
      const [times = 0, status = 200, text = ''] = passing[n] ?? [];
      return time <= times ? [status, text] : undefined;
    });
    await withSchedule([0, 5], async () => {
      const sent = await send(await clusterOf(connection), ...passing.map((_, n) => ({ n })));
      await reaches(sent.at(-1)!, 'delivered');
      for (const [n, [times]] of passing.entries())
        expect(await again(sent[n]!)).toMatchObject({ status: 'delivered', attempts: times + 1 });
    });
    const numbers = asked(connection).map(([n]) => n);
    expect(numbers).toEqual([...numbers].sort((x, y) => x - y));
  });

  it('is logged once and counted, and so is the recovery', async () => {
    const connection = await acceptedBy(peer, server);
    const cluster = await clusterOf(connection);
    answer((_, time) => (time < 3 ? [502, 'An ingress'] : undefined));
    const lines = () => server.logs.filter((line) => line.includes(connection.remoteId));
    await withSchedule([0, 5], async () => {
      const [message] = await send(cluster, { n: 1 });
      await eventually(() => {
        messages().peerAnswers(cluster.id);
        return asked(connection).length === 3;
      });
      await reaches(message!, 'delivered');
    });
    await eventually(() => lines().some((line) => line.includes('accepts messages again')));
    expect(lines().filter((line) => line.includes('does not accept messages (HTTP 502)'))).toHaveLength(1);
    expect(await server.metrics()).toMatch(
      /hookline_delivery_attempts_total\{outcome="retrying",error="http_5xx"\} [1-9]/,
    );
    for (const outcome of ['accepted', 'retrying'])
      expect(await server.metrics()).toMatch(
        new RegExp(`^hookline_peer_messages_total\\{direction="sent",outcome="${outcome}"\\} [1-9]`, 'm'),
      );
  });

  it('of FAIL is final the third time, and earlier outages do not count', async () => {
    const connection = await acceptedBy(peer, server);
    const said: [number, string][] = [
      [500, ''],
      [502, ''],
      [200, FAIL],
      [503, ''],
      [200, FAIL],
    ];
    answer((n, time) => (n === 1 ? said[time - 1] : [200, FAIL]));
    await withSchedule([0, 5], async () => {
      const [first, second] = await send(await clusterOf(connection), { n: 1 }, { n: 2 });
      expect(await reaches(second!, 'failed')).toMatchObject({ attempts: 3, reason: 'refused' });
      expect(await again(first!)).toMatchObject({ status: 'delivered', attempts: 6 });
      expect((await notesOf(second!)).at(-1)).toBe('The peer refused: Not now.');
      const lines = () => server.logs.filter((line) => line.includes(connection.remoteId));
      await eventually(() => lines().some((line) => line.includes('rejected a message')));
      expect(lines().filter((line) => /accepts? messages/.test(line))).toHaveLength(2);
    });
  });

  it('of FAIL finally leaves one attempt to others of its group, until one of them is accepted', async () => {
    const connection = await acceptedBy(peer, server);
    const cluster = await clusterOf(connection);
    answer((_, __, { good }) => (good ? undefined : [200, FAIL]));
    const attemptsOf = async (...payloads: JsonObject[]): Promise<number[]> => {
      const sent = await send(cluster, ...payloads);
      await eventually(async () => (await again(sent.at(-1)!)).finishAt > 0);
      return Promise.all(sent.map(async (message) => (await again(message)).attempts));
    };
    await withSchedule([0, 5], async () => {
      expect(
        await attemptsOf(
          { n: 1, group: 'a' },
          { n: 2, group: 'a' },
          { n: 3, group: 'b' },
          { n: 4, group: 'a' },
          { n: 5, group: 'a', good: true },
          { n: 6, group: 'a' },
          { n: 7, group: 'b' },
        ),
      ).toEqual([3, 1, 3, 1, 1, 3, 1]);
    });
  });
});

describe('messages that wait for a peer', () => {
  const pinged = async (connection: PeerConnection, count: number): Promise<void> => {
    const before = peer.requestsTo('ping', connection.remoteId).length;
    await eventually(() => peer.requestsTo('ping', connection.remoteId).length >= before + count);
  };

  it('continue with the next successful ping, even if the peer was never reported offline', async () => {
    const connection = await acceptedBy(peer, server);
    peer.misbehave('ping');
    await eventually(async () => (await recordOf(server, connection)).last_ping_at > 0);
    peer.misbehave('ping', answers(500));
    await pinged(connection, 2); // a successful one may have been running
    answer((_, time) => (time === 1 ? [503, ''] : undefined));
    await withSchedule([0, DAY_MS], async () => {
      const [message] = await send(await clusterOf(connection), { n: 1 });
      await hasTried(message!, 1);
      expect((await again(message!)).status).toBe('pending');
      peer.misbehave('ping');
      expect(await reaches(message!, 'delivered')).toMatchObject({ attempts: 2 });
    });
  });

  it('stay open while connections are switched off, and continue afterwards', async () => {
    const connection = await acceptedBy(peer, server);
    const cluster = await clusterOf(connection);
    const prepares = server.everywhere(PeerMessageKind).map((kind) => jest.spyOn(kind, 'prepare'));
    const [first, second] = await server.withSettings({ enableRemoteClusters: false }, async () => {
      const sent = await send(cluster, { n: 1 }, { n: 2 });
      await eventually(() => prepares.some(({ mock }) => mock.calls.length > 0));
      for (const { mock } of prepares) await mock.results[0]?.value;
      return sent;
    });
    expect([await again(first!), await again(second!)]).toMatchObject([
      { status: 'pending', attempts: 0 },
      { status: 'pending', attempts: 0 },
    ]);
    peer.misbehave('ping');
    await reaches(second!, 'delivered');
    expect(asked(connection)).toEqual([
      [1, 200],
      [2, 200],
    ]);
  });
});

describe('the order of messages', () => {
  it('is that of their creation, no matter what the clock has said', async () => {
    const connection = await acceptedBy(peer, server);
    const cluster = await clusterOf(connection);
    const now = Date.now();
    const clock = jest.spyOn(server.app.get(Clock), 'now');
    const built = [now + DAY_MS, now - 1_000, now - 2_000, now, now - DAY_MS].map((at, n) => {
      clock.mockReturnValueOnce(at);
      return build(cluster, { n });
    });
    await insertRows(server.app.get(DataSource).manager, Delivery, built);
    server.app.get(DeliveriesService).wake(built[0]!.lane);
    await Promise.all(built.map((message) => reaches(message, 'delivered')));
    expect(asked(connection).map(([n]) => n)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('the effects of a response', () => {
  /** Marks the connection, and loses the database before the end, or throws a bug, this often. */
  const follows =
    (failures: Error[], calls: number[]) =>
    async (cluster: RemoteCluster, sent: JsonObject): Promise<void> => {
      calls.push(sent['n'] as number);
      const displayName = `seen ${sent['n'] as number}`;
      await server.everywhere(RemoteClustersRepository)[working]!.update(cluster.id, { displayName });
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
  const nameOf = async (connection: PeerConnection): Promise<string> =>
    (await recordOf(server, connection)).display_name;
  const outage = (): DatabaseUnavailable => new DatabaseUnavailable(new Error('away'));

  it.each([
    ['acknowledged', OK, 'delivered', 1],
    ['refused', FAIL, 'failed', 3],
  ] as const)('%s is stored with the outcome, or neither is', async (event, text, outcome, asks) => {
    const calls: number[] = [];
    const outages = Array.from({ length: 1_000 }, outage);
    topic[event] = follows(outages, calls);
    const connection = await acceptedBy(peer, server);
    const cluster = await clusterOf(connection);
    answer(() => [200, text]);
    await withSchedule([0, 5], async () => {
      const [message] = await send(cluster, { n: 1 });
      await eventually(() => calls.length >= 2);
      expect(await again(message!)).toMatchObject({ status: 'pending', attempts: asks - 1 });
      expect(await nameOf(connection)).toBe('tallinn');
      outages.length = 0;
      await eventually(async () => (await again(message!)).status === outcome);
      expect(await nameOf(connection)).toBe('seen 1');
      expect(asked(connection)).toHaveLength(asks);
    });
  });

  it('are not stored when the message was settled in another way in the meantime', async () => {
    const calls: number[] = [];
    topic.acknowledged = follows([], calls);
    const connection = await acceptedBy(peer, server);
    const message = build(await clusterOf(connection), { n: 1 });
    peer.misbehave('msg', async (_, response) => {
      await rows().update({ id: message.id }, { status: 'cancelled', finishAt: 1 });
      response.end(OK);
    });
    await insertRows(server.app.get(DataSource).manager, Delivery, [message]);
    server.app.get(DeliveriesService).dispatch([message]);
    await eventually(() =>
      server.logs.some((line) => line.includes(`${message.id} was settled by another change`)),
    );
    expect(calls).toEqual([1]);
    expect(await nameOf(connection)).toBe('tallinn');
    expect(await again(message)).toMatchObject({ status: 'cancelled', attempts: 0 });
  });

  it.each([
    ['acknowledged', OK, 'delivered'],
    ['refused', errorOf(400), 'failed'],
  ] as const)('%s with a bug is logged, and blocks nothing', async (event, text, outcome) => {
    const calls: number[] = [];
    topic[event] = follows([new TypeError('a bug')], calls);
    const connection = await acceptedBy(peer, server);
    answer(() => [outcome === 'failed' ? 400 : 200, text]);
    const [first, second] = await send(await clusterOf(connection), { n: 1 }, { n: 2 });
    await reaches(second!, outcome);
    expect(await again(first!)).toMatchObject({ status: outcome, attempts: 1 });
    expect(calls).toEqual([1, 2]);
    expect(await nameOf(connection)).toBe('seen 2');
    expect(server.logs.some((line) => line.includes(first!.id) && line.includes('a bug'))).toBe(true);
  });
});

/** Last, because the logs belong to the server that was started last. */
describe('the order of messages after a restart', () => {
  it('continues, although the clock was set back in the meantime', async () => {
    const database = await createTestDatabase();
    const start = () => startPeeringServer({ PEER_PING_INTERVAL: '1h' }, database);
    const before = server;
    try {
      server = await start();
      registerTopic();
      const connection = await acceptedBy(peer, server);
      const message = build(await clusterOf(connection), { n: 1 });
      const ahead = Date.now() + DAY_MS;
      Object.assign(message, { seq: ahead * 2048, nextAttemptAt: ahead, createAt: ahead });
      await insertRows(server.app.get(DataSource).manager, Delivery, [message]);
      await server.close();

      let isReady = false;
      answer(() => (isReady ? undefined : [503, '']));
      server = await start();
      registerTopic();
      await withSchedule([0, 5], async () => {
        const [later] = await send(await clusterOf(connection), { n: 2 });
        isReady = true;
        messages().peerAnswers(later!.ownerId);
        await reaches(later!, 'delivered');
      });
      expect(
        asked(connection)
          .filter(([, status]) => status === 200)
          .map(([n]) => n),
      ).toEqual([1, 2]);
    } finally {
      await server.close();
      server = before;
      await database.drop();
    }
  }, 60_000);
});
