/** Compares two result files. */
import { keyOf } from './results.mjs';
import { few, ms, percent, table, whole } from './table.mjs';

/** Each figure: its title, its field in a row, and its format. The fields depend on the scenario. */
const FIGURES = [
  ['per second', ({ rate }) => rate, whole],
  ['share of the yardstick', ({ share, yardstick }) => yardstick && share, percent],
  ['p50 ms', ({ p50 }) => p50, ms],
  ['p99 ms', ({ p99 }) => p99, ms],
  // scaled
  ['rate to that without', ({ rateShare }) => rateShare, percent],
  ['CPU to that without', ({ cpuShare }) => cpuShare, percent],
  // per process
  ['CPU µs', ({ cpuMicros }) => cpuMicros, whole],
  ['statements', ({ statements }) => statements, few],
  ['commits', ({ commits }) => commits, few],
  ['rows read', ({ rowsRead }) => rowsRead, few],
  ['start ms', ({ startMs }) => startMs, whole],
  ['CPU ms', ({ cpuMs }) => cpuMs, whole],
  ['RSS MiB', ({ rssMiB }) => rssMiB, whole],
  ['heap MiB', ({ heapMiB }) => heapMiB, few],
];

/** Prints each figure before and after, and the ratio. */
export function printComparison(before, after) {
  if (!before || !after) throw new Error('Name two files: --compare before.json after.json');
  const earlier = new Map(before.rows.map((row) => [keyOf(row), row]));
  for (const row of after.rows) {
    const old = earlier.get(keyOf(row));
    if (!old) continue;
    console.log(`### ${keyOf(row)}\n`);
    table(['', 'before', 'after', 'ratio'], comparisonOf(old, row));
  }
}

/** The figures that both rows have. */
export function comparisonOf(before, after) {
  return FIGURES.map(([title, of, show]) => ({ title, show, pair: [of(before), of(after)] }))
    .filter(({ pair }) => pair.every((value) => Number.isFinite(value)))
    .map(({ title, show, pair }) => [title, ...pair.map(show), ratio(...pair)]);
}

const ratio = (before, after) => (before > 0 ? `${(after / before).toFixed(2)} ×` : '');
