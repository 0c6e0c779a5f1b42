import { Bulkheads } from './bulkheads.js';
import { LaneReader } from './lane-reader.js';
import type { LaneTurns } from './turns/lane-turns.js';

const NOW = 1_000_000;

describe('a sweep', () => {
  const due: Record<string, number> = {};
  const ours = new Set<string>();
  const unattended = new Set<string>();
  const bulkheads = new Bulkheads(8, 8, undefined);
  const reader = new LaneReader(
    {
      lanesAfter: (_after: string, status: string) =>
        Promise.resolve(
          status === 'pending'
            ? Object.entries(due).map(([lane, nextAttemptAt]) => ({ lane, nextAttemptAt }))
            : [],
        ),
    } as never,
    {} as never,
    bulkheads,
    {
      isOurs: (lane: string) => ours.has(lane),
      unattended: (lanes: readonly string[]) =>
        Promise.resolve(new Set(lanes.filter((lane) => unattended.has(lane)))),
    } as unknown as LaneTurns,
    { now: () => NOW },
    {} as never,
    () => undefined,
  );
  const swept = async (): Promise<number> => {
    await reader.sweep();
    return reader.oldestDueMs;
  };

  it('reports how long the oldest delivery of its own lanes has been due', async () => {
    ours.add('own');
    due['own'] = NOW - 2_000;
    expect(await swept()).toBe(2_000);
  });

  it('leaves the lanes of an order to the process that holds their turn', async () => {
    due['of another'] = NOW - 600_000;
    expect(await swept()).toBe(2_000);
  });

  it('counts lanes that no process holds', async () => {
    due['of nobody'] = NOW - 5_000;
    unattended.add('of nobody');
    expect(await swept()).toBe(5_000);
  });

  it('unloads lanes that are due much later, except ordered ones', async () => {
    for (const [lane, inMs] of Object.entries({
      'due soon': 59_000,
      'due later': 61_000,
      'order:1': 61_000,
    })) {
      ours.add(lane);
      due[lane] = NOW + inMs;
    }
    await reader.sweep();
    const known = (lane: string): number | undefined => bulkheads.find(lane)?.fresh.dueAt;
    expect([known('due soon'), known('due later'), known('order:1')]).toEqual([NOW + 59_000, undefined, 0]);
    bulkheads.lane('due later');
    await reader.sweep();
    expect(known('due later')).toBe(NOW + 61_000);
  });

  it('does not query what is not due', async () => {
    due['of nobody'] = NOW + 5_000;
    expect(await swept()).toBe(2_000);
  });
});
