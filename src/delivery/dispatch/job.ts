import type { Delivery } from './delivery.entity.js';

/** A delivery that this process has claimed: nobody else may take it up until it is released. */
export interface Job {
  readonly delivery: Delivery;
  readonly sizeBytes: number;
  /** When its row was committed, on the clock of performance.now(); undefined when it was read back later. */
  readonly committedAt: number | undefined;
  /** `dropped`: it was cancelled while it waited, and is not to be called. */
  state: 'queued' | 'calling' | 'dropped';
}

const JOB_OVERHEAD_BYTES = 1_024;
/** A value of its own, or its place in an object. */
const VALUE_BYTES = 16;

export function newJob(delivery: Delivery, committedAt?: number): Job {
  const sizeBytes = JOB_OVERHEAD_BYTES + sizeOf(delivery.body);
  return { delivery, sizeBytes, committedAt, state: 'queued' };
}

/** About how many bytes a JSON value takes in memory. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let size = VALUE_BYTES;
  for (const item of Object.values(value)) size += VALUE_BYTES + sizeOf(item);
  return size;
}
