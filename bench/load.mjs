/**
 * A load generator on raw sockets. Common tools measure whole milliseconds and use too much CPU on a machine they share
 * with the server. It sends one request at a time on each connection, and waits for pending answers at the end so that
 * every acknowledgement is counted.
 */
import net from 'node:net';

/**
 * @param {{ url: string | readonly string[], from?: string, connections: number, seconds?: number, count?: number,
 * pauseMs?: number, perSecond?: number, request: (n: number) => Buffer }} options several URLs share the connections;
 * with `perSecond` at most this number is sent, evenly; enough connections must be free for that; `from` is the
 * address that the server sees
 * @returns {Promise<{ ok: number, failed: number, seconds: number, rate: number, p50: number, p95: number, p99:
 * number, statuses: Record<string, number> }>}
 */
export async function generateLoad({
  url,
  from,
  connections,
  seconds = Infinity,
  count = Infinity,
  pauseMs = 0,
  perSecond = Infinity,
  request,
}) {
  const hosts = [url].flat().map((each) => new URL(each));
  const latencies = [];
  const statuses = {};
  let sent = 0;
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const next = () => {
    const at = startedAt + (sent * 1000) / perSecond;
    if (sent >= count || Math.max(at, performance.now()) >= deadline) return undefined;
    return { bytes: request(sent++), at };
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const { hostname, port } = hosts[index % hosts.length];
      return drive(
        { host: hostname, port: Number(port), localAddress: from },
        next,
        pauseMs,
        (status, ms) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          latencies.push(ms);
        },
      );
    }),
  );
  const took = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? NaN;
  const ok = Object.entries(statuses).reduce((sum, [status, n]) => sum + (status[0] === '2' ? n : 0), 0);
  return {
    ok,
    failed: latencies.length - ok,
    seconds: took,
    rate: ok / took,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    statuses,
  };
}

function drive(address, next, pauseMs, record) {
  return new Promise((resolve, reject) => {
    let turn = next();
    if (!turn) return resolve();
    let sentAt = 0;
    let received = '';
    let expected = -1;
    const socket = net.connect({ ...address, noDelay: true }, wait);
    function wait() {
      const ms = turn.at - performance.now();
      if (ms > 0) setTimeout(send, ms);
      else send();
    }
    function send() {
      sentAt = performance.now();
      socket.write(turn.bytes);
    }
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
      if (expected < 0) {
        const head = received.indexOf('\r\n\r\n');
        if (head < 0) return;
        expected = head + 4 + bodyLength(received.slice(0, head));
      }
      if (received.length < expected) return;
      record(received.slice(9, 12), performance.now() - sentAt);
      received = '';
      expected = -1;
      turn = next();
      if (!turn) return (socket.end(), resolve());
      if (pauseMs > 0) setTimeout(wait, pauseMs);
      else wait();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection under load.')));
  });
}

function bodyLength(head) {
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (!length) throw new Error(`The load generator needs a Content-Length; got: ${head.slice(0, 200)}`);
  return Number(length[1]);
}

/** The bytes of one HTTP request. */
export function httpRequest({ method = 'GET', url, headers = {}, body }) {
  const { host, pathname, search } = new URL(url);
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
