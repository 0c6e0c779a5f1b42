import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** How long the steps of a new connection took, in milliseconds; -1 for skipped steps. */
export interface ConnectionTimes {
  readonly nameMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
}

export const NO_STEPS: ConnectionTimes = { nameMs: -1, connectMs: -1, tlsMs: -1 };

/** Times of connections without a request so far: only the first request waited for the connection. */
const times = new WeakMap<object, ConnectionTimes>();

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
  // Runs before the listeners that write the first request once connected.
  socket.prependOnceListener('lookup', () => note('nameMs'));
  socket.prependOnceListener('connect', () => note('connectMs'));
  socket.prependOnceListener('secureConnect', () => note('tlsMs'));
}

/** Sets the times of a connection that has no socket events of its own. */
export function noteTimes(socket: Socket, steps: ConnectionTimes): void {
  times.set(socket, steps);
}

type ConnectionListener = (socket: Socket, steps: ConnectionTimes) => void;

let nextListener: ConnectionListener | undefined;

/** undici publishes the connection of a request in the same turn in which the request starts. */
export function onNextConnection(listener: ConnectionListener): void {
  nextListener = listener;
}

subscribe('undici:client:sendHeaders', (message) => {
  const listener = nextListener;
  if (!listener) return;
  nextListener = undefined;
  const { socket } = message as { readonly socket: Socket };
  const steps = times.get(socket);
  times.delete(socket);
  listener(socket, steps ?? NO_STEPS);
});
