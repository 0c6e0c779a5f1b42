import cluster from 'node:cluster';
import type { RunningServer } from '../server.js';
import type { FromWorker, ToWorker } from './worker-pool.js';

/* The worker side of the communication with the primary process. */

/** Calls `onLost` when the primary is gone; by default, Node.js would end the worker mid-work. */
export function outlivePrimary(onLost: () => void): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', onLost);
}

/** Reports to the primary that the server runs. Calls `stop` once the worker was replaced and has drained. */
export function reportReady(server: RunningServer, stop: () => void): void {
  const { url, port, contents } = server;
  process.on('message', (message: ToWorker) => {
    if (message.type === 'leave') void server.drain().then(stop);
  });
  const message: FromWorker = { type: 'ready', started: { url, port, contents } };
  process.send?.(message, undefined, undefined, () => undefined); // the primary may be gone
}
