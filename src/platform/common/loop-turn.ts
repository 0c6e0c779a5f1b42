const LONG_MS = 5;

/**
 * Work that goes on in microtasks alone, as with a database that answers at once, keeps the event loop from doing
 * anything else, however many callers it is for. Such work asks before each step, and waits when a turn of the loop has
 * become long.
 */
export class LoopTurn {
  private startedAt: number | undefined;

  /** Whether this turn has lasted for so long that what has arrived meanwhile should come first. */
  get isLong(): boolean {
    const now = performance.now();
    if (this.startedAt !== undefined) return now - this.startedAt > LONG_MS;
    this.startedAt = now;
    setImmediate(() => (this.startedAt = undefined));
    return false;
  }

  /** Waits for the next turn. */
  next(): Promise<void> {
    return new Promise(setImmediate);
  }
}
