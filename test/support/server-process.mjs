/** The server as a process of its own, so that it can be killed, frozen and measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../scripts/bundle.mjs';
import { keepServerLine } from './server-logs.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const built = path.resolve(here, '..', '..', 'dist', 'src', 'main.js');
const isError = (/** @type {string} */ line) => /"level":"(error|fatal)"/.test(line);

/**
 * @typedef {object} LaunchOptions
 * @property {string} [cwd] the folder it runs in; DATA_DIR unless named
 * @property {boolean} [isBuilt] start dist/, as it is shipped, instead of a bundle of the sources
 * @property {boolean} [isMeasured] let `liveMiB` work
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
  /** Every line of its output. @type {string[]} */
  logs = [];
  /** Lines at level error, and everything on standard error. @type {string[]} */
  errors = [];
  /** Where it answers, once it is ready. */
  url = '';
  /** From the start of the process until it was ready. */
  startMs = 0;
  #child;
  #ended;
  #startsWithinMs;
  #startedAt = performance.now();

  /**
   * Starts it and waits for nothing. `env` holds its settings; nothing of this process's own settings leaks in.
   *
   * @param {Readonly<Record<string, string | undefined>>} env
   * @param {LaunchOptions} [options]
   */
  constructor(
    env,
    { cwd = env.DATA_DIR, isBuilt = false, isMeasured = false, startsWithinMs = 60_000 } = {},
  ) {
    this.#startsWithinMs = startsWithinMs;
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

  /** Started, and ready.
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

  /** Waits for the summary of the start. Throws, with its last words, when it ends instead or takes too long. */
  async ready() {
    const deadline = this.#startedAt + this.#startsWithinMs;
    let found;
    while (!(found = /is running\.\n[^]*Listens on +(\S+)\n[^]*\n\n/.exec(this.stdout))) {
      if (this.hasEnded) await this.#ended;
      if (this.hasEnded) this.#fail(`ended with ${this.#child.exitCode ?? this.#child.signalCode}`);
      if (performance.now() > deadline) this.#fail(`was not ready within ${this.#startsWithinMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.startMs = performance.now() - this.#startedAt;
    this.url = found[1] ?? '';
    return this;
  }

  /** The exit code once it has ended and all its output was read; null when a signal ended it. */
  async exit() {
    await this.#ended;
    return this.#child.exitCode;
  }

  /** @param {NodeJS.Signals} name */
  signal(name) {
    this.#child.kill(name);
  }

  /** Ends it like a power cut. */
  kill() {
    this.signal('SIGKILL');
    return this.exit();
  }

  /** Asks it to stop, as a supervisor does, and kills it when it has not within that time. Gives the exit code. */
  async stop(withinMs = 30_000) {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), withinMs);
    const code = await this.exit();
    clearTimeout(timer);
    return code;
  }

  /** Resident memory now, and the most it ever had. */
  residentMiB() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const read = (/** @type {string} */ name) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  }

  /** What is alive on its heap and outside it after a full collection; only with `isMeasured`. */
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

/** Starts the server and ends it after `ms`, wherever it is by then. */
export async function killWhileStarting(
  /** @type {Readonly<Record<string, string>>} */ env,
  /** @type {number} */ ms,
) {
  const server = new ServerProcess(env);
  setTimeout(() => server.signal('SIGKILL'), ms);
  await server.exit();
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
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
