import { Clock } from '../common/clock.js';

/** Further back than this, the clock of the database was set anew, and waiting for it would take too long. */
const MAX_WAIT_MS = 1_000;

/**
 * The time of the database, for processes that serve it together from machines whose clocks differ. Between two readings
 * it goes on with a clock of this process that nobody sets, so the time of the machine plays no part.
 */
export class DatabaseClock extends Clock {
  private offsetMs: number | undefined;
  private last = 0;

  /** `elapsed` is the time in milliseconds since any moment. */
  constructor(private readonly elapsed: () => number = () => performance.now()) {
    super();
  }

  /** Stands still for a moment rather than go back, unless the database has gone back by more than that. */
  override now(): number {
    const now = Math.floor(this.elapsed() + (this.offsetMs ?? 0));
    return now < this.last && this.last - now < MAX_WAIT_MS ? this.last : (this.last = now);
  }

  /**
   * Learns from `read`, which asks the database for its time. The answer was made between question and receipt, so it
   * corrects the clock only as far as it contradicts it: a slow answer says little, and changes little.
   */
  async follow(read: () => Promise<number>): Promise<void> {
    const askedAt = this.elapsed();
    const databaseMs = await read();
    const [least, most] = [databaseMs - this.elapsed(), databaseMs + 1 - askedAt];
    this.offsetMs = Math.min(Math.max(this.offsetMs ?? (least + most) / 2, least), most);
  }
}
