/**
 * Many WebSocket clients in one process, which `live-connections.mjs` forks. They implement just enough of the
 * protocol to read frames, so that they use little CPU next to the server. A frame with `sent:<time>:` in it is a
 * timed event.
 */
import { randomBytes } from 'node:crypto';
import net from 'node:net';

const marker = Buffer.from('sent:');
const posted = Buffer.from('"event":"posted"');
const atOnce = 50;
const patienceMs = 20_000;
let travels = [];
const sockets = [];

process.on('message', async ({ id, command, ...options }) => {
  const commands = { connect, takeTravels, pauseReading };
  process.send({ id, answer: await commands[command](options) });
});

/** Opens a connection for each token, and waits for hello on all of them. */
async function connect({ url, tokens }) {
  for (let start = 0; start < tokens.length; start += atOnce)
    await Promise.all(tokens.slice(start, start + atOnce).map((token) => open(new URL(url), token)));
  return { open: sockets.length };
}

/** The latencies of the last events in ms, once this number has arrived; or fewer, if no more arrive for a while. */
async function takeTravels({ count }) {
  for (let waited = 0; travels.length < count && waited < patienceMs; waited += 5)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const taken = travels;
  travels = [];
  return taken;
}

/** The clients stay connected, but stop reading. */
function pauseReading() {
  for (const socket of sockets) socket.pause();
}

function open({ hostname, port, host }, token) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true }, () =>
      socket.write(
        [
          ...['GET /api/v4/websocket HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket'],
          ...['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`],
          ...[`Authorization: Bearer ${token}`, '', ''],
        ].join('\r\n'),
      ),
    );
    let rest = Buffer.alloc(0);
    let isOpen = false;
    socket.on('data', (chunk) => {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      if (!isOpen) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (!rest.toString('latin1', 0, 12).endsWith('101'))
          return reject(new Error(rest.toString('latin1')));
        isOpen = true;
        rest = rest.subarray(end + 4);
        sockets.push(socket);
        resolve();
      }
      rest = readFrames(rest);
    });
    socket.on('error', (error) => (isOpen ? undefined : reject(error)));
  });
}

/** Reads all complete frames, and returns the rest. */
function readFrames(buffer) {
  let at = 0;
  while (buffer.length - at >= 2) {
    const short = buffer[at + 1] & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (buffer.length - at < head) break;
    const length =
      short < 126
        ? short
        : short === 126
          ? buffer.readUInt16BE(at + 2)
          : Number(buffer.readBigUInt64BE(at + 2));
    if (buffer.length - at < head + length) break;
    readEvent(buffer.subarray(at + head, at + head + length));
    at += head + length;
  }
  return at === buffer.length ? Buffer.alloc(0) : Buffer.from(buffer.subarray(at));
}

function readEvent(payload) {
  if (payload.indexOf(posted) < 0) return;
  const start = payload.indexOf(marker);
  if (start < 0) return;
  const sentAt = Number(
    payload.toString('latin1', start + marker.length, payload.indexOf(58, start + marker.length)),
  );
  travels.push(performance.timeOrigin + performance.now() - sentAt);
}
