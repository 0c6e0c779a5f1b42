/** Receivers of webhooks that misbehave in different ways and record their requests and responses. */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { planAnswer, planDowntimes, receiverKinds } from './chaos-plan.mjs';

/** Starts one receiver for each behaviour. */
export async function startReceivers(seed) {
  return Promise.all(receiverKinds.map((kind) => TroubledReceiver.start(kind, seed)));
}

class TroubledReceiver {
  /** By delivery id: the numbers of calls and of 2xx responses. */
  received = new Map();
  port = 0;
  #server;
  #seed;
  #isOver = false;

  constructor(kind, seed) {
    this.kind = kind;
    this.#seed = seed;
  }

  static async start(kind, seed) {
    const receiver = new TroubledReceiver(kind, seed);
    await receiver.#listen();
    if (kind === 'dying') void receiver.#dieAgainAndAgain();
    return receiver;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/${this.kind}`;
  }

  async close() {
    this.#isOver = true;
    await this.#die();
  }

  async #listen() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    await new Promise((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = this.#server.address().port;
  }

  async #die() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #dieAgainAndAgain() {
    for (const { upMs, downMs } of planDowntimes(this.#seed)) {
      await sleep(upMs);
      if (this.#isOver) return;
      await this.#die();
      await sleep(downMs);
      if (this.#isOver) return;
      await this.#listen();
    }
  }

  async #take(request, response) {
    request.on('error', () => undefined);
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const id = String(request.headers['webhook-id']);
    const { text } = JSON.parse(Buffer.concat(chunks).toString());
    const seen = this.received.get(id) ?? { times: 0, accepted: 0 };
    this.received.set(id, seen);
    seen.times++;
    const { waitMs, result } = planAnswer(this.#seed, this.kind, text, seen.times);
    if (waitMs > 0) await sleep(waitMs);
    if (result === 'reset') return request.socket.destroy();
    if (result === 'error') return void response.writeHead(500).end();
    seen.accepted++;
    response.writeHead(200, { 'content-type': 'application/json' });
    // The response may be lost. Then the call is repeated, but the reply must not be posted again.
    response.end(JSON.stringify({ text: `reply ${id}` }));
  }
}
