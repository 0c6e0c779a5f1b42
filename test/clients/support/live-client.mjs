import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { format } from 'node:util';
import mattermost from '@mattermost/client';
import { WebSocket } from 'ws';
import { eventually, serverUrl } from './scene.mjs';

// It is a library for browsers: what Node of this age has not got, it gets. Itself it is unmodified. Node 22 has a
// WebSocket, which fires no close after a failed handshake as browsers do.
globalThis.WebSocket = WebSocket;
globalThis.CloseEvent ??= class CloseEvent extends Event {
  constructor(type, { code = 0, reason = '', wasClean = false } = {}) {
    super(type);
    Object.assign(this, { code, reason, wasClean });
  }
};

// It tells its story on the console; of interest only when something failed.
const story = [];
console.log = (...words) => story.push(format(...words));
process.on('exit', (code) => {
  if (code !== 0) process.stderr.write(`What the client said:\n${story.join('\n')}\n`);
});

const opened = [];

/**
 * The stock WebSocketClient, listening with everything the stock web app listens with, as
 * { client, events, closings, misses, reconnects, find, received }.
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

/** Opens, and waits until the server has greeted. */
export async function openGreeted(token, options) {
  const live = openLive(token, options);
  await live.received('hello');
  return live;
}

/** Ends a client for good, also one that is just trying again: that one must be caught between two attempts. */
export async function closeLive({ client }) {
  await eventually('the end of a client', () => {
    client.close();
    client.clearReconnectTimeout();
    client.conn?.close();
    return !client.conn && !client.reconnectTimeout;
  });
}

/** Ends every client that a suite opened. */
export async function closeAllLive() {
  await Promise.all(opened.map(closeLive));
}

/** A network in front of the server that can fail: { origin, cut(), mend(), close() }. */
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
    mend: () => (isDown = false),
    close: () => {
      cut();
      relay.close();
    },
  };
}
