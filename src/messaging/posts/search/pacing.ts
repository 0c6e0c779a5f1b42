/** The share of the time that work in the background takes at most: while others are busy, and while they are not. */
const BUSY_SHARE = 0.02;
const BUSY_SHARE_IF_URGENT = 0.2;
const IDLE_SHARE = 0.4;
/** Of the event loop, with this work. */
const BUSY = 0.7;

/** Pauses work in the background, so that it takes a small share of the time. */
export class Pacing {
  /** Whether somebody waits for what is done. */
  isUrgent = false;
  private sample = performance.eventLoopUtilization();
  private wake: (() => void) | undefined;
  private hasStopped = false;

  /** Waits in proportion to the time that the work took since `startedAt` of `performance.now()`, `maxMs` at most. */
  async pause(startedAt: number, maxMs: number): Promise<void> {
    if (this.hasStopped) return;
    const share = this.share();
    const pauseMs = ((performance.now() - startedAt) * (1 - share)) / share;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, Math.min(pauseMs, maxMs)).unref();
    });
  }

  /** Ends the current pause; there are no more. */
  stop(): void {
    this.hasStopped = true;
    this.wake?.();
  }

  private share(): number {
    if (!this.loopIsBusy()) return IDLE_SHARE;
    return this.isUrgent ? BUSY_SHARE_IF_URGENT : BUSY_SHARE;
  }

  /** Whether the event loop was busy since the last question. */
  private loopIsBusy(): boolean {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, this.sample);
    this.sample = current;
    return utilization > BUSY;
  }
}
