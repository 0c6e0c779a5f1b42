/**
 * `npm run test:clients`: tests the production build with unmodified stock clients.
 *
 *   npm run test:clients                 everything
 *   npm run test:clients -- apprise      only suites whose file name contains "apprise"
 *
 * Those of the console come first, by themselves: their time is told. A suite that fails is run once more, alone. If it
 * passes then, it is reported as unstable and does not fail the run.
 *
 * The clients come from npm (@mattermost/client, @slack/webhook, svix; in a separate folder Bull Board, CloudEvents and
 * GitHub's examples) and from Debian (alertmanager, apprise, curl, docker-compose, haproxy, prometheus, tinyproxy, webhook, and chromium, which a person would use
 * Swagger UI in).
 */
import { setMaxListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { installMachineClients } from '../test/clients/support/machine-clients.mjs';
import { installNpmClients } from '../test/clients/support/npm-clients.mjs';
import { startRunningServer } from '../test/clients/support/running-server.mjs';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

const folder = path.join(root, 'test', 'clients');
const suiteLimitMs = 300_000;
const maxRepeatedSuites = 6;

const interruption = new AbortController();
setMaxListeners(0, interruption.signal); // one listener for each suite
let interruptedBy;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interruptedBy ??= signal;
    interruption.abort();
  });
}

try {
  const files = chooseSuites(process.argv.slice(2));
  await prepare();
  const refusals = [...(await installMachineClients(console.log)), ...(await installNpmClients(console.log))];
  const server = await startRunningServer();
  console.log(`The server runs at ${server.url}.`);
  process.env.HOOKLINE_URL = server.url;
  process.env.HOOKLINE_ADMIN_PASSWORD = server.adminPassword;
  const counts = { passed: 0, failed: 0, unproven: [], unstable: [] };
  await runConsoleSuites(files.filter(isOfConsole), counts);
  await runSuites(
    files.filter((file) => !isOfConsole(file)),
    counts,
  );
  if (!interruptedBy) await checkServer(server, counts);
  else await server.stop().catch(() => undefined);
  if (!interruptedBy) conclude(counts, refusals);
} catch (error) {
  exitBecauseOf(error);
}
if (interruptedBy) {
  process.removeAllListeners(interruptedBy);
  process.kill(process.pid, interruptedBy);
}

function chooseSuites(parts) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs'))
    .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
    .sort();
  if (files.length === 0) throw new Failure('No suite matches that name.');
  return files.map((name) => path.join(folder, name));
}

function isOfConsole(file) {
  return path.basename(file).startsWith('console');
}

/** Alone, so that their timing is not disturbed. */
async function runConsoleSuites(files, counts) {
  if (files.length === 0) return;
  const startedAt = performance.now();
  await runSuites(files, counts);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`The suites of the console have taken ${seconds} s.`);
}

async function runSuites(files, counts) {
  if (files.length === 0 || interruptedBy) return;
  const perFile = await runFiles(files, counts);
  const failures = files.filter((file) => perFile.get(file).failed > 0);
  // More are hardly a matter of timing.
  for (const file of failures.length > maxRepeatedSuites ? [] : failures) {
    if (interruptedBy) return;
    const name = path.relative(root, file);
    console.log(`Running ${name} once more, alone.`);
    const again = (await runFiles([file], counts)).get(file);
    if (again.failed > 0 || again.passed === 0) continue;
    perFile.set(file, again);
    counts.unstable.push(name);
  }
  for (const { passed, failed } of perFile.values()) {
    counts.passed += passed;
    counts.failed += failed;
  }
}

/** Runs test files and counts the passed and failed tests of each. */
async function runFiles(files, counts) {
  const perFile = new Map(files.map((file) => [file, { passed: 0, failed: 0 }]));
  const brokenFiles = new Set();
  const events = run({ files, concurrency: 2, timeout: suiteLimitMs, signal: interruption.signal });
  const count = (outcome) => (event) => {
    if (!perFile.has(event.file)) perFile.set(event.file, { passed: 0, failed: 0 });
    const ofFile = perFile.get(event.file);
    if (event.skip !== undefined || event.todo !== undefined) counts.unproven.push(event.name);
    else if (event.details.type !== 'suite') ofFile[outcome] += 1;
    else if (outcome === 'failed') brokenFiles.add(ofFile);
  };
  events.on('test:pass', count('passed'));
  events.on('test:fail', count('failed'));
  const report = events.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await finished(report);
  // A failure in a hook of a suite counts too.
  for (const ofFile of brokenFiles) if (ofFile.failed === 0) ofFile.failed = 1;
  return perFile;
}

/** Counts results that are not tests, and describes their errors. */
function check(counts, name, problem) {
  counts[problem ? 'failed' : 'passed'] += 1;
  console.log(`${problem ? '✖' : '✔'} ${name}${problem ? `\n${problem}` : ''}`);
}

/** Also checks that the server logged no error and stops when asked to. */
async function checkServer(server, counts) {
  check(counts, 'the server logged no error during all this', server.errors().join('\n'));
  const problem = await server.stop().then(
    () => undefined,
    (error) => error.message,
  );
  check(counts, 'the server ends on SIGTERM, with exit code 0', problem);
}

function conclude({ passed, failed, unproven, unstable }, refusals) {
  console.log('');
  for (const refusal of refusals) console.log(refusal);
  for (const name of unproven) console.log(`Skipped, which counts as a failure: ${name}`);
  for (const name of unstable) console.log(`Unstable: ${name} failed, and passed when run again.`);
  const failures = failed + unproven.length;
  if (failures > 0 || refusals.length > 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failures} failed`);
}
