/** Whether events of one process reach the clients of another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ApiClient } from '../support/api-client.mjs';

const RECEIVED_WITHIN_MS = 1_000;
const AGAIN_AFTER_MS = 100;

export class LiveReach {
  #admin;
  #channelId;

  async prepare({ admin, team }) {
    const channel = { team_id: team.id, name: 'reach', display_name: 'reach', type: 'P' };
    this.#channelId = (await admin.call('POST', '/channels', channel)).id;
    this.#admin = admin;
  }

  /** Number of these processes, in a ring, that posts of the previous one do not reach in time. */
  async unreached(urls, withinMs) {
    const deadline = performance.now() + withinMs;
    const reached = await Promise.all(
      urls.map((url, index) => this.#isReached(url, urls.at(index - 1), deadline)),
    );
    return reached.filter((isReached) => !isReached).length;
  }

  /** A client that is disconnected during the test reconnects, like real ones. */
  async #isReached(url, from, deadline) {
    do {
      if (await this.#hears(url, from).catch(() => false)) return true;
      await sleep(AGAIN_AFTER_MS);
    } while (performance.now() < deadline);
    return false;
  }

  async #hears(url, from) {
    const { token } = this.#admin;
    const heard = new Set();
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v4/websocket`, {
      headers: { authorization: `Bearer ${token}` },
    });
    socket.on('error', () => undefined);
    try {
      await new Promise((resolve, reject) => {
        socket.on('close', () => reject(new Error('closed')));
        socket.on('message', (data) => {
          const { event, data: facts } = JSON.parse(data.toString('utf8'));
          if (event === 'hello') resolve();
          if (event === 'posted') heard.add(JSON.parse(facts.post).id);
        });
        setTimeout(() => reject(new Error('no hello')), RECEIVED_WITHIN_MS).unref();
      });
      const post = { channel_id: this.#channelId, message: 'Does this reach you?' };
      const { body } = await new ApiClient(from, token).post('/posts', post);
      for (let waitedMs = 0; waitedMs < RECEIVED_WITHIN_MS && !heard.has(body.id); waitedMs += 10)
        await sleep(10);
      return heard.has(body.id);
    } finally {
      socket.terminate();
    }
  }
}
