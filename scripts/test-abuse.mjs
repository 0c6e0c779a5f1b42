/**
 * `npm run test:abuse`: a stranger, the holder of a webhook URL, a sender with a format, a newcomer and a member each try
 * for two minutes to make the server unusable, while timing another user, who sends one request a second.
 *
 * npm run test:abuse -- --seconds=30 --database=sqlite
 *
 * It fails if that user's p99 is more than ten times the one without an attack, if one of their requests fails, or if
 * the server needs 512 MiB or logs an error during an attack.
 */
import { onEachDatabase, readOptions } from './resilience.mjs';

const MAX_RATIO = 10;
const MAX_MIB = 512;
const options = readOptions({ seconds: 120, database: 'both' });

await onEachDatabase(options, async ({ env, database, counts }) => {
  const { runAbuse } = await import('../test/abuse/abuse-run.mjs');
  const { seconds } = options;
  console.log(`${seconds} s for each on ${database}`);
  report(await runAbuse({ env, seconds, quietSeconds: seconds, say }), counts);
});

function say({ caller, requests, p50, p99, login, failures, peakMiB, results = [] }) {
  const figures = [
    `${requests} other requests, p50 ${p50.toFixed(1)} and p99 ${p99.toFixed(1)} ms`,
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

function report({ quiet, rounds, errors }, counts) {
  for (const { caller, p99, failures, peakMiB, hasEnded, results } of rounds) {
    const ratio = p99 / quiet.p99;
    const faults = results.flatMap(({ name, faults: seen }) => seen.map((fault) => `${name}: ${fault}`));
    const problems = [...new Set(failures), ...faults];
    if (hasEnded) problems.push('the server has ended');
    if (!(ratio <= MAX_RATIO)) problems.push(`p99 grew to ${ratio.toFixed(1)} times of the quiet one`);
    if (!(peakMiB < MAX_MIB)) problems.push(`it needed ${Math.round(peakMiB)} MiB`);
    for (const problem of problems) console.log(`  ! ${caller}: ${problem}`);
    if (problems.length > 0) counts.failed++;
    else counts.passed++;
  }
  for (const error of errors.slice(0, 20)) console.log(`  ! ${error}`);
  if (errors.length > 0) counts.failed++;
  else counts.passed++;
}
