/**
 * `npm run test:crash`: kills the server at random moments under load, on both databases, and compares what it had
 * acknowledged with what it stored (posts), and what it stored with what receivers of webhooks got (deliveries).
 *
 *   npm run test:crash                          100 kills on SQLite, 100 on MySQL, under both kinds of load
 *   npm run test:crash -- --suite=deliveries    under one kind of load: posts, deliveries
 *   npm run test:crash -- --kills=500 --database=sqlite --connections=32
 *   npm run test:crash -- --kills=20 --seed=7   the decisions of an earlier run: when to kill, how to answer
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitBecauseOf, prepare } from './prepare.mjs';
import { createDatabase, readOptions, startServer } from './resilience-options.mjs';
import { printReport } from './resilience-report.mjs';

const options = readOptions({
  ...{ kills: 100, connections: 24, seed: Date.now() % 1_000_000 },
  ...{ database: 'both', suite: 'both' },
});
let server;
let [passed, failed] = [0, 0];

try {
  await prepare();
  for (const name of options.databases) {
    if (name === 'mysql') server = await startServer();
    await run(name, options.suite === 'both' ? ['posts', 'deliveries'] : [options.suite]);
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  exitBecauseOf(error);
} finally {
  await server?.stop();
}

async function run(name, suites) {
  const { CrashRun } = await import('../test/resilience/crash-run.mjs');
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-crash-'));
  const databaseUrl = name === 'mysql' ? await createDatabase(server.url) : undefined;
  const { kills, seed, connections } = options;
  const place = { dataDir, databaseUrl };
  const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
  const crashes = new CrashRun({ env, place, suites, kills, seed, connections, longestLoadMs: 1_500, say });
  try {
    const database = name === 'mysql' ? server.version : 'SQLite';
    console.log(`${suites.join(' and ')}: ${kills} kills on ${database}, seed ${seed}`);
    show(await crashes.perform(), suites);
  } finally {
    await crashes.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function show(report, suites) {
  const { decisions, posts, deliveries, ...figures } = report;
  if (suites.includes('posts')) figures.posts = posts;
  if (suites.includes('deliveries')) figures.deliveries = deliveries;
  printReport(figures);
  passed += decisions.length - report.failedRounds;
  failed += report.failedRounds;
}

function say({ kills, stops, failedRounds }) {
  if ((kills + stops) % 10 === 0) console.log(`  ${kills} kills, ${failedRounds} rounds with a fault`);
}
