/**
 * `npm run test:crash`: kills the server at random moments under load, on both databases, and compares what it had
 * acknowledged with what it stored.
 *
 *   npm run test:crash                          100 kills on SQLite, 100 on MySQL
 *   npm run test:crash -- --kills=500 --database=sqlite --connections=32 --seed=7
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure, exitBecauseOf, prepare } from './prepare.mjs';
import { createDatabase, readOptions } from './resilience-options.mjs';

const options = readOptions({ kills: 100, connections: 24, seed: Date.now() % 1_000_000, database: 'both' });
let server;
let [passed, failed] = [0, 0];

try {
  await prepare();
  const { runCrashes } = await import('../test/resilience/crash-run.mjs');
  for (const name of options.databases) {
    if (name === 'mysql') server = await startServer();
    const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-crash-'));
    const databaseUrl = name === 'mysql' ? await createDatabase(server.url) : undefined;
    try {
      console.log(`${options.kills} kills on ${server?.version ?? 'SQLite'}, seed ${options.seed}`);
      const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
      const { kills, connections, seed } = options;
      conclude(
        await runCrashes({
          ...{ env, place: { dataDir, databaseUrl }, kills, connections, seed, say },
          longestLoadMs: 1_500,
        }),
      );
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  exitBecauseOf(error);
} finally {
  await server?.stop();
}

async function startServer() {
  // Loaded late: it needs the packages that `prepare` installs.
  const { startDatabaseServer } = await import('./database-server.mjs');
  return startDatabaseServer({ isPrivate: true }).catch((error) => {
    throw new Failure(error.message);
  });
}

function say({ kills, acknowledged, failedKills }) {
  if (kills % 10 === 0)
    console.log(`  ${kills} kills, ${acknowledged} acknowledged, ${failedKills} kills with a fault`);
}

function conclude(report) {
  const { kills, failedKills, lost, doubled, half, wrong, unclean } = report;
  const figures = {
    kills,
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
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(28)}${value}`);
  for (const fault of [...lost, ...doubled, ...half, ...wrong, ...unclean].slice(0, 50))
    console.log(`  ! ${fault}`);
  passed += kills - failedKills;
  failed += failedKills;
}
