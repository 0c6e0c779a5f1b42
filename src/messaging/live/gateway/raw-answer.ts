import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../../platform/common/errors/app-error.js';
import { errorBody } from '../../../platform/common/http/responses.js';
import { newId } from '../../../platform/common/ids.js';

/** Answers a request that got no response object with an error of the usual shape, and hangs up. */
export function refuse(socket: Duplex, error: AppError, developerMode: boolean): void {
  const requestId = newId();
  const body = JSON.stringify(errorBody(error, requestId, developerMode));
  const headers = {
    ...error.headers,
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-ID': requestId,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
}

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
