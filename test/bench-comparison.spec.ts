import { comparisonOf } from '../bench/compare.mjs';

const titles = (row: object): unknown[] => comparisonOf(row, row).map(([title]) => title);

describe('the comparison of two results', () => {
  it('has the share of the yardstick where there is one', () => {
    const row = { rate: 1000, share: 0.5, p50: 1, p99: 2, yardstick: { rate: 2000 } };
    expect(comparisonOf(row, { ...row, rate: 1500, share: 0.75 })).toEqual([
      ['per second', '1000', '1500', '1.50 ×'],
      ['share of the yardstick', '50 %', '75 %', '1.50 ×'],
      ['p50 ms', '1.00', '1.00', '1.00 ×'],
      ['p99 ms', '2.00', '2.00', '1.00 ×'],
    ]);
  });

  it('takes the share of a core for none of the yardstick', () => {
    expect(comparisonOf({ share: 0.02, without: 0.01 }, { share: 0.03, without: 0.01 })).toEqual([
      ['share of a core', '2.0 %', '3.0 %', '1.50 ×'],
      ['share of a core without', '1.0 %', '1.0 %', '1.00 ×'],
    ]);
  });

  it.each<[string, object, string[]]>([
    [
      'growth',
      { small: { p50: 1, p99: 2 }, large: {}, ratio: { p50: 1, p99: 2 }, p50: 1, p99: 4 },
      ['p50 ms of the small size', 'p50, large to small', 'p99, large to small'],
    ],
    [
      'live',
      { last: 1, liveKiB: 1, rssKiB: 1, elsewhere: 1, elsewhereP99: 1, unreadMiB: 1 },
      ['last ms', 'KiB each, resident', 'posting elsewhere', 'p99 elsewhere to its quiet one'],
    ],
    [
      'burst',
      { rate: 1, due: 1, goneSeconds: 1, gone: 1, quietP99: 1, p99: 1, p99Ratio: 1 },
      ['due', 'gone to its ideal time', 'quiet p99 ms', 'p99 elsewhere to its quiet one'],
    ],
    ['console', { ms: 1, of: 1, ratio: 1, shift: 0 }, ['ms', 'ms to those beside', 'layout shift']],
    ['scaled', { rateShare: 1, cpuShare: 1 }, ['rate to that without', 'CPU to that without']],
  ])('knows the figures of %s', (_, row, expected) => {
    expect(titles(row)).toEqual(expect.arrayContaining(expected));
  });
});
