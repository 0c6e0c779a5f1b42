import { FakeBus } from '../../../../test/fakes/bus.js';
import type { HeldTurns } from './held-turns.js';
import { LaneWatch } from './lane-watch.js';

describe('LaneWatch without Redis', () => {
  let due: string[];
  let held: { room: number; haveOthersToWait: boolean; taken: string[] };
  let watch: LaneWatch;

  beforeEach(() => {
    due = [];
    held = { room: 2, haveOthersToWait: false, taken: [] };
    const [bus] = FakeBus.connect('here') as [FakeBus];
    watch = new LaneWatch(
      {
        lanesAfter: (_after: string, status: string) =>
          Promise.resolve(status === 'pending' ? due.map((lane) => ({ lane, nextAttemptAt: 0 })) : []),
      } as never,
      {
        listFree: (lanes: readonly string[]) =>
          Promise.resolve(lanes.map((lane) => ({ lane, isAbandoned: false }))),
      } as never,
      Object.assign(held, {
        find: () => undefined,
        take: (lane: string) => Promise.resolve(void held.taken.push(lane)),
      }) as unknown as HeldTurns,
      { isAway: true, waitingCount: () => Promise.resolve(0) } as never,
      bus,
      { reload: () => undefined } as never,
      { now: () => 1_000 },
    );
  });

  it('lets turns end for lanes that there is no room for, and only while there are such', async () => {
    due = ['a', 'b', 'c'];
    await watch['look']();
    expect(held.haveOthersToWait).toBe(true);
    expect(held.taken).toHaveLength(2);
    due = ['d'];
    await watch['look']();
    expect(held.haveOthersToWait).toBe(false);
  });
});
