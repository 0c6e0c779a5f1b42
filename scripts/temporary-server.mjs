/**
 * Shared by the temporary servers of tests and benchmarks: an installed program on a free port, with a separate
 * folder.
 */
import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const execute = promisify(execFile);
export const isRoot = process.getuid?.() === 0;
const ANSWERS_WITHIN_MS = 60_000;

/**
 * One folder, one port, and the server process on them. A subclass has `command`, the program and its arguments;
 * `answer(timeoutMs)`, which rejects until the server answers; and `isPortTaken(error)`.
 */
export class TemporaryServer {
  folder;
  port = 0;
  #log;
  #forget = atEndOfProcess(() => this.#clean());
  #server;
  #watchdog;

  constructor(prefix) {
    this.folder = mkdtempSync(path.join(tmpdir(), prefix));
    this.#log = path.join(this.folder, 'server.log');
  }

  /** Starts it on a free port and waits until it answers. */
  async runOnFreePort() {
    for (let attempt = 1; ; attempt += 1) {
      this.port = await findFreePort();
      try {
        return await this.#run();
      } catch (error) {
        // The port may have been taken in the meantime.
        if (attempt === 3 || !this.isPortTaken(error)) throw error;
      }
    }
  }

  /** Controls for the caller that started the server. */
  get controls() {
    return {
      stop: () => this.stop(),
      kill: () => this.#kill(),
      restart: async () => {
        await this.#kill();
        await this.#run();
      },
    };
  }

  /** Kills it, because its data is temporary and a clean shutdown takes seconds. */
  async stop() {
    await this.#kill();
    this.#clean();
    this.#forget();
  }

  async #run() {
    const [file, ...args] = this.command;
    const log = openSync(this.#log, 'a');
    this.#server = spawn(file, args, { stdio: ['ignore', log, log], detached: true, cwd: this.folder });
    closeSync(log);
    this.#server.unref();
    this.#watchdog = watch(this.#server.pid, this.folder);
    const deadline = Date.now() + ANSWERS_WITHIN_MS;
    for (;;) {
      if (hasEnded(this.#server)) throw new Error(`It ended while starting. ${this.#lastWords()}`);
      try {
        await this.answer(2_000);
        return;
      } catch (error) {
        if (Date.now() > deadline) {
          throw new Error(`It does not answer (${reasonOf(error)}). ${this.#lastWords()}`, { cause: error });
        }
      }
      await sleep(50);
    }
  }

  async #kill() {
    this.#watchdog?.kill('SIGKILL');
    const server = this.#server;
    if (!server?.pid || hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.ref();
    server.kill('SIGKILL');
    await ended;
  }

  /** Synchronous, for use in exit handlers. */
  #clean() {
    this.#watchdog?.kill('SIGKILL');
    if (this.#server && !hasEnded(this.#server)) this.#server.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #lastWords() {
    try {
      const lines = readFileSync(this.#log, 'utf8').trim().split('\n');
      return (
        lines
          .filter((line) => /error/i.test(line))
          .slice(-3)
          .join(' ') || lines.slice(-3).join(' ')
      );
    } catch {
      return '';
    }
  }
}

/** Starts a watchdog that ends the server and removes its folder when this process is killed and its pipe closes. */
function watch(pid, folder) {
  const shell = spawn('sh', ['-c', 'read line; kill -9 "$1"; rm -rf "$2"', 'sh', String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.stdin?.unref?.();
  shell.unref();
  return shell;
}

/** Whether this process may install packages of the distribution. */
export function canInstall() {
  return isRoot && existsSync('/etc/debian_version') && find('apt-get') !== undefined;
}

/** Installs packages with apt-get: the first available choice. */
export async function aptInstall(...choices) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => execute('apt-get', args, { env, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 });
  await apt('update');
  for (const [index, packages] of choices.entries()) {
    try {
      await apt('install', '-y', '--no-install-recommends', ...packages);
      return;
    } catch (error) {
      if (index === choices.length - 1) throw error;
    }
  }
}

/** Runs `clean` once when this process ends for any reason. Returns a function that cancels it. */
export function atEndOfProcess(clean) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const onSignal = (signal) => {
    forget();
    clean();
    // Without another handler, the signal must still end the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const forget = () => {
    process.off('exit', clean);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.on('exit', clean);
  for (const signal of signals) process.on(signal, onSignal);
  return forget;
}

function hasEnded(child) {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** The file of an installed program. */
export function find(program) {
  const more = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/usr/local/mysql/bin', '/opt/homebrew/bin'];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), ...more];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

/**
 * A free port on 127.0.0.1. It is below those that systems give to connections and to servers on port 0, so that no other
 * program gets it before it is used, or while its server restarts.
 */
export async function findFreePort() {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

export function reasonOf(error) {
  const words = `${error.stderr ?? ''}`.trim().split('\n').slice(-3).join(' ');
  return words || error.message || error.code || String(error);
}

/**
 * If the module at `moduleUrl` is the one that Node.js was asked to run: prints the URL of a server, which runs until
 * interrupted.
 */
export function runDirectly(moduleUrl, start) {
  if (!process.argv[1] || path.resolve(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  // No top-level await: jest loads these files as CommonJS.
  start().then(
    (server) => {
      console.log(`${server.version} answers at ${server.url} until you interrupt this command.`);
      setInterval(() => undefined, 60_000);
    },
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
