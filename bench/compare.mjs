/** Compares two results. */
import { keyOf } from './results.mjs';
import { few, ms, percent, table, whole } from './table.mjs';

const FIGURES = [
  ['per second', 'rate', whole],
  ['share of the yardstick', 'share', percent],
  ['p50 ms', 'p50', ms],
  ['p99 ms', 'p99', ms],
  ['CPU µs', 'cpuMicros', whole],
  ['statements', 'statements', few],
  ['commits', 'commits', few],
  ['rows read', 'rowsRead', few],
  ['start ms', 'startMs', whole],
  ['CPU ms', 'cpuMs', whole],
  ['RSS MiB', 'rssMiB', whole],
  ['heap MiB', 'heapMiB', few],
];

/** For each figure: before, after, and after in relation to before. */
export function printComparison(before, after) {
  if (!before || !after) throw new Error('Name two files: --compare before.json after.json');
  const earlier = new Map(before.rows.map((row) => [keyOf(row), row]));
  for (const row of after.rows) {
    const old = earlier.get(keyOf(row));
    if (!old) continue;
    console.log(`### ${keyOf(row)}\n`);
    const rows = FIGURES.filter(([, name]) => old[name] !== undefined && row[name] !== undefined);
    table(
      ['', 'before', 'after', 'ratio'],
      rows.map(([title, name, show]) => [
        title,
        show(old[name]),
        show(row[name]),
        ratio(old[name], row[name]),
      ]),
    );
  }
}

const ratio = (before, after) => (before > 0 ? `${(after / before).toFixed(2)} ×` : '');
