/**
 * `npm run test:fuzz`: generated requests against every route, a million on each database unless told otherwise.
 *
 *   npm run test:fuzz -- --count=100000 --seed=7 --database=sqlite --connections=24
 *
 * A failing request is printed with the seed and number that make it again. From 6,400 requests on, each route must have refused one.
 */
import { loadTypescript, onEachDatabase, readOptions } from './resilience.mjs';

const options = readOptions({ count: 1_000_000, connections: 24, seed: 1, database: 'both' });
const COUNT_FOR_ALL = 6_400;

await onEachDatabase(options, async ({ env, database, counts }) => {
  const { runFuzz } = await import('../test/resilience/fuzz-run.mjs');
  const { ForeignPeer } = loadTypescript('../test/fakes/foreign-peer.ts');
  console.log(`${options.count} requests on ${database}, FUZZ_SEED=${options.seed}`);
  conclude(await runFuzz({ env, ...options, peer: await ForeignPeer.start(), say }), counts);
});

function say({ sent, seconds, faults, residentMiB }) {
  if (sent % 50_000 !== 0 && sent !== options.count) return;
  console.log(
    `  ${sent} sent, ${Math.round(sent / seconds)}/s, ${Math.round(residentMiB)} MiB, ${faults} faults`,
  );
}

function conclude({ count, seconds, coverage, statuses, memory, ...report }, counts) {
  const faults = [...report.faults, ...(count < COUNT_FOR_ALL ? [] : coverage.gaps)];
  const { before, after, peak } = memory;
  console.log(`  ${count} requests to ${coverage.size} routes in ${Math.round(seconds)} s`);
  console.log(
    `  answers: ${Object.entries(statuses)
      .map(([status, n]) => `${status}: ${n}`)
      .join(', ')}`,
  );
  console.log(
    `  memory, MiB: resident ${Math.round(before.resident)} before, ${Math.round(after.resident)} after, ${Math.round(peak)} at most;` +
      ` alive ${Math.round(before.live)} before, ${Math.round(after.live)} after`,
  );
  for (const fault of faults) console.log(`\n! ${fault}`);
  counts.passed += count - faults.length;
  counts.failed += faults.length;
}
