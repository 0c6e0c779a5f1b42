import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const HOP_HEADERS = ['upgrade', 'http2-settings'];

/**
 * Serves a request that asks to upgrade to another protocol as a plain request, which RFC 9110 (7.8) allows. As soon as
 * there is an `upgrade` listener, Node sends it every request with an Upgrade header, and some clients send one by
 * default: Java's asks for HTTP/2 this way.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? '';
    const value = request.rawHeaders[i + 1] ?? '';
    if (HOP_HEADERS.includes(name.toLowerCase())) continue;
    const kept = name.toLowerCase() === 'connection' ? withoutHops(value) : value;
    if (name.toLowerCase() !== 'connection' || kept !== '') lines.push(`${name}: ${kept}`);
  }
  if (socket.destroyed || socket.readableEnded) return void socket.destroy();
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutHops(value: string): string {
  return value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !HOP_HEADERS.includes(token.toLowerCase()))
    .join(', ');
}
