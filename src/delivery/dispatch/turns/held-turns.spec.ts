import fc from 'fast-check';
import { FakeTurns } from '../../../../test/dispatch-model/fake-turns.js';
import { HeldTurns } from './held-turns.js';
import type { LaneDrain, LaneWork } from '../lane-drain.js';
import type { Turn } from './lane-turns.js';

const LANE = 'http://a';
const numRuns = Number(process.env['DISPATCH_RUNS'] ?? 500);

/** A participating process; the test controls its lane state. */
class Process {
  readonly turns = new Map<string, Turn>();
  readonly work = new Map<string, LaneWork>();
  readonly released: string[] = [];
  readonly held: HeldTurns;

  constructor(
    readonly id: string,
    table: FakeTurns,
    maxLanes = 10,
  ) {
    const drain = {
      taken: (lane: string, turn: Turn) => this.turns.set(lane, turn),
      left: (lane: string) => this.turns.delete(lane),
      workOn: (lane: string) => this.work.get(lane) ?? { claimed: 0, isBusy: false, pausedMs: 0 },
    };
    const onReleased = (lanes: readonly string[]): unknown => this.released.push(...lanes);
    this.held = new HeldTurns(table, id, drain as unknown as LaneDrain, maxLanes, String, onReleased);
    this.held.start();
  }

  get turn(): Turn | undefined {
    return this.turns.get(LANE);
  }

  set isBusy(isBusy: boolean) {
    this.work.set(LANE, { claimed: 0, isBusy, pausedMs: 0 });
  }

  set isCalling(isCalling: boolean) {
    this.work.set(LANE, { claimed: isCalling ? 1 : 0, isBusy: isCalling, pausedMs: 0 });
  }

  /** Simulates a frozen process: nothing runs until it is woken. */
  freeze(): void {
    for (const task of ['renewals', 'reviews'] as const) clearInterval(this.held[task]['timer']);
  }

  wake(): void {
    this.held.start();
  }
}

let table: FakeTurns;
let one: Process;
let other: Process;

