import { type CallResult, Circuit, type CircuitLimits } from './circuit.js';
import type { Job } from './job.js';

/**
 * The standing of an endpoint or flow: `unknown` until its first call ends, `trusted` after a quick success,
 * `suspect` after a failure or while a call hangs.
 */
export const STANDINGS = ['trusted', 'unknown', 'suspect'] as const;
export type Standing = (typeof STANDINGS)[number];

/** A new endpoint gets few concurrent calls; each success allows one more. */
const FIRST_LIMIT = 2;

/** The concurrency limit of a new endpoint, given its maximum. */
export function firstLimit(maxRunning: number): number {
  return Math.min(FIRST_LIMIT, maxRunning);
}

/**
 * The running calls of a lane or flow and their limit. The limit starts low, rises by one with each success
 * and halves with each failure, so that hanging calls occupy few places.
 */
export class LaneCalls {
  running = 0;
  limit: number;
  standing: Standing = 'unknown';
  lastUsedAt = 0;
  readonly circuit: Circuit;
  private readonly startTimes = new Map<Job, number>();

  constructor(
    readonly maxRunning: number,
    circuitLimits: CircuitLimits,
  ) {
    this.limit = firstLimit(maxRunning);
    this.circuit = new Circuit(circuitLimits);
  }

  get hasPlace(): boolean {
    return this.running < this.limit && !this.circuit.isPaused;
  }

  /** When the oldest unanswered call started; Infinity if there is none. */
  get oldestStart(): number {
    for (const startedAt of this.startTimes.values()) return startedAt;
    return Infinity;
  }

  started(job: Job, now: number): void {
    this.running++;
    this.startTimes.set(job, now);
    this.lastUsedAt = now;
  }

  /**
   * Records the end of a call, which keeps its place. `result` is undefined if the endpoint was not called. A
   * failure lowers the limit only if this lane or flow is to blame.
   */
  answered(job: Job, result: CallResult | undefined, now: number, isToBlame = true): void {
    this.startTimes.delete(job);
    this.lastUsedAt = now;
    if (result === 'succeeded') this.limit = Math.min(this.maxRunning, this.limit + 1);
    else if (result !== undefined && isToBlame) this.limit = Math.max(1, Math.floor(this.limit / 2));
  }

  freed(): void {
    this.running--;
  }
}
