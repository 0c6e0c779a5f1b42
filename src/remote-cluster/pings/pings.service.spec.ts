import type { ScheduledWork, Schedules } from '../../platform/database/schedules/schedules.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClusterConfirmed, RemoteClusterDeleted } from '../remote-cluster.events.js';
import { PingsService } from './pings.service.js';

const settings = { enableRemoteClusters: true, peerPingIntervalMs: 60_000, peerOfflineAfterMs: 300_000 };
const NOW = 1_000_000;
const AT_ONCE = 64;
const TIMEOUT_MS = 15_000;

const rowOf = (id: string, lastPingAt = NOW, isAnnouncedOnline = true) =>
  ({
    id,
    remoteId: `remote ${id}`,
    siteUrl: 'https://peer.example',
    lastPingAt,
    isAnnouncedOnline,
  }) as RemoteCluster;

describe('PingsService', () => {
  let pings: PingsService;
  let round: () => Promise<void>;
  let rows: readonly RemoteCluster[];
  let answers: Map<string, (reply: object) => void>;
  let timeouts: number[];
  let stored: string[];
  let silent: string[];
  let published: object[];
  let claim: (id: string) => number | undefined;
  let lookup: Promise<void>;

  beforeEach(() => {
    rows = [];
    answers = new Map();
    timeouts = [];
    stored = [];
    silent = [];
    published = [];
    claim = () => NOW + 20_000;
    lookup = Promise.resolve();
    let work: ScheduledWork['work'] | undefined;
    const schedules = { add: (one: ScheduledWork) => void (work = one.work) };
    round = async () => work?.();
    pings = new PingsService(
      { listConfirmed: () => Promise.resolve(rows) } as never,
      {
        findLive: (remoteId: string) => lookup.then(() => rows.find((row) => row.remoteId === remoteId)),
      } as never,
      {
        claim: ({ id }: RemoteCluster) => Promise.resolve(claim(id)),
        answered: ({ id }: RemoteCluster) => Promise.resolve(stored.push(id) > 0),
        notHeardOf: ({ id }: RemoteCluster) => Promise.resolve(void silent.push(id)),
      } as never,
      {
        send: ({ remoteId }: RemoteCluster, _path: string, _frame: object, timeoutMs: number) => {
          timeouts.push(timeoutMs);
          return new Promise((resolve) => answers.set(remoteId, resolve));
        },
      } as never,
      { remoteToken: () => 'token' } as never,
      { peerAnswers: () => undefined } as never,
      { forget: () => undefined, answered: () => undefined } as never,
      { publish: (event: object) => Promise.resolve(void published.push(event)) } as never,
      { now: () => NOW },
      settings as never,
      schedules as unknown as Schedules,
    );
  });

  const settle = (): Promise<void> => new Promise(setImmediate);
  const pinged = async (): Promise<string[]> => {
    await settle();
    return [...answers.keys()];
  };

  it('does not ping a peer that is already being pinged by this or another process', async () => {
    rows = [rowOf('a'), rowOf('b')];
    claim = (id) => (id === 'a' ? undefined : NOW + 20_000);
    await round();
    expect(await pinged()).toEqual(['remote b']);
    claim = () => NOW + 20_000;
    answers.clear();
    await round();
    pings.onConfirmed(new RemoteClusterConfirmed('remote b', 'b'));
    expect(await pinged()).toEqual(['remote a']);
  });

  it('pings a new connection once, although a round starts during its lookup', async () => {
    rows = [rowOf('a')];
    let release = (): void => undefined;
    lookup = new Promise((resolve) => (release = resolve));
    pings.onConfirmed(new RemoteClusterConfirmed('remote a', 'a'));
    await round();
    expect(await pinged()).toEqual([]);
    release();
    expect(await pinged()).toEqual(['remote a']);
    expect(timeouts).toHaveLength(1);
  });

  it('ends a ping before its claim expires, and starts none after', async () => {
    rows = [rowOf('a'), rowOf('b'), rowOf('c')];
    claim = (id) => NOW + { a: 20_000, b: 5_000, c: 0 }[id]!;
    await round();
    expect(await pinged()).toEqual(['remote a', 'remote b']);
    expect(timeouts).toEqual([TIMEOUT_MS, 5_000]);
  });

  it('does not ping a deleted connection that waits for its turn', async () => {
    rows = Array.from({ length: AT_ONCE + 2 }, (_, index) => rowOf(`${index}`));
    await round();
    expect(await pinged()).toHaveLength(AT_ONCE);
    pings.onDeleted(new RemoteClusterDeleted(`remote ${AT_ONCE}`, `${AT_ONCE}`));
    for (const answer of answers.values()) answer({});
    expect(await pinged()).toHaveLength(AT_ONCE + 1);
    expect(await pinged()).toContain(`remote ${AT_ONCE + 1}`);
    expect(stored).toHaveLength(AT_ONCE);
  });

  it('starts with the peers for which the previous round had no room', async () => {
    const hung = Array.from({ length: AT_ONCE }, (_, index) => rowOf(`${index}`));
    rows = [...hung, rowOf('recent'), rowOf('silent', 1), rowOf('known', 1, false)];
    await round();
    await settle();
    expect(silent).toEqual([]);
    await round();
    expect(silent).toEqual(['silent']);
  });

  it('reports the number of peers in each round', async () => {
    rows = [
      rowOf('a'),
      rowOf('b', NOW - settings.peerOfflineAfterMs + 1),
      rowOf('c', NOW - settings.peerOfflineAfterMs),
    ];
    await round();
    expect(published).toEqual([{ name: 'remote_clusters.counted', online: 2, offline: 1 }]);
  });
});
