import { findDrifts } from '../bench/drift.mjs';

const readings = (of: (n: number) => Record<string, number>, count = 30): Record<string, number>[] =>
  Array.from({ length: count }, (_, n) => of(n));

describe('findDrifts', () => {
  it('finds none in figures that fluctuate', () => {
    const steady = readings((n) => ({
      liveMiB: 60 + (n % 3),
      handles: 40 + (n % 5),
      'post p99': 20 + (n % 7),
    }));
    expect(findDrifts(steady)).toEqual([]);
  });

  it('ignores a single slow phase', () => {
    expect(findDrifts(readings((n) => ({ 'post p99': n === 28 ? 900 : 20 })))).toEqual([]);
  });

  it.each([
    ['memory that leaks', 'liveMiB', (n: number) => 60 + n],
    ['handles that are not closed', 'handles', (n: number) => 40 + n],
    ['a loop that gets slower', 'loopDelayMs', (n: number) => 10 + n],
    ['latencies that grow', 'list p50', (n: number) => 2 + n / 5],
  ])('finds %s', (_, name, figure) => {
    const [drift] = findDrifts(readings((n) => ({ [name]: figure(n), rssMiB: 150 })));
    expect(drift).toEqual({ name, first: figure(5), last: figure(25) });
  });

  it('needs three readings', () => {
    expect(() => findDrifts(readings(() => ({ handles: 1 }), 2))).toThrow('three are needed');
  });
});
