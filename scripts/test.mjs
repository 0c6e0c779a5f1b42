/**
 * `npm test`: unit specs and the suites that need no database, and the end-to-end suites on SQLite and on MySQL.
 *
 *   npm test                        everything
 *   npm test -- incoming            only files whose path contains "incoming"
 *   npm test -- --only=unit         one part: unit, sqlite or mysql (or several, by commas)
 *   npm test -- --only=apart        suites that measure, run others, start and kill servers, or call every route
 *   npm test -- --only=scaled       suites of several processes, and some of MySQL on three instances that answer in turn
 *
 * Other arguments go to jest. A suite that fails in a complete run is run once more, alone. If it passes then, it is
 * reported as unstable and does not fail the run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

const parts = [
  { name: 'unit', title: 'Unit specs, and suites that need no database', project: 'unit' },
  { name: 'sqlite', title: 'End-to-end suites on SQLite', project: 'e2e' },
  { name: 'mysql', title: 'End-to-end suites on MySQL', project: 'mysql' },
];
/** Run only when named. */
const furtherParts = [
  { name: 'apart', title: 'Suites that run apart', project: 'apart' },
  { name: 'apart', title: 'Suites that run apart, on MySQL', project: 'apart-mysql' },
  { name: 'scaled', title: 'Suites of several processes and instances', project: 'scaled' },
];
const namedParts = [...parts, ...furtherParts];

/** For measurements: garbage is collected in the thread that made it, and rarely. */
const measuring = ['--single-threaded-gc', '--max-semi-space-size=64'];

/** Jest exits when nothing is open. A run that lasts this much longer than its results has hung. */
const endingMs = 30_000;

/** More failed suites than this are not repeated: the cause is unlikely to be timing. */
const maxRepeatedSuites = 6;

const selecting =
  /^(-t|-o|-f|--(testNamePattern|testPathPatterns?|testPathIgnorePatterns|onlyChanged|onlyFailures|changedSince|lastCommit|findRelatedTests|runTestsByPath|shard))(=|$)/;

/** Marks suites that start the production build. */
const startsBuild = /\bisBuilt\b/;

const { chosen, jestArguments } = readArguments(process.argv.slice(2));
const isFiltered = jestArguments.some((argument) => !argument.startsWith('-') || selecting.test(argument));
const removeScratch = createRequire(import.meta.url)('../test/jest/scratch.cjs').useScratchFolder();
const reporter = path.join(root, 'test', 'jest', 'reporter.cjs');
const resultsFolder = mkdtempSync(path.join(tmpdir(), 'hookline-test-'));
let database;
let redis;
let runs = 0;
let jest;
let interruptedBy;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interruptedBy ??= signal;
    jest?.kill(signal);
  });
}

try {
  await prepare({ build: false });
  const hasMysql = chosen.some(({ name }) => name !== 'unit' && name !== 'sqlite');
  await Promise.all([hasMysql && startServers(), prepare({ build: needsBuild() })]);
  if (!interruptedBy) {
    const results = await runJest(chosen, jestArguments);
    const unstable = interruptedBy ? [] : await repeatFailures(results);
    if (!interruptedBy) conclude(results, unstable);
  }
} catch (error) {
  exitBecauseOf(error);
} finally {
  await Promise.all([database?.stop(), redis?.stop()]);
  rmSync(resultsFolder, { recursive: true, force: true });
  removeScratch();
}
if (interruptedBy) {
  process.removeAllListeners(interruptedBy);
  process.kill(process.pid, interruptedBy);
}

function readArguments(args) {
  const only = args.filter((argument) => argument.startsWith('--only='));
  const names = only.flatMap((argument) => argument.slice('--only='.length).split(','));
  const unknown = names.find((name) => !namedParts.some((part) => part.name === name));
  if (unknown !== undefined) {
    console.error(`--only takes ${namedParts.map((part) => part.name).join(', ')}, not "${unknown}".`);
    process.exit(2);
  }
  return {
    chosen: names.length === 0 ? parts : namedParts.filter(({ name }) => names.includes(name)),
    jestArguments: args.filter((argument) => !only.includes(argument)),
  };
}

/** The tests load the sources, except a few that start the built server. If in doubt, it is built. */
function needsBuild() {
  if (chosen.every((part) => part.name === 'unit')) return false;
  const patterns = jestArguments.filter((argument) => !argument.startsWith('-'));
  if (patterns.length === 0 || jestArguments.some((argument) => selecting.test(argument))) return true;
  const folder = path.join(root, 'test');
  return readdirSync(folder)
    .filter((name) => patterns.some((pattern) => new RegExp(pattern, 'i').test(path.join(folder, name))))
    .some((name) => name.endsWith('.ts') && startsBuild.test(readFileSync(path.join(folder, name), 'utf8')));
}

/**
 * The servers of the MySQL suites: the database, and Redis for those with several processes. One after the other,
 * because both may install packages.
 */
