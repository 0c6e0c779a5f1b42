/** Counts frames within windows of time. */
export class FrameWindow {
  private endsAt = 0;
  private count = 0;

  constructor(private readonly lengthMs: number) {}

  /** Counts frames, and returns how many there are in this window. */
  add(now: number, frames = 1): number {
    if (now > this.endsAt) {
      this.endsAt = now + this.lengthMs;
      this.count = 0;
    }
    this.count += frames;
    return this.count;
  }
}
