/**
 * An HTTP/1.1 client on raw sockets, for requests that other clients refuse to send: invalid encodings, wrong lengths,
 * broken heads. Sends one request at a time and keeps the connection as long as the server does.
 */
import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * @typedef {object} RawAnswer
 * @property {number} status
 * @property {Readonly<Record<string, string | undefined>>} headers
 * @property {Buffer} body
 * @property {boolean} isClosed whether the server closed the connection after this answer
 */

export class RawConnection {
  #place;
  #socket;
  #onData;
  #onEnd;

  /** `place` is a URL or the path of a Unix socket. */
  constructor(place) {
    if (place.startsWith('/')) this.#place = { path: place };
    else {
      const { hostname, port } = new URL(place);
      this.#place = { host: hostname, port: Number(port), noDelay: true };
    }
  }

  /**
   * Sends the parts. Rejects if the connection ends or `timeoutMs` pass before the answer is complete.
   *
   * @param {readonly (Buffer | string)[]} parts
   * @param {{ method?: string, timeoutMs?: number }} [options]
   * @returns {Promise<RawAnswer>}
   */
  async send(parts, { method = 'GET', timeoutMs = 20_000 } = {}) {
    if (!this.#socket) {
      await this.#open();
    }
    return new Promise((resolve, reject) => {
      const reader = new AnswerReader(method);
      const settle = (finish) => {
        clearTimeout(timer);
        this.#onData = this.#onEnd = undefined;
        finish();
      };
      const fail = (message) =>
        settle(() => {
          this.close();
          reject(new Error(message));
        });
      const timer = setTimeout(
        () => fail(`No whole answer within ${timeoutMs} ms; got ${JSON.stringify(reader.soFar())}.`),
        timeoutMs,
      );
      const take = (answer) => {
        if (!answer) return;
        settle(() => {
          if (answer.isClosed) this.close();
          resolve(answer);
        });
      };
      this.#onData = (chunk) => {
        try {
          take(reader.push(chunk));
        } catch (error) {
          fail(error.message);
        }
      };
      this.#onEnd = (error) => {
        const answer = reader.end();
        if (answer) take(answer);
        else
          fail(
            `The connection ended (${error?.code ?? 'closed'}) with ${JSON.stringify(reader.soFar())} of an answer.`,
          );
      };
      for (const part of parts) this.#socket.write(part);
    });
  }

  /** Sends and closes the connection without waiting for the answer. */
  async sendAndLeave(parts) {
    if (!this.#socket) await this.#open();
    const socket = this.#socket;
    await new Promise((resolve) => {
      socket.write(Buffer.concat(parts), resolve);
    });
    this.close();
  }

  close() {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open() {
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.#place);
      const onRefused = (error) => {
        socket.destroy();
        reject(error);
      };
      socket.once('error', onRefused);
      socket.once('connect', () => {
        socket.off('error', onRefused);
        this.#socket = socket;
        const onEnd = (error) => {
          if (this.#socket !== socket) return;
          this.#socket = undefined;
          socket.destroy();
          this.#onEnd?.(error);
        };
        socket.on('data', (chunk) => this.#onData?.(chunk));
        socket.on('end', () => onEnd());
        socket.on('error', onEnd);
        socket.on('close', () => onEnd());
        resolve();
      });
    });
  }
}

/** Collects the bytes of one answer until it is complete. */
class AnswerReader {
  #bytes = Buffer.alloc(0);
  #head;
  #method;

  constructor(method) {
    this.#method = method;
  }

  soFar() {
    return this.#bytes.subarray(0, 200).toString('latin1');
  }

  push(chunk) {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    while (!this.#head) {
      const end = this.#bytes.indexOf(HEAD_END);
      if (end < 0) return undefined;
      const head = parseHead(this.#bytes.subarray(0, end).toString('latin1'));
      this.#bytes = this.#bytes.subarray(end + 4);
      if (head.status >= 200 || head.status === 101) this.#head = head;
    }
    const body = this.#body();
    return body && this.#answer(body);
  }

  /** The connection has ended, which completes an answer without a length. */
  end() {
    return this.#head && this.#isUntilClosed ? this.#answer(this.#bytes, true) : undefined;
  }

  get #isUntilClosed() {
    const { headers } = this.#head;
    return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  }

  #body() {
    const { status, headers } = this.#head;
    if (this.#method === 'HEAD' || status === 204 || status === 304 || status === 101) return Buffer.alloc(0);
    if (headers['transfer-encoding'] === 'chunked') return unchunk(this.#bytes);
    if (headers['content-length'] === undefined) return undefined;
    const length = Number(headers['content-length']);
    return this.#bytes.length >= length ? this.#bytes.subarray(0, length) : undefined;
  }

  #answer(body, isClosed = false) {
    const { status, headers } = this.#head;
    const isLast = isClosed || status === 101 || headers.connection?.toLowerCase() === 'close';
    return { status, headers, body, isClosed: isLast };
  }
}

function parseHead(text) {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!status) throw new Error(`This is no answer: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status, headers };
}

function unchunk(bytes) {
  const pieces = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
