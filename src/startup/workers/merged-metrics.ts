import { type Measurements, measured, merged } from '../../platform/metrics/measurements.js';
import type { WorkerProcess } from './worker-process.js';

const ANSWERS_WITHIN_MS = 1_000;

/**
 * The metrics of all workers in one. Counts never go back: those of a worker that has ended stay as they were last seen, and
 * one that does not answer has its last ones.
 */
export class MergedMetrics {
  private readonly known = new Map<WorkerProcess, Measurements>();
  /** What workers that have ended had counted. */
  private ended: Measurements[] = [];
  private running: Promise<string> | undefined;

  /** Keeps what a worker says of itself. */
  keep(worker: WorkerProcess, measurements: Measurements): void {
    this.known.set(worker, measurements);
  }

  /** Keeps what a worker had counted: a gauge tells only what is. */
  end(worker: WorkerProcess): void {
    const last = this.known.get(worker);
    this.known.delete(worker);
    if (last) this.ended.push(last.filter(({ type }) => type !== 'gauge'));
  }

  /** Asks the workers, and tells all in the text format of Prometheus. Who asks meanwhile gets the same answer. */
  text(workers: Iterable<WorkerProcess>): Promise<string> {
    this.running ??= this.ask([...workers]).finally(() => (this.running = undefined));
    return this.running;
  }

  private async ask(workers: readonly WorkerProcess[]): Promise<string> {
    await Promise.all(workers.map((worker) => worker.measure(ANSWERS_WITHIN_MS)));
    const registry = merged([...this.known.values(), ...this.ended]);
    if (this.ended.length > 1) await this.fold();
    return registry.metrics();
  }

  /** Adds up those that have ended. */
  private async fold(): Promise<void> {
    const ended = [...this.ended];
    const sum = await measured(merged(ended));
    this.ended = [sum, ...this.ended.slice(ended.length)];
  }
}
