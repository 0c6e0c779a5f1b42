/** Kills a server repeatedly under load and compares posts after each restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { compare } from './audit-of-posts.mjs';
import { Load } from './load.mjs';
import { Random } from './random.mjs';
import { killWhileStarting, ServerProcess } from '../support/server-process.mjs';
import { openStoredRows } from './stored-rows.mjs';

const PASSWORD = 'correct horse battery';
const START_LIMIT_MS = 15_000;

/**
 * `env` holds the settings of a server with an empty database, and `place` says where to read that database. Returns the
 * figures and the faults by kind.
 */
export async function runCrashes(options) {
  const run = new CrashRun(options);
  const { kills, say = () => undefined } = options;
  try {
    await run.prepare();
    for (let kill = 1; kill <= kills; kill++) {
      await run.round(kill);
      say(run.report);
    }
  } finally {
    await run.close();
  }
  return run.report;
}

class CrashRun {
  report = {
    ...{
      kills: 0,
      acknowledged: 0,
      unanswered: 0,
      storedUnanswered: 0,
      repeated: 0,
      stored: 0,
      killedStarts: 0,
    },
    ...{ slowestStartMs: 0, failedKills: 0, lost: [], doubled: [], half: [], wrong: [], unclean: [] },
  };
  #env;
  #place;
  #random;
  #connections;
  #longestLoadMs;
  #server;
  #rows;
  #target;
  #channelIds;
  #seq = 0;

  constructor({ env, place, seed, connections = 24, longestLoadMs = 300 }) {
    this.#env = { ...env, ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' };
    this.#place = place;
    this.#random = new Random(seed);
    this.#connections = connections;
    this.#longestLoadMs = longestLoadMs;
  }

  async prepare() {
    this.#server = await ServerProcess.start(this.#env);
    const admin = await new ApiClient(this.#server.url).login('admin', PASSWORD);
    const team = await admin.call('GET', '/teams/name/main');
    const [hookChannel, apiChannel] = [
      await admin.call('POST', '/channels', {
        team_id: team.id,
        name: 'by-hook',
        display_name: 'By hook',
        type: 'O',
      }),
      await admin.call('POST', '/channels', {
        team_id: team.id,
        name: 'by-api',
        display_name: 'By API',
        type: 'P',
      }),
    ];
    const hook = await admin.call('POST', '/hooks/incoming', {
      channel_id: hookChannel.id,
      display_name: 'load',
    });
    const root = await admin.call('POST', '/posts', {
      channel_id: apiChannel.id,
      message: 'root.0.0|1/1|16|',
    });
    this.#channelIds = [hookChannel.id, apiChannel.id];
    this.#target = {
      url: this.#server.url,
      token: admin.token,
      hookId: hook.id,
      channelId: apiChannel.id,
      rootId: root.id,
    };
    this.#rows = await openStoredRows(this.#place);
    this.#seq = (await this.#rows.postsAfter(0, this.#channelIds)).seq;
  }

  async round(kill) {
    const prefix = `k${kill}`;
    const load = new Load({ target: this.#target, prefix, connections: this.#connections });
    while (load.acknowledgedCount < this.#connections && !load.hasEnded) await sleep(5);
    await sleep(this.#random.between(0, this.#longestLoadMs));
    await this.#server.kill();
    await load.end();
    const before = this.#faultCount();
    await this.#restart();
    const once = await this.#repeat(load);
    await this.#compare(load, prefix, once);
    this.report.kills++;
    if (this.#faultCount() > before) this.report.failedKills++;
  }

  async close() {
    await this.#rows?.close();
    await this.#server?.kill();
  }

  async #restart() {
    const { report } = this;
    if (this.#random.chance(0.15)) {
      await killWhileStarting(this.#env, this.#random.between(50, 900));
      report.killedStarts++;
    }
    this.#server = await ServerProcess.start(this.#env);
    const { startMs, url } = this.#server;
    report.slowestStartMs = Math.max(report.slowestStartMs, startMs);
    if (startMs > START_LIMIT_MS) report.unclean.push(`A start took ${Math.round(startMs)} ms.`);
    const ready = await new ApiClient(url).get('/health/ready');
    if (ready.status !== 200) report.unclean.push(`/health/ready answered ${ready.status} after a start.`);
    report.unclean.push(...this.#server.errors.map((line) => `After a start: ${line}`));
    this.#target = { ...this.#target, url };
  }

  /** Repeats the unanswered requests that can be repeated, and some answered ones, once each. */
  async #repeat(load) {
    const canRepeat = ({ kind }) => kind === 'keyed' || kind === 'api';
    const again = [...load.unanswered.filter(canRepeat), ...load.acknowledged.filter(canRepeat).slice(-5)];
    for (const item of again) {
      const answer = await item.send(undefined, this.#target.url);
      if (answer.status !== 200 && answer.status !== 201)
        this.report.wrong.push(
          `The repetition of ${item.marker} was answered ${answer.status} ${answer.text}`,
        );
    }
    this.report.repeated += again.length;
    return new Set(again.map((item) => item.marker));
  }

  async #compare(load, prefix, once) {
    const { report } = this;
    const found = await this.#rows.postsAfter(this.#seq, this.#channelIds);
    const hooks = await this.#rows.hooksNamed(prefix);
    this.#seq = found.seq;
    const faults = compare({ sent: load.sent, found, hooks, once });
    for (const kind of ['lost', 'doubled', 'half', 'wrong']) report[kind].push(...faults[kind]);
    report.wrong.push(...(await this.#rows.wrongCounters(this.#channelIds, this.#target.rootId)));
    report.acknowledged += load.acknowledged.length;
    report.unanswered += load.unanswered.length;
    report.storedUnanswered += load.unanswered.filter(
      ({ marker }) => !once.has(marker) && (found.pieces.has(marker) || hooks.has(marker)),
    ).length;
    report.stored += found.pieces.size + hooks.size;
  }

  #faultCount() {
    const { lost, doubled, half, wrong, unclean } = this.report;
    return lost.length + doubled.length + half.length + wrong.length + unclean.length;
  }
}
