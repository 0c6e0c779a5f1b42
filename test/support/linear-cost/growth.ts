import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many times longer the longer input is. */
export const GROWTH = 8;
/**
 * The maximum growth of CPU time that was measured with care: linear growth, and room for what a longer input costs
 * besides: it leaves the CPU caches, and garbage is collected while its result is in use. Quadratic growth would be 64.
 */
export const MAX_RATIO = 18;
/** Enough to pass most linear functions; a garbage collection can spoil a measurement. */
const GLANCE = { sliceUs: 250, times: 3, maxRatio: 12 };
/** Functions that looked too steep each time are measured longer. */
const CONFIRMATION = { sliceUs: 4_000, times: 7 };
/**
 * Noise of the machine passes, even if it takes seconds: another process that fills the CPU caches makes the longer
 * input slower than the shorter one. Quadratic growth is equally steep each time, and steeper than any noise.
 */
const CONFIRMATIONS = 12;
const PAUSE_MS = 150;
const HOPELESS_RATIO = 30;
const MAX_CALLS = 8_192;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
/** Young garbage only: a full collection takes 200 ms in a process that has run many suites. */
const collectGarbage = (): void => gc({ type: 'minor' });

/** How the cost of an action grows with its input. */
export interface Growth {
  /** The growth of CPU time with the longer input. */
  readonly ratio: number;
  /** The CPU of one call with the longer input, in microseconds. */
  readonly cost: number;
}

/**
 * Compares the CPU time of an action for an input and for one that is `GROWTH` times longer. A value that is too high
 * is measured again, both inputs in turn and without garbage of others, and finally a median counts, because a busy
 * machine must not fail a test.
 */
export function growthOf(short: () => unknown, long: () => unknown): Growth {
  const actions = { short: quietly(short), long: quietly(long) };
  let glance = measured(actions, GLANCE.sliceUs);
  for (let time = 1; time < GLANCE.times && glance.ratio > GLANCE.maxRatio; time++)
    glance = measured(actions, GLANCE.sliceUs);
  if (glance.ratio <= GLANCE.maxRatio) return glance;
  let ratio = confirmed(actions);
  for (let time = 1; time < CONFIRMATIONS && ratio > MAX_RATIO && ratio < HOPELESS_RATIO; time++) {
    pause(time * PAUSE_MS);
    ratio = confirmed(actions);
  }
  return { ...glance, ratio };
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function confirmed(actions: Parameters<typeof measured>[0]): number {
  const { sliceUs, times } = CONFIRMATION;
  const ratios = Array.from({ length: times }, () => measured(actions, sliceUs, collectGarbage).ratio);
  ratios.sort((a, b) => a - b);
  return ratios[Math.floor(times / 2)] ?? Infinity;
}

function measured(
  { short, long }: { short: () => void; long: () => void },
  sliceUs: number,
  before: () => void = () => undefined,
): Growth {
  before();
  let calls = GROWTH;
  let used = cpuOf(short, calls);
  while (used < sliceUs && calls < MAX_CALLS) used = cpuOf(short, (calls *= 2));
  before();
  const cost = cpuOf(long, calls / GROWTH) / (calls / GROWTH);
  return { ratio: cost / (used / calls), cost };
}

function cpuOf(action: () => void, calls: number): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) action();
  // Without kernel time, which is spent on memory that is allocated in large pieces.
  return Math.max(1, process.cpuUsage(before).user);
}

function quietly(action: () => unknown): () => void {
  return () => {
    try {
      action();
    } catch {
      // rejecting must be cheap as well
    }
  };
}
