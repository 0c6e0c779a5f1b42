import { AsyncLocalStorage } from 'node:async_hooks';

const LONG_MS = 12;
const LONG_FOR_HEAVY_MS = 3;
const LONGEST_REST_MS = 50;

/** For whom work is done. */
export interface Claimant {
  /** Whether there is more work of theirs than their share. */
  readonly isHeavy: boolean;
}

/** Work that callers of all kinds wait for: none of them may slow it down for the others. */
const ALL: Claimant = { isHeavy: false };

/**
 * Work that goes on in microtasks or loops keeps the event loop from doing anything else, however many callers it is
 * for. Such work asks before each step, and waits when the turn of the loop has become long: soon if it is done in the
 * background or for somebody who wants more than a share, later for others. All share one clock, so that a turn does not
 * add up what each may take.
 */
export class LoopTurn {
  private readonly claimants = new AsyncLocalStorage<Claimant>();
  private claims = 0;
  private startedAt: number | undefined;
  /** Those who wait, the first one first. Who asks again comes last, or one with many long steps would keep all others away. */
  private readonly light = new Set<() => void>();
  private readonly heavy = new Set<() => void>();
  private hasServed = false;
  private isHeavyNext = false;

  /** Whether this turn has lasted for so long that what has arrived meanwhile should come first. */
  get isLong(): boolean {
    const elapsed = this.elapsedMs();
    if (elapsed <= LONG_FOR_HEAVY_MS) return false;
    return elapsed > LONG_MS || this.isForHeavy;
  }

  /** The same for work that nobody waits for. */
  get isLongInBackground(): boolean {
    return this.elapsedMs() > LONG_FOR_HEAVY_MS;
  }

  /** Waits for a turn that has time left. In each turn one goes on at least; within light and heavy in their order. */
  next(): Promise<void> {
    const isHeavy = this.isForHeavy;
    return new Promise((resolve) => {
      (isHeavy ? this.heavy : this.light).add(resolve);
      setImmediate(this.serve);
    });
  }

  /** Whether this is done for somebody who wants more than a share. */
  get isForHeavy(): boolean {
    return this.claimants.getStore()?.isHeavy ?? false;
  }

  /**
   * Waits as long as a step since `startedAt` of `performance.now()` took, 50 ms at most, if it was for somebody who wants
   * more than a share. For work of so many short steps that they would fill one turn after the other.
   */
  async rest(startedAt: number): Promise<void> {
    if (!this.isForHeavy) return;
    const restMs = Math.min(performance.now() - startedAt, LONGEST_REST_MS);
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }

  /** Runs work, and what follows from it, for somebody. Call `release` when all of it is over. */
  claim(claimant: Claimant, work: () => void): void {
    this.claims++;
    this.claimants.run(claimant, work);
  }

  release(): void {
    // While a store is enabled, Node 20 and 22 track every promise in the process.
    if (--this.claims === 0) this.claimants.disable();
  }

  /** Runs work that several callers wait for, whoever has begun it. */
  runForAll<T>(work: () => T): T {
    return this.claimants.getStore() ? this.claimants.run(ALL, work) : work();
  }

  /** Lets one go on if there is time, and always in a turn the first one. Runs once in each turn for each who waits. */
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

  /** The light and the heavy by turns. */
  private firstInTurn(): Set<() => void> {
    void this.elapsedMs(); // starts the clock
    this.hasServed = true;
    setImmediate(() => (this.hasServed = false));
    this.isHeavyNext = this.light.size === 0 || (!this.isHeavyNext && this.heavy.size > 0);
    return this.isHeavyNext ? this.heavy : this.light;
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
