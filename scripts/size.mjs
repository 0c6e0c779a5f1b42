/**
 * `npm run size`: compares the size of the code with scripts/size-budgets.json. Fails if a budget is exceeded.
 *
 *   npm run size -- --folders   also shows the lines of each folder of src
 *   npm run size -- --files     also names the files that are run
 */
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import inspector from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitBecauseOf, prepare, root } from './prepare.mjs';

const self = fileURLToPath(import.meta.url);
const dist = path.join(root, 'dist', 'src');
const ADMIN = 'admin';
const ROUNDS = 8;
const SETTLED_AFTER_MS = 50;
/** Longer than the intervals of most timers. */
const IDLE_MS = 7_000;
/** Work right after the start does not count as that of an idle server. */
const STARTED_AFTER_MS = 3_000;
const PASSWORD = 'measured-server-1';
const budgetsFile = path.join(root, 'scripts', 'size-budgets.json');
/** Modules of packages that are not part of their public API, and the internals of Express's router. */
const INTERNALS =
  /from '@nestjs\/(common|core)\/(constants|enums|interfaces|router|injector)|from '(undici|typeorm|express|axios|bullmq)\/lib\/|router\.stack/;

async function main() {
  await prepare();
  const lines = countLines();
  const { post, get } = await executedFiles();
  const counted = {
    'src lines, without specs': lines.source,
    'src files, without specs': lines.files,
    'src files executed by POST /hooks/{id}': post,
    'src files executed by GET /hooks/incoming/{id}': get,
    'test lines': lines.tests,
    'lines of scripts/ and bench/': lines.tools,
    'lines of console/, without styles': lines.console,
    'files that use internals of packages': lines.internals,
  };
  if (process.argv.includes('--folders'))
    for (const [folder, count] of Object.entries(lines.folders)) console.log(`  ${folder}: ${count}`);
  const budgets = JSON.parse(readFileSync(budgetsFile, 'utf8'));
  let isOver = false;
  for (const [name, value] of Object.entries(counted)) {
    const isTooMuch = !(value <= budgets[name]);
    isOver ||= isTooMuch;
    console.log(`${isTooMuch ? '✘' : '✔'} ${name}: ${value} (budget ${budgets[name]})`);
  }
  if (isOver) process.exitCode = 1;
}

function countLines() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const counts = { source: 0, files: 0, tests: 0, tools: 0, console: 0, internals: 0, folders: {} };
  for (const file of files.split('\n').filter((name) => /\.([cm]?[jt]sx?|sh)$/.test(name))) {
    const text = read(file);
    if (text === undefined) continue;
    const count = text.split('\n').length - 1;
    const [top, folder] = file.split('/');
    if (/^(src|scripts|console|bench)$/.test(top) && file !== 'scripts/size.mjs' && INTERNALS.test(text))
      counts.internals++;
    if (top === 'test' || /\.spec\.tsx?$/.test(file)) counts.tests += count;
    else if (top === 'scripts' || top === 'bench') counts.tools += count;
    else if (top === 'console') counts.console += count;
    else if (top === 'src') {
      counts.source += count;
      counts.files++;
      const name = folder.includes('.') ? 'src' : `src/${folder}`;
      counts.folders[name] = (counts.folders[name] ?? 0) + count;
    }
  }
  return counts;
}

/** Undefined if the file was deleted and not committed yet. */
function read(file) {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return undefined;
  }
}

/** How many files of src a warm request runs that an idle server does not. */
async function executedFiles() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-size-'));
  const child = fork(self, ['--server', ...process.argv.slice(2)], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      ADMIN_PASSWORD: PASSWORD,
    },
  });
  try {
    return await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error('The measured server stopped.')));
    });
  } finally {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * The measured server: the compiled modules, one file each, under V8's precise coverage. A file counts if each of
 * several requests runs it, and an idle server does not.
 */
async function measureServer() {
  const require = createRequire(import.meta.url);
  const { readSettings } = require(path.join(dist, 'app.settings.js'));
  const { readEnvironment } = require(path.join(dist, 'platform/config/settings.js'));
  const { startServer } = require(path.join(dist, 'startup/server.js'));
  const { JsonLogger } = require(path.join(dist, 'platform/logging/logger.js'));
  const server = await startServer(
    readSettings(readEnvironment()),
    new JsonLogger('error', process.stderr),
    (error) => {
      throw error;
    },
  );
  const { firstHookId } = server.contents;
  const session = new inspector.Session();
  session.connect();
  await session.post('Profiler.enable');
  const call = async (url, options) => {
    const response = await fetch(server.url + url, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
    return response;
  };
  const login = { method: 'POST', body: JSON.stringify({ login_id: ADMIN, password: PASSWORD }) };
  const token = (await call('/api/v4/users/login', login)).headers.get('token');
  const calls = {
    post: () =>
      call(`/hooks/${firstHookId}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"text":"One line."}',
      }),
    get: () =>
      call(`/api/v4/hooks/incoming/${firstHookId}`, { headers: { Authorization: `Bearer ${token}` } }),
  };
  const counts = {};
  await pause(STARTED_AFTER_MS);
  const idle = await filesRunDuring(session, () => pause(IDLE_MS));
  for (const [name, request] of Object.entries(calls)) {
    for (let warm = 0; warm < 3; warm++) await request();
    let files;
    for (let round = 0; round < ROUNDS; round++) {
      const run = await filesRunDuring(session, async () => {
        await request();
        await pause(SETTLED_AFTER_MS);
      });
      files = files?.filter((file) => run.has(file)) ?? [...run].filter((file) => !idle.has(file));
    }
    counts[name] = files.length;
    if (process.argv.includes('--files')) console.error(`${name}:\n  ${files.sort().join('\n  ')}`);
  }
  process.send(counts);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function filesRunDuring(session, work) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return new Set(
    result
      .filter(
        ({ url, functions }) =>
          url.includes('/dist/src/') && functions.some(({ ranges: [{ count }] }) => count > 0),
      )
      .map(({ url }) => path.relative(dist, url.replace('file://', ''))),
  );
}

(process.argv.includes('--server') ? measureServer() : main()).catch(exitBecauseOf);
