/** Counts frames within windows of time. */
export class FrameWindow {
  private endsAt = 0;
  private count = 0;

  constructor(private readonly lengthMs: number) {}

  /** Counts a frame, and returns how many there are in this window. */
  add(now: number): number {
    if (now > this.endsAt) {
      this.endsAt = now + this.lengthMs;
      this.count = 0;
    }
    return ++this.count;
  }
}
