import { type Allowance, EventCounts } from './event-counts.js';

/** What other processes hear, by the hash of a key. */
export type CountChange =
  { readonly noted: string; readonly windowMs: number; readonly at: number } | { readonly cleared: string };

/** Counts events by key, as `EventCounts` does, over all processes. Open one with `SharedCounts`. */
export class SharedCount {
  private readonly counts: EventCounts;

  constructor(
    private readonly nameOf: (key: string) => string = (key) => key,
    private readonly tell: (change: CountChange) => void = () => undefined,
    maxKeys?: number,
  ) {
    this.counts = new EventCounts(maxKeys);
  }

  /** How long until another event is allowed; 0 if it is now. */
  waitMs(key: string, allowance: Allowance, now: number): number {
    return this.counts.waitMs(this.nameOf(key), allowance, now);
  }

  /** Returns how many there have been in the window. */
  note(key: string, { windowMs }: Allowance, now: number): number {
    const noted = this.nameOf(key);
    this.tell({ noted, windowMs, at: now });
    return this.counts.note(noted, windowMs, now);
  }

  /** When the window ends, which all processes agree on once they have heard of each other's counts; 0 if there is none. */
  endsAt(key: string): number {
    return this.counts.endsAt(this.nameOf(key));
  }

  clear(key: string): void {
    const cleared = this.nameOf(key);
    this.tell({ cleared });
    this.counts.clear(cleared);
  }

  /** Counts what another process has counted. */
  takeNote(name: string, windowMs: number, at: number): void {
    this.counts.note(name, windowMs, at);
  }

  /** Forgets what another process has cleared. */
  takeClear(name: string): void {
    this.counts.clear(name);
  }
}
