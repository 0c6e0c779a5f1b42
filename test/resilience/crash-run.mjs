/** Kills a server repeatedly under load, stops it once, and checks its data after each restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { killWhileStarting, ServerProcess } from '../support/server-process.mjs';
import { planRound } from './chaos-plan.mjs';
import { DeliveryLoad } from './delivery-load.mjs';
import { Loads } from './loads.mjs';
import { PostLoad } from './post-load.mjs';

/** A supervisor kills a server that takes longer. */
const STOP_LIMIT_MS = 10_000;

/**
 * `env` holds the settings of a server with an empty database, and `place` says where to read that database. `suites`
 * names the loads that run on it together: posts, deliveries.
 */
export class CrashRun {
  #options;
  #env;
  #loads;
  #server;

  constructor({ suites = ['posts', 'deliveries'], connections = 24, longestLoadMs = 300, ...options }) {
    this.#options = { ...options, longestLoadMs };
    const posts = new PostLoad({ connections });
    const deliveries = new DeliveryLoad({ seed: options.seed, connections: Math.ceil(connections / 3) });
    this.#loads = new Loads([posts, deliveries].filter(({ name }) => suites.includes(name)));
    this.#env = this.#loads.settings(options.env);
    this.report = {
      ...{ kills: 0, stops: 0, killedStarts: 0, failedRounds: 0, slowestStartMs: 0, slowestStopMs: 0 },
      ...{ unclean: [], plans: [], posts: posts.report, deliveries: deliveries.report },
    };
  }

  /** The running server, and a client of its administrator. */
  get server() {
    return this.#server;
  }

  get admin() {
    return new ApiClient(this.#server.url, this.#loads.admin.token);
  }

  get rows() {
    return this.#loads.rows;
  }

  /** Starts the server, and kills it repeatedly. Call `close` afterwards, even if this fails. */
  async perform() {
    const { kills, say = () => undefined } = this.#options;
    await this.#start();
    await this.#loads.prepare(this.#server.url, this.#options.place);
    for (let round = 1; round <= kills + 1; round++) {
      await this.#round(round, round > kills);
      say(this.report);
    }
    return this.report;
  }

  async close() {
    await this.#server?.kill();
    await this.#loads.close();
  }

  async #round(round, isLast) {
    const { report } = this;
    const plan = planRound(this.#options.seed, round, this.#options);
    report.plans.push(plan);
    const before = this.#loads.faults(report).length;
    await this.#loads.begin(round, this.#server.url);
    await sleep(plan.afterMs);
    await (plan.isStop ? this.#stop() : this.#kill());
    await this.#loads.end();
    if (plan.killStartAfterMs !== undefined) {
      await killWhileStarting(this.#env, plan.killStartAfterMs);
      report.killedStarts++;
    }
    await this.#start();
    await this.#loads.check(this.#server.url, round, isLast);
    if (this.#loads.faults(report).length > before) report.failedRounds++;
  }

  async #start() {
    const { report } = this;
    this.#server = await ServerProcess.start(this.#env);
    const { startMs, url } = this.#server;
    report.slowestStartMs = Math.max(report.slowestStartMs, startMs);
    const ready = await new ApiClient(url).get('/health/ready');
    if (ready.status !== 200) report.unclean.push(`/health/ready answered ${ready.status} after a start.`);
  }

  async #kill() {
    await this.#server.kill();
    this.report.kills++;
    this.#takeErrors();
  }

  /** Stops the server as a supervisor does. It must exit in time and without an error. */
  async #stop() {
    const { report } = this;
    this.#loads.expectStop();
    const startedAt = performance.now();
    const code = await this.#server.stop();
    const tookMs = performance.now() - startedAt;
    report.stops++;
    report.slowestStopMs = Math.max(report.slowestStopMs, tookMs);
    if (code !== 0) report.unclean.push(`The stopped server exited with ${code}.`);
    if (tookMs > STOP_LIMIT_MS) report.unclean.push(`Stopping took ${Math.round(tookMs)} ms.`);
    this.#takeErrors();
  }

  /** A server under load must log no error at all. */
  #takeErrors() {
    this.report.unclean.push(...this.#server.errors.map((line) => line.slice(0, 500)));
  }
}
