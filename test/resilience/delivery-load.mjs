/**
 * Messages that trigger webhooks as the load of a crash run: every stored message must have reached every receiver,
 * and no reply may be posted twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { PullConsumer } from './pull-consumer.mjs';
import { startReceivers } from './receivers.mjs';
import { OVERLAP } from './stored-rows.mjs';

export const SETTLE_LIMIT_MS = 60_000;
/** Deliveries are settled and checked after this number of rounds: until then they go through several faults. */
export const ROUNDS_PER_CHECK = 5;
const SCHEDULE = ['0s', ...Array.from({ length: 60 }, () => '150ms')].join(',');

export class DeliveryLoad {
  name = 'deliveries';
  env = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: SCHEDULE };
  report = {
    ...{ acknowledged: 0, stored: 0, deliveries: 0, calls: 0, repeatedCalls: 0, replies: 0 },
    ...{ expiredLeases: 0, slowestSettleMs: 0, lost: [], unreceived: [], doubled: [], wrong: [] },
  };
  #options;
  #rows;
  #receivers;
  /** One of the receivers. */
  #consumer;
  #token;
  #channelId;
  #seq = 0;
  /** The posts that have been checked. */
  #compared = new Set();
  #acknowledged = [];
  #isOver = true;
  #isServerStopping = false;
  #count = 0;
  #posters;
  /** The messages of this round that were refused or not answered. */
  failures = [];

  /** `isPatient` and `pauseMs` are those of Load. */
  constructor({ seed, connections, isPatient = false, pauseMs = 0 }) {
    this.#options = { seed, connections, isPatient, pauseMs };
  }

  async prepare({ admin, team, rows }) {
    this.#receivers = await startReceivers(this.#options.seed);
    this.#token = admin.token;
    const channel = { team_id: team.id, name: 'triggering', display_name: 'Triggering', type: 'O' };
    this.#channelId = (await admin.call('POST', '/channels', channel)).id;
    await admin.call('POST', '/hooks/outgoing', {
      ...{ team_id: team.id, channel_id: this.#channelId, display_name: 'Crash', trigger_words: ['go'] },
      ...{ trigger_when: 1, content_type: 'application/json' },
      callback_urls: this.#receivers.map(({ url }) => url),
    });
    const pulled = await admin.call('POST', '/hooks/outgoing', {
      ...{ team_id: team.id, channel_id: this.#channelId, display_name: 'Pulled', trigger_words: ['go'] },
      ...{ trigger_when: 1, content_type: 'application/json', callback_urls: [], delivery: 'pull' },
    });
    this.#consumer = new PullConsumer(pulled, admin.url);
    this.#receivers.push(this.#consumer);
    this.#rows = rows;
  }

  /** Posts messages on several connections until the server is down. */
  begin(round, url) {
    this.#isOver = this.#isServerStopping = false;
    this.#consumer.moveTo(url);
    this.#count = 0;
    this.failures = [];
    const { connections } = this.#options;
    this.#posters = Promise.all(
      Array.from({ length: connections }, (_, connection) => this.#post(`${round}.${connection}`, url)),
    );
  }

  get isFlowing() {
    return this.#count >= this.#options.connections || this.#isOver;
  }

  /** Number of acknowledged messages of this round. */
  get count() {
    return this.#count;
  }

  expectStop() {
    this.#isServerStopping = true;
  }

  async end() {
    this.#isOver = true;
    await this.#posters;
  }

  /** After some rounds and after the last one: waits until everything is delivered, and checks it. */
  async check(url, round, isLast) {
    this.#consumer.moveTo(url);
    if (round % ROUNDS_PER_CHECK > 0 && !isLast) return;
    await this.#settle();
    await this.#compare(this.#acknowledged);
    this.#acknowledged = [];
    if (isLast) this.report.doubled.push(...(await this.#rows.doubledTexts([this.#channelId])));
  }

  async close() {
    await Promise.all((this.#receivers ?? []).map((receiver) => receiver.close()));
  }

  async #post(prefix, url) {
    const { isPatient, pauseMs } = this.#options;
    const poster = new ApiClient(url, this.#token);
    for (let number = 0; !this.#isOver; number++) {
      const message = `go ${prefix}.${number}`;
      try {
        // The client resends it if a reused connection breaks.
        const body = { channel_id: this.#channelId, message, pending_post_id: message };
        const answer = await poster.post('/posts', body);
        if (answer.status === 201) this.#acknowledged.push(answer.body.id);
        else if (answer.status !== 503 || !(isPatient || this.#isServerStopping))
          this.report.wrong.push(`${message} was answered ${answer.status}.`);
        if (answer.status === 503) this.failures.push(`${message} was refused.`);
        else this.#count++;
      } catch {
        this.failures.push(`${message} was not answered.`);
        if (!isPatient) return; // the server is down
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  async #settle() {
    const startedAt = performance.now();
    const open = await this.#rows.settle(SETTLE_LIMIT_MS);
    if (open > 0) this.report.wrong.push(`${open} deliveries are still open.`);
    this.report.slowestSettleMs = Math.max(this.report.slowestSettleMs, performance.now() - startedAt);
  }

  async #compare(acknowledged) {
    const { report } = this;
    const found = await this.#rows.deliveriesAfter(this.#seq - OVERLAP, this.#channelId);
    const { seq, replies } = found;
    const triggers = found.triggers.filter(({ id }) => !this.#compared.has(id));
    const deliveries = found.deliveries.filter(({ postId }) => !this.#compared.has(postId));
    this.#seq = Math.max(this.#seq, seq);
    for (const { id } of triggers) this.#compared.add(id);
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
    report.expiredLeases = this.#consumer.expired;
    report.acknowledged += acknowledged.length;
    report.stored += triggers.length;
    report.deliveries += deliveries.length;
    report.replies += deliveries.filter(({ id }) => repliesOf.has(`reply ${id}`)).length;
  }
}
