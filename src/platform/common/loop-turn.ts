import { AsyncLocalStorage } from 'node:async_hooks';

const LONG_MS = 12;
const LONG_FOR_HEAVY_MS = 3;
const LONGEST_REST_MS = 50;

/** The caller that work is done for. */
export interface Claimant {
  /** Whether the caller uses more than its share. */
  readonly isHeavy: boolean;
}

/** Claimant of work that callers of all kinds wait for; it must not be slowed down. */
const ALL: Claimant = { isHeavy: false };

/**
 * Work that continues in microtasks or loops blocks the event loop, no matter how many callers it serves.
 * Such work checks before each step and yields when the current iteration of the event loop has become long:
 * early for background work and callers that use more than their share, later for others. All work shares one
 * clock, so the time of an iteration is bounded as a whole.
 */
export class LoopTurn {
  private readonly claimants = new AsyncLocalStorage<Claimant>();
  private claims = 0;
  private startedAt: number | undefined;
  /** Waiters in order. Asking again moves to the end, so that many long steps cannot starve others. */
  private readonly light = new Set<() => void>();
  private readonly heavy = new Set<() => void>();
  private hasServed = false;
  private isHeavyNext = false;

  /** Whether this iteration has lasted so long that newly arrived work should go first. */
  get isLong(): boolean {
    const elapsed = this.elapsedMs();
    if (elapsed <= LONG_FOR_HEAVY_MS) return false;
    return elapsed > LONG_MS || this.isForHeavy;
  }

  /** The same for background work. */
  get isLongInBackground(): boolean {
    return this.elapsedMs() > LONG_FOR_HEAVY_MS;
  }

  /** Waits for an iteration with time left. At least one waiter resumes per iteration. */
  next(): Promise<void> {
    const isHeavy = this.isForHeavy;
    return new Promise((resolve) => {
      (isHeavy ? this.heavy : this.light).add(resolve);
      setImmediate(this.serve);
    });
  }

  /** Whether this runs for a caller that uses more than its share. */
  get isForHeavy(): boolean {
    return this.claimants.getStore()?.isHeavy ?? false;
  }

  /**
   * For a caller that uses more than its share, waits as long as the step since `startedAt` took (50 ms at
   * most). For work in so many short steps that they would fill every iteration.
   */
  async rest(startedAt: number): Promise<void> {
    if (!this.isForHeavy) return;
    const restMs = Math.min(performance.now() - startedAt, LONGEST_REST_MS);
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }

  /** Runs work and its continuations for a caller. Call `release` once all of it is over. */
  claim(claimant: Claimant, work: () => void): void {
    this.claims++;
    this.claimants.run(claimant, work);
  }

  release(): void {
    // While a store is enabled, Node 20 and 22 track every promise in the process.
    if (--this.claims === 0) this.claimants.disable();
  }

  /** Runs work that several callers wait for, regardless of which one started it. */
  runForAll<T>(work: () => T): T {
    return this.claimants.getStore() ? this.claimants.run(ALL, work) : work();
  }

  /** Resumes one waiter if there is time, and always the first per iteration. Runs once per waiter. */
  private readonly serve = (): void => {
    const from = this.hasServed ? this.withTime() : this.firstInTurn();
    const [next] = from ?? [];
    if (!from || !next) return void setImmediate(this.serve);
    from.delete(next);
    next();
  };

  private withTime(): Set<() => void> | undefined {
    const elapsed = this.elapsedMs();
    if (this.light.size > 0) return elapsed > LONG_MS ? undefined : this.light;
    return elapsed > LONG_FOR_HEAVY_MS ? undefined : this.heavy;
  }

  /** Alternates between light and heavy. */
  private firstInTurn(): Set<() => void> {
    void this.elapsedMs(); // starts the clock
    this.hasServed = true;
    setImmediate(() => (this.hasServed = false));
    this.isHeavyNext = this.light.size === 0 || (!this.isHeavyNext && this.heavy.size > 0);
    return this.isHeavyNext ? this.heavy : this.light;
  }

  /** Milliseconds since the first check in this iteration. */
  private elapsedMs(): number {
    const now = performance.now();
    if (this.startedAt !== undefined) return now - this.startedAt;
    this.startedAt = now;
    setImmediate(() => (this.startedAt = undefined));
    return 0;
  }
}

/** The shared instance for the event loop of this process. */
export const loopTurn = new LoopTurn();
