import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { format } from 'node:util';
import mattermost from '@mattermost/client';
import { WebSocket } from 'ws';
import { eventually, serverUrl } from './scene.mjs';

// A browser library: this adds what Node lacks and does not modify the library. The WebSocket of Node 22 fires no
// close event after a failed handshake, unlike browsers.
globalThis.WebSocket = WebSocket;
globalThis.CloseEvent ??= class CloseEvent extends Event {
  constructor(type, { code = 0, reason = '', wasClean = false } = {}) {
    super(type);
    Object.assign(this, { code, reason, wasClean });
  }
};

// It logs to the console, which matters only after a failure.
const story = [];
console.log = (...words) => story.push(format(...words));
process.on('exit', (code) => {
  if (code !== 0) process.stderr.write(`What the client said:\n${story.join('\n')}\n`);
});

const opened = [];

/**
 * The stock WebSocketClient with all listeners of the stock web app, as { client, events, closings, misses,
 * reconnects, find, received }.
 */
export function openLive(token, { origin = serverUrl } = {}) {
  const client = new mattermost.WebSocketClient({
    minWebSocketRetryTime: 100,
    maxWebSocketRetryTime: 200,
    reconnectJitterRange: 0,
  });
  const live = {
    client,
    events: [],
    closings: 0,
    misses: 0,
    reconnects: 0,
    find: (name, isIt = () => true) => live.events.find(({ event, data }) => event === name && isIt(data)),
    /** Waits for an event. */
    received: (name, isIt) => eventually(`the event ${name}`, () => live.find(name, isIt)),
  };
  client.addMessageListener((event) => live.events.push(event));
  client.addMissedMessageListener(() => (live.misses += 1));
  client.addReconnectListener(() => (live.reconnects += 1));
  client.addCloseListener(() => (live.closings += 1));
  client.addErrorListener(() => undefined);
  client.initialize(`${origin.replace('http', 'ws')}/api/v4/websocket`, token);
  opened.push(live);
  return live;
}

/** Connects, and waits for the hello event. */
export async function openGreeted(token, options) {
  const live = openLive(token, options);
  await live.received('hello');
  return live;
}

/** Closes a client permanently, even one that is reconnecting and must be caught between two attempts. */
export async function closeLive({ client }) {
  await eventually('the end of a client', () => {
    client.close();
    client.clearReconnectTimeout();
    client.conn?.close();
    return !client.conn && !client.reconnectTimeout;
  });
}

/** Closes every client that a suite opened. */
export async function closeAllLive() {
  await Promise.all(opened.map(closeLive));
}

/** A network in front of the server that can fail: { origin, cut(), restore(), close() }. */
export async function startNetwork() {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set();
  let isDown = false;
  const relay = createServer((near) => {
    if (isDown) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = () => {
    isDown = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${relay.address().port}`,
    cut,
    restore: () => (isDown = false),
    close: () => {
      cut();
      relay.close();
    },
  };
}
