/** A concurrency limiter with a bounded queue per lane; waiting lanes are served in turn. */
export class FairLimit<Lane extends string> {
  private readonly waiting = new Map<Lane, (() => void)[]>();
  private running = 0;

  /** `refusal` creates the error for rejected work. */
  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
    private readonly refusal: () => Error,
  ) {}

  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) this.running++;
    else await this.turn(lane);
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  private turn(lane: Lane): Promise<void> {
    const queue = this.waiting.get(lane) ?? [];
    if (queue.length >= this.maxWaiting) throw this.refusal();
    this.waiting.set(lane, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  private passOn(): void {
    const [first] = this.waiting;
    if (!first) return void this.running--;
    const [lane, queue] = first;
    const start = queue.shift();
    this.waiting.delete(lane);
    if (queue.length > 0) this.waiting.set(lane, queue);
    start?.();
  }
}
