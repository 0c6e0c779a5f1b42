/**
 * Installs the packages and builds the server, each only when something changed.
 * `npm start`, `npm test` and the checks begin with it; it needs nothing but Node.
 *
 * To run it directly: node scripts/prepare.mjs
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const oldestNode = [20, 19];
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const inRoot = (...parts) => path.join(root, ...parts);
const lockFile = inRoot('package-lock.json');
const installedList = inRoot('node_modules', '.package-lock.json');
const installStamp = inRoot('node_modules', '.hookline-stamp');
const buildStamp = inRoot('dist', '.hookline-stamp');
const cacheFolder = inRoot('.cache');
const workLock = inRoot('.cache', 'prepare.lock');

/** A failure that is printed without a stack. */
export class Failure extends Error {}

class Interrupted extends Error {
  constructor(signal) {
    super(`Interrupted by ${signal}.`);
    this.signal = signal;
  }
}

/** Brings node_modules and dist up to date with the lock file and the sources. */
export async function prepare({ build = true } = {}) {
  requireNode();
  if (isInstalled() && (!build || isBuilt())) return;
  await withWorkLock(async () => {
    if (!isInstalled()) await install();
    if (build && !isBuilt()) await buildServer();
  });
}

/** Like prepare, but with production packages only, the included `dist` is run as it is. */
export async function prepareToRun() {
  requireNode();
  if (!isProductionInstall()) return prepare();
  if (!existsSync(inRoot('dist', 'src', 'main.js')))
    throw new Failure(
      'There is no dist folder, and the development packages that build one are not installed. ' +
        'Copy a dist folder here (see docs/deploy.md), or run npm ci.',
    );
  const builtFrom = readText(buildStamp);
  if (builtFrom !== undefined && builtFrom !== sourceFingerprint())
    console.error('The dist folder was built from other sources than those next to it. It is run anyway.');
}

/** Ends the process with the exit code or signal of the error. */
export function exitBecauseOf(error) {
  if (error?.signal) {
    process.kill(process.pid, error.signal);
    return;
  }
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
}

/** Runs a command, forwards signals to it, and returns its exit code. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  let interruptedBy;
  const handOn = (signal) => {
    interruptedBy ??= signal;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, handOn);
  try {
    const [code] = await once(child, 'exit');
    if (interruptedBy) throw new Interrupted(interruptedBy);
    return code ?? 1;
  } finally {
    for (const signal of signals) process.off(signal, handOn);
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new Failure(
    `Hookline needs Node.js ${oldestNode.join('.')} or newer; this is ${process.versions.node}. ` +
      'Install a current version from https://nodejs.org and try again.',
  );
}

// --- packages ---------------------------------------------------------------------------------

function isInstalled() {
  if (!existsSync(installedList)) return false;
  if (readText(installStamp) === installFingerprint()) return true;
  if (!installedListMatchesLock()) return false;
  tryToWrite(installStamp, installFingerprint());
  return true;
}

/** A fingerprint that changes with the lock file and whenever npm changes node_modules. */
function installFingerprint() {
  const { mtimeMs, size } = statSync(installedList);
  return `${hash(readFileSync(lockFile))} ${process.platform}-${process.arch} ${mtimeMs} ${size}`;
}

/** Whether packages were installed manually, so that a developer's `npm install` is kept. */
function installedListMatchesLock() {
  return comparePackages().every(isSame);
}

/** Whether `npm ci --omit=dev` was run: all other packages are installed, and no development packages. */
function isProductionInstall() {
  if (!existsSync(lockFile) || !existsSync(installedList)) return false;
  return comparePackages().every((pair) => (pair.wanted.dev ? !pair.found : isSame(pair)));
}

/** Each package of the lock file, and the package installed in its place. */
function comparePackages() {
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  const present = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  return Object.entries(wanted)
    .filter(([folder]) => folder !== '')
    .map(([folder, entry]) => ({ wanted: entry, found: present[folder] }));
}

function isSame({ wanted, found }) {
  return found ? found.version === wanted.version : wanted.optional === true || wanted.devOptional === true;
}

async function install() {
  console.log('Installing the packages with npm ci. This can take a minute.');
  rmSync(installStamp, { force: true });
  // The build needs the development packages even if NODE_ENV=production.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
  const code = await runNpm(args);
  if (code !== 0) {
    throw new Failure('npm ci failed; its messages are above. Is the package registry reachable from here?');
  }
  writeFileSync(installStamp, installFingerprint());
}

/** Runs npm, the one that started this process if there is one, and returns its exit code. */
export async function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath ?? '';
  if (path.basename(npm) === 'npm-cli.js') return run(process.execPath, [npm, ...args], options);
  try {
    return await run('npm', args, { ...options, shell: process.platform === 'win32' });
  } catch (error) {
    if (error.code === 'ENOENT') throw new Failure('npm was not found. It comes with Node.js: install both.');
    throw error;
  }
}

