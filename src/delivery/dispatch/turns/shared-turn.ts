import type { Turn } from './turn.js';

/** A turn lasts so long after the last renewal. */
export const LEASE_MS = 9_000;
/** No call starts in the last part of it. */
const MARGIN_MS = 1_000;

/** A turn of this process, where several serve one database. */
export class SharedTurn implements Turn {
  readonly takenAt = performance.now();
  /** When there was last something to do. */
  busyAt = performance.now();
  /** No more calls start, and it is released once the running ones are over. */
  isEnding = false;
  /** How long nobody else is to take the lane after it. */
  pausedMs = 0;
  /** Resolves once the turn is released or lost. */
  readonly over: Promise<void>;
  finish: () => void = () => undefined;
  private deadline = 0;

  /** `sentAt`: when the statement that took it was sent, by performance.now(). */
  constructor(
    readonly lane: string,
    readonly epoch: number,
    sentAt: number,
  ) {
    this.over = new Promise((resolve) => (this.finish = resolve));
    this.renewed(sentAt);
  }

  /** By the clock of the machine, which also goes on while the process is frozen or cut off. */
  get isValid(): boolean {
    return !this.isEnding && performance.now() < this.deadline;
  }

  renewed(sentAt: number): void {
    this.deadline = Math.max(this.deadline, sentAt + LEASE_MS - MARGIN_MS);
  }
}
