import { comparisonOf } from '../bench/compare.mjs';

describe('the comparison of two results', () => {
  it('includes the ratio to the yardstick if there is one', () => {
    const row = { rate: 1000, share: 0.5, p50: 1, p99: 2, yardstick: { rate: 2000 } };
    expect(comparisonOf(row, { ...row, rate: 1500, share: 0.75 })).toEqual([
      ['per second', '1000', '1500', '1.50 ×'],
      ['share of the yardstick', '50 %', '75 %', '1.50 ×'],
      ['p50 ms', '1.00', '1.00', '1.00 ×'],
      ['p99 ms', '2.00', '2.00', '1.00 ×'],
    ]);
  });

  it('has the figures of scaled', () => {
    const row = { rateShare: 1, cpuShare: 1 };
    expect(comparisonOf(row, row).map(([title]) => title)).toEqual([
      'rate to that without',
      'CPU to that without',
    ]);
  });
});
