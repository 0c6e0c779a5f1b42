/** Runs the server as a separate process that can be killed, frozen and measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../scripts/bundle.mjs';
import { handIn } from './secret-scan.mjs';
import { learnSettings } from './secrets.mjs';
import { keepServerLine } from './server-logs.mjs';

export { findFreePort } from '../../scripts/temporary-server.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const built = path.resolve(here, '..', '..', 'dist', 'src', 'main.js');
const METRICS_WITHIN_MS = 1_000;
const isError = (/** @type {string} */ line) => /"level":"(error|fatal)"/.test(line);

/**
 * @typedef {object} LaunchOptions
 * @property {string} [cwd] working directory; DATA_DIR by default
 * @property {boolean} [isBuilt] start the shipped dist/ instead of a bundle of the sources
 * @property {boolean} [isMeasured] required for `liveMiB`
 * @property {number} [startsWithinMs] how long `ready` waits
 */

/** SERVER_MAIN names another build to test. */
function mainFile(/** @type {boolean} */ isBuilt) {
  if (process.env.SERVER_MAIN) return process.env.SERVER_MAIN;
  if (!isBuilt) return programFile('main');
  if (!existsSync(built)) throw new Error('There is no dist/src/main.js: run "npm run build" first.');
  return built;
}

export class ServerProcess {
  stdout = '';
  stderr = '';
  /** All lines of its output. @type {string[]} */
  logs = [];
  /** Lines at level error, and everything on standard error. @type {string[]} */
  errors = [];
  /** Its URL, once it is ready. */
  url = '';
  /** Milliseconds from the start of the process until it was ready. */
  startMs = 0;
  #child;
  #ended;
  #startsWithinMs;
  #startedAt = performance.now();

  /**
   * Starts the process without waiting for it. `env` holds its settings; those of this process are not passed on.
   *
   * @param {Readonly<Record<string, string | undefined>>} env
   * @param {LaunchOptions} [options]
   */
  constructor(
    env,
    { cwd = env.DATA_DIR, isBuilt = false, isMeasured = false, startsWithinMs = 60_000 } = {},
  ) {
    this.#startsWithinMs = startsWithinMs;
    learnSettings(env);
    handIn('the output of a server', withoutCommandToTry(this.logs));
    const flags = [...(isMeasured ? ['--expose-gc'] : []), '--require', path.join(here, 'server-child.cjs')];
    this.#child = spawn(process.execPath, [...flags, mainFile(isBuilt)], {
      cwd,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#ended = once(this.#child, 'close');
    const { stdout, stderr } = this.#child;
    readLines(
      stdout,
      (text) => (this.stdout += text),
      (line) => this.#take(line, isError(line)),
    );
    readLines(
      stderr,
      (text) => (this.stderr += text),
      (line) => this.#take(line, true),
    );
  }

  /** Starts a server and waits until it is ready.
   *
   * @param {Readonly<Record<string, string | undefined>>} env
   * @param {LaunchOptions} [options]
   */
  static start(env, options) {
    return new ServerProcess(env, options).ready();
  }

  get pid() {
    return this.#child.pid ?? 0;
  }

  get hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits for the start summary. Throws with its last output if the process ends or takes too long. */
  async ready() {
    const deadline = this.#startedAt + this.#startsWithinMs;
    let found;
    while (!(found = /is running\.\n[^]*Listens on +(\S+).*\n[^]*\n\n/.exec(this.stdout))) {
      if (this.hasEnded) await this.#ended;
      if (this.hasEnded) this.#fail(`ended with ${this.#child.exitCode ?? this.#child.signalCode}`);
      if (performance.now() > deadline) this.#fail(`was not ready within ${this.#startsWithinMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.startMs = performance.now() - this.#startedAt;
    this.url = found[1] ?? '';
    return this;
  }

  /** Waits until the process has ended and its output is read. Returns the exit code, or null after a signal. */
  async exit() {
    await this.#ended;
    return this.#child.exitCode;
  }

  /** @param {NodeJS.Signals} name */
  signal(name) {
    this.#child.kill(name);
  }

  /** Kills the process, as a power failure would. */
  kill() {
    this.signal('SIGKILL');
    return this.exit();
  }

  /** Stops the process as a supervisor does, and kills it after `withinMs`. Returns the exit code. */
  async stop(withinMs = 30_000) {
    await this.handInMetrics();
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), withinMs);
    const code = await this.exit();
    clearTimeout(timer);
    return code;
  }

  /** Registers the metrics for the search for secrets, if the server still responds. */
  async handInMetrics() {
    const signal = AbortSignal.timeout(METRICS_WITHIN_MS);
    const read = async () => (await (await fetch(`${this.url}/metrics`, { signal })).text()).split('\n');
    if (this.url !== '' && !this.hasEnded) handIn('the metrics', await read().catch(() => []));
  }

  /** Resets the peak to the current resident memory (clear_refs of proc(5)); returns that. */
  resetPeakMiB() {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
    return this.residentMiB().peak;
  }

  /** Current and peak resident memory, the peak since the start or the last `resetPeakMiB`. */
  residentMiB() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const read = (/** @type {string} */ name) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  }

  /** Live memory on and off the heap after a full garbage collection. Needs `isMeasured`. */
  async liveMiB() {
    const answer = once(this.#child, 'message');
    this.#child.send('memory');
    const [{ liveMiB }] = await answer;
    return /** @type {number} */ (liveMiB);
  }

  /** @param {string} what @returns {never} */
  #fail(what) {
    this.signal('SIGKILL');
    throw new Error(`The server ${what}:\n${this.logs.slice(-20).join('\n')}`);
  }

  #take(/** @type {string} */ line, /** @type {boolean} */ isWrong) {
    this.logs.push(line);
    if (isWrong) this.errors.push(line);
    keepServerLine(line, isWrong);
  }
}

/** The first start shows a command to try the first webhook, with its id. @param {readonly string[]} lines */
function withoutCommandToTry(lines) {
  return {
    *[Symbol.iterator]() {
      for (const line of lines) if (!line.startsWith('curl -i -X POST ')) yield line;
    },
  };
}

/** Starts the server and kills it after `ms`, no matter what it is doing. */
export async function killWhileStarting(
  /** @type {Readonly<Record<string, string>>} */ env,
  /** @type {number} */ ms,
) {
  const server = new ServerProcess(env);
  setTimeout(() => server.signal('SIGKILL'), ms);
  await server.exit();
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {(text: string) => void} takeText
 * @param {(line: string) => void} takeLine
 */
function readLines(stream, takeText, takeLine) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    takeText(text);
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') takeLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') takeLine(rest);
  });
}
