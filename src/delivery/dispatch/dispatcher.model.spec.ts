import fc from 'fast-check';
import { commands, sharedCommands } from '../../../test/dispatch-model/commands.js';
import { System } from '../../../test/dispatch-model/system.js';

/** `DISPATCH_RUNS=100000 DISPATCH_SEED=7` runs longer and reproduces failures. */
const numRuns = Number(process.env['DISPATCH_RUNS'] ?? 2_000);
const seed = process.env['DISPATCH_SEED'];

beforeAll(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterAll(() => jest.useRealTimers());

describe('the dispatcher', () => {
  it.each([
    ['calls', false, commands],
    ['when sharing lanes, calls', true, sharedCommands],
  ] as const)(
    '%s every open delivery, none twice at a time, in order where it is promised, and within the limits',
    async (_, isShared, steps) => {
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const system = new System(isShared);
          try {
            await fc.asyncModelRun(() => ({ model: system.rules, real: system }), all);
            await system.finish();
            expect(system.rules.faults).toEqual([]);
          } finally {
            jest.clearAllTimers();
          }
        }),
        { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) },
      );
    },
    3_600_000,
  );
});
