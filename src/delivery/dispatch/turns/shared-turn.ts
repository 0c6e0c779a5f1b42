import type { Turn } from './lane-turns.js';

/** A turn lasts this long after its last renewal. */
export const LEASE_MS = 9_000;
/** No call starts in this last part of a turn. */
const MARGIN_MS = 1_000;

/** A turn of this process, where several processes share a database. */
export class SharedTurn implements Turn {
  readonly takenAt = performance.now();
  /** When the turn last had work. */
  busyAt = performance.now();
  /** No more calls start; the turn is released once running ones have ended. */
  isEnding = false;
  /** How long no process may take the lane after this turn. */
  pausedMs = 0;
  /** Resolves once the turn is released or lost. */
  readonly over: Promise<void>;
  finish: () => void = () => undefined;
  private deadline = 0;

  /** `sentAt`: when the statement that took the turn was sent, by performance.now(). */
  constructor(
    readonly lane: string,
    readonly epoch: number,
    sentAt: number,
  ) {
    this.over = new Promise((resolve) => (this.finish = resolve));
    this.renewed(sentAt);
  }

  /** Uses the machine's clock, which keeps running while the process is frozen or disconnected. */
  get isValid(): boolean {
    return !this.isEnding && performance.now() < this.deadline;
  }

  renewed(sentAt: number): void {
    this.deadline = Math.max(this.deadline, sentAt + LEASE_MS - MARGIN_MS);
  }
}
