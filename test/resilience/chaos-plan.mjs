/**
 * What the actors of a crash run or a fault run do, and when. Each choice has its own random source, derived from the
 * seed and the subject: a seed gives the same plan, no matter what the others do and in which order messages arrive.
 */
import { Random } from './random.mjs';

const KILLER = 1;
const RECEIVERS = { prompt: 2, slow: 3, flaky: 4, dying: 5 };
const FAULTS = 6;

/** The kinds of receivers. */
export const receiverKinds = Object.keys(RECEIVERS);

/** The round in which the server is stopped and not killed, and one after which its start is killed too. */
const stopRound = (kills) => Math.ceil(kills / 2) + 1;
const KILLED_START = 2;

/** When and how a round ends, and when the start after it is killed, if at all. */
export function planRound(seed, round, { kills, longestLoadMs }) {
  const random = new Random(seed, KILLER, round);
  return {
    isStop: round === stopRound(kills),
    afterMs: random.between(0, longestLoadMs),
    ...(round === KILLED_START || random.chance(0.15) ? { killStartAfterMs: random.between(50, 900) } : {}),
  };
}

/** The kinds of faults, and their frequency. */
export const faultKinds = {
  ...{ kill: 5, rolling: 2, clocks: 1, freeze: 1, database: 2 },
  ...{ 'redis-stop': 3, 'redis-restart': 3, 'redis-flush': 3, 'redis-cut': 3 },
};

/** The faults of a round: each of `kinds` as often as its frequency, then all of them again in another order. */
export function planKind(seed, round, kinds = Object.keys(faultKinds)) {
  const deck = kinds.flatMap((kind) => Array(faultKinds[kind]).fill(kind));
  const turn = Math.floor((round - 1) / deck.length);
  return shuffled(deck, new Random(seed, FAULTS, 0, turn))[(round - 1) % deck.length];
}

/** Where a fault occurs, when and for how long. */
export function planFault(seed, round, { processes }) {
  const random = new Random(seed, FAULTS, round);
  return {
    process: random.below(processes),
    afterMs: random.between(0, 1_000),
    lastsMs: random.between(200, 3_000),
  };
}

function shuffled(list, random) {
  return list
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** How a receiver responds to a message of a run (`go 3.2.1`) in one of its calls. */
export function planAnswer(seed, kind, message, call) {
  const random = new Random(seed, RECEIVERS[kind], ...(message.match(/\d+/g) ?? []).map(Number), call);
  const waitMs = kind === 'slow' ? random.between(0, 120) : 0;
  const isFlaky = kind === 'flaky';
  if (isFlaky && random.chance(0.15)) return { waitMs, result: 'reset' };
  return { waitMs, result: isFlaky && random.chance(0.3) ? 'error' : 'accept' };
}

/** The alternating up and down times of the receiver that dies repeatedly, endless. */
export function* planDowntimes(seed) {
  const random = new Random(seed, RECEIVERS.dying);
  for (;;) yield { upMs: random.between(30, 300), downMs: random.between(10, 150) };
}
