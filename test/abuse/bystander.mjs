/** Another user, from another address, whose requests are timed. */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const ADDRESS = '127.0.0.2';
const LOGIN_EVERY = 10;

export class Bystander {
  /** Stored messages, each of which fires a webhook. */
  posted = 0;
  #agent = new Agent({ keepAlive: true, localAddress: ADDRESS });

  constructor(url, scene) {
    this.url = url;
    this.scene = scene;
  }

  /** One request per second, and a login every ten seconds. Times in milliseconds. */
  async watch(seconds) {
    const times = [];
    const failures = [];
    const logins = [];
    const requests = this.#requests();
    const endsAt = performance.now() + seconds * 1_000;
    for (let n = 0; performance.now() < endsAt; n++) {
      const startedAt = performance.now();
      const { ms, status } = await this.#time(requests[n % requests.length]);
      times.push(ms);
      if (status === 201) this.posted++;
      if (status >= 300) failures.push(`request ${n % requests.length} answered ${status}`);
      if (n % LOGIN_EVERY === 0) {
        const login = await this.#time(this.#login());
        logins.push(login.ms);
        if (login.status !== 200) failures.push(`a login answered ${login.status}`);
      }
      await sleep(Math.max(0, 1_000 - (performance.now() - startedAt)));
    }
    return { times, logins, failures };
  }

  close() {
    this.#agent.destroy();
  }

  #requests() {
    const { bystander, bystanderHookId } = this.scene;
    const { token, channelId } = bystander;
    const message = 'A word in between.';
    return [
      { method: 'POST', path: '/api/v4/posts', token, body: { channel_id: channelId, message } },
      { method: 'GET', path: `/api/v4/channels/${channelId}/posts?per_page=30`, token },
      { method: 'POST', path: `/hooks/${bystanderHookId}`, body: { text: message } },
      { method: 'GET', path: '/api/v4/users/me', token },
    ];
  }

  #login() {
    const { bystander, password } = this.scene;
    const body = { login_id: bystander.username, password };
    return { method: 'POST', path: '/api/v4/users/login', body };
  }

  #time({ method, path, token, body }) {
    const startedAt = performance.now();
    const payload = body === undefined ? '' : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    if (token) headers.authorization = `Bearer ${token}`;
    const options = { method, agent: this.#agent, localAddress: ADDRESS, headers };
    return new Promise((resolve) => {
      const end = (status) => resolve({ ms: performance.now() - startedAt, status });
      const sent = httpRequest(`${this.url}${path}`, options, (answer) => {
        answer.resume().on('end', () => end(answer.statusCode));
      });
      sent.on('error', () => end(999));
      sent.end(payload);
    });
  }
}

/** The median. */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The 99th percentile. */
export function p99(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0;
}
