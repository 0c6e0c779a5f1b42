import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors/app-error.js';
import { BadRequest, HeadersTooLarge, RequestTimeout, RouteNotFound } from '../errors/common-errors.js';
import { newId } from '../ids.js';
import { errorBody } from './responses.js';

const GOODBYE_MS = 1_000;

/** Gives what is no proper HTTP request the same error shape as everything else, and hangs up. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) socket.destroy();
    else if (!socket.writableEnded) refuseRaw(socket, toAppError(error));
  });
  server.on('connect', (_request, socket: Duplex) => refuseRaw(socket, new RouteNotFound('CONNECT')));
}

/** Writes an error to a socket that has no response object. */
export function refuseRaw(socket: Duplex, error: AppError): void {
  const requestId = newId();
  const body = JSON.stringify(errorBody(error, requestId, false));
  const headers = [
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
  ];
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`,
  );
  // Closed at once, bytes that are still on their way in would make the kernel take the answer back.
  setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
}

function toAppError({ code }: NodeJS.ErrnoException): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeout();
  return new BadRequest('This is not a well-formed HTTP request.');
}

/** Whether part of an answer is out already; Node keeps the response of a socket in this field only. */
function hasBegunAnswer(socket: Duplex): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: { readonly headersSent: boolean } | null };
  return response?.headersSent === true;
}
