import cluster from 'node:cluster';
import type { RunningServer } from '../server.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/*
 * What a worker does for the primary process, the one that started it.
 */

/** Calls `onLost` when the primary process has gone. Without that, Node.js would end the worker in the middle of its work. */
export function outlivePrimary(onLost: () => void): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', onLost);
}

/** Tells the primary process that the server runs. Calls `stop` when another worker has taken its place and nobody uses it. */
export function reportReady(server: RunningServer, stop: () => void): void {
  const { url, port, contents } = server;
  process.on('message', (message: ToWorker) => {
    if (message.type === 'leave') void server.drain().then(stop);
  });
  const message: FromWorker = { type: 'ready', started: { url, port, contents } };
  process.send?.(message, undefined, undefined, () => undefined); // it may be gone
}
