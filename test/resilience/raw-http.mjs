/**
 * An HTTP/1.1 client on raw sockets, for requests that other clients refuse to send: invalid encodings, wrong lengths,
 * broken heads. Sends one request at a time and keeps the connection as long as the server does.
 */
import { once } from 'node:events';
import net from 'node:net';

const HEAD_END = '\r\n\r\n';

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

  /** `place` is a URL or the path of a Unix socket. */
  constructor(place) {
    const { hostname: host, port } = place.startsWith('/') ? {} : new URL(place);
    this.#place = host === undefined ? { path: place } : { host, port: Number(port), noDelay: true };
  }

  /**
   * Sends the parts. Rejects if the connection ends or `timeoutMs` pass before the answer is complete.
   *
   * @param {readonly (Buffer | string)[]} parts
   * @param {{ method?: string, timeoutMs?: number }} [options]
   * @returns {Promise<RawAnswer>}
   */
  async send(parts, { method = 'GET', timeoutMs = 20_000 } = {}) {
    const socket = await this.#open();
    let bytes = Buffer.alloc(0);
    let timer;
    const listeners = {};
    const answered = new Promise((resolve, reject) => {
      const fail = (what) =>
        reject(new Error(`${what} with ${JSON.stringify(bytes.toString('latin1', 0, 200))} of an answer.`));
      const take = (isEnded) => {
        try {
          const answer = answerIn(bytes, method, isEnded);
          if (answer) resolve(answer);
          return answer;
        } catch (error) {
          return reject(error);
        }
      };
      listeners.data = (chunk) => {
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
        take(false);
      };
      listeners.error = (error) => fail(`The connection ended (${error.code})`);
      listeners.close = () => take(true) || fail('The connection ended (closed)');
      timer = setTimeout(() => fail(`No whole answer within ${timeoutMs} ms`), timeoutMs);
    });
    for (const [name, listener] of Object.entries(listeners)) socket.on(name, listener);
    for (const part of parts) socket.write(part);
    try {
      const answer = await answered;
      if (answer.isClosed) this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
    }
  }

  /** Sends and closes the connection without waiting for the answer. */
  async sendAndLeave(parts) {
    const socket = await this.#open();
    await new Promise((resolve) => {
      socket.write(Buffer.concat(parts), resolve);
    });
    this.close();
  }

  close() {
    this.#socket?.destroy();
  }

  async #open() {
    if (this.#socket?.readyState === 'open') return this.#socket;
    const socket = net.connect(this.#place);
    await once(socket, 'connect');
    socket.on('error', () => undefined); // between two requests
    this.#socket = socket;
    return socket;
  }
}

/** The answer in these bytes, if it is complete. The end of the connection completes one without a length. */
function answerIn(bytes, method, isEnded) {
  let head;
  let at = 0;
  do {
    const end = bytes.indexOf(HEAD_END, at);
    if (end < 0) return undefined;
    head = parseHead(bytes.toString('latin1', at, end));
    at = end + HEAD_END.length;
  } while (head.status < 200 && head.status !== 101);
  const { status, headers } = head;
  const body = bodyIn(bytes.subarray(at), method, head, isEnded);
  const isLast = isEnded || status === 101 || headers.connection?.toLowerCase() === 'close';
  return body && { status, headers, body, isClosed: isLast };
}

function parseHead(text) {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!status) throw new Error(`This is no answer: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: Object.fromEntries(headers) };
}

function bodyIn(bytes, method, { status, headers }, isEnded) {
  if (method === 'HEAD' || [101, 204, 304].includes(status)) return Buffer.alloc(0);
  if (headers['transfer-encoding'] === 'chunked') return unchunk(bytes);
  const length = headers['content-length'];
  if (length === undefined) return isEnded ? bytes : undefined;
  return bytes.length >= Number(length) ? bytes.subarray(0, Number(length)) : undefined;
}

function unchunk(bytes) {
  const pieces = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = parseInt(bytes.toString('latin1', at, end), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
