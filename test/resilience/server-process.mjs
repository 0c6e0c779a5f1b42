/** A whole server as a process of its own, from dist, so that it can be killed, frozen and measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '..', '..');
/** SERVER_MAIN names another build to test. */
const main = process.env.SERVER_MAIN ?? path.join(root, 'dist', 'src', 'main.js');
const KEPT_LINES = 5_000;
const ANSWERS_AT = /http:\/\/(?:localhost|127\.0\.0\.1):([1-9]\d*)/;

/**
 * Starts the server on a port of its own and resolves once it says where it answers. `env` holds its settings; nothing
 * of this process's own settings leaks in. Rejects with its last words when it ends before that.
 */
export async function startServerProcess(env, { timeoutMs = 60_000, isMeasured = false } = {}) {
  const startedAt = performance.now();
  const child = launch(env, isMeasured ? ['--expose-gc'] : []);
  const server = new ServerProcess(child);
  server.url = await server.answersAt(timeoutMs);
  server.startMs = performance.now() - startedAt;
  return server;
}

/** Starts the server and ends it after `ms`, wherever it is by then. */
export async function killWhileStarting(env, ms) {
  const child = launch(env);
  child.stdout.resume();
  child.stderr.resume();
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await ended;
  clearTimeout(timer);
}

function launch(env, nodeArguments = []) {
  if (!existsSync(main)) throw new Error('There is no dist/src/main.js: run "npm run build" first.');
  return spawn(process.execPath, [...nodeArguments, '--require', path.join(here, 'child.cjs'), main], {
    cwd: env.DATA_DIR,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

class ServerProcess {
  url = '';
  startMs = 0;
  /** The newest lines of its output. */
  logs = [];
  /** Lines at level error, and everything on standard error. */
  errors = [];
  #child;
  #onLine = () => undefined;

  constructor(child) {
    this.#child = child;
    readLines(child.stdout, (line) => this.#take(line, /"level":"(error|fatal)"/.test(line)));
    readLines(child.stderr, (line) => this.#take(line, true));
  }

  get pid() {
    return this.#child.pid;
  }

  get hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  answersAt(timeoutMs) {
    return new Promise((resolve, reject) => {
      const fail = (what) => {
        clearTimeout(timer);
        this.#child.kill('SIGKILL');
        reject(new Error(`The server ${what}:\n${this.logs.slice(-20).join('\n')}`));
      };
      const timer = setTimeout(() => fail(`did not say within ${timeoutMs} ms where it answers`), timeoutMs);
      const onEnd = (code, signal) => fail(`ended with ${code ?? signal} before it answered`);
      this.#child.once('exit', onEnd);
      this.#child.once('error', (error) => fail(`could not be started (${error.message})`));
      this.#onLine = (line) => {
        const [, port] = ANSWERS_AT.exec(line) ?? [];
        if (port === undefined) return;
        this.#onLine = () => undefined;
        clearTimeout(timer);
        this.#child.off('exit', onEnd);
        resolve(`http://127.0.0.1:${port}`);
      };
    });
  }

  /** Ends it without a chance to say goodbye. */
  kill() {
    return this.#end('SIGKILL');
  }

  /** Asks it to stop, as a supervisor does. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** Resident memory now, and the most it ever had. */
  residentMiB() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  }

  /** What is alive on its heap and outside it after a full collection; only when started with `isMeasured`. */
  async liveMiB() {
    const answer = once(this.#child, 'message');
    this.#child.send('memory');
    const [{ liveMiB }] = await answer;
    return liveMiB;
  }

  async #end(signal) {
    if (this.hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }

  #take(line, isError) {
    keep(this.logs, line);
    if (isError) keep(this.errors, line);
    this.#onLine(line);
  }
}

function keep(lines, line) {
  lines.push(line);
  if (lines.length > 2 * KEPT_LINES) lines.splice(0, KEPT_LINES);
}

function readLines(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}
