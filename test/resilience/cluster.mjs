/** Several server processes that serve one database behind one address. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerProcess } from '../support/server-process.mjs';
import { Address } from './address.mjs';

const clock = path.join(path.dirname(fileURLToPath(import.meta.url)), 'shifted-clock.cjs');
/** A supervisor kills a server that takes longer. */
const STOP_LIMIT_MS = 10_000;
/** Several times as long as the address takes to notice that a process is not ready. */
const SHUTDOWN_DELAY = '2s';

export class Cluster {
  report = { slowestStartMs: 0, slowestStopMs: 0, unclean: [] };
  #env;
  #address;
  #servers = [];
  /** Number of error lines that are collected per server. */
  #taken = new WeakMap();

  constructor(env) {
    this.#env = env;
  }

  /** Starts the first process, which prepares the database, and then the others. */
  async start(count) {
    this.#address = await Address.open();
    this.#env = { ...this.#env, SITE_URL: this.url, TRUSTED_PROXIES: 'loopback', SHUTDOWN_DELAY };
    await this.#start(0);
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => this.#start(index + 1)));
  }

  get url() {
    return this.#address.url;
  }

  /** The addresses of the processes themselves. */
  get urls() {
    return this.#servers.map(({ url }) => url);
  }

  get size() {
    return this.#servers.length;
  }

  /** Whether the process gets requests. */
  isReady(index) {
    return this.#address.isReady(this.#servers[index].url);
  }

  signal(index, name) {
    this.#servers[index].signal(name);
  }

  /** Kills a process, as a power failure would. The address notices on its own. */
  kill(index) {
    return this.#servers[index].kill();
  }

  /** Starts a killed process again. */
  async restart(index) {
    this.#address.remove(this.#servers[index].url);
    this.takeErrors();
    await this.#start(index);
  }

  /**
   * Stops a process as a supervisor does, and starts it again. `clockMs` is how far its clock is ahead from then on.
   */
  async renew(index, clockMs = 0) {
    const { report } = this;
    const startedAt = performance.now();
    const code = await this.#servers[index].stop();
    const tookMs = performance.now() - startedAt - Number.parseInt(SHUTDOWN_DELAY, 10) * 1_000;
    report.slowestStopMs = Math.max(report.slowestStopMs, tookMs);
    if (code !== 0) report.unclean.push(`A stopped server exited with ${code}.`);
    if (tookMs > STOP_LIMIT_MS) report.unclean.push(`Stopping took ${Math.round(tookMs)} ms.`);
    this.#address.remove(this.#servers[index].url);
    this.takeErrors();
    await this.#start(index, clockMs);
  }

  /** A server must log no error at all, except those that `isExpected` explains. */
  takeErrors(isExpected = () => false) {
    for (const server of this.#servers) {
      const errors = server.errors.slice(this.#taken.get(server) ?? 0);
      this.#taken.set(server, server.errors.length);
      this.report.unclean.push(...errors.filter((line) => !isExpected(line)).map(shortened));
    }
  }

  async close() {
    await Promise.all(this.#servers.map((server) => server.kill()));
    await this.#address?.close();
  }

  async #start(index, clockMs = 0) {
    const shift = { NODE_OPTIONS: `--require=${clock}`, SHIFTED_CLOCK_MS: String(clockMs) };
    const server = new ServerProcess({ ...this.#env, ...(clockMs === 0 ? {} : shift) });
    this.#servers[index] = server;
    await server.ready();
    this.report.slowestStartMs = Math.max(this.report.slowestStartMs, server.startMs);
    await this.#address.add(server.url);
  }
}

/** Summary of an error line: what failed, where, and why. */
function shortened(line) {
  if (!line.startsWith('{')) return line.slice(0, 300);
  const { time, context, msg, stack } = JSON.parse(line);
  return `${time} ${context}: ${stack ?? msg}`.split('\n', 2).join(' ').slice(0, 300);
}
