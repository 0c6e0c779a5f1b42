import { type Growth, GROWTH, growthOf, MAX_RATIO } from './support/linear-cost/growth.js';
import { HOSTILE_TEXTS } from './support/linear-cost/hostile-texts.js';
import { type TextFunction, upTo } from './support/linear-cost/kinds.js';
import { regularExpressions } from './support/linear-cost/source-code.js';
import { TEXT_FUNCTIONS } from './support/linear-cost/text-functions.js';

/** Long enough to detect quadratic growth, and short enough to finish. */
const FIRST = 8_000;
/** Number of texts of the greatest length that are tried: those that were slowest at first. */
const COSTLIEST = 3;
/** Expressions whose cost is bounded by an earlier step. */
const GUARDED_EXPRESSIONS: Readonly<Record<string, string>> = {
  'messaging/posts/content/slack-text.ts /<([^<|>]+)\\|([^>]+)>/g': 'text after the last > is cut off before',
};
/** Backtracking is visible even with short texts. */
const EXPRESSION_LENGTH = 4_000;

interface Measurement extends Growth {
  readonly name: string;
}

function measure({ prepare }: TextFunction, longest: number, names: Iterable<string>): Measurement[] {
  return Array.from(names, (name) => {
    const textOf = HOSTILE_TEXTS.get(name)!;
    const length = Math.floor(longest / GROWTH);
    return { name, ...growthOf(prepare(textOf(length)), prepare(textOf(GROWTH * length))) };
  });
}

const tooSteep = (measurements: readonly Measurement[]): string[] =>
  measurements
    .filter(({ ratio }) => ratio > MAX_RATIO)
    .map(({ name, ratio }) => `${name}: ${ratio.toFixed(0)} times for ${GROWTH} times the length`);

// A rejection throws: looking for the position would cost more than what is measured.
Error.stackTraceLimit = 0;

describe('the cost of text grows linearly', () => {
  it.each(Object.entries(TEXT_FUNCTIONS))('%s', (_name, each) => {
    const first = Math.min(FIRST, each.max);
    const measurements = measure(each, first, HOSTILE_TEXTS.keys());
    expect(tooSteep(measurements)).toEqual([]);
    if (each.max === first) return;
    const costliest = measurements.sort((a, b) => b.cost - a.cost).slice(0, COSTLIEST);
    expect(
      tooSteep(
        measure(
          each,
          each.max,
          costliest.map(({ name }) => name),
        ),
      ),
    ).toEqual([]);
  });
});

describe('the cost of regular expressions', () => {
  it('grows linearly, for each of the sources', () => {
    const steep: string[] = [];
    for (const [name, pattern] of regularExpressions()) {
      if (name in GUARDED_EXPRESSIONS) continue;
      const each = upTo(EXPRESSION_LENGTH)((text) => {
        pattern.lastIndex = 0;
        return pattern.test(text);
      });
      steep.push(
        ...tooSteep(measure(each, each.max, HOSTILE_TEXTS.keys())).map((figure) => `${name} ${figure}`),
      );
    }
    expect(steep).toEqual([]);
  });
});
