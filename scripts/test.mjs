/**
 * `npm test`: unit specs and the suites that need no database, then the end-to-end suites on SQLite and again on MySQL.
 *
 *   npm test                        everything
 *   npm test -- incoming            only files whose path contains "incoming"
 *   npm test -- --only=unit         one part: unit, sqlite or mysql (or several, by commas)
 *
 * Other arguments go to jest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

const parts = [
  { name: 'unit', title: 'Unit specs, and suites that need no database', project: 'unit' },
  { name: 'sqlite', title: 'End-to-end suites on SQLite', project: 'e2e' },
  { name: 'mysql', title: 'End-to-end suites on MySQL', project: 'e2e' },
];

/** Jest ends by itself when nothing is left open; a run that stays this long after its results is stuck. */
const endingMs = 30_000;

const selecting =
  /^(-t|-o|-f|--(testNamePattern|testPathPatterns?|testPathIgnorePatterns|onlyChanged|onlyFailures|changedSince|lastCommit|findRelatedTests|runTestsByPath|shard))(=|$)/;

const { chosen, jestArguments } = readArguments(process.argv.slice(2));
const isFiltered = jestArguments.some((argument) => !argument.startsWith('-') || selecting.test(argument));
const resultsFolder = mkdtempSync(path.join(tmpdir(), 'hookline-test-'));
let database;
let jest;
let interruptedBy;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interruptedBy ??= signal;
    jest?.kill(signal);
  });
}

try {
  await prepare();
  if (chosen.some((part) => part.name === 'mysql')) database = await startDatabase();
  const results = [];
  for (const part of chosen) {
    if (!interruptedBy) results.push(await runPart(part));
  }
  if (!interruptedBy) conclude(results);
} catch (error) {
  exitBecauseOf(error);
} finally {
  await database?.stop();
  rmSync(resultsFolder, { recursive: true, force: true });
}
if (interruptedBy) {
  process.removeAllListeners(interruptedBy);
  process.kill(process.pid, interruptedBy);
}

function readArguments(args) {
  const only = args.filter((argument) => argument.startsWith('--only='));
  const names = only.flatMap((argument) => argument.slice('--only='.length).split(','));
  const unknown = names.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) {
    console.error(`--only takes ${parts.map((part) => part.name).join(', ')}, not "${unknown}".`);
    process.exit(2);
  }
  return {
    chosen: names.length === 0 ? parts : parts.filter((part) => names.includes(part.name)),
    jestArguments: args.filter((argument) => !only.includes(argument)),
  };
}

async function startDatabase() {
  // Loaded late: it needs the packages that `prepare` installs.
  const { startDatabaseServer } = await import('./database-server.mjs');
  try {
    const server = await startDatabaseServer();
    console.log(`The MySQL suites use ${server.version}.`);
    return server;
  } catch (error) {
    throw new Failure(error.message);
  }
}

async function runPart(part) {
  // On stderr, where jest reports, so that the order is kept.
  console.error(`\n${part.title}`);
  const outputFile = path.join(resultsFolder, `${part.name}.json`);
  const env = { ...process.env, TEST_DATABASE: part.name === 'mysql' ? 'mysql' : 'sqlite' };
  delete env.TEST_MYSQL_URL;
  if (part.name === 'mysql') env.TEST_MYSQL_URL = database.url;
  const args = [
    path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...['--config', path.join(root, 'jest.config.cjs'), '--selectProjects', part.project],
    // `=` keeps jest from taking the file filters that follow for further values.
    ...['--maxWorkers=3', '--json', `--outputFile=${outputFile}`, '--passWithNoTests'],
    ...jestArguments,
  ];
  jest = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const isStuck = killWhenStuck(jest, outputFile);
  const [code] = await once(jest, 'exit');
  return { part, ...readResults(outputFile, code), isStuck: isStuck() };
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

function readResults(outputFile, code) {
  const counts = { passed: 0, failed: 0, skipped: 0, hasCrashed: false };
  if (existsSync(outputFile)) {
    const results = JSON.parse(readFileSync(outputFile, 'utf8'));
    counts.passed = results.numPassedTests;
    // A file that could not run holds no test, yet it is a failure.
    counts.failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    counts.skipped = results.numPendingTests + results.numTodoTests;
  }
  if (code !== 0 && counts.failed === 0) {
    counts.hasCrashed = true;
    counts.failed = 1;
  }
  return counts;
}

function conclude(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const problems = [];
  for (const { part, isStuck, hasCrashed, passed, failed, skipped } of results) {
    if (isStuck) problems.push(`${part.title}: jest did not end by itself; a test left something open.`);
    else if (hasCrashed) problems.push(`${part.title}: jest itself failed; its messages are above.`);
    if (!isFiltered && passed + failed === 0) problems.push(`${part.title}: no test ran.`);
    if (!isFiltered && skipped > 0) problems.push(`${part.title}: ${skipped} skipped or left to do.`);
  }
  if (isFiltered && sum('passed') + sum('failed') === 0) problems.push('No test matches.');
  if (sum('failed') > 0 || problems.length > 0) process.exitCode = 1;
  console.log('');
  for (const problem of problems) console.log(problem);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
}
