/**
 * `npm run test:abuse`: a stranger, the holder of a webhook URL, a guest and a member each try for two minutes to make the
 * server unusable, while another user's one request a second is timed.
 *
 *   npm run test:abuse -- --seconds=30 --database=sqlite
 *
 * It fails if that user's p99 grows to more than ten times what it is without an attack, a request of his fails, the
 * server needs 512 MiB, or answers an attack with an error of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitBecauseOf, prepare } from './prepare.mjs';
import { createDatabase, readOptions, startServer } from './resilience-options.mjs';

const MAX_RATIO = 10;
const MAX_MIB = 512;
const options = readOptions({ seconds: 120, database: 'both' });
let server;
let [passed, failed] = [0, 0];

try {
  await prepare();
  const { runAbuse } = await import('../test/abuse/abuse-run.mjs');
  for (const name of options.databases) {
    if (name === 'mysql') server = await startServer();
    const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-abuse-'));
    const databaseUrl = name === 'mysql' ? await createDatabase(server.url) : undefined;
    const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
    const { seconds } = options;
    console.log(`${seconds} s for each on ${server?.version ?? 'SQLite'}`);
    try {
      judge(await runAbuse({ env, seconds, quietSeconds: seconds, say }));
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

function say({ caller, requests, p50, p99, login, failures, peakMiB, results = [] }) {
  const figures = [
    `${requests} requests beside it, p50 ${p50.toFixed(1)} and p99 ${p99.toFixed(1)} ms`,
    `login ${login.toFixed(0)} ms`,
    `${Math.round(peakMiB)} MiB at most`,
    `${failures.length} failed`,
  ];
  console.log(`  ${caller}: ${figures.join(', ')}`);
  for (const { name, answers } of results) {
    const counts = Object.entries(answers).map(([answer, count]) => `${answer}: ${count}`);
    console.log(`    ${name}: ${counts.join(', ')}`);
  }
}

function judge({ quiet, rounds, errors }) {
  for (const { caller, p99, failures, peakMiB, hasEnded, results } of rounds) {
    const ratio = p99 / quiet.p99;
    const faults = results.flatMap(({ name, faults: seen }) => seen.map((fault) => `${name}: ${fault}`));
    const problems = [...new Set(failures), ...faults];
    if (hasEnded) problems.push('the server has ended');
    if (!(ratio <= MAX_RATIO)) problems.push(`p99 grew to ${ratio.toFixed(1)} times of the quiet one`);
    if (!(peakMiB < MAX_MIB)) problems.push(`it needed ${Math.round(peakMiB)} MiB`);
    for (const problem of problems) console.log(`  ! ${caller}: ${problem}`);
    if (problems.length > 0) failed++;
    else passed++;
  }
  for (const error of errors.slice(0, 20)) console.log(`  ! ${error}`);
  if (errors.length > 0) failed++;
  else passed++;
}
