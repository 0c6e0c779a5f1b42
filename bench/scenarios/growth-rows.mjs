/** The rows of `growth.mjs`. */
import { ms, percent, table, whole } from '../table.mjs';

/** A row that tells a small figure from a large one, or one without something from one with it. */
export function judged(name, aim, small, large) {
  const ratio = { p50: large.p50 / small.p50, p99: large.p99 / small.p99 };
  const isMet =
    large.failed === 0 &&
    ratio.p50 <= aim.p50 &&
    ratio.p99 <= (aim.p99 ?? Infinity) &&
    large.p50 <= (aim.maxMs ?? Infinity);
  return { operation: name, aim, small, large, ratio, isMet, p50: large.p50, p99: large.p99 };
}

/** The operations of one database. */
export function printGrowth(rows) {
  const [{ database, size }] = rows;
  console.log(`### Growth on ${database}: ${size} against small\n`);
  table(
    [
      'operation',
      'small p50',
      'large p50',
      'ratio',
      'aim',
      'small p99',
      'large p99',
      'ratio',
      'aim',
      'failed',
      '',
    ],
    rows.map((row) => [row.operation, ...cells(row), remarkOf(row)]),
  );
  const beyond = rows.filter(({ isMet }) => !isMet);
  console.log(`${rows.length - beyond.length} of ${rows.length} within their aims. Times in ms.\n`);
}

function remarkOf({ isMet, rate, rateShare }) {
  const rates = rate === undefined ? [] : [`${whole(rate)} per second, ${percent(rateShare)} of without`];
  return [...rates, ...(isMet ? [] : ['beyond its aim'])].join('; ');
}

function cells({ aim, small, large, ratio, share, without = 0 }) {
  if (share !== undefined) {
    const more = (share - without).toFixed(3);
    return [`${without.toFixed(3)} without`, share.toFixed(3), `${more} more`, aim.share, '', '', '', '', ''];
  }
  const most = aim.maxMs === undefined ? aim.p50 : `${aim.p50}, ${aim.maxMs} ms`;
  return [
    ...[ms(small.p50), ms(large.p50), ms(ratio.p50), most],
    ...[ms(small.p99), ms(large.p99), ms(ratio.p99), aim.p99 ?? '', large.failed],
  ];
}
