import type { ScheduledWork, Schedules } from '../../platform/database/schedules/schedules.js';
import { RemoteClusterDeleted } from '../events/remote-cluster-deleted.event.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { PingsService } from './pings.service.js';

const settings = { enableRemoteClusters: true, peerPingIntervalMs: 60_000, peerOfflineAfterMs: 300_000 };

describe('deleted connections', () => {
  const rowOf = (id: string) =>
    ({ id, remoteId: `remote ${id}`, siteUrl: 'https://peer.example', lastPingAt: 1_000 }) as RemoteCluster;
  let pings: PingsService;
  let round: () => Promise<void>;
  let list: (rows: readonly RemoteCluster[]) => void;
  let answers: Map<string, (reply: object) => void>;
  let updated: string[];

  beforeEach(() => {
    answers = new Map();
    updated = [];
    let work: ScheduledWork['work'] | undefined;
    const schedules = { add: (one: ScheduledWork) => void (work = one.work) };
    round = async () => work?.({ wasHere: true, lastAt: 0 });
    pings = new PingsService(
      { listConfirmed: () => new Promise((resolve) => (list = resolve)) } as never,
      { update: ({ id }: RemoteCluster) => Promise.resolve(void updated.push(id)) } as never,
      {
        send: ({ remoteId }: RemoteCluster) => new Promise((resolve) => answers.set(remoteId, resolve)),
      } as never,
      { remoteToken: () => 'token' } as never,
      { peerAnswers: () => undefined } as never,
      { forget: () => undefined, answered: () => undefined } as never,
      { publish: () => Promise.resolve() } as never,
      { now: () => 2_000 },
      settings as never,
      schedules as unknown as Schedules,
    );
  });

  const deleteRow = (id: string): void => pings.onDeleted(new RemoteClusterDeleted(`remote ${id}`, id));
  const settle = (): Promise<void> => new Promise(setImmediate);

  it('leave nothing behind where no round is made', () => {
    for (let i = 0; i < 100; i++) deleteRow(`${i}`);
    expect(pings['deleted'].size).toBe(0);
  });

  it('are not pinged if they were being listed, and then leave nothing behind', async () => {
    const running = round();
    deleteRow('a');
    list([rowOf('a'), rowOf('b')]);
    await running;
    expect([...answers.keys()]).toEqual(['remote b']);
    expect(pings['deleted'].size).toBe(0);
  });

  it('are not stored if they were being pinged, and then leave nothing behind', async () => {
    const running = round();
    list([rowOf('a'), rowOf('b')]);
    await running;
    deleteRow('a');
    for (const answer of answers.values()) answer({});
    await settle();
    expect(updated).toEqual(['b']);
    expect(pings['deleted'].size).toBe(0);
  });
});
