import { FakeBus } from '../../../../test/fakes/bus.js';
import type { HeldTurns } from './held-turns.js';
import { LaneWatch } from './lane-watch.js';

describe('LaneWatch', () => {
  let due: string[];
  let isCutOff: boolean;
  let held: { room: number; haveOthersToWait: boolean; taken: string[] };
  let jobs: { isUnavailable: boolean; canWork: () => boolean };
  let heard: number;
  let watch: LaneWatch;

  beforeEach(() => {
    due = [];
    held = { room: 2, haveOthersToWait: false, taken: [] };
    isCutOff = false;
    jobs = { isUnavailable: false, canWork: () => true };
    heard = 0;
    const [bus, another] = FakeBus.connect('here', 'there') as [FakeBus, FakeBus];
    another.subscribe('lanes.look', () => heard++);
    watch = new LaneWatch(
      {
        lanesAfter: (_after: string, status: string) =>
          isCutOff
            ? Promise.reject(new Error('refused'))
            : Promise.resolve(status === 'pending' ? due.map((lane) => ({ lane, nextAttemptAt: 0 })) : []),
      } as never,
      {
        listFree: (lanes: readonly string[]) =>
          Promise.resolve(lanes.map((lane) => ({ lane, isAbandoned: true }))),
      } as never,
      Object.assign(held, {
        find: () => undefined,
        take: (lane: string) => Promise.resolve(void held.taken.push(lane)),
      }) as unknown as HeldTurns,
      Object.assign(jobs, { waitingCount: () => Promise.resolve(0) }) as never,
      bus,
      { reload: () => undefined } as never,
      { now: () => 1_000 },
    );
  });

  it('keeps others from sweeping after its own sweep', async () => {
    due = ['a'];
    await watch['check']();
    await new Promise(setImmediate);
    expect([held.taken, heard]).toEqual([['a'], 1]);
  });

  it('lets others sweep when it cannot read due lanes or has no room for them', async () => {
    due = ['a', 'b', 'c'];
    await watch['check']();
    isCutOff = true;
    await expect(watch['check']()).rejects.toThrow('refused');
    await new Promise(setImmediate);
    expect(heard).toBe(0);
  });

  it('lets turns end without Redis only while there are lanes without a slot', async () => {
    jobs.isUnavailable = true;
    due = ['a', 'b', 'c'];
    await watch['check']();
    expect(held.haveOthersToWait).toBe(true);
    expect(held.taken).toHaveLength(2);
    due = ['d'];
    await watch['check']();
    expect(held.haveOthersToWait).toBe(false);
  });
});
