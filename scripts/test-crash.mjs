/**
 * `npm run test:crash`: kills the server at random moments under load, on both databases, and compares what it had
 * acknowledged with what it stored (posts), and what it stored with what receivers of webhooks got (deliveries).
 *
 *   npm run test:crash                          of each suite 100 kills on SQLite, 100 on MySQL
 *   npm run test:crash -- --suite=deliveries    one suite: posts, deliveries
 *   npm run test:crash -- --kills=500 --database=sqlite --connections=32 --seed=7
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure, exitBecauseOf, prepare } from './prepare.mjs';
import { createDatabase, readOptions } from './resilience-options.mjs';

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
    if (options.suite !== 'deliveries') await runSuite('posts', name, crashPosts);
    if (options.suite !== 'posts') await runSuite('deliveries', name, crashDeliveries);
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  exitBecauseOf(error);
} finally {
  await server?.stop();
}

async function startServer() {
  // Imported here because it needs the packages that `prepare` installs.
  const { startDatabaseServer } = await import('./database-server.mjs');
  return startDatabaseServer({ isPrivate: true }).catch((error) => {
    throw new Failure(error.message);
  });
}

async function runSuite(suite, name, crash) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-crash-'));
  const databaseUrl = name === 'mysql' ? await createDatabase(server.url) : undefined;
  const { kills, seed } = options;
  try {
    console.log(`${suite}: ${kills} kills on ${name === 'mysql' ? server.version : 'SQLite'}, seed ${seed}`);
    const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
    const { report, faults, figures } = await crash({
      env,
      place: { dataDir, databaseUrl },
      kills,
      seed,
      say,
    });
    for (const [what, value] of Object.entries(figures)) console.log(`  ${what.padEnd(34)}${value}`);
    for (const fault of faults.slice(0, 50)) console.log(`  ! ${fault}`);
    passed += report.kills - report.failedKills;
    failed += report.failedKills;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function crashPosts(run) {
  const { runCrashes } = await import('../test/resilience/crash-run.mjs');
  const report = await runCrashes({ ...run, connections: options.connections, longestLoadMs: 1_500 });
  const { lost, doubled, half, wrong, unclean } = report;
  const figures = {
    kills: report.kills,
    'starts killed as well': report.killedStarts,
    acknowledged: report.acknowledged,
    'without an answer': report.unanswered,
    '  of these stored': report.storedUnanswered,
    'repeated after the restart': report.repeated,
    stored: report.stored,
    lost: lost.length,
    doubled: doubled.length,
    'half posts': half.length,
    'wrong otherwise': wrong.length,
    'unclean starts': unclean.length,
    'slowest start, ms': Math.round(report.slowestStartMs),
  };
  return { report, figures, faults: [...lost, ...doubled, ...half, ...wrong, ...unclean] };
}

async function crashDeliveries(run) {
  const { runDeliveryCrashes } = await import('../test/resilience/delivery-crash-run.mjs');
  const report = await runDeliveryCrashes({ ...run, longestLoadMs: 800 });
  const { lost, unreceived, doubled, wrong } = report;
  const figures = {
    kills: report.kills,
    '  of these by SIGTERM': report.stops,
    'starts killed as well': report.killedStarts,
    'triggering posts acknowledged': report.acknowledged,
    'triggering posts stored': report.stored,
    'deliveries stored': report.deliveries,
    'calls that arrived': report.calls,
    '  accepted more than once': report.repeatedCalls,
    'replies posted': report.replies,
    'lost posts': lost.length,
    'deliveries not received': unreceived.length,
    'replies lost or doubled': doubled.length,
    'wrong otherwise': wrong.length,
    'slowest until all was settled, ms': Math.round(report.slowestSettleMs),
  };
  return { report, figures, faults: [...lost, ...unreceived, ...doubled, ...wrong] };
}

function say({ kills, acknowledged, failedKills }) {
  if (kills % 10 === 0)
    console.log(`  ${kills} kills, ${acknowledged} acknowledged, ${failedKills} kills with a fault`);
}
