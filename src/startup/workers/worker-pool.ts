import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import type { Started } from '../start-summary.js';
import { MergedMetrics } from './merged-metrics.js';
import { WorkerProcess } from './worker-process.js';
import type { AllSettings } from '../../platform/config/all-settings.js';
import { Settings } from '../../platform/config/settings.js';
import { prepareSocketFile } from '../../platform/local-mode/socket-file.js';
import { requireFreePorts } from '../listening-places.js';
import type { MetricsFromWorker, MetricsToWorker } from '../../platform/metrics/worker-metrics.js';

const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/** The delay before a worker restarts, after this many early exits in a row. */
export function restartDelayMs(failures: number): number {
  return failures <= 1 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 2), MAX_MS);
}

/** How long a worker that was asked to leave may take to end, in addition to its shutdown delay. */
const LEAVES_WITHIN_MS = 30_000;
/** A worker that ran for this long is restarted at once. */
const STEADY_AFTER_MS = 60_000;
const CONTEXT = 'Workers';

/** A slot for one worker and its successors. */
interface Place {
  worker: WorkerProcess;
  /** How many times in a row its worker ended soon after the start. */
  failures: number;
}

/** The workers of this process, which share its ports. It hands them connections and restarts them. */
class WorkerPool {
  private readonly metrics = new MergedMetrics();
  private readonly alive = new Set<WorkerProcess>();
  private readonly places: Place[] = [];
  private isClosing = false;
  private isRestarting = false;
  private isRestartRequested = false;

  /** `program` is the server entry file; `leaveDelayMs` is how long a leaving worker keeps serving. */
  constructor(
    program: string,
    private readonly count: number,
    private readonly leaveDelayMs: number,
    private readonly logger: LoggerService,
  ) {
    cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' });
  }

  /** Starts the workers, the first one alone because it creates what is missing. Throws WorkerNotStarted. */
  async start(): Promise<Started> {
    const first = this.fork();
    const started = await first.ready;
    this.fill(first);
    const others = Array.from({ length: this.count - 1 }, () => this.fork());
    for (const worker of others) this.fill(worker);
    await Promise.allSettled(others.map(({ ready }) => ready));
    return started;
  }

  /** Replaces the workers one at a time, each once its successor is ready. */
  async restart(): Promise<void> {
    this.isRestartRequested = true; // a request during a restart starts over: the program may have changed again
    if (this.isRestarting) return;
    this.isRestarting = true;
    while (this.isRestartRequested && !this.isClosing) {
      this.isRestartRequested = false;
      await this.replaceAll();
    }
    this.isRestarting = false;
  }

  /** Stops all workers and waits for them to end. Throws if one of them failed to stop cleanly. */
  async close(): Promise<void> {
    this.isClosing = true;
    const workers = [...this.alive];
    for (const worker of workers) worker.stop();
    const codes = await Promise.all(workers.map(async ({ isReady, ended }) => [isReady, await ended]));
    if (codes.some(([wasReady, code]) => wasReady && code !== 0))
      throw new Error('Not every worker stopped properly.');
  }

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

  /** Puts the worker into a slot, where another one follows when it ends. */
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
        () => void this.logger.log(`${next.name} has replaced it.`, CONTEXT),
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
        this.logger.error(`${next.name} does not start, so the others are kept.`, CONTEXT);
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

/** Creates the worker pool. Throws PortRefused or LocalSocketRefused, which every worker would. */
export async function makeWorkerPool(
  program: string,
  all: AllSettings,
  logger: LoggerService,
): Promise<WorkerPool> {
  const { workers, localModeSocket, shutdownDelayMs } = all.get(Settings);
  await requireFreePorts(all);
  if (localModeSocket !== undefined) await prepareSocketFile(localModeSocket);
  // The primary creates only the socket file, which others must not read, and no folders.
  process.umask(0o177);
  return new WorkerPool(program, workers, shutdownDelayMs, logger);
}

/** A message from a worker to the primary. */
export type FromWorker = MetricsFromWorker | { readonly type: 'ready'; readonly started: Started };

/** A message from the primary to a worker; `leave` asks it to make way for its successor. */
export type ToWorker = MetricsToWorker | { readonly type: 'leave' };
