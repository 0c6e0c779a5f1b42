/** A consumer that pulls deliveries from a server that is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';

const LEASE = '2s';
/** Of ten pulled deliveries, the consumer refuses one and forgets one. */
const ONE_IN = 10;

/** Looks like a receiver: `received` has how often each delivery was handed out, and how often accepted. */
export class PullConsumer {
  url = 'pull:';
  received = new Map();
  /** Leases that had ended when they were settled. */
  expired = 0;
  #hook;
  #serverUrl;
  #isOver = false;
  #count = 0;
  #loops;

  constructor(hook, serverUrl, connections = 3) {
    this.#hook = hook;
    this.#serverUrl = serverUrl;
    this.#loops = Promise.all(Array.from({ length: connections }, () => this.#consume()));
  }

  /** The server has this URL from now on. */
  moveTo(serverUrl) {
    this.#serverUrl = serverUrl;
  }

  async close() {
    this.#isOver = true;
    await this.#loops;
  }

  async #consume() {
    while (!this.#isOver) {
      try {
        const { deliveries } = await this.#call('pull', { limit: 5, wait: '1s', lease: LEASE });
        await Promise.all(deliveries.map((delivery) => this.#handle(delivery)));
      } catch {
        await sleep(50); // the server is down
      }
    }
  }

  async #handle({ id, lease_id: lease }) {
    const seen = this.received.get(id) ?? { times: 0, accepted: 0 };
    this.received.set(id, seen);
    seen.times++;
    this.#count++;
    if (this.#count % ONE_IN === 0) return;
    const isRefused = this.#count % ONE_IN === 1;
    if (!isRefused) seen.accepted++;
    const replies = { [lease]: { body: JSON.stringify({ text: `reply ${id}` }) } };
    const { expired } = isRefused
      ? await this.#call('nack', { lease_ids: [lease] })
      : await this.#call('ack', { lease_ids: [lease], replies });
    this.expired += expired.length;
  }

  async #call(route, body) {
    const client = new ApiClient(this.#serverUrl, this.#hook.token);
    const answer = await client.post(`/hooks/outgoing/${this.#hook.id}/${route}`, body);
    if (answer.status !== 200) throw new Error(`${route} was answered ${answer.status}.`);
    return answer.body;
  }
}