async function startServers() {
  // Imported here because it needs the packages that `prepare` installs.
  const { startDatabaseServer } = await import('./database-server.mjs');
  const { startRedisServer } = await import('./redis-server.mjs');
  try {
    database = await startDatabaseServer();
    redis = await startRedisServer();
    console.log(`The MySQL suites use ${database.version} and ${redis.version}.`);
  } catch (error) {
    throw new Failure(error.message);
  }
}

async function runJest(runParts, extraArguments) {
  const countsFile = path.join(resultsFolder, `counts-${++runs}.json`);
  const env = { ...process.env, TEST_DATABASE: 'sqlite' };
  delete env.TEST_MYSQL_URL;
  delete env.TEST_REDIS_URL;
  if (database) env.TEST_MYSQL_URL = database.url;
  if (redis) env.TEST_REDIS_URL = redis.url;
  const isApart = runParts.some(({ name }) => name === 'apart');
  const args = [
    ...(isApart ? measuring : []),
    path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...['--config', path.join(root, 'jest.config.cjs')],
    // `=` keeps jest from taking the file filters that follow for further values.
    ...runParts.map((part) => `--selectProjects=${part.project}`),
    ...['--reporters=default', `--reporters=${reporter}`, '--passWithNoTests'],
    '--ci', // A snapshot that is missing is a failure, not a new one; `-u` writes it.
    ...extraArguments,
  ];
  jest = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, TEST_COUNTS: countsFile },
    stdio: 'inherit',
  });
  const isStuck = killWhenStuck(jest, countsFile);
  const [code] = await once(jest, 'exit');
  return { ...readCounts(runParts, countsFile, code), isStuck: isStuck() };
}

/**
 * Runs each failed suite of a complete run again. Corrects the counts of those that pass then, and returns their
 * names.
 */
async function repeatFailures({ results, failures, hasCrashed, isStuck }) {
  if (isFiltered || hasCrashed || isStuck || failures.length > maxRepeatedSuites) return [];
  const unstable = [];
  for (const { project, file, passed, failed } of failures) {
    if (interruptedBy) break;
    const name = `${path.relative(root, file)} (${project})`;
    console.log(`\nRunning ${name} once more, alone.`);
    const result = results.find(({ part }) => part.project === project);
    const repetition = await runJest([result.part], ['--maxWorkers=1', '--runTestsByPath', file]);
    const [again] = repetition.results;
    if (repetition.hasCrashed || repetition.isStuck || again.failed > 0 || again.passed === 0) continue;
    result.passed += again.passed - passed;
    result.failed -= failed;
    unstable.push(name);
  }
  return unstable;
}

function killWhenStuck(child, outputFile) {
  let writtenAt;
  let isStuck = false;
  const timer = setInterval(() => {
    if (existsSync(outputFile)) writtenAt ??= Date.now();
    if (writtenAt === undefined || Date.now() - writtenAt < endingMs) return;
    isStuck = true;
    child.kill('SIGKILL');
  }, 1_000);
  child.on('exit', () => clearInterval(timer));
  return () => isStuck;
}

function readCounts(runParts, file, code) {
  const none = { passed: 0, failed: 0, skipped: 0, reasons: {}, unexplained: [] };
  const isWritten = existsSync(file);
  const {
    parts: counts = {},
    obsolete = [],
    failures = [],
  } = isWritten ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const results = runParts.map((part) => ({ part, ...(counts[part.project] ?? none) }));
  const hasFailed = obsolete.length > 0 || results.some(({ failed }) => failed > 0);
  return { results, obsolete, failures, hasCrashed: !isWritten || (code !== 0 && !hasFailed) };
}

function conclude({ results, obsolete, hasCrashed, isStuck }, unstable) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const [passed, skipped] = [sum('passed'), sum('skipped')];
  const problems = [];
  if (isStuck) problems.push('Jest did not end by itself; a test left something open.');
  else if (hasCrashed) problems.push('Jest itself failed; its messages are above.');
  for (const file of obsolete) problems.push(`Obsolete snapshots, which -u removes: ${file}`);
  for (const { part, unexplained, ...result } of isFiltered ? [] : results) {
    if (result.passed + result.failed === 0) problems.push(`${part.title}: no test ran.`);
    for (const test of unexplained) problems.push(`Skipped without a reason, or left to do: ${test}`);
  }
  if (isFiltered && passed + sum('failed') === 0) problems.push('No test matches.');
  const failed = sum('failed') + problems.length;
  if (failed > 0) process.exitCode = 1;
  console.log('');
  for (const result of results) {
    console.log(`${result.part.title}: ${result.passed} passed`);
    if (isFiltered) continue;
    for (const [reason, count] of Object.entries(result.reasons))
      console.log(`  ${count} skipped, ${reason}`);
  }
  for (const problem of problems) console.log(problem);
  for (const name of unstable) console.log(`Unstable: ${name} failed, and passed when run again.`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
