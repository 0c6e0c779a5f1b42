import { performance } from 'node:perf_hooks';

/** The sampling interval, and the utilization above which the server is busy. */
const SAMPLE_MS = 50;
const BUSY = 0.4;

/** Returns a function that reports whether the event loop was recently busy. */
export function loopIsBusy(): () => boolean {
  let sampledAt = 0;
  let sample = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - sampledAt < SAMPLE_MS) return isBusy;
    const current = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(current, sample).utilization > BUSY;
    [sample, sampledAt] = [current, now];
    return isBusy;
  };
}
