import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** How long the steps of a new connection took, in milliseconds; -1 for a step that it did not need. */
export interface ConnectionTimes {
  readonly nameMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
}

/** A connection that was open already. */
export const NO_STEPS: ConnectionTimes = { nameMs: -1, connectMs: -1, tlsMs: -1 };

/** Of connections that no request was written to yet: only the first one has waited for them. */
const times = new WeakMap<object, ConnectionTimes>();

/** Notes the steps of a connection that has just begun. */
export function timeConnection(socket: Socket): void {
  const beganAt = performance.now();
  let lastMs = 0;
  let steps = NO_STEPS;
  const note = (step: keyof ConnectionTimes): void => {
    const nowMs = performance.now() - beganAt;
    steps = { ...steps, [step]: nowMs - lastMs };
    lastMs = nowMs;
    times.set(socket, steps);
  };
  // Before those who write the first request when the connection is there.
  socket.prependOnceListener('lookup', () => note('nameMs'));
  socket.prependOnceListener('connect', () => note('connectMs'));
  socket.prependOnceListener('secureConnect', () => note('tlsMs'));
}

type ConnectionListener = (socket: Socket, steps: ConnectionTimes) => void;

let isWriting: ConnectionListener | undefined;

/**
 * Tells the connection that a request is about to be written to, and what it took. undici names the connection on a channel,
 * within the same turn as it tells the request that it starts.
 */
export function tellConnection(listener: ConnectionListener): void {
  isWriting = listener;
}

subscribe('undici:client:sendHeaders', (message) => {
  const listener = isWriting;
  if (!listener) return;
  isWriting = undefined;
  const { socket } = message as { readonly socket: Socket };
  const steps = times.get(socket);
  times.delete(socket);
  listener(socket, steps ?? NO_STEPS);
});