// --- build ------------------------------------------------------------------------------------

function isBuilt() {
  return existsSync(inRoot('dist', 'src', 'main.js')) && readText(buildStamp) === sourceFingerprint();
}

/** A fingerprint of everything the build reads. */
export function sourceFingerprint() {
  const digest = createHash('sha256');
  const settings = [
    'package-lock.json',
    'nest-cli.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'ormconfig.ts',
    'scripts/bundle.mjs',
    'scripts/typescript.cjs',
  ];
  for (const file of [...settings, ...listSources('src'), ...listSources('console')]) {
    if (existsSync(inRoot(file)))
      digest
        .update(file)
        .update('\0')
        .update(readFileSync(inRoot(file)))
        .update('\0');
  }
  return digest.digest('hex');
}

function listSources(folder) {
  const entries = existsSync(inRoot(folder)) ? readdirSync(inRoot(folder), { withFileTypes: true }) : [];
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return listSources(name);
      return name.endsWith('.spec.ts') ? [] : [name];
    });
}

/**
 * Builds into a separate folder and swaps it with dist at the end, so that a failed build keeps the
 * old one and a running server never sees half of a new one.
 */
async function buildServer() {
  console.log('Building the server.');
  const fingerprint = sourceFingerprint();
  const next = inRoot('dist.next');
  const old = inRoot('dist.old');
  const config = path.join(cacheFolder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({ extends: '../tsconfig.build.json', compilerOptions: { outDir: '../dist.next' } }),
  );
  rmSync(next, { recursive: true, force: true });
  const nest = inRoot('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
  const steps = [
    [nest, 'build', '--path', path.relative(root, config)],
    [inRoot('scripts', 'bundle.mjs'), next],
    [vite, 'build', '--config', inRoot('console', 'vite.config.mjs'), '--outDir', path.join(next, 'console')],
  ];
  let code = 0;
  for (const step of steps) code ||= await run(process.execPath, step);
  if (code !== 0 || !existsSync(path.join(next, 'src', 'main.js'))) {
    rmSync(next, { recursive: true, force: true });
    throw new Failure(
      code === 0 ? 'The build made no dist/src/main.js.' : 'The build failed; its messages are above.',
    );
  }
  writeFileSync(path.join(next, '.hookline-stamp'), fingerprint);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(inRoot('dist'))) renameSync(inRoot('dist'), old);
  renameSync(next, inRoot('dist'));
  rmSync(old, { recursive: true, force: true });
}

// --- one at a time ----------------------------------------------------------------------------

const heartbeatMs = 2_000;
const staleAfterMs = 20_000;

/** Prevents two processes in one folder from installing or building at the same time. */
export async function withWorkLock(work) {
  const token = `${hostname()} ${process.pid} ${Date.now()}`;
  await takeWorkLock(token);
  const heartbeat = setInterval(() => touch(workLock), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (readText(path.join(workLock, 'owner')) === token) rmSync(workLock, { recursive: true, force: true });
  }
}

async function takeWorkLock(token) {
  mkdirSync(cacheFolder, { recursive: true });
  for (let hasSaidSo = false; ; hasSaidSo = true) {
    try {
      mkdirSync(workLock);
      writeFileSync(path.join(workLock, 'owner'), token);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!hasSaidSo) console.log('Another process installs or builds here at the moment; waiting for it.');
    removeStaleWorkLock();
    await sleep(200);
  }
}

function removeStaleWorkLock() {
  const owner = readText(path.join(workLock, 'owner'));
  if (!isStale(owner)) return;
  const aside = `${workLock}.${process.pid}`;
  try {
    renameSync(workLock, aside);
    // Another process was faster and holds a new lock: give it back.
    if (readText(path.join(aside, 'owner')) !== owner) renameSync(aside, workLock);
  } catch {
    // The lock is gone or was taken again: the next attempt finds out.
  }
  rmSync(aside, { recursive: true, force: true });
}

function isStale(owner) {
  let ageMs;
  try {
    ageMs = Date.now() - statSync(workLock).mtimeMs;
  } catch {
    return false;
  }
  if (ageMs > staleAfterMs) return true;
  const [host, pid] = owner?.split(' ') ?? [];
  return host === hostname() && !isAlive(Number(pid));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// --- helpers ----------------------------------------------------------------------------------

function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function tryToWrite(file, text) {
  try {
    writeFileSync(file, text);
  } catch {
    // If the folder is not writable, the next start is only slower.
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The lock was removed as stale: the owner check at the end notices.
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  void prepare().catch(exitBecauseOf); // no top-level await: the tests load this file with require
}
