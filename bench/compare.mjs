/** Compares two results. */
import { keyOf } from './results.mjs';
import { few, ms, percent, table, whole } from './table.mjs';

const tenths = (value) => `${(value * 100).toFixed(1)} %`;

/** Each figure: its title, where it stands in a row, and how it is shown. A row has those of its scenario. */
const FIGURES = [
  ['per second', ({ rate }) => rate, whole],
  ['share of the yardstick', ({ share, yardstick }) => yardstick && share, percent],
  ['share of a core', ({ share, yardstick }) => (yardstick ? undefined : share), tenths],
  ['share of a core without', ({ without }) => without, tenths],
  ['p50 ms', ({ p50 }) => p50, ms],
  ['p99 ms', ({ p99 }) => p99, ms],
  // growth
  ['p50 ms of the small size', ({ small }) => small?.p50, ms],
  ['p99 ms of the small size', ({ small }) => small?.p99, ms],
  ['p50, large to small', ({ ratio }) => ratio?.p50, few],
  ['p99, large to small', ({ ratio }) => ratio?.p99, few],
  // live
  ['last ms', ({ last }) => last, ms],
  ['KiB each, live', ({ liveKiB }) => liveKiB, few],
  ['KiB each, resident', ({ rssKiB }) => rssKiB, few],
  ['posting elsewhere', ({ elsewhere }) => elsewhere, percent],
  ['p99 elsewhere to its quiet one', ({ elsewhereP99, p99Ratio }) => elsewhereP99 ?? p99Ratio, few],
  ['cut with MiB unread', ({ unreadMiB }) => unreadMiB, few],
  // burst
  ['due', ({ due }) => due, whole],
  ['gone after s', ({ goneSeconds }) => goneSeconds, few],
  ['gone to its ideal time', ({ gone }) => gone, few],
  ['quiet p99 ms', ({ quietP99 }) => quietP99, ms],
  // console
  ['ms', (row) => row.ms, whole],
  ['ms beside', ({ of }) => of, whole],
  ['ms to those beside', ({ ratio }) => (typeof ratio === 'number' ? ratio : undefined), few],
  ['layout shift', ({ shift }) => shift, ms],
  // scaled, and posts while endpoints begin to fail
  ['rate to that without', ({ rateShare }) => rateShare, percent],
  ['CPU to that without', ({ cpuShare }) => cpuShare, percent],
  // each of a process
  ['CPU µs', ({ cpuMicros }) => cpuMicros, whole],
  ['statements', ({ statements }) => statements, few],
  ['commits', ({ commits }) => commits, few],
  ['rows read', ({ rowsRead }) => rowsRead, few],
  ['start ms', ({ startMs }) => startMs, whole],
  ['CPU ms', ({ cpuMs }) => cpuMs, whole],
  ['RSS MiB', ({ rssMiB }) => rssMiB, whole],
  ['heap MiB', ({ heapMiB }) => heapMiB, few],
];

/** For each figure: before, after, and after in relation to before. */
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
