import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const HOP_HEADERS = ['upgrade', 'http2-settings'];

/**
 * Hands a request that asks for some other protocol back to the server as the plain request it is as well. Node takes
 * every request with an Upgrade header away from the routes once somebody listens for upgrades, and common clients
 * send one by default: Java's asks for HTTP/2 this way. A server may ignore the wish (RFC 9110, 7.8).
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
