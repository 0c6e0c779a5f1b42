/** Receivers of webhooks that misbehave in different ways and record what they received and answered. */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts one receiver for each behaviour. */
export async function startReceivers(random) {
  return Promise.all(
    ['prompt', 'slow', 'flaky', 'dying'].map((kind) => TroubledReceiver.start(kind, random)),
  );
}

class TroubledReceiver {
  /** By delivery id: the numbers of calls and of 2xx answers. */
  received = new Map();
  /** The received post ids. */
  postIds = new Set();
  port = 0;
  #server;
  #random;
  #isOver = false;

  constructor(kind, random) {
    this.kind = kind;
    this.#random = random;
  }

  static async start(kind, random) {
    const receiver = new TroubledReceiver(kind, random);
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
    while (!this.#isOver) {
      await sleep(this.#random.between(30, 300));
      if (this.#isOver) return;
      await this.#die();
      await sleep(this.#random.between(10, 150));
      if (!this.#isOver) await this.#listen();
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
    const { post_id: postId } = JSON.parse(Buffer.concat(chunks).toString());
    const seen = this.received.get(id) ?? { times: 0, accepted: 0 };
    this.received.set(id, seen);
    this.postIds.add(postId);
    seen.times++;
    if (this.kind === 'slow') await sleep(this.#random.between(0, 120));
    if (this.kind === 'flaky') {
      if (this.#random.chance(0.15)) return request.socket.destroy();
      if (this.#random.chance(0.3)) return void response.writeHead(500).end();
    }
    seen.accepted++;
    response.writeHead(200, { 'content-type': 'application/json' });
    // The answer may get lost. Then the call is repeated, but the reply must not be posted again.
    response.end(JSON.stringify({ text: `reply ${id}` }));
  }
}
