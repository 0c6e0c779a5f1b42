import { Clock } from '../common/clock.js';

/** Beyond this, the database clock was reset, and waiting for it to catch up would take too long. */
const MAX_WAIT_MS = 1_000;

/** The database time. Between two readings it advances with a monotonic clock, not that of the machine. */
export class DatabaseClock extends Clock {
  private offsetMs: number | undefined;
  private last = 0;

  /** `elapsed` returns the milliseconds since an arbitrary moment. */
  constructor(private readonly elapsed: () => number = () => performance.now()) {
    super();
  }

  /** Pauses rather than going back, unless the database went back by more than that. */
  override now(): number {
    const now = Math.floor(this.elapsed() + (this.offsetMs ?? 0));
    return now < this.last && this.last - now < MAX_WAIT_MS ? this.last : (this.last = now);
  }

  /**
   * Adjusts to the database time that `read` returns. The database answered between question and receipt, so
   * the offset is only clamped to that interval: a slow answer says little, and changes little.
   */
  async follow(read: () => Promise<number>): Promise<void> {
    const askedAt = this.elapsed();
    const databaseMs = await read();
    const [least, most] = [databaseMs - this.elapsed(), databaseMs + 1 - askedAt];
    this.offsetMs = Math.min(Math.max(this.offsetMs ?? (least + most) / 2, least), most);
  }
}
