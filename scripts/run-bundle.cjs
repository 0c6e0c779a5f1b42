/**
 * Runs a program of the bundle. V8 takes what it compiled before from a file beside the bundle, which the build makes. On
 * another version of Node.js the first server does, there or in its data folder.
 */
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { getHeapStatistics, setFlagsFromString } = require('node:v8');
const vm = require('node:vm');

const TIDIED_AFTER_MS = 3_000;
const KEPT_AFTER_MS = 10_000;
const IDLE_MS = 5_500;
const IDLE_UTILIZATION = 0.05;
const RARELY_MS = 15_000;
const SPARE_BYTES = 20 * 1024 * 1024;

/** Nearly all that a start makes is kept, and hardly any of it runs again: no place for what is young, and no optimizing. */
const ofStart = ['--heap-growing-percent=0', '--semi-space-growth-factor=1', '--no-opt'];
/** V8 lets garbage grow to several times of what is in use. */
const ofServer = ['--heap-growing-percent=100', '--semi-space-growth-factor=2', '--opt'];
/** From Node.js 22 on, V8 keeps the pages that a collection empties, unless memory is short. */
const everything =
  parseInt(process.versions.node) < 22 ? undefined : { type: 'major', flavor: 'last-resort' };
let bytesInUse = Infinity;
use(ofStart);

/** `start` is the file that called this; the server starts its workers with it. */
module.exports = function runBundle(bundle, program, start) {
  const file = path.join(__dirname, bundle);
  const places = placesFor(file);
  const cachedData = places.map(readIfTrusted).find(Boolean);
  // All of it is ASCII; read as UTF-8, each character would take two bytes of memory for as long as the process runs.
  const script = new vm.Script(fs.readFileSync(file, 'latin1'), { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, __dirname);
  void Promise.resolve(module.exports[program](start)).finally(() => use(ofServer));
  if (program !== 'main') return;
  setInterval(afterLoad(), IDLE_MS).unref();
  if (cachedData) setTimeout(tidy, TIDIED_AFTER_MS).unref();
  else keepLater(script, places);
};

function use(flags) {
  for (const flag of flags) setFlagsFromString(flag);
}

/**
 * Gives back the memory of what only the start needed, the code of functions included: V8 compiles one again if it is called.
 * Later, garbage is collected as it is made.
 */
function tidy() {
  collect(['--stress-flush-code', '--compact-on-every-full-gc'], everything);
}

/**
 * Gives back what load took, once it is over: V8 does so much later, if at all. Whoever comes meanwhile has to wait, so it
 * happens only while next to nothing is going on, and rarely. V8 keeps the place for what is young until a collection finds
 * that hardly any garbage was made in the five seconds before, which it counts at collections. So the first one is small;
 * after it, newer versions of V8 do the rest themselves.
 */
function afterLoad() {
  let last = performance.eventLoopUtilization();
  let isCounted = false;
  let restsUntil = 0;
  return () => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    const isDue =
      utilization < IDLE_UTILIZATION && getHeapStatistics().total_heap_size > bytesInUse + SPARE_BYTES;
    if (isDue && performance.now() < restsUntil) return;
    if (isDue && isCounted) {
      collect(['--compact-on-every-full-gc'], everything);
      restsUntil = performance.now() + RARELY_MS;
    } else if (isDue) collect([], { type: 'minor' });
    isCounted = isDue && !isCounted;
  };
}

/** Collects garbage with these flags. */
function collect(flags, options) {
  use(['--expose-gc', ...flags]);
  vm.runInNewContext('gc')(options);
  use(['--no-expose-gc', ...flags.map((flag) => flag.replace('--', '--no-'))]);
  if (options?.type !== 'minor') bytesInUse = getHeapStatistics().used_heap_size;
}

function placesFor(file) {
  try {
    process.loadEnvFile('.env'); // where DATA_DIR may be
  } catch {
    // There is none; one that cannot be read is the program's to explain.
  }
  const name = `${path.basename(file)}.${process.version}-${process.platform}-${process.arch}`;
  return [path.join(__dirname, name), path.resolve(process.env.DATA_DIR || 'data', name)];
}

/** It is as good as a program, so it must be of whom the bundle is, or of the one who runs it. */
function readIfTrusted(file) {
  try {
    const owners = [fs.statSync(__dirname).uid, process.getuid?.()];
    return owners.includes(fs.statSync(file).uid) ? fs.readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what V8 has compiled when the server has started, or at its end, and tidies up only then. */
function keepLater(script, places) {
  let isKept = false;
  const keep = () => {
    if (isKept) return;
    isKept = true;
    use(ofStart); // it is good for the flags of its time alone
    const data = script.createCachedData();
    use(ofServer);
    places.some((file) => isWritten(file, data));
  };
  setTimeout(() => (keep(), tidy()), KEPT_AFTER_MS).unref();
  process.once('exit', (code) => {
    if (code === 0) keep();
  });
}

/** Puts the whole file there at once. Where nothing can be written, the next start takes as long as this one. */
function isWritten(file, data) {
  const own = `${file}.${process.pid}`;
  try {
    removeOfOthers(path.dirname(file), path.basename(file).split('.')[0]);
    fs.writeFileSync(own, data, { flush: true });
    fs.chmodSync(own, 0o644); // whoever may read the bundle
    fs.renameSync(own, file);
    return true;
  } catch {
    fs.rmSync(own, { force: true });
    return false;
  }
}

/** An upgrade brings another bundle. */
function removeOfOthers(folder, bundle) {
  for (const name of fs.readdirSync(folder))
    if (/^programs-\w+\.js\.v/.test(name) && !name.startsWith(bundle)) fs.rmSync(path.join(folder, name));
}
