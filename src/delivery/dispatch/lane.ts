import type { OpenStatus } from './delivery.entity.js';
import { Fifo } from './fifo.js';
import type { Job } from './job.js';
import { LaneCalls } from './lane-calls.js';
import { isOrderedLane } from './lane-name.js';
import {
  type LaneEvent,
  type LaneState,
  nextLaneState,
  nextSourceState,
  type SourceEvent,
  type SourceState,
} from './lane-states.js';
import type { NextAttempt } from './outcome.js';

/** After so many first attempts in a row one retry has its turn. */
const FRESH_PER_RETRY = 4;

/** The rows of one status in a lane: a queue in memory, and the table behind it. */
export class Source {
  readonly queue = new Fifo<Job>();
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

  /** When the table has to be read: 0 for at once, Infinity for never. */
  get dueAt(): number {
    return this.current === 'backlog' ? 0 : this.nextDueAt;
  }

  /** A row of the table becomes due at that time. */
  expect(dueAt: number): void {
    this.nextDueAt = Math.min(this.nextDueAt, dueAt);
  }

  on(event: SourceEvent): void {
    this.current = nextSourceState(this.current, event);
    if (event === 'readBegins') this.nextDueAt = Infinity; // the read finds it anew
  }
}

/** The deliveries to one endpoint, or of one ordering key. Its states are described in lane-states.ts. */
export class Lane {
  readonly isOrdered: boolean;
  readonly calls: LaneCalls;
  /** Deliveries that were never tried. */
  readonly fresh: Source;
  readonly retries: Source;
  readonly sources: readonly Source[];
  /** Jobs in memory: waiting, being called, or until their outcome is stored. */
  claimed = 0;
  private current: LaneState = 'open';
  private pausedUntil = 0;
  private freshInARow = 0;

  constructor(
    readonly name: string,
    maxRunning: number,
  ) {
    this.isOrdered = isOrderedLane(name);
    // An earlier process may have left rows, which those of an ordered lane must not overtake.
    const state = this.isOrdered ? 'backlog' : 'clear';
    this.fresh = new Source('pending', state);
    this.retries = new Source('retrying', state);
    this.sources = [this.fresh, this.retries];
    this.calls = new LaneCalls(this.isOrdered ? 1 : maxRunning);
  }

  get queued(): number {
    return this.fresh.queue.size + this.retries.queue.size;
  }

  get canStart(): boolean {
    return this.calls.hasPlace && this.queued > 0;
  }

  /** Due rows are waiting in the table. */
  get hasBacklog(): boolean {
    return this.fresh.state === 'backlog' || this.retries.state === 'backlog';
  }

  /** When the table has to be read for this lane: 0 for at once, Infinity for never. */
  get dueAt(): number {
    return this.current === 'paused' ? this.pausedUntil : Math.min(this.fresh.dueAt, this.retries.dueAt);
  }

  /** Nothing to do now or later: the lane can be forgotten. */
  get isIdle(): boolean {
    const isReading = this.fresh.isReading || this.retries.isReading;
    return this.claimed === 0 && !isReading && this.dueAt === Infinity;
  }

  source(status: OpenStatus): Source {
    return status === 'pending' ? this.fresh : this.retries;
  }

  /** The next delivery to call: first attempts go before retries, but not for ever. */
  shift(): Job | undefined {
    const isRetriesTurn = this.freshInARow >= FRESH_PER_RETRY || this.fresh.queue.size === 0;
    this.freshInARow = isRetriesTurn ? 0 : this.freshInARow + 1;
    const retry = isRetriesTurn ? this.retries.queue.shift() : undefined;
    return retry ?? this.fresh.queue.shift();
  }

  callStarts(): void {
    this.on('callStarts');
  }

  readBegins(source: Source): void {
    this.on('readBegins');
    source.on('readBegins');
  }

  /** The outcome of a call is stored. Returns the jobs that go back into the table until the failed one is due again. */
  settled(nextAttempt: NextAttempt | undefined): readonly Job[] {
    this.on(nextAttempt ? 'requeued' : 'settled');
    if (!nextAttempt) return [];
    if (!this.isOrdered) {
      this.source(nextAttempt.status).expect(nextAttempt.dueAt);
      return [];
    }
    this.pausedUntil = nextAttempt.dueAt;
    for (const source of this.sources) source.on('headRequeued');
    return this.sources.flatMap(({ queue }) => queue.clear());
  }

  /** Rows were made due by hand, or the receiver is back. Ends a pause, also the one a running call would begin. */
  wake(): void {
    this.on('wake');
    for (const source of this.sources) source.on('rowsLeft');
  }

  /** The receiver answers: as `wake`, but only an ordered lane with a pause has anything to read. Returns whether it has. */
  resume(now: number): boolean {
    if (this.current === 'calling') this.on('wake');
    const isPaused = this.current === 'paused' && this.pausedUntil > now;
    if (isPaused) this.wake();
    return isPaused;
  }

  /** The table has rows, the earliest due at that time. In an ordered lane that says nothing: its order decides. */
  found(status: OpenStatus, dueAt: number): void {
    if (this.isOrdered) this.source(status).on('rowsLeft');
    else this.source(status).expect(dueAt);
  }

  private on(event: LaneEvent): void {
    if (this.isOrdered) this.current = nextLaneState(this.current, event);
  }
}
