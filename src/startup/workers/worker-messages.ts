import type { MetricsFromWorker, MetricsToWorker } from '../../platform/metrics/worker-metrics.js';
import type { Started } from '../start-summary.js';

/** What a worker sends to the process that started it. */
export type FromWorker = MetricsFromWorker | { readonly type: 'ready'; readonly started: Started };

/** What it is sent: `leave` asks it to let another one take its place. */
export type ToWorker = MetricsToWorker | { readonly type: 'leave' };
