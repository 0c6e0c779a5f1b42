/**
 * The states of a lane: the deliveries to one endpoint, or of one ordering key. Without I/O: `Lane` holds the states and
 * the queues, `LaneDrain` reads the table and makes the calls.
 *
 * A lane has two sources: new rows and rows to retry. Each is `clear` while every due row of the table is in memory, or is
 * left to the flow it belongs to. A flow, the deliveries of one webhook to one URL, has two such sources of its own, so that
 * one with many rows hides none of another's; an ordered lane has one flow, which leaves everything to the lane:
 *
 *     clear ──rowsLeft──▶ backlog ◀──readSome── reading ──readAll──▶ clear
 *       │                    │                   ▲   │
 *       └─────readBegins─────┴───────────────────┘   ├──rowsLeft──▶ reading-missed ──readAll, readSome──▶ backlog
 *                                                    └──headRequeued──▶ reading-stale ──readAll, readSome──▶ backlog
 *
 * `reading-missed`: rows were committed that the query may not have seen. `reading-stale`: the first delivery of an
 * ordered lane has failed or was unloaded since, and no row may overtake it, so the result of the query is discarded.
 *
 * An ordered lane makes one call at a time, and pauses when its first delivery has failed:
 *
 *     open ──callStarts──▶ calling ──settled──▶ open
 *                             ├──requeued──▶ paused ──wake, or its time has come and readBegins──▶ open
 *                             └──wake──▶ woken ──settled, requeued──▶ open
 *
 * Invariants, which dispatcher.model.spec.ts checks:
 * - Every open row is in memory once, or its source or that of its flow is not `clear`, or its source will read it when it is
 *   due.
 * - A new row goes into memory only while its source and that of its flow are `clear`: it overtakes none of its flow in the
 *   table.
 * - In an ordered lane no call starts until the outcome of the one before is stored.
 * - A lane with due rows in the table is due (`Lane.dueAt`), a paused one when its pause ends.
 * - Limits are never exceeded, and a cancelled delivery is not called.
 */
type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The state of a source. */
export type SourceState = 'clear' | 'backlog' | 'reading' | 'reading-missed' | 'reading-stale';
/**
 * `readAll`: the table has no more due rows. `readSome`: it may have more, or the read failed. `handedOver`: the lane reads
 * what a flow has in the table.
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
