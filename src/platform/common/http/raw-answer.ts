import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors/app-error.js';
import { newId } from '../ids.js';
import { errorBody } from './responses.js';

const LINGER_MS = 1_000;

/** Writes an error in the usual shape to a socket without a response object, and closes the connection. */
export function writeRawError(socket: Duplex, error: AppError, developerMode = false): void {
  const requestId = newId();
  const body = JSON.stringify(errorBody(error, requestId, developerMode));
  const headers = {
    ...error.headers,
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-ID': requestId,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  // Closing at once would reset the connection if more bytes arrive, and the client could lose the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
