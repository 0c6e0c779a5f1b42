import pLimit from 'p-limit';

/** A concurrency limiter with a bounded queue: runs work in order, and rejects it when the queue is full. */
export class BoundedLimit {
  private readonly limit: ReturnType<typeof pLimit>;

  /** `refusal` creates the error for rejected work. */
  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
    private readonly refusal: () => Error,
  ) {
    this.limit = pLimit(maxRunning);
  }

  get size(): number {
    return this.limit.activeCount + this.limit.pendingCount;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.size >= this.maxRunning + this.maxWaiting) throw this.refusal();
    return this.limit(work);
  }
}
