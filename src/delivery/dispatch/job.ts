import type { Delivery } from './delivery.entity.js';
import { ALWAYS, type Turn } from './turns/lane-turns.js';

/** A delivery claimed by this process. It is not claimed again until it is released. */
export interface Job {
  readonly delivery: Delivery;
  readonly sizeBytes: number;
  /** When its row was committed, by performance.now(); undefined if it was read from the table. */
  readonly committedAt: number | undefined;
  /** `dropped`: cancelled while queued, must not be called. */
  state: 'queued' | 'calling' | 'dropped';
  /** The turn in which the call is made. */
  turn: Turn;
}

const JOB_OVERHEAD_BYTES = 1_024;
/** The overhead of a value or an object slot. */
const VALUE_BYTES = 16;

/** Creates a queued job with its approximate size in memory. */
export function newJob(delivery: Delivery, committedAt?: number): Job {
  const sizeBytes = JOB_OVERHEAD_BYTES + sizeOf(delivery.body);
  return { delivery, sizeBytes, committedAt, state: 'queued', turn: ALWAYS };
}

/** The approximate in-memory size of a JSON value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length;
  let size = VALUE_BYTES;
  for (const item of Object.values(value ?? {})) size += VALUE_BYTES + sizeOf(item);
  return size;
}
