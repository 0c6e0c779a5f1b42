/** What a call shows about its endpoint. `unreachable`: no connection, so none of its URLs can be called. */
export type CallResult = 'succeeded' | 'failed' | 'unreachable';

/** When to call an endpoint less often, and how much less. */
export interface CircuitLimits {
  /** Number of consecutive failures before calls are reduced. */
  readonly failuresInARow: number;
  /** The first pause of an unreachable endpoint; each further pause is twice as long. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** An endpoint that answers with failures gets this many calls, then a short pause. */
  readonly callsAtATime: number;
  readonly shortPauseMs: number;
}

/** A delivery waits at most one minute longer than necessary. */
export const CIRCUIT_LIMITS: CircuitLimits = {
  failuresInARow: 64,
  firstPauseMs: 1_000,
  maxPauseMs: 60_000,
  callsAtATime: 8,
  shortPauseMs: 250,
};

/**
 * Pauses calls to an endpoint that has failed many times in a row, which also saves the work they take. An
 * unreachable endpoint is probed with one call after each pause until its first answer, even a failure. An
 * endpoint that answers is still called, but not as fast as it fails, because other paths of it may work.
 * Waiting does not count as an attempt (docs/contract/outgoing-webhooks.md#retries).
 */
export class Circuit {
  private failures = 0;
  private unreached = 0;
  private pauses = 0;
  private pausedUntil = 0;
  private isPausedNow = false;

  constructor(private readonly limits: CircuitLimits) {}

  /** Whether no call may start. */
  get isPaused(): boolean {
    return this.isPausedNow;
  }

  /** The endpoint has been unreachable for long: one call at a time is enough to notice a recovery. */
  get isProbing(): boolean {
    return this.unreached >= this.limits.failuresInARow;
  }

  /** How much longer the pause lasts. */
  pausedMs(now: number): number {
    return this.isPausedNow ? Math.max(0, this.pausedUntil - now) : 0;
  }

  /** `isOnlyOne`: one webhook fails while another succeeds, which only shows that the endpoint is up. */
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
    if (this.isPausedNow) return; // the call started before the pause
    const { failuresInARow, firstPauseMs, maxPauseMs, callsAtATime, shortPauseMs } = this.limits;
    if (this.isProbing) this.pause(now + Math.min(maxPauseMs, firstPauseMs * 2 ** this.pauses++));
    else if (this.failures >= failuresInARow && this.failures % callsAtATime === 0)
      this.pause(now + shortPauseMs);
  }

  /** Ends an expired pause. Returns whether it did. */
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
