/**
 * The states of a lane: the deliveries to one endpoint or with one ordering key. No I/O happens here: `Lane`
 * stores the states and queues; `LaneDrain` reads the table and makes the calls.
 *
 * A lane has two sources: new rows and rows to retry. A source is `clear` while every due row is in memory or
 * left to its flow. A flow (the deliveries of one webhook to one URL) has its own two sources, so that many
 * rows of one flow do not hide those of another. An ordered lane has one flow, which leaves all to the lane:
 *
 *     clear ──rowsLeft──▶ backlog ◀──readSome── reading ──readAll──▶ clear
 *       │                    │                   ▲   │
 *       └─────readBegins─────┴───────────────────┘   ├──rowsLeft──▶ reading-missed ──readAll, readSome──▶ backlog
 *                                                    └──headRequeued──▶ reading-stale ──readAll, readSome──▶ backlog
 *
 * `reading-missed`: rows were committed that the query may not have seen. `reading-stale`: the first delivery
 * of an ordered lane has since failed or been unloaded; no row may overtake it, so the result is discarded.
 *
 * An ordered lane makes one call at a time and pauses after its first delivery has failed:
 *
 *     open ──callStarts──▶ calling ──settled──▶ open
 *                             ├──requeued──▶ paused ──wake, or its time has come and readBegins──▶ open
 *                             └──wake──▶ woken ──settled, requeued──▶ open
 *
 * Invariants, checked by dispatcher.model.spec.ts:
 * - Every open row is in memory exactly once, or its source or its flow's source is not `clear`, or its
 *   source will read it when it is due.
 * - A new row is loaded only while its source and its flow's source are `clear`, so it overtakes no row of
 *   its flow in the table.
 * - In an ordered lane, no call starts until the outcome of the previous one is stored.
 * - A lane with due rows in the table is due (`Lane.dueAt`); a paused lane is due when its pause ends.
 * - Limits are never exceeded, and cancelled deliveries are not called.
 */
type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The state of a source. */
export type SourceState = 'clear' | 'backlog' | 'reading' | 'reading-missed' | 'reading-stale';
/**
 * `readAll`: the table has no more due rows. `readSome`: it may have more, or the read failed.
 * `handedOver`: the lane reads the flow's rows from the table.
 */
export type SourceEvent = 'rowsLeft' | 'headRequeued' | 'readBegins' | 'readAll' | 'readSome' | 'handedOver';

const SOURCE: Transitions<SourceState, SourceEvent> = {
  clear: {
    rowsLeft: 'backlog',
    headRequeued: 'backlog',
    readBegins: 'reading',
    handedOver: 'clear',
  },
  backlog: {
    rowsLeft: 'backlog',
    headRequeued: 'backlog',
    readBegins: 'reading',
    handedOver: 'clear',
  },
  reading: {
    rowsLeft: 'reading-missed',
    headRequeued: 'reading-stale',
    readAll: 'clear',
    readSome: 'backlog',
    handedOver: 'reading',
  },
  'reading-missed': {
    rowsLeft: 'reading-missed',
    headRequeued: 'reading-stale',
    readAll: 'backlog',
    readSome: 'backlog',
    handedOver: 'reading-missed',
  },
  'reading-stale': {
    rowsLeft: 'reading-stale',
    headRequeued: 'reading-stale',
    readAll: 'backlog',
    readSome: 'backlog',
    handedOver: 'reading-stale',
  },
};

/** The state of an ordered lane; any other lane is always `open`. */
export type LaneState = 'open' | 'calling' | 'woken' | 'paused';
/** What changes the state of an ordered lane. */
export type LaneEvent = 'callStarts' | 'wake' | 'settled' | 'requeued' | 'readBegins';

const ORDERED_LANE: Transitions<LaneState, LaneEvent> = {
  open: { wake: 'open', readBegins: 'open', callStarts: 'calling' },
  calling: { wake: 'woken', readBegins: 'calling', settled: 'open', requeued: 'paused' },
  woken: { wake: 'woken', readBegins: 'woken', settled: 'open', requeued: 'open' },
  paused: { wake: 'open', readBegins: 'open' },
};

/** The state of a source after an event. Throws if the event cannot happen in that state. */
export function nextSourceState(state: SourceState, event: SourceEvent): SourceState {
  return next(SOURCE, state, event);
}

/** The state of an ordered lane after an event. Throws if the event cannot happen in that state. */
export function nextLaneState(state: LaneState, event: LaneEvent): LaneState {
  return next(ORDERED_LANE, state, event);
}

function next<State extends string, Event extends string>(
  transitions: Transitions<State, Event>,
  state: State,
  event: Event,
): State {
  const following = transitions[state][event];
  if (following === undefined) throw new Error(`"${event}" cannot happen in the state "${state}".`);
  return following;
}
