const LONG_MS = 3;
const TOO_LONG_MS = 12;

/**
 * Work that goes on in microtasks or loops keeps the event loop from doing anything else, however many callers it is
 * for. Such work asks before each step, and waits when the turn of the loop has become long. All share one clock, so that
 * a turn does not add up what each may take.
 */
class LoopTurn {
  private startedAt: number | undefined;

  /** Whether this turn has lasted for so long that work with many steps should wait. */
  get isLong(): boolean {
    return this.elapsedMs() > LONG_MS;
  }

  /** Whether this turn has lasted for so long that even a small step of a request should wait. */
  get isTooLong(): boolean {
    return this.elapsedMs() > TOO_LONG_MS;
  }

  /** Waits for the next turn. */
  next(): Promise<void> {
    return new Promise(setImmediate);
  }

  /** Since the first question in this turn. */
  private elapsedMs(): number {
    const now = performance.now();
    if (this.startedAt !== undefined) return now - this.startedAt;
    this.startedAt = now;
    setImmediate(() => (this.startedAt = undefined));
    return 0;
  }
}

/** The turn of this process's event loop. */
export const loopTurn = new LoopTurn();
