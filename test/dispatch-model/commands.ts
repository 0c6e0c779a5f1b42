import fc from 'fast-check';
import type { Answer } from './fake-calls.js';
import type { Rules } from './rules.js';
import type { HandOver, System } from './system.js';

/** Ordered lanes of one endpoint. */
const OF_ENDPOINT = ['order:@e:1', 'order:@e:2', 'order:@e:3', 'order:@e:4'];
const LANES = ['http://a', 'http://b', 'order:x', 'order:y', ...OF_ENDPOINT];
/** Lanes with their flows. */
const TARGETS = [
  ...['http://a 1', 'http://a 2', 'http://a 3', 'http://b 1', 'http://b 2', 'order:x', 'order:y'],
  ...OF_ENDPOINT,
];

/** One step of a run. Steps refer to rows, calls and queries by a number modulo their count. */
class Step implements fc.AsyncCommand<Rules, System> {
  constructor(
    private readonly text: string,
    private readonly act: (system: System) => unknown,
  ) {}

  check(): boolean {
    return true;
  }

  async run({ faults }: Rules, system: System): Promise<void> {
    await this.act(system);
    await system.settle();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  toString(): string {
    return this.text;
  }
}

function step<T>(name: string, args: fc.Arbitrary<T>, act: (system: System, given: T) => unknown) {
  return args.map((given) => new Step(`${name}(${fc.stringify(given)})`, (system) => act(system, given)));
}

const lane = fc.constantFrom(...LANES);
const target = fc.constantFrom(...TARGETS);
const index = fc.nat(20);
const nothing = fc.constant(undefined);
const answer = fc.record<Answer>({
  result: fc.constantFrom('success', 'success', 'failure', 'failure', 'unreachable', 'gone', 'postponed'),
  delayMs: fc.constantFrom(0, 100, 1_000, 20_000),
});

const at = <T>(items: readonly T[], number: number): T | undefined => items[number % (items.length || 1)];

const commit = (handOver: HandOver) =>
  step(`commit, ${handOver}:`, fc.array(target, { minLength: 1, maxLength: 6 }), (system, lanes) =>
    system.commit(lanes, handOver),
  );
const commitMany = step(
  'commit many',
  fc.tuple(target, fc.integer({ min: 4, max: 9 })),
  (system, [name, count]) => system.commit(Array<string>(count).fill(name), 'offered'),
);
const answered = step(
  'answer',
  fc.tuple(index, answer, fc.boolean()),
  (system, [number, given, isStored]) => {
    const call = at(system.calls.unanswered, number);
    if (!call) return;
    system.calls.answer(call, given);
    if (isStored) system.calls.store(call);
  },
);
/** Often enough to detect an unreachable receiver. */
const unreachable = step('nobody there', fc.tuple(lane, fc.nat(4)), async (system, [name, count]) => {
  for (let round = 0; round <= count; round++) {
    const call = system.calls.unanswered.find(({ delivery }) => delivery.lane === name);
    if (!call) return;
    system.calls.answer(call, { result: 'unreachable', delayMs: 1_000 });
    system.calls.store(call);
    await system.settle();
  }
});
const stored = step('store', index, ({ calls }, number) => {
  const call = at(calls.unstored, number);
  if (call) calls.store(call);
});
const query = step('query goes on', index, ({ table }, number) => table.step(number));
const queries = step('queries end', nothing, (system) => system.settleQueries());
const outage = step('query fails', index, ({ table }, number) => table.failQuery(number));
const wait = step(
  'wait',
  fc.tuple(fc.constantFrom(250, 1_000, 3_500, 5_000), fc.boolean()),
  (system, [ms, isHeldUp]) => system.wait(ms, isHeldUp),
);
const sweep = step('wait for a sweep', nothing, (system) => system.wait(30_000, true));
const retry = step('retry by hand', index, (system, number) => {
  // An open delivery of an ordered lane keeps its place: it is not retried by hand.
  const rows = [...system.table.rows.values()];
  const row = at(
    rows.filter(({ lane: of, status }) => !of.startsWith('order:') || status !== 'pending'),
    number,
  );
  if (row) system.retry(row.id);
});
const cancelOne = step('cancel one', index, (system, number) => {
  const row = at(system.table.open, number);
  system.cancel(({ id }) => id === row?.id);
});
const cancelLane = step('cancel all of', lane, (system, name) => system.cancel((row) => row.lane === name));
const wake = step('wake', lane, (system, name) => system.wake(name));
const resume = step('resume', lane, (system, name) => system.resume(name));
const stuck = step('outcomes cannot be stored:', fc.boolean(), ({ rules }, isStuck) => {
  rules.isStuck = isStuck;
});
const kill = step('kill', nothing, (system) => system.kill());
const restart = step('restart, calls answered:', fc.boolean(), (system, areAnswered) =>
  system.restart(areAnswered),
);

const endTurn = step(
  'turn',
  fc.tuple(lane, fc.constantFrom('end' as const, 'expire' as const)),
  (system, [name, how]) => system.endTurn(name, how),
);
const giveTurns = step('turns begin', nothing, (system) => system.giveTurns());
const elsewhere = step(
  'commit elsewhere',
  fc.array(target, { minLength: 1, maxLength: 4 }),
  (system, lanes) => system.commitElsewhere(lanes),
);

const reload = step('cancelled elsewhere, perhaps', nothing, (system) => system.reload());

/** The frequency of each. */
const own = [
  ...[commit('offered'), commit('offered'), commit('late'), commit('lost'), commitMany],
  ...[answered, answered, answered, answered, unreachable, unreachable, stored, stored],
  ...[query, query, query, query, queries, outage],
  ...[wait, wait, sweep, retry, retry, cancelOne, cancelLane],
  ...[wake, wake, resume, stuck, kill, restart],
];
const LENGTH = { maxCommands: 60, size: 'max' } as const;

/** What can happen in a process that uses its database alone. */
export const commands = fc.commands(own, LENGTH);
/** What can happen where several processes share the lanes. */
export const sharedCommands = fc.commands(
  [...own, ...[giveTurns, giveTurns, giveTurns, giveTurns, endTurn, endTurn, elsewhere, elsewhere, reload]],
  LENGTH,
);
