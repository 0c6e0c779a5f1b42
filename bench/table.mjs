/** Formats figures as text. */
export function ms(value) {
  return value === undefined || value === null ? '' : value.toFixed(2);
}

export const whole = (value) => (value === undefined ? '' : String(Math.round(value)));
export const few = (value) => (value === undefined ? '' : value < 10 ? value.toFixed(2) : whole(value));
export const percent = (value) => (value === undefined ? '' : `${Math.round(value * 100)} %`);

export function markdown(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function table(head, rows) {
  console.log(`${markdown(head, rows)}\n`);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Each column is a title and a format; empty columns are omitted. */
const COLUMNS = [
  ['connections', (row) => whole(row.connections)],
  ['done', (row) => (row.connections === undefined ? whole(row.done) : '')],
  ['per second', (row) => whole(row.rate)],
  ['p50 ms', (row) => ms(row.p50)],
  ['p95 ms', (row) => ms(row.p95)],
  ['p99 ms', (row) => ms(row.p99)],
  ['receipt p50 ms', (row) => ms(row.receiptP50)],
  ['receipt p99 ms', (row) => ms(row.receiptP99)],
  ['yardstick per second', (row) => whole(row.yardstick?.rate)],
  ['yardstick p99 ms', (row) => ms(row.yardstick?.p99)],
  ['share of it', (row) => percent(row.share)],
  ['CPU µs', (row) => whole(row.cpuMicros)],
  ['yardstick CPU µs', (row) => whole(row.yardstick?.cpuMicros)],
  ['statements', (row) => few(row.statements)],
  ['commits', (row) => few(row.commits)],
  ['rows read', (row) => few(row.rowsRead)],
  ['start ms', (row) => whole(row.startMs)],
  ['CPU ms', (row) => whole(row.cpuMs)],
  ['RSS MiB', (row) => whole(row.rssMiB)],
  ['heap MiB', (row) => few(row.heapMiB)],
];

export function printRows(rows, title) {
  const columns = COLUMNS.filter(([, show]) => rows.some((row) => show(row) !== ''));
  console.log(`### ${title}\n`);
  table(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, show]) => show(row))),
  );
}
