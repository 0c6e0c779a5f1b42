import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import type { Measurements } from './metrics.service.js';

/** Metrics messages from a worker to the primary process. */
export type MetricsFromWorker =
  | { readonly type: 'scrape'; readonly id: number }
  | { readonly type: 'measured'; readonly measurements: Measurements };

/** Metrics messages from the primary process to a worker. */
export type MetricsToWorker =
  { readonly type: 'measure' } | { readonly type: 'scraped'; readonly id: number; readonly text: string };

/** In a worker, provides access to the metrics of all workers through the primary process. */
@Injectable()
export class WorkerMetrics {
  readonly isWorker = cluster.isWorker;
  private readonly waiting = new Map<number, (text: string) => void>();
  private lastId = 0;

  /** Registers `measure` to answer requests of the primary process. */
  offer(measure: () => Promise<Measurements>): void {
    process.on('message', (message: MetricsToWorker) => {
      if (message.type === 'measure') void measure().then((measurements) => this.report(measurements));
      if (message.type !== 'scraped') return;
      this.waiting.get(message.id)?.(message.text);
      this.waiting.delete(message.id);
    });
  }

  report(measurements: Measurements): void {
    this.send({ type: 'measured', measurements });
  }

  /** The metrics of all workers, in the Prometheus text format. */
  scrape(): Promise<string> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ type: 'scrape', id });
    });
  }

  private send(message: MetricsFromWorker): void {
    process.send?.(message, undefined, undefined, () => undefined); // the other process may be gone
  }
}
