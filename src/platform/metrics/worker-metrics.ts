import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import type { Measurements } from './measurements.js';

/** What a worker sends about metrics to the process that started it. */
export type MetricsFromWorker =
  /** It was asked for the metrics of all workers. */
  | { readonly type: 'scrape'; readonly id: number }
  /** Its own ones. */
  | { readonly type: 'measured'; readonly measurements: Measurements };

/** What is sent to a worker about metrics. */
export type MetricsToWorker =
  { readonly type: 'measure' } | { readonly type: 'scraped'; readonly id: number; readonly text: string };

/** Where this process is one of several workers: the way to the metrics of all of them, by the process that started them. */
@Injectable()
export class WorkerMetrics {
  /** Whether this process is a worker. */
  readonly isWorker = cluster.isWorker;
  private readonly waiting = new Map<number, (text: string) => void>();
  private lastId = 0;

  /** Gives `measure` to whoever collects the metrics of all workers. */
  offer(measure: () => Promise<Measurements>): void {
    process.on('message', (message: MetricsToWorker) => {
      if (message.type === 'measure') void measure().then((measurements) => this.report(measurements));
      if (message.type !== 'scraped') return;
      this.waiting.get(message.id)?.(message.text);
      this.waiting.delete(message.id);
    });
  }

  /** Sends our own ones. */
  report(measurements: Measurements): void {
    this.send({ type: 'measured', measurements });
  }

  /** Those of all workers, in the text format of Prometheus. */
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
