import { measured, type Measurements, merged } from '../../platform/metrics/metrics.service.js';
import type { WorkerProcess } from './worker-process.js';

const ANSWERS_WITHIN_MS = 1_000;

/** The merged metrics of all workers. Counters never decrease: those of an ended worker keep their last values. */
export class MergedMetrics {
  private readonly known = new Map<WorkerProcess, Measurements>();
  private ended: Measurements[] = [];
  private running: Promise<string> | undefined;

  keep(worker: WorkerProcess, measurements: Measurements): void {
    this.known.set(worker, measurements);
  }

  /** Keeps the counters of an ended worker, but not its gauges. */
  end(worker: WorkerProcess): void {
    const last = this.known.get(worker);
    this.known.delete(worker);
    if (last) this.ended.push(last.filter(({ type }) => type !== 'gauge'));
  }

  /** Collects the metrics of all workers in Prometheus text format. Concurrent callers share one result. */
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

  private async fold(): Promise<void> {
    const ended = [...this.ended];
    const sum = await measured(merged(ended));
    this.ended = [sum, ...this.ended.slice(ended.length)];
  }
}
