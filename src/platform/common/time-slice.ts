const SLICE_MS = 10;

/** Keeps a loop that computes from holding up other requests: when its slice of time is over, it gives way. */
export class TimeSlice {
  private endsAt = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.endsAt;
  }

  /** Lets the event loop do what has arrived meanwhile, and begins the next slice. */
  async giveWay(): Promise<void> {
    await new Promise(setImmediate);
    this.endsAt = performance.now() + SLICE_MS;
  }
}
