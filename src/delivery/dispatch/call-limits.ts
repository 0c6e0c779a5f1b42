import type { Job } from './lane.js';

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

  /** The endpoint has long been unreachable: one call at a time is enough to notice a recovery. */
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
    const wasProbing = this.isProbing;
    if (result === 'failed') this.reached();
    else this.unreached++;
    const isFirstProbe = this.isProbing && !wasProbing;
    if (this.isPausedNow && !isFirstProbe) return; // the call started before the pause
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

  /** When the oldest unanswered call started; Infinity if none. */
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

/** Why an endpoint's limit changed (docs/contract/outgoing-webhooks.md#limits-of-an-endpoint). */
export const CHANGE_REASONS = [
  ...(['answered', 'failed', 'unreachable', 'slow'] as const),
  ...(['spared', 'resumed', 'forgotten'] as const),
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/** Changes for the same reason within a minute, merged into one. */
export interface LimitChange {
  /** Time of the first change. */
  readonly at: number;
  readonly why: ChangeReason;
  readonly times: number;
  /** The limit before the first change and after the last. */
  readonly from: number;
  readonly to: number;
  readonly standing: Standing;
  readonly pausedUntil: number;
}

/** Maximum number of changes kept per endpoint. */
export const MAX_CHANGES = 50;
const MERGE_WITHIN_MS = 60_000;

/** Merges newer changes, both newest first. A flapping endpoint thus takes minutes to fill the list. */
export function withChanges(
  changes: readonly LimitChange[],
  newer: readonly LimitChange[],
): readonly LimitChange[] {
  return newer.toReversed().reduce(withChange, changes);
}

/** Adds one change. */
export function withChange(changes: readonly LimitChange[], change: LimitChange): readonly LimitChange[] {
  const index = changes.findIndex(({ why, at }) => why === change.why && change.at - at < MERGE_WITHIN_MS);
  const known = changes[index];
  if (!known) return [change, ...changes].slice(0, MAX_CHANGES);
  const { to, standing, pausedUntil } = change;
  return changes.with(index, { ...known, times: known.times + change.times, to, standing, pausedUntil });
}
