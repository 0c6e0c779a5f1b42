import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors/app-error.js';
import { badRequest, headersTooLarge, requestTimeout, RouteNotFound } from '../errors/common-errors.js';
import { writeRawError } from './raw-answer.js';

/** Answers malformed requests with a standard error, after earlier ones, and closes the connection. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answerOf(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (answer?.req.complete)
      answer.shouldKeepAlive = false; // the malformed data follows a complete request
    else if (answer?.headersSent) socket.destroy();
    else if (!socket.writableEnded) writeRawError(socket, toAppError(error));
  });
  server.on('connect', (_request, socket: Duplex) => {
    if (hasPendingAnswer(socket)) socket.destroy();
    else writeRawError(socket, new RouteNotFound('CONNECT'));
  });
}

function toAppError({ code }: NodeJS.ErrnoException): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return badRequest('This is not a well-formed HTTP request.');
}

/** Whether an earlier request is not answered yet. Node detaches the socket from its response. */
export const hasPendingAnswer = (socket: Duplex): boolean => Boolean(answerOf(socket));

/** The response that a socket is sending. Node exposes it only in this private field. */
function answerOf(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}
