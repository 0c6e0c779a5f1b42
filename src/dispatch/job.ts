import type { Delivery } from './delivery.entity.js';

/** A delivery that this process has claimed: nobody else may take it up until it is let go. */
export interface Job {
  readonly delivery: Delivery;
  readonly sizeBytes: number;
  /** When its row was committed, on the clock of performance.now(); undefined when it was read back later. */
  readonly committedAt: number | undefined;
  /** Its owner has stopped it meanwhile. */
  isDropped: boolean;
  isRunning: boolean;
}

const JOB_OVERHEAD_BYTES = 1_024;

export function newJob(delivery: Delivery, committedAt?: number): Job {
  const text = delivery.body['text'];
  const sizeBytes = JOB_OVERHEAD_BYTES + 2 * (typeof text === 'string' ? text.length : 0);
  return { delivery, sizeBytes, committedAt, isDropped: false, isRunning: false };
}
