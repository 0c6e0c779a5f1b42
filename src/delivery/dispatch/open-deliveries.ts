import { Injectable } from '@nestjs/common';
import type { DeliveriesRepository } from './deliveries.repository.js';

/**
 * The number of open deliveries, without counting them each time. Opened and settled ones are added up. The
 * sum is only an estimate if several processes settle one at once, so each new count replaces it.
 */
@Injectable()
export class OpenDeliveries {
  /** Number of deliveries opened minus settled since startup. */
  balance = 0;
  private estimate: number | undefined;

  /** Undefined until the first count. */
  get count(): number | undefined {
    return this.estimate;
  }

  opened(count: number): void {
    this.balance += count;
    if (this.estimate !== undefined) this.estimate += count;
  }

  settled(count: number): void {
    this.balance -= count;
    if (this.estimate !== undefined) this.estimate = Math.max(0, this.estimate - count);
  }

  counted(count: number): void {
    this.estimate = count;
  }
}

/** Maximum number counted at once. */
const SLICE = 1_000;
const PAUSE_MS = 5;
const RECOUNT_AFTER_MS = 10_000;

/**
 * The number of open deliveries, for a metrics scrape. Few are counted each time. Many are counted once, in
 * slices so that other work continues; scrapes meanwhile get the count so far, and later changes are added.
 */
export class OpenCount {
  private latest: Promise<number> | undefined;
  private countedAt = -Infinity;
  private soFar: number | undefined;

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly open: OpenDeliveries,
  ) {}

  /** NaN while the database is unavailable. */
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
   * Deliveries opened meanwhile come after the counted range; settled ones are mostly old and already
   * counted. This is an estimate: a delivery that is resent before its slice is counted is counted twice.
   */
  private countAll(few: number): void {
    this.soFar = few;
    void this.slices()
      .catch(() => undefined) // a later scrape starts over
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
