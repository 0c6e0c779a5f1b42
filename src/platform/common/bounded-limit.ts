import pLimit from 'p-limit';

/** Runs work a few at a time, in the order it came in, and refuses more than so many that wait. */
export class BoundedLimit {
  private readonly limit: ReturnType<typeof pLimit>;

  /** `refusal` makes the error for work that finds no place. */
  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
    private readonly refusal: () => Error,
  ) {
    this.limit = pLimit(maxRunning);
  }

  /** How much runs or waits. */
  get size(): number {
    return this.limit.activeCount + this.limit.pendingCount;
  }

  /** Gives what `work` gives; throws the refusal when too much waits already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.size >= this.maxRunning + this.maxWaiting) throw this.refusal();
    return this.limit(work);
  }
}
