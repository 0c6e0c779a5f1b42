import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import type { Started } from '../start-summary.js';
import { MergedMetrics } from './merged-metrics.js';
import { restartDelayMs } from './restart-delay.js';
import { WorkerProcess } from './worker-process.js';

/** A worker that is asked to leave has this long to end, after the delay that it waits first. */
const LEAVES_WITHIN_MS = 30_000;
/** One that ran for so long before it ended is started again at once. */
const STEADY_AFTER_MS = 60_000;
const CONTEXT = 'Workers';

/** One of the workers, and whoever came in its place. */
interface Place {
  worker: WorkerProcess;
  /** How often in a row it ended soon after its start. */
  failures: number;
}

/**
 * The workers of this process, which share its ports: it accepts connections and hands each one to a worker, starts those
 * that end again, and serves nothing itself.
 */
export class WorkerPool {
  private readonly metrics = new MergedMetrics();
  private readonly alive = new Set<WorkerProcess>();
  private readonly places: Place[] = [];
  private isClosing = false;
  private isRestarting = false;
  private isRestartWanted = false;

  /** `program` is the file that starts the server; `leaveDelayMs` is how long it goes on when it is asked to leave. */
  constructor(
    program: string,
    private readonly count: number,
    private readonly leaveDelayMs: number,
    private readonly logger: LoggerService,
  ) {
    cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' });
  }

  /** Starts all workers: the first one alone, because it creates what is missing. Throws WorkerNotStarted if it cannot. */
  async start(): Promise<Started> {
    const first = this.fork();
    const started = await first.ready;
    this.fill(first);
    const others = Array.from({ length: this.count - 1 }, () => this.fork());
    for (const worker of others) this.fill(worker);
    await Promise.allSettled(others.map(({ ready }) => ready));
    return started;
  }

  /** Replaces the workers one after the other, each when the next one is ready. */
  async restart(): Promise<void> {
    this.isRestartWanted = true; // one that is asked for meanwhile begins anew: the program may have changed again
    if (this.isRestarting) return;
    this.isRestarting = true;
    while (this.isRestartWanted && !this.isClosing) {
      this.isRestartWanted = false;
      await this.replaceAll();
    }
    this.isRestarting = false;
  }

  /** Stops all workers and waits until they have ended. Throws if one failed to stop. */
  async close(): Promise<void> {
    this.isClosing = true;
    const workers = [...this.alive];
    for (const worker of workers) worker.stop();
    const codes = await Promise.all(workers.map(async ({ isReady, ended }) => [isReady, await ended]));
    if (codes.some(([wasReady, code]) => wasReady && code !== 0))
      throw new Error('Not every worker stopped as it should.');
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const worker of this.alive) worker.kill();
  }

  private fork(): WorkerProcess {
    const worker = new WorkerProcess((message) => {
      if (message.type === 'measured') this.metrics.keep(worker, message.measurements);
      if (message.type === 'scrape')
        void this.metrics
          .text(this.alive)
          .then((text) => worker.send({ type: 'scraped', id: message.id, text }));
    });
    this.alive.add(worker);
    void worker.ended.then(() => {
      this.alive.delete(worker);
      this.metrics.end(worker);
    });
    return worker;
  }

  /** Gives the worker a place, where another one follows when it ends. */
  private fill(worker: WorkerProcess, place?: Place): void {
    const own = place ?? { worker, failures: 0 };
    own.worker = worker;
    if (!place) this.places.push(own);
    void worker.ended.then((how) => this.onEnded(own, worker, how));
  }

  private onEnded(place: Place, worker: WorkerProcess, how: number | NodeJS.Signals): void {
    if (this.isClosing || place.worker !== worker) return;
    place.failures = worker.ageMs < STEADY_AFTER_MS ? place.failures + 1 : 0;
    const delayMs = restartDelayMs(place.failures);
    const when = delayMs === 0 ? 'now' : `in ${delayMs / 1_000} s`;
    this.logger.error(`${worker.name} ended (${how}); another one is started ${when}.`, CONTEXT);
    setTimeout(() => {
      if (this.isClosing || place.worker !== worker) return;
      const next = this.fork();
      this.fill(next, place);
      next.ready.then(
        () => void this.logger.log(`${next.name} is in its place.`, CONTEXT),
        () => undefined,
      );
    }, delayMs);
  }

  private async replaceAll(): Promise<void> {
    this.logger.log(`Replacing ${this.places.length} workers, one after the other.`, CONTEXT);
    for (const place of this.places) {
      if (this.isClosing) return;
      const next = this.fork();
      try {
        await next.ready;
      } catch {
        this.logger.error(`${next.name} does not start, so the others stay as they are.`, CONTEXT);
        return;
      }
      const last = place.worker;
      this.fill(next, place);
      last.send({ type: 'leave' });
      const timer = setTimeout(() => last.kill(), LEAVES_WITHIN_MS + this.leaveDelayMs);
      await last.ended;
      clearTimeout(timer);
    }
    this.logger.log('All workers are replaced.', CONTEXT);
  }
}
