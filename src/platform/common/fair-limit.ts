/**
 * A concurrency limiter with a bounded queue for each lane. Lanes that wait are served in turn, so one that is flooded
 * does not hold up the others.
 */
export class FairLimit<Lane extends string> {
  private readonly waiting = new Map<Lane, (() => void)[]>();
  private running = 0;

  /** `refusal` creates the error for rejected work. */
  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
    private readonly refusal: () => Error,
  ) {}

  /** Runs `work` and returns its result. Throws the refusal if the queue of the lane is full. */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) this.running++;
    else await this.turn(lane);
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  /** Whether work of other lanes waits. */
  isWantedBesides(lane: Lane): boolean {
    return this.waiting.size > (this.waiting.has(lane) ? 1 : 0);
  }

  private turn(lane: Lane): Promise<void> {
    const queue = this.waiting.get(lane) ?? [];
    if (queue.length >= this.maxWaiting) throw this.refusal();
    this.waiting.set(lane, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Gives a free place to the lane that has waited longest for a turn. */
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
