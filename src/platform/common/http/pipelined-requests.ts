import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Clients that pipeline send a few requests ahead. A connection with more is closed. */
const MAX_WAITING = 32;

const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Runs `start` once the earlier requests on the connection are answered; until then, its response has no
 * socket. Node dispatches pipelined requests at once and never closes the waiting responses if the connection
 * ends, which would leak their resources. Here, waiting requests have not started by then, and are closed.
 */
export function awaitTurn({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
  if (socket.destroyed) return void response.emit('close');
  const queue = waiting.get(socket) ?? queueOf(socket);
  queue.add(response);
  // Node assigns the socket to the next response even if that response has already closed.
  response.once('socket', () => {
    if (queue.delete(response)) start();
  });
  if (queue.size > MAX_WAITING) socket.destroy();
}

function queueOf(socket: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>();
  waiting.set(socket, queue);
  socket.once('close', () => {
    for (const response of queue) response.emit('close');
    queue.clear();
  });
  return queue;
}
