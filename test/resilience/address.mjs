/**
 * One HTTP address in front of several processes, like a load balancer. Requests go to the ready processes in turn.
 * One that was refused before a byte was sent goes to the next process; any other failure is returned to the client.
 */
import { createServer, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_EVERY_MS = 100;
/** /health/ready itself waits two seconds for the database. */
const ANSWERS_WITHIN_MS = 3_000;
/** A process is reported after this number of failed checks. A busy one may be slow once. */
const SILENT_CHECKS = 2;
/** How long a request waits for a process that accepts it. */
const PATIENCE_MS = 15_000;

export class Address {
  url = '';
  #server = createServer((request, response) => void this.#take(request, response));
  #places = [];
  #turn = 0;
  #isOver = false;

  static async open() {
    const address = new Address();
    await new Promise((resolve) => address.#server.listen(0, '127.0.0.1', resolve));
    address.url = `http://127.0.0.1:${address.#server.address().port}`;
    return address;
  }

  /** Resolves once the process at `url` gets requests. */
  async add(url) {
    const place = { url, isReady: false, isRemoved: false, sent: new Set() };
    this.#places.push(place);
    const checking = this.#check(place);
    while (!place.isReady && !place.isRemoved) await Promise.race([checking, sleep(10)]);
  }

  /** Forgets a process. Its running requests continue. */
  remove(url) {
    for (const place of this.#places) place.isRemoved ||= place.url === url;
    this.#places = this.#places.filter(({ isRemoved }) => !isRemoved);
  }

  isReady(url) {
    return this.#places.some((place) => place.url === url && place.isReady);
  }

  async close() {
    this.#isOver = true;
    for (const { url } of this.#places) this.remove(url);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #check(place) {
    let silent = 0;
    while (!place.isRemoved) {
      const status = await fetch(`${place.url}/health/ready`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      }).then(
        (answer) => answer.status,
        (error) => error.name,
      );
      place.isReady = status === 200;
      silent = status === 'TimeoutError' ? silent + 1 : 0;
      if (silent >= SILENT_CHECKS) for (const sent of place.sent) sent.destroy();
      await sleep(CHECK_EVERY_MS);
    }
  }

  async #take(request, response) {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the client has gone
    }
    const body = Buffer.concat(chunks);
    const deadline = performance.now() + PATIENCE_MS;
    do {
      for (const place of this.#inTurn()) if (await this.#pass(place, request, body, response)) return;
      await sleep(20);
    } while (!this.#isOver && performance.now() < deadline);
    response.destroy();
  }

  /** The ready processes, or all if none is ready, because they know the reason. */
  #inTurn() {
    const ready = this.#places.filter(({ isReady }) => isReady);
    const places = ready.length > 0 ? ready : this.#places;
    const first = this.#turn++ % Math.max(1, places.length);
    return [...places.slice(first), ...places.slice(0, first)];
  }

  /** False if the process has certainly not seen the request. */
  #pass(place, { method, url, headers }, body, response) {
    return new Promise((resolve) => {
      const { hostname: host, port } = new URL(place.url);
      const sent = httpRequest({
        ...{ host, port, method, path: url, agent: false },
        headers: { ...headers, connection: 'close', 'content-length': body.length },
      });
      place.sent.add(sent);
      const fail = (error) => {
        const isRefused = error?.code === 'ECONNREFUSED';
        if (isRefused) place.isReady = false;
        else response.destroy();
        resolve(!isRefused);
      };
      sent.on('error', fail);
      sent.on('close', () => place.sent.delete(sent));
      sent.on('response', (answer) => {
        const kept = { ...answer.headers };
        for (const name of ['connection', 'keep-alive']) delete kept[name]; // of this connection alone
        response.writeHead(answer.statusCode, kept);
        answer.on('error', fail);
        answer.on('end', () => resolve(true));
        answer.pipe(response);
      });
      sent.end(body);
    });
  }
}
