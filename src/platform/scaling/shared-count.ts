import { type Allowance, EventCounts } from './event-counts.js';

/** What other processes hear, by the hash of a key. */
export type CountChange =
  | { readonly noted: string; readonly windowMs: number; readonly at: number }
  | { readonly takenBack: string }
  | { readonly cleared: string };

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

  /** Counts one less: what was noted when it began has turned out not to count. */
  takeBack(key: string): void {
    const takenBack = this.nameOf(key);
    this.tell({ takenBack });
    this.counts.takeBack(takenBack);
  }

  clear(key: string): void {
    const cleared = this.nameOf(key);
    this.tell({ cleared });
    this.counts.clear(cleared);
  }

  /** Does what another process has done. */
  follow(change: CountChange): void {
    if ('noted' in change) this.counts.note(change.noted, change.windowMs, change.at);
    else if ('takenBack' in change) this.counts.takeBack(change.takenBack);
    else this.counts.clear(change.cleared);
  }
}