beforeAll(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterAll(() => jest.useRealTimers());
beforeEach(() => start());
afterEach(() => jest.clearAllTimers());

function start(): void {
  jest.clearAllTimers();
  table = new FakeTurns();
  one = new Process('one', table);
  other = new Process('other', table);
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const wait = async (ms: number): Promise<void> => {
  for (let waited = 0; waited < ms; waited += 250) {
    jest.advanceTimersByTime(250);
    await settle();
  }
};

describe('a turn', () => {
  it('is held by one process for as long as there is work', async () => {
    one.isBusy = true;
    const [mine, theirs] = await Promise.all([one.held.take(LANE), other.held.take(LANE)]);
    expect([mine?.lane, theirs]).toEqual([LANE, undefined]);
    await wait(60_000);
    expect(one.turn?.isValid).toBe(true);
    expect(await other.held.take(LANE)).toBeUndefined();
  });

  it('ends after some time without work, and notifies its lane', async () => {
    const turn = await one.held.take(LANE);
    await wait(1_500);
    expect(one.turn?.isValid).toBe(true);
    await wait(1_000);
    expect([one.turn, one.released]).toEqual([undefined, [LANE]]);
    await turn?.over;
    expect((await other.held.take(LANE))?.epoch).toBe(turn!.epoch + 1);
  });

  it('starts no call after its end, and is released when the outcomes of its calls are stored', async () => {
    const turn = await one.held.take(LANE);
    one.work.set(LANE, { claimed: 1, isBusy: false, pausedMs: 0 });
    await wait(5_000);
    expect([turn?.isValid, one.held.find(LANE)]).toEqual([false, turn]);
    expect(await other.held.take(LANE)).toBeUndefined();
    one.isBusy = false;
    await wait(250);
    expect(one.held.find(LANE)).toBeUndefined();
  });

  it('ends after its slice only if others wait, and keeps the pause of its lane', async () => {
    await one.held.take(LANE);
    one.work.set(LANE, { claimed: 0, isBusy: true, pausedMs: 20_000 });
    await wait(40_000);
    expect(one.turn?.isValid).toBe(true);
    one.held.haveOthersToWait = true;
    await wait(500);
    expect(one.turn).toBeUndefined();
    expect(await other.held.take(LANE)).toBeUndefined();
    await wait(20_000);
    expect(await other.held.take(LANE)).toBeDefined();
  });

  it('starts no call after a freeze, and is lost if another process has taken the lane', async () => {
    one.isBusy = true;
    other.isBusy = true;
    const turn = await one.held.take(LANE);
    one.freeze();
    await wait(8_500);
    expect(turn?.isValid).toBe(false);
    await wait(1_000);
    const next = await other.held.take(LANE);
    expect(next?.isValid).toBe(true);
    one.wake();
    expect(turn?.isValid).toBe(false);
    await wait(3_000);
    expect([one.turn, table.isInForce(LANE, turn!.epoch)]).toEqual([undefined, false]);
    expect(other.turn?.isValid).toBe(true);
  });

  it('continues if no other process has taken the lane', async () => {
    one.isBusy = true;
    const turn = await one.held.take(LANE);
    one.freeze();
    await wait(30_000);
    one.wake();
    await wait(3_250);
    expect([turn?.isValid, table.isInForce(LANE, turn!.epoch)]).toEqual([true, true]);
  });

  it('is not taken while a call of an earlier turn runs', async () => {
    await one.held.take(LANE);
    one.isCalling = true;
    one.freeze();
    await wait(10_000);
    await other.held.take(LANE);
    one.wake();
    await wait(6_000); // lost here, idle and released there
    expect([one.turn, other.turn]).toEqual([undefined, undefined]);
    expect(await one.held.take(LANE)).toBeUndefined();
    one.isCalling = false;
    expect(await one.held.take(LANE)).toBeDefined();
  });

  it('is released if the reply to its claim was lost', async () => {
    table.deaf.add('one');
    expect(await one.held.take(LANE)).toBeUndefined();
    table.deaf.clear();
    await wait(6_500);
    expect(table.rows.get(LANE)?.holder).toBe('');
  });

  it('is released when the process stops, and is not taken afterwards', async () => {
    await one.held.take(LANE);
    one.held.close();
    expect([await one.held.take('http://b'), one.held.room]).toEqual([undefined, 0]);
    await one.held.stop();
    expect([table.rows.get(LANE)?.holder, one.released]).toEqual(['', [LANE]]);
  });

  it('is refused when the process holds too many lanes', async () => {
    const small = new Process('small', table, 2);
    const turns = await Promise.all(
      ['http://a', 'http://b', 'http://c'].map((lane) => small.held.take(lane)),
    );
    expect(turns.map((turn) => turn?.lane)).toEqual(['http://a', 'http://b', undefined]);
  });
});

it('is always held by one process at a time', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom('take', 'freeze', 'wake', 'deaf', 'hear', 'work', 'rest'),
      who: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(250, 1_000, 3_000, 9_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      start();
      let lastEpoch = 0;
      for (const each of steps) {
        if ('ms' in each) await wait(each.ms);
        else {
          const process = each.who ? one : other;
          if (each.kind === 'take') await process.held.take(LANE);
          else if (each.kind === 'freeze') process.freeze();
          else if (each.kind === 'wake') process.wake();
          else if (each.kind === 'deaf') table.deaf.add(process.id);
          else if (each.kind === 'hear') table.deaf.delete(process.id);
          else process.isBusy = each.kind === 'work';
        }
        const valid = [one, other].flatMap(({ turn }) => (turn?.isValid ? [turn] : []));
        expect(valid.length).toBeLessThanOrEqual(1);
        for (const { epoch } of valid) expect(table.isInForce(LANE, epoch!)).toBe(true);
        const epoch = table.rows.get(LANE)?.epoch ?? 0;
        expect(epoch).toBeGreaterThanOrEqual(lastEpoch);
        lastEpoch = epoch;
      }
    }),
    { numRuns },
  );
}, 600_000);
