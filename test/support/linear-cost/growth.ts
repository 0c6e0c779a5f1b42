import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many times longer the longer input is. */
export const GROWTH = 8;
/** How much more CPU it may take at most: linear growth, and room for noise. Quadratic growth would be 64. */
export const MAX_RATIO = 12;
/** Enough to tell linear from quadratic growth; but a garbage collection can spoil a figure. */
const GLANCE = { sliceUs: 250, times: 3 };
/** Whatever has looked too steep each time is measured longer. */
const CONFIRMATION = { sliceUs: 4_000, times: 7 };
/**
 * Noise of the machine passes, even if it takes seconds: a neighbour that fills the caches of the processor makes the
 * longer input dearer than the shorter one. Quadratic growth is as steep each time, and steeper than any noise.
 */
const CONFIRMATIONS = 12;
const PAUSE_MS = 150;
const HOPELESS_RATIO = 30;
const MAX_CALLS = 8_192;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
/** Young garbage alone: a full collection takes a fifth of a second in a process that has run many suites. */
const collectGarbage = (): void => gc({ type: 'minor' });

/** How the cost of an action grows with its input. */
export interface Growth {
  /** How many times more CPU the longer input takes. */
  readonly ratio: number;
  /** The CPU of one call with the longer input, in microseconds. */
  readonly cost: number;
}

/**
 * Compares the CPU of an action for an input and for one that is `GROWTH` times longer. A figure that is too high is
 * measured again, both inputs in turn and without garbage of others, and a median counts at last: a busy machine must not
 * fail a test.
 */
export function growthOf(short: () => unknown, long: () => unknown): Growth {
  const actions = { short: quietly(short), long: quietly(long) };
  let glance = measured(actions, GLANCE.sliceUs);
  for (let time = 1; time < GLANCE.times && glance.ratio > MAX_RATIO; time++)
    glance = measured(actions, GLANCE.sliceUs);
  if (glance.ratio <= MAX_RATIO) return glance;
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
  // Not the time in the kernel: that goes into memory, which is taken in large pieces.
  return Math.max(1, process.cpuUsage(before).user);
}

function quietly(action: () => unknown): () => void {
  return () => {
    try {
      action();
    } catch {
      // refusing must be cheap as well
    }
  };
}
