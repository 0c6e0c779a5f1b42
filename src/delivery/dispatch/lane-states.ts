import type { OpenStatus } from './delivery.entity.js';

/**
 * The states of a lane: the deliveries to one endpoint or with one ordering key (docs/architecture.md#lanes). No I/O
 * happens here: `Lane` stores the states and queues; `LaneDrain` reads the table and makes the calls.
 *
 * A lane has two sources: new rows and rows to retry. A source is `clear` while every due row is in memory or
 * left to its flow. A flow (the deliveries of one webhook to one URL) has its own two sources, so that many
 * rows of one flow do not hide those of another. An ordered lane has one flow, which leaves all to the lane.
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

/**
 * The state of a source. `reading-missed`: rows were committed that the query may not have seen. `reading-stale`: the
 * first delivery of an ordered lane has since failed or been unloaded; no row may overtake it, so the result is dropped.
 */
export type SourceState = 'clear' | 'backlog' | 'reading' | 'reading-missed' | 'reading-stale';
/**
 * `readAll`: the table has no more due rows. `readSome`: it may have more, or the read failed.
 * `handedOver`: the lane reads the flow's rows from the table.
 */
export type SourceEvent = 'rowsLeft' | 'headRequeued' | 'readBegins' | 'readAll' | 'readSome' | 'handedOver';

const SOURCE: Transitions<SourceState, SourceEvent> = {
  clear: { rowsLeft: 'backlog', headRequeued: 'backlog', handedOver: 'clear', readBegins: 'reading' },
  backlog: { rowsLeft: 'backlog', headRequeued: 'backlog', handedOver: 'clear', readBegins: 'reading' },
  reading: { ...reading('reading'), rowsLeft: 'reading-missed', readAll: 'clear' },
  'reading-missed': reading('reading-missed'),
  'reading-stale': reading('reading-stale'),
};

/** The transitions during a read, unless it has missed nothing. */
function reading(state: SourceState): Readonly<Partial<Record<SourceEvent, SourceState>>> {
  const end = { readAll: 'backlog', readSome: 'backlog' } as const;
  return { rowsLeft: state, headRequeued: 'reading-stale', handedOver: state, ...end };
}

/** The state of an ordered lane, which makes one call at a time and pauses when its first delivery fails. */
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

/** The rows of one status in the table, for a lane or a flow. */
export class Source {
  private nextDueAt = Infinity;

  constructor(
    readonly status: OpenStatus,
    private current: SourceState,
  ) {}

  get state(): SourceState {
    return this.current;
  }

  get isReading(): boolean {
    return this.current !== 'clear' && this.current !== 'backlog';
  }

  /** When the table must be read: 0 means now, Infinity means never. */
  get dueAt(): number {
    return this.current === 'backlog' ? 0 : this.nextDueAt;
  }

  /** Records that a row of the table becomes due at the given time. */
  expect(dueAt: number): void {
    this.nextDueAt = Math.min(this.nextDueAt, dueAt);
  }

  on(event: SourceEvent): void {
    this.current = nextSourceState(this.current, event);
    if (event === 'readBegins') this.nextDueAt = Infinity; // the read determines it again
  }
}

/** The sources of a lane or a flow: deliveries that have never been attempted, and those to retry. */
export class Sources<S extends Source> {
  readonly sources: readonly S[];

  constructor(
    readonly fresh: S,
    readonly retries: S,
  ) {
    this.sources = [fresh, retries];
  }

  /** Due rows are waiting in the table (of a lane: rows whose flows are not known yet). */
  get hasBacklog(): boolean {
    return this.sources.some(({ state }) => state === 'backlog');
  }

  get isReading(): boolean {
    return this.sources.some(({ isReading }) => isReading);
  }

  source(status: OpenStatus): S {
    return status === 'pending' ? this.fresh : this.retries;
  }
}
