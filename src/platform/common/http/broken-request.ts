import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors/app-error.js';
import { BadRequest, HeadersTooLarge, RequestTimeout, RouteNotFound } from '../errors/common-errors.js';
import { writeRawError } from './raw-answer.js';

/** Gives what is no proper HTTP request the same error shape as everything else, and hangs up. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) socket.destroy();
    else if (!socket.writableEnded) writeRawError(socket, toAppError(error));
  });
  server.on('connect', (_request, socket: Duplex) => writeRawError(socket, new RouteNotFound('CONNECT')));
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
