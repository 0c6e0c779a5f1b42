import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurements } from '../../platform/metrics/metrics.service.js';
import type { Started } from '../start-summary.js';
import type { FromWorker, ToWorker } from './worker-pool.js';

/** A worker ended before it was ready. The message is empty if the worker has already reported the reason. */
export class WorkerNotStarted extends Error {
  constructor(name: string, how: number | NodeJS.Signals) {
    super(how === 1 ? '' : `${name} ended (${how}) before it was ready.`);
    this.name = new.target.name;
  }
}

/** A worker, as seen by the primary. */
export class WorkerProcess {
  readonly ready: Promise<Started>;
  /** Resolves with the exit code or signal, once it has ended and all its messages are handled. */
  readonly ended: Promise<number | NodeJS.Signals>;
  private readonly worker: Worker;
  private readonly startedAt = performance.now();
  private hasStarted = false;
  private readonly onMeasured: ((measurements: Measurements) => void)[] = [];

  /** Starts the worker. `onMessage` receives its messages about metrics. */
  constructor(private readonly onMessage: (message: FromWorker) => void) {
    this.worker = cluster.fork();
    const { worker } = this;
    const exit = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals]>;
    this.ended = Promise.all([exit, once(worker, 'disconnect')]).then(([[code, signal]]) => code ?? signal);
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type !== 'ready') return this.receive(message);
        this.hasStarted = true;
        resolve(message.started);
      });
      void this.ended.then((how) => reject(new WorkerNotStarted(this.name, how)));
    });
    this.ready.catch(() => undefined); // not every caller awaits it
  }

  get name(): string {
    return `Worker ${this.worker.id} (process ${this.worker.process.pid})`;
  }

  get isReady(): boolean {
    return this.hasStarted;
  }

  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  send(message: ToWorker): void {
    if (this.worker.isConnected()) this.worker.send(message, () => undefined); // it may end anytime
  }

  /** Its measurements so far; undefined if it is not ready or does not answer in time. */
  async measure(withinMs: number): Promise<Measurements | undefined> {
    if (!this.isReady) return undefined;
    const answer = new Promise<Measurements>((resolve) => this.onMeasured.push(resolve));
    this.send({ type: 'measure' });
    const waiting = new AbortController();
    const late = sleep(withinMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    return Promise.race([answer, late, this.ended.then(() => undefined)]).finally(() => waiting.abort());
  }

  stop(): void {
    this.worker.process.kill('SIGTERM');
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  private receive(message: FromWorker): void {
    this.onMessage(message);
    if (message.type !== 'measured') return;
    for (const resolve of this.onMeasured.splice(0)) resolve(message.measurements);
  }
}
