/** Concurrent posters that record acknowledged requests. They use little CPU, because the server needs it. */
import { Agent, request as httpRequest } from 'node:http';
import { checkAnswer } from '../support/answer-check.mjs';

const PIECE_LENGTH = 16_383;
const FILLERS = ['x', 'é', '漢', '🚀'];
/** The kinds of requests, assigned to posters by their number in turn. */
const KINDS = 'hook keyed api long hook keyed long reply hook keyed api making'.split(' ');

/** A request of a poster and its outcome. */
class Sent {
  /** `acknowledged`, `unanswered`, or the text of an unexpected response. */
  outcome = 'unanswered';
  /** In milliseconds of performance.now(). */
  sentAt = performance.now();
  answeredAt = 0;
  status = 0;

  constructor({ kind, marker, pieces, send }) {
    this.kind = kind;
    this.marker = marker;
    this.pieces = pieces;
    this.send = send;
  }
}

/** @typedef {{ url: string, token: string, hookId: string, channelId: string, rootId: string }} LoadTarget */

/**
 * Posts on `connections` connections until the server is down or `stop` is called. `isPatient` continues after 503
 * and lost connections, as during an outage. `pauseMs` is the pause of each connection between two requests.
 */
export class Load {
  /** All requests in the order in which they were sent. */
  sent = [];
  /** Number of valid 503 responses. Other unexpected responses are the outcome of their request. */
  refused = [];
  acknowledgedCount = 0;
  hasEnded = false;
  #agent;
  #target;
  #prefix;
  #isPatient;
  #pauseMs;
  #isStopped = false;
  #isServerStopping = false;
  #posters;

  constructor({ target, prefix, connections, isPatient = false, pauseMs = 0 }) {
    this.#target = target;
    this.#prefix = prefix;
    this.#isPatient = isPatient;
    this.#pauseMs = pauseMs;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#posters = Promise.all(Array.from({ length: connections }, (_, poster) => this.#run(poster))).then(
      () => {
        this.hasEnded = true;
      },
    );
  }

  /** Call it before the server is stopped: from now on it may refuse requests with 503. */
  expectStop() {
    this.#isServerStopping = true;
  }

  /** Waits for pending responses. */
  async stop() {
    this.#isStopped = true;
    await this.end();
  }

  /** Waits until every poster has ended. */
  async end() {
    await this.#posters;
    this.#agent.destroy();
  }

  get acknowledged() {
    return this.sent.filter((item) => item.outcome === 'acknowledged');
  }

  get unanswered() {
    return this.sent.filter((item) => item.outcome === 'unanswered');
  }

  async #run(poster) {
    const kind = KINDS[poster % KINDS.length];
    for (let n = 0; !this.#isStopped; n++) {
      const sent = this.#make(kind, poster, n);
      this.sent.push(sent);
      const isOver = await this.#perform(sent);
      if (isOver) return;
      const restMs = kind === 'making' ? 20 + this.#pauseMs : this.#pauseMs;
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  async #perform(sent) {
    try {
      const answer = await sent.send(this.#agent, this.#target.url);
      sent.answeredAt = performance.now();
      sent.status = answer.status;
      if (answer.status === 200 || answer.status === 201) {
        sent.outcome = 'acknowledged';
        this.acknowledgedCount++;
      } else if ((this.#isPatient || this.#isServerStopping) && answer.status === 503) {
        // The database connection was lost during the commit, as the response states.
        sent.outcome = answer.text.includes('It may be stored or not') ? 'unanswered' : 'refused';
        this.refused.push(answer);
        await new Promise((resolve) => setTimeout(resolve, 20));
      } else sent.outcome = `${answer.status} ${answer.text.slice(0, 300)}`;
      return false;
    } catch {
      return !this.#isPatient; // the server is down and may or may not have stored this request
    }
  }

  #make(kind, poster, n) {
    const marker = `${this.#prefix}.${poster}.${n}`;
    const total = kind === 'long' ? 2 + (n % 2) : 1;
    const filler = FILLERS[n % FILLERS.length];
    const pieces = Array.from({ length: total }, (_, i) =>
      piece(marker, i + 1, total, i + 1 < total ? PIECE_LENGTH : 60 + (n % 200), filler),
    );
    return new Sent({ kind, marker, pieces: total, send: this.#sender(kind, marker, pieces.join('')) });
  }

  #sender(kind, marker, text) {
    const { token, hookId, channelId, rootId } = this.#target;
    const authorization = { Authorization: `Bearer ${token}` };
    const post = { channel_id: channelId, message: text };
    const hook = { channel_id: channelId, display_name: marker };
    const sender = (path, body, headers) => {
      const bytes = Buffer.from(JSON.stringify(body));
      return (agent, url) => send(agent, url, path, bytes, headers);
    };
    switch (kind) {
      case 'keyed':
        return sender(`/hooks/${hookId}`, { text }, { 'Idempotency-Key': marker });
      case 'api':
        return sender('/api/v4/posts', { ...post, pending_post_id: marker }, authorization);
      case 'reply':
        return sender('/api/v4/posts', { ...post, root_id: rootId }, authorization);
      case 'making':
        return sender('/api/v4/hooks/incoming', hook, authorization);
      default:
        return sender(`/hooks/${hookId}`, { text }, {});
    }
  }
}

/** A text that contains its marker, part number and length. */
function piece(marker, number, total, length, filler) {
  const head = `${marker}|${number}/${total}|${length}|`;
  return head + filler.repeat(length - head.length);
}

/** Parses a stored message into { marker, number, total, length }. Returns undefined if no poster wrote it. */
export function readPiece(text) {
  const match = /^([a-z]\w*\.\d+\.\d+)\|(\d+)\/(\d+)\|(\d+)\|/.exec(text);
  if (!match) return undefined;
  const [, marker, number, total, length] = match;
  return { marker, number: Number(number), total: Number(total), length: Number(length) };
}

function send(agent, url, path, bytes, headers) {
  const { hostname: host, port } = new URL(url);
  const own = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
  const options = { agent, host, port, path, method: 'POST', headers: { ...own, ...headers } };
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        const answer = { status: response.statusCode, headers: response.headers, text };
        checkAnswer(answer, 'POST', path);
        resolve(answer);
      });
      response.on('error', reject);
      response.on('close', () => reject(new Error('The answer broke off.')));
    });
    request.on('error', reject);
    request.end(bytes);
  });
}
