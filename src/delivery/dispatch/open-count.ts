import type { DeliveriesRepository } from './deliveries.repository.js';
import type { OpenDeliveries } from './open-deliveries.js';

/** No more are counted at once. */
const SLICE = 1_000;
const PAUSE_MS = 5;
const RECOUNT_AFTER_MS = 10_000;

/**
 * How many deliveries are open, for a scrape. Few are counted each time. Many are counted once, in slices between which
 * everything else goes on, and a scrape meanwhile gives what was counted so far; then what opens and settles is added up.
 */
export class OpenCount {
  private latest: Promise<number> | undefined;
  private countedAt = -Infinity;
  private soFar: number | undefined;

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly open: OpenDeliveries,
  ) {}

  /** NaN while the database is away. */
  current(): Promise<number> {
    const now = performance.now();
    if (!this.latest || now - this.countedAt > RECOUNT_AFTER_MS || this.soFar !== undefined) {
      this.countedAt = now;
      this.latest = this.count().catch(() => NaN);
    }
    return this.latest;
  }

  private async count(): Promise<number> {
    if (this.soFar !== undefined) return this.soFar;
    const few = await this.repository.countOpen(SLICE + 1);
    if (few <= SLICE) this.open.counted(few);
    else if (this.open.count === undefined) this.countAll(few);
    return Math.max(few, this.open.count ?? this.soFar ?? 0);
  }

  /**
   * What opens meanwhile comes after the last one that is counted; what settles is mostly old, and so counted already. An
   * estimate: what is sent again before its slice is counted twice.
   */
  private countAll(few: number): void {
    this.soFar = few;
    void this.slices()
      .catch(() => undefined) // a later scrape begins anew
      .finally(() => (this.soFar = this.latest = undefined));
  }

  private async slices(): Promise<void> {
    const end = await this.repository.lastOpenSeq();
    const { balance } = this.open;
    let total = 0;
    for (let last: number | undefined = 0; last !== undefined;) {
      const slice = await this.repository.countOpenAfter(last, end, SLICE);
      total += slice.count;
      this.soFar = Math.max(this.soFar ?? 0, total);
      last = slice.last;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    this.open.counted(Math.max(0, total + this.open.balance - balance));
  }
}
