/** What a call has shown of its endpoint. `unreachable`: there was no connection, so no path of it can be called. */
export type CallResult = 'succeeded' | 'failed' | 'unreachable';

/** When an endpoint is called less often, and how much less. */
export interface CircuitLimits {
  /** Failures in a row until then. */
  readonly failuresInARow: number;
  /** The first pause of an endpoint that cannot be reached; each further one is twice as long. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** An endpoint that answers with failures gets so many calls, and then this pause. */
  readonly callsAtATime: number;
  readonly shortPauseMs: number;
}

/** A delivery waits at most a minute longer than it must. */
export const CIRCUIT_LIMITS: CircuitLimits = {
  failuresInARow: 64,
  firstPauseMs: 1_000,
  maxPauseMs: 60_000,
  callsAtATime: 8,
  shortPauseMs: 250,
};

/**
 * Spares an endpoint that has failed many times in a row, and the work that its calls take. One that cannot be reached is
 * probed with one call after each pause; the first answer, even a failure, ends this. One that answers is called on, but
 * not as fast as it fails: another path of it may work. Nothing is counted for a delivery that waits
 * (docs/contract/outgoing-webhooks.md#retries).
 */
export class Circuit {
  private failures = 0;
  private unreached = 0;
  private pauses = 0;
  private pausedUntil = 0;
  private isPausedNow = false;

  constructor(private readonly limits: CircuitLimits) {}

  /** No call may start. */
  get isPaused(): boolean {
    return this.isPausedNow;
  }

  /** Nobody has been reached for long: one call at a time is enough to see whether that goes on. */
  get isProbing(): boolean {
    return this.unreached >= this.limits.failuresInARow;
  }

  /** How long its pause still lasts. */
  pausedMs(now: number): number {
    return this.isPausedNow ? Math.max(0, this.pausedUntil - now) : 0;
  }

  /** `isOnlyOne`: one webhook fails while another one succeeds. That only shows that the endpoint is there. */
  answered(result: CallResult, now: number, isOnlyOne = false): void {
    if (result === 'failed' && isOnlyOne) return this.reached();
    if (result === 'succeeded') {
      this.failures = 0;
      this.isPausedNow = false;
      this.reached();
      return;
    }
    this.failures++;
    if (result === 'failed') this.reached();
    else this.unreached++;
    if (this.isPausedNow) return; // it began before the pause
    const { failuresInARow, firstPauseMs, maxPauseMs, callsAtATime, shortPauseMs } = this.limits;
    if (this.isProbing) this.pause(now + Math.min(maxPauseMs, firstPauseMs * 2 ** this.pauses++));
    else if (this.failures >= failuresInARow && this.failures % callsAtATime === 0)
      this.pause(now + shortPauseMs);
  }

  /** Ends a pause whose time has come. Returns whether it did. */
  resume(now: number): boolean {
    const isOver = this.isPausedNow && this.pausedUntil <= now;
    if (isOver) this.isPausedNow = false;
    return isOver;
  }

  private reached(): void {
    if (this.isProbing) this.isPausedNow = false;
    this.unreached = 0;
    this.pauses = 0;
  }

  private pause(until: number): void {
    this.isPausedNow = true;
    this.pausedUntil = until;
  }
}
