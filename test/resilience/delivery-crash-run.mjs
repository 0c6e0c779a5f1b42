/**
 * Kills a server repeatedly while messages trigger webhooks, and compares what it stored with what the receivers got:
 * every stored message must have reached every receiver, and no reply may be posted twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { Random } from './random.mjs';
import { startReceivers } from './receivers.mjs';
import { killWhileStarting, ServerProcess } from '../support/server-process.mjs';
import { openStoredRows } from './stored-rows.mjs';

const PASSWORD = 'correct horse battery';
const SETTLE_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_500;
const SCHEDULE = ['0s', ...Array.from({ length: 60 }, () => '150ms')].join(',');

/** Returns the figures and the faults by kind. */
export async function runDeliveryCrashes(options) {
  const run = new DeliveryCrashRun(options);
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

class DeliveryCrashRun {
  report = {
    ...{ kills: 0, stops: 0, killedStarts: 0, failedKills: 0, acknowledged: 0, stored: 0, deliveries: 0 },
    ...{ calls: 0, repeatedCalls: 0, replies: 0, slowestSettleMs: 0 },
    ...{ lost: [], unreceived: [], doubled: [], wrong: [] },
  };
  #env;
  #place;
  #random;
  #connections;
  #longestLoadMs;
  #server;
  #rows;
  #receivers;
  #token;
  #channelId;
  #seq = 0;

  constructor({ env, place, seed, connections = 8, longestLoadMs = 400 }) {
    this.#env = {
      ...env,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'warn',
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: SCHEDULE,
      OUTGOING_TIMEOUT: '2s',
    };
    this.#place = place;
    this.#random = new Random(seed);
    this.#connections = connections;
    this.#longestLoadMs = longestLoadMs;
  }

  async prepare() {
    this.#receivers = await startReceivers(this.#random);
    this.#server = await ServerProcess.start(this.#env);
    const admin = await new ApiClient(this.#server.url).login('admin', PASSWORD);
    this.#token = admin.token;
    const team = await admin.call('GET', '/teams/name/main');
    const channel = await admin.call('POST', '/channels', {
      team_id: team.id,
      name: 'triggering',
      display_name: 'Triggering',
      type: 'O',
    });
    this.#channelId = channel.id;
    await admin.call('POST', '/hooks/outgoing', {
      team_id: team.id,
      channel_id: channel.id,
      display_name: 'Crash',
      trigger_words: ['go'],
      trigger_when: 1,
      callback_urls: this.#receivers.map(({ url }) => url),
      content_type: 'application/json',
    });
    this.#rows = await openStoredRows(this.#place);
  }

  async round(kill) {
    const before = this.#faultCount();
    const load = this.#startLoad(kill);
    while (load.acknowledged.length < this.#connections && !load.isOver) await sleep(5);
    await sleep(this.#random.between(0, this.#longestLoadMs));
    if (this.#random.chance(0.2)) await this.#stop();
    else await this.#server.kill();
    load.isOver = true;
    await load.done;
    if (this.#random.chance(0.15)) {
      await killWhileStarting(this.#env, this.#random.between(50, 900));
      this.report.killedStarts++;
    }
    this.#server = await ServerProcess.start(this.#env);
    await this.#settle();
    await this.#compare(load.acknowledged);
    this.report.wrong.push(...this.#server.errors.map((line) => `After a start: ${line.slice(0, 500)}`));
    this.report.kills++;
    if (this.#faultCount() > before) this.report.failedKills++;
  }

  async close() {
    await this.#rows?.close();
    await this.#server?.kill();
    await Promise.all((this.#receivers ?? []).map((receiver) => receiver.close()));
  }

  /** Posts messages on several connections until the server is down. */
  #startLoad(kill) {
    const load = { acknowledged: [], isOver: false, done: undefined };
    const post = async (connection) => {
      for (let number = 0; !load.isOver; number++) {
        const message = `go ${kill}.${connection}.${number}`;
        try {
          const poster = new ApiClient(this.#server.url, this.#token);
          const answer = await poster.post('/posts', { channel_id: this.#channelId, message });
          if (answer.status === 201) load.acknowledged.push(answer.body.id);
          else if (answer.status !== 503) this.report.wrong.push(`${message} was answered ${answer.status}.`);
        } catch {
          return; // the server is down
        }
      }
    };
    load.done = Promise.all(Array.from({ length: this.#connections }, (_, index) => post(index)));
    return load;
  }

  /** Stops the server as a supervisor does. It must exit in time and without an error. */
  async #stop() {
    const startedAt = performance.now();
    await this.#server.stop();
    this.report.stops++;
    const tookMs = performance.now() - startedAt;
    if (tookMs > STOP_LIMIT_MS) this.report.wrong.push(`Stopping took ${Math.round(tookMs)} ms.`);
    this.report.wrong.push(...this.#server.errors.map((line) => `While stopping: ${line.slice(0, 500)}`));
  }

  async #settle() {
    const startedAt = performance.now();
    while ((await this.#rows.openDeliveries()) > 0) {
      if (performance.now() - startedAt > SETTLE_LIMIT_MS) {
        this.report.wrong.push(`${await this.#rows.openDeliveries()} deliveries are still open.`);
        break;
      }
      await sleep(50);
    }
    this.report.slowestSettleMs = Math.max(this.report.slowestSettleMs, performance.now() - startedAt);
  }

  async #compare(acknowledged) {
    const { report } = this;
    const { seq, triggers, replies, deliveries } = await this.#rows.deliveriesAfter(
      this.#seq,
      this.#channelId,
    );
    this.#seq = seq;
    const stored = new Set(triggers.map(({ id }) => id));
    report.lost.push(...acknowledged.filter((id) => !stored.has(id)).map((id) => `The post ${id} is lost.`));
    const posts = new Map(triggers.map(({ id }) => [id, new Set()]));
    const repliesOf = new Map();
    for (const { message } of replies) repliesOf.set(message, (repliesOf.get(message) ?? 0) + 1);
    for (const { id, postId, url, status, replyPostId } of deliveries) {
      const urls = posts.get(postId);
      if (!urls || urls.has(url)) report.wrong.push(`The delivery ${id} belongs to no post, or is double.`);
      else urls.add(url);
      const receiver = this.#receivers.find((candidate) => candidate.url === url);
      const seen = receiver?.received.get(id) ?? { times: 0, accepted: 0 };
      if (status !== 'delivered' || seen.accepted === 0)
        report.unreceived.push(
          `The delivery ${id} to ${url} is ${status}, and was accepted ${seen.accepted} times.`,
        );
      const posted = repliesOf.get(`reply ${id}`) ?? 0;
      if (posted !== 1 || !replyPostId) report.doubled.push(`The reply to ${id} was posted ${posted} times.`);
      report.calls += seen.times;
      report.repeatedCalls += Math.max(0, seen.accepted - 1);
    }
    for (const [postId, urls] of posts)
      if (urls.size !== this.#receivers.length)
        report.unreceived.push(`The post ${postId} has ${urls.size} deliveries.`);
    report.acknowledged += acknowledged.length;
    report.stored += triggers.length;
    report.deliveries += deliveries.length;
    report.replies += replies.length;
  }

  #faultCount() {
    const { lost, unreceived, doubled, wrong } = this.report;
    return lost.length + unreceived.length + doubled.length + wrong.length;
  }
}
