import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Clients that pipeline send a few requests ahead. Who sends more than these is cut off. */
const MAX_WAITING = 32;

const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Runs `start` when the requests before this one on its connection are answered; until then its response has no socket.
 * Node hands over pipelined requests at once, and if the connection ends, it never closes the responses that wait: what
 * they hold would be held for ever. Here they have not begun by then, and are closed.
 */
export function awaitTurn({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
  if (socket.destroyed) return void response.emit('close');
  const queue = waiting.get(socket) ?? queueOf(socket);
  queue.add(response);
  // Node also hands a connection to the next response that has closed by the time the one before is finished.
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
