/**
 * Injects faults under load while several processes use one database, and checks afterwards the stored and delivered
 * data.
 */
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.mjs';
import { planFault } from './chaos-plan.mjs';
import { DeliveryLoad } from './delivery-load.mjs';
import { LiveReach } from './live-reach.mjs';
import { Loads } from './loads.mjs';
import { PeerLoad } from './peer-load.mjs';
import { PostLoad } from './post-load.mjs';

/** Longer than a silent process keeps its lanes. */
const FREEZE_MS = 13_000;
const CLOCKS_APART_MS = 2_000;
/** The faults in which a request may fail: its process or its database was gone. */
const failing = ['kill', 'freeze', 'database'];
/** The maximum time without an accepted post. A frozen process is detected after some seconds. */
const GAP_LIMIT_MS = { kill: 5_000, freeze: 12_000, database: 15_000 };
const GAP_LIMIT_OTHERWISE_MS = 3_000;
/**
 * The time after a Redis fault until posts reach the clients of other processes again. Silence is detected after
 * three seconds.
 */
const REACH_LIMIT_MS = 10_000;
/** A frozen process may have been away for longer than the database waits. */
const losingDatabase = ['database', 'freeze'];
const DATABASE_UNAVAILABLE = /The database is not available/;

/**
 * `kindOf` returns the fault of a round. `env` holds the settings of a server with an empty MySQL database and Redis,
 * and `place` says where to read that database. `redis` and `database` are the servers, `redisProxy` is between Redis
 * and the processes: each is needed for its faults. `peer` is a ForeignPeer. Closes what it starts, and the peer.
 */
export class FaultRun {
  #options;
  #cluster;
  #posts;
  #loads;
  #all;
  #reach = new LiveReach();

  constructor({ processes = 3, connections = 12, pauseMs = 30, ...options }) {
    this.#options = { ...options, processes };
    const { seed, peer } = options;
    const common = { isPatient: true, pauseMs };
    this.#posts = new PostLoad({ ...common, connections });
    const deliveries = new DeliveryLoad({ ...common, seed, connections: Math.ceil(connections / 3) });
    const messages = new PeerLoad({ peer, pauseMs });
    this.#all = [this.#posts, deliveries, messages];
    this.#loads = new Loads(this.#all);
    this.#cluster = new Cluster(this.#loads.settings(options.env));
    this.report = {
      ...{ faults: 0, failedFaults: 0, kinds: {}, slowestGapMs: {}, processes: this.#cluster.report },
      ...{ plans: [], gaps: [], silences: [], failures: [] },
      ...{ posts: this.#posts.report, deliveries: deliveries.report, messages: messages.report },
    };
  }

  get url() {
    return this.#cluster.url;
  }

  /** Starts the processes, and injects this number of faults. Call `close` afterwards, even if this fails. */
  async perform(faults, say = () => undefined) {
    await this.#prepare();
    for (let round = 1; round <= faults; round++) {
      const found = await this.#round(round, round === faults);
      say(this.report, found);
    }
    return this.report;
  }

  async close() {
    await this.#cluster.close();
    await this.#loads.close();
  }

  async #prepare() {
    const { processes, place } = this.#options;
    await this.#cluster.start(processes);
    const team = await this.#loads.prepare(this.url, place);
    await this.#reach.prepare({ admin: this.#loads.admin, team });
  }

  async #round(round, isLast) {
    const { report } = this;
    const { seed, kindOf } = this.#options;
    const plan = { kind: kindOf(round), ...planFault(seed, round, this.#options) };
    const { kind, afterMs } = plan;
    report.plans.push(plan);
    const before = new Set(this.#faults);
    await this.#loads.begin(round, this.url);
    await sleep(afterMs);
    const gapMs = await this.#longestGapDuring(() => this.#make(plan));
    if (kind.startsWith('redis')) await this.#checkReach(round, kind);
    await this.#loads.end();
    this.#cluster.takeErrors((line) => losingDatabase.includes(kind) && DATABASE_UNAVAILABLE.test(line));
    this.#checkRound(round, kind, gapMs);
    await this.#loads.check(this.url, round, isLast);
    report.faults++;
    report.kinds[kind] = (report.kinds[kind] ?? 0) + 1;
    const found = this.#faults.filter((fault) => !before.has(fault));
    if (found.length > 0) report.failedFaults++;
    return found;
  }

  get #faults() {
    return this.#loads.faults(this.report, this.#cluster.report);
  }

  async #checkReach(round, kind) {
    const { size, urls } = this.#cluster;
    const unreached = await this.#reach.unreached(urls, REACH_LIMIT_MS);
    if (unreached > 0)
      this.report.silences.push(
        `Round ${round}, ${kind}: posts of others do not reach ${unreached} of ${size} processes.`,
      );
  }

  #checkRound(round, kind, gapMs) {
    const { report } = this;
    report.slowestGapMs[kind] = Math.max(report.slowestGapMs[kind] ?? 0, gapMs);
    if (gapMs > (GAP_LIMIT_MS[kind] ?? GAP_LIMIT_OTHERWISE_MS))
      report.gaps.push(`Round ${round}, ${kind}: nothing was accepted for ${Math.round(gapMs)} ms.`);
    if (failing.includes(kind)) return;
    const failures = this.#all.flatMap((load) => load.failures);
    report.failures.push(...failures.map((failure) => `Round ${round}, ${kind}: ${failure}`));
  }

  /** The maximum time without an accepted post, from the start of the fault until posts are accepted after its end. */
  async #longestGapDuring(work) {
    let longest = 0;
    let { count } = this.#posts;
    let since = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - since);
      if (this.#posts.count > count) since = now;
      ({ count } = this.#posts);
    }, 10);
    try {
      await work();
      const settled = this.#posts.count + 20;
      const deadline = performance.now() + 30_000;
      while (this.#posts.count < settled && performance.now() < deadline) await sleep(10);
    } finally {
      clearInterval(timer);
    }
    return longest;
  }

  /** Injects the fault, and ends it. */
  async #make({ kind, process, lastsMs }) {
    const { redis, redisProxy, database } = this.#options;
    const cluster = this.#cluster;
    switch (kind) {
      case 'kill':
        await cluster.kill(process);
        return cluster.restart(process);
      case 'freeze':
        cluster.signal(process, 'SIGSTOP');
        await sleep(FREEZE_MS + lastsMs);
        cluster.signal(process, 'SIGCONT');
        return until(() => cluster.isReady(process));
      case 'clocks':
        return cluster.renew(process, lastsMs % 2 ? CLOCKS_APART_MS : -CLOCKS_APART_MS);
      case 'rolling':
        for (let index = 0; index < cluster.size; index++) await cluster.renew(index);
        return;
      case 'database':
        await database.kill();
        await sleep(lastsMs);
        await database.restart();
        return until(() => cluster.urls.every((_url, index) => cluster.isReady(index))); // each reconnects by itself
      case 'redis-stop':
        await redis.kill();
        await sleep(lastsMs);
        return redis.restart();
      case 'redis-restart':
        return redis.restart();
      case 'redis-flush':
        return flush(redis.url);
      case 'redis-cut':
        redisProxy.fallSilent();
        await sleep(lastsMs);
        return redisProxy.heal();
      default:
        throw new Error(`There is no fault ${kind}.`);
    }
  }
}

async function until(isSo, withinMs = 30_000) {
  const deadline = performance.now() + withinMs;
  while (!isSo() && performance.now() < deadline) await sleep(20);
}

async function flush(url) {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.write('FLUSHALL\r\n');
  await once(socket, 'data');
  socket.destroy();
}
