import { performance } from 'node:perf_hooks';

/** How often the load is measured, and the part of the time from which on the server is busy. */
const SAMPLE_MS = 50;
const BUSY = 0.4;

/** Returns a function that tells whether the event loop was busy for most of the last moments. */
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
