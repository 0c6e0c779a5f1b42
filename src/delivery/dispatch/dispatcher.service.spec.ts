import { System } from '../../../test/dispatch-model/system.js';

const TICK_MS = 250;
const SWEEP_EVERY_MS = 30_000;

/** Cases that the random runs of dispatcher.model.spec.ts rarely reach. */
describe('the dispatcher', () => {
  let system: System;

  beforeAll(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterAll(() => jest.useRealTimers());
  beforeEach(async () => {
    system = new System();
    await system.settleQueries(); // the first sweep
  });
  afterEach(() => {
    jest.clearAllTimers();
    expect(system.rules.faults).toEqual([]);
  });

  const called = (): string[] => system.calls.unanswered.map(({ delivery }) => delivery.lane);
  /** A read begins in the event loop turn after the sweep that requests it. */
  const settleAll = async (): Promise<void> => {
    await system.settleQueries();
    await system.settle();
    await system.settleQueries();
  };

  it('continues with jobs in memory when outcomes can be stored again', async () => {
    system.rules.isStuck = true;
    await system.commit(['http://a'], 'offered');
    await settleAll();
    expect(called()).toEqual([]);
    system.rules.isStuck = false;
    await system.wait(TICK_MS, false);
    expect(system.table.queryCount).toBe(0);
    expect(called()).toEqual(['http://a']);
  });

  it('keeps the slot of a call until its large reply is handled', async () => {
    await system.commit(['http://a', 'http://a', 'http://a', 'http://a', 'http://a'], 'offered');
    await settleAll();
    expect(called()).toHaveLength(2);
    const [large, small] = system.calls.unanswered;
    system.calls.answer(large!, { result: 'success', delayMs: 0, isLarge: true });
    await settleAll();
    expect(called()).toHaveLength(1); // its slot stays taken, and its lane may use only half of all slots
    system.calls.answer(small!, { result: 'success', delayMs: 0 });
    await settleAll();
    expect(called()).toHaveLength(2);
    system.calls.store(large!);
    await settleAll();
    expect(called()).toHaveLength(3);
  });

  it('loads the rows of an earlier process on start', async () => {
    await system.commit(['http://a', 'order:x'], 'lost');
    system.kill();
    await settleAll();
    expect(called().sort()).toEqual(['http://a', 'order:x']);
  });

  it('lets an ordered lane pause even if a sweep found its rows during the call', async () => {
    await system.commit(['order:x', 'order:x'], 'offered');
    await settleAll();
    expect(called()).toEqual(['order:x']);
    await system.wait(SWEEP_EVERY_MS, true);
    await settleAll();
    const [call] = system.calls.unanswered;
    system.calls.answer(call!, { result: 'failure', delayMs: 5_000 });
    system.calls.store(call!);
    await settleAll();
    await system.wait(4 * TICK_MS, false);
    await settleAll();
    expect(called()).toEqual([]);
    await system.wait(5_000, true);
    await settleAll();
    expect(called()).toEqual(['order:x']);
  });

  describe('with a backlog for an unreachable endpoint', () => {
    /** Simulates a minute without answers. Returns the number of calls made. */
    const aMinute = async (): Promise<number> => {
      let calls = 0;
      for (let ms = 0; ms < 60_000; ms += TICK_MS) {
        await settleAll();
        for (const call of system.calls.unanswered.filter(({ delivery }) => delivery.lane === 'http://a')) {
          calls++;
          system.calls.answer(call, { result: 'unreachable', delayMs: 0 });
          system.calls.store(call);
        }
        await system.wait(TICK_MS, false);
      }
      return calls;
    };

    beforeEach(() => system.commit(Array<string>(50).fill('http://a'), 'offered'));

    it('probes it without loading its backlog', async () => {
      await aMinute();
      expect(await aMinute()).toBeLessThanOrEqual(60 / 4 + 1);
      expect(system.table.open).toHaveLength(50);
      expect(system.claimed('http://a')).toBeLessThanOrEqual(1);
      await system.commit(['http://b'], 'offered');
      await settleAll();
      expect(called()).toContain('http://b');
    });

    it('delivers everything when it is back', async () => {
      await aMinute();
      await system.finish();
      expect(system.table.open).toEqual([]);
    });

    it('calls it at once when its circuit is reset', async () => {
      await aMinute();
      await system.wait(4_000, false);
      await settleAll();
      for (const call of system.calls.unanswered) {
        system.calls.answer(call, { result: 'unreachable', delayMs: 0 });
        system.calls.store(call);
      }
      await settleAll();
      expect(called()).toEqual([]);
      system.wake('http://a');
      await settleAll();
      expect(called()).toEqual(['http://a']);
    });
  });
});
