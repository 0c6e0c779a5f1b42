import { Agent, request as httpRequest } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * @template [T=any]
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string | string[] | undefined>} headers
 * @property {T} body the parsed body if it is JSON, otherwise undefined
 * @property {string} text
 */

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [raw] bytes or text to send as is instead of a JSON body
 * @property {boolean} [isBroken] the test has broken the server, so that status 500 is expected
 */

/**
 * @typedef {object} Exchange a request and its answer
 * @property {string} method
 * @property {string} path as sent, with its query
 * @property {Record<string, string | number>} headers of the request
 * @property {unknown} payload
 * @property {Answer} answer
 * @property {boolean} isLocal over a Unix socket
 * @property {boolean} isBroken
 */

/** A plain HTTP client over `node:http`, which also works with other servers that speak the Mattermost v4 API. */
export class ApiClient {
  /** Sees every answer that any client receives. @type {((exchange: Exchange) => void) | undefined} */
  static onAnswer;
  /**
   * Servers of several instances, by the address of the first: they get requests in turn, the next one after all have heard
   * of a change. Also by the local socket, where the first gets all.
   *
   * @type {Map<string, { readonly urls: readonly string[], readonly hear: () => Promise<void> }>}
   */
  static shared = new Map();
  static #turn = 0;
  #socketPath;

  /**
   * @param {string} url of the server, or of the first of its instances
   * @param {string} [token] of the session, if there is one
   * @param {string} [socketPath] a Unix socket to use instead of the address in `url`
   */
  constructor(url, token = '', socketPath) {
    /** @readonly */
    this.url = url;
    /** @readonly */
    this.token = token;
    this.#socketPath = socketPath;
  }

  /** The same server with another session. */
  as(/** @type {string} */ token) {
    return new ApiClient(this.url, token, this.#socketPath);
  }

  /** @param {string} path @param {RequestOptions} [options] */
  get(path, options) {
    return this.send('GET', path, undefined, options);
  }

  /** @param {string} path @param {unknown} [body] @param {RequestOptions} [options] */
  post(path, body, options) {
    return this.send('POST', path, body, options);
  }

  /** @param {string} path @param {unknown} [body] @param {RequestOptions} [options] */
  put(path, body, options) {
    return this.send('PUT', path, body, options);
  }

  /** @param {string} path @param {unknown} [body] @param {RequestOptions} [options] */
  patch(path, body, options) {
    return this.send('PATCH', path, body, options);
  }

  /** @param {string} path @param {unknown} [body] @param {RequestOptions} [options] */
  delete(path, body, options) {
    return this.send('DELETE', path, body, options);
  }

  /**
   * The body of a success; anything else throws.
   *
   * @param {string} method @param {string} path @param {unknown} [body]
   */
  async call(method, path, body) {
    const answer = await this.send(method, path, body);
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /**
   * A client with a new session of that account; undefined when the server refuses it.
   *
   * @param {string} loginId @param {string} password
   */
  async login(loginId, password) {
    const answer = await this.as('').post('/users/login', { login_id: loginId, password });
    return answer.status === 200 ? this.as(String(answer.headers['token'])) : undefined;
  }

  /**
   * `path` starts with `/` and is relative to `/api/v4` unless it is `/api…`, `/hooks/{id}`, `/services/…`, `/health…`
   * or `/metrics`.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {RequestOptions} [options]
   * @returns {Promise<Answer>}
   */
  async send(method, path, body, { headers = {}, raw, isBroken = false } = {}) {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const isWhole = /^\/(api\/|health\/|metrics|services\/|hooks\/(?!incoming|outgoing))/.test(path);
    const shared = ApiClient.shared.get(this.#socketPath ?? this.url);
    const { hostname, port, pathname } = new URL(
      shared?.urls[ApiClient.#turn++ % shared.urls.length] ?? this.url,
    );
    const place = this.#socketPath ? { socketPath: this.#socketPath } : { host: hostname, port, agent };
    const length =
      payload === undefined || headers['transfer-encoding']
        ? {}
        : { 'content-length': Buffer.byteLength(payload) };
    const request = {
      method,
      path: `${pathname.replace(/\/$/, '')}${isWhole ? '' : '/api/v4'}${path}`,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...length,
        ...headers,
      },
    };
    const sent = httpRequest({ ...place, ...request });
    try {
      const answer = await answerTo(sent, payload);
      if (method !== 'GET') await shared?.hear();
      ApiClient.onAnswer?.({
        ...request,
        payload,
        answer,
        isLocal: this.#socketPath !== undefined,
        isBroken,
      });
      return answer;
    } catch (error) {
      // The server may close an idle connection just as the next request is sent. It has not seen that request.
      if (sent.reusedSocket && /** @type {NodeJS.ErrnoException} */ (error).code === 'ECONNRESET')
        return this.send(method, path, body, { headers, raw, isBroken });
      throw error;
    }
  }
}

/**
 * @param {import('node:http').ClientRequest} sent
 * @param {string | Buffer | undefined} payload
 * @returns {Promise<Answer>}
 */
function answerTo(sent, payload) {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (cause) => reject(new Error('The answer was cut off.', { cause })));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type']?.startsWith('application/json');
        const body = isJson && text !== '' ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
      });
    });
    sent.end(payload);
  });
}
