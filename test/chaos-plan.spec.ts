import {
  planAnswer,
  planDowntimes,
  planFault,
  planKind,
  planRound,
  faultKinds,
  receiverKinds,
} from './resilience/chaos-plan.mjs';

const KILLS = 20;
const rounds = Array.from({ length: KILLS + 1 }, (_, index) => index + 1);
const calls = rounds.flatMap((round) =>
  receiverKinds.flatMap((kind) => [1, 2, 3].map((call) => [kind, `go ${round}.0.5`, call] as const)),
);

/** All plans of a run; `order` is the order in which its actors ask. */
function plansOf(seed: number, order: <T>(list: readonly T[]) => readonly T[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const round of order(rounds))
    found.set(`round ${round}`, planRound(seed, round, { kills: KILLS, longestLoadMs: 300 }));
  for (const call of order(calls)) found.set(call.join(' '), planAnswer(seed, ...call));
  const downtimes = planDowntimes(seed);
  for (let turn = 0; turn < 5; turn++) found.set(`down ${turn}`, downtimes.next().value);
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

describe('the plans of a crash run', () => {
  it('depend only on its seed, not on the order in which its actors ask', () => {
    const plans = plansOf(7, (list) => list);
    expect(plansOf(7, (list) => list.toReversed())).toEqual(plans);
    const others = plansOf(8, (list) => list);
    for (const name of ['round 1', 'round 2', 'down 0'])
      expect(others.get(name)).not.toEqual(plans.get(name));
  });

  it.each([1, 2, 3])('contain one stop, and every other event (seed %i)', (seed) => {
    const planned = rounds.map((round) => planRound(seed, round, { kills: KILLS, longestLoadMs: 300 }));
    expect(planned.filter(({ isStop }) => isStop)).toHaveLength(1);
    expect(planned.filter(({ killStartAfterMs }) => killStartAfterMs !== undefined)).not.toEqual([]);
    expect(new Set(planned.map(({ afterMs }) => afterMs)).size).toBeGreaterThan(KILLS / 2);
    const resultsOf = (kind: string): string[] => [
      ...new Set(calls.filter(([of]) => of === kind).map((call) => planAnswer(seed, ...call).result)),
    ];
    expect(resultsOf('prompt')).toEqual(['accept']);
    expect(resultsOf('flaky').sort()).toEqual(['accept', 'error', 'reset']);
  });
});

describe('the plans of a fault run', () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  const decide = (seed: number, round: number): unknown => [
    planKind(seed, round),
    planFault(seed, round, { processes: 3 }),
  ];

  it('depend only on its seed, not on the order in which they are requested', () => {
    const plans = numbers.map((round) => decide(7, round));
    expect(
      numbers
        .toReversed()
        .map((round) => decide(7, round))
        .toReversed(),
    ).toEqual(plans);
    expect(numbers.map((round) => decide(8, round))).not.toEqual(plans);
  });

  it('contain every kind as often as it occurs, before any repeats', () => {
    const often = Object.entries<number>(faultKinds);
    const turn = often.reduce((sum, [, times]) => sum + times, 0);
    const kinds = Array.from({ length: turn }, (_, index) => planKind(3, turn + index + 1));
    for (const [kind, times] of often) expect(kinds.filter((one) => one === kind)).toHaveLength(times);
    expect(new Set(numbers.map((round) => planKind(3, round, ['kill', 'freeze'])))).toEqual(
      new Set(['kill', 'freeze']),
    );
  });
});
