/**
 * `npm run test:crash`: kills the server at random moments under load, on both databases, and compares what it had
 * acknowledged with what it stored (posts), and what it stored with what receivers of webhooks got (deliveries).
 *
 *   npm run test:crash                          100 kills on SQLite, 100 on MySQL, under both kinds of load
 *   npm run test:crash -- --suite=deliveries    under one kind of load: posts, deliveries
 *   npm run test:crash -- --kills=500 --database=sqlite --connections=32
 *   npm run test:crash -- --kills=20 --seed=7   the plans of an earlier run: when to kill, how to answer
 */
import { onEachDatabase, printReport, readOptions } from './resilience.mjs';

const { kills, seed, connections, suite, ...options } = readOptions({
  ...{ kills: 100, connections: 24, seed: Date.now() % 1_000_000 },
  ...{ database: 'both', suite: 'both' },
});
const suites = suite === 'both' ? ['posts', 'deliveries'] : [suite];

await onEachDatabase(options, async ({ env, dataDir, databaseUrl, database, counts }) => {
  const { CrashRun } = await import('../test/resilience/crash-run.mjs');
  const place = { dataDir, databaseUrl };
  const crashes = new CrashRun({ env, place, suites, kills, seed, connections, longestLoadMs: 1_500, say });
  try {
    console.log(`${suites.join(' and ')}: ${kills} kills on ${database}, seed ${seed}`);
    const { plans, posts, deliveries, ...figures } = await crashes.perform();
    if (suites.includes('posts')) figures.posts = posts;
    if (suites.includes('deliveries')) figures.deliveries = deliveries;
    printReport(figures);
    counts.passed += plans.length - figures.failedRounds;
    counts.failed += figures.failedRounds;
  } finally {
    await crashes.close();
  }
});

function say({ kills, stops, failedRounds }) {
  if ((kills + stops) % 10 === 0) console.log(`  ${kills} kills, ${failedRounds} rounds with a fault`);
}
