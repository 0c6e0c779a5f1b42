import { CIRCUIT_LIMITS } from './circuit.js';
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
import { ALWAYS, type Turn } from './turns/turn.js';

/** After this many first attempts in a row, a retry comes next. */
const FRESH_PER_RETRY = 4;

/** The rows of one status in a lane: a queue in memory in front of the table. */
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

  /** When the table must be read: 0 means now, Infinity never. */
  get dueAt(): number {
    return this.current === 'backlog' ? 0 : this.nextDueAt;
  }

  /** Notes that a row of the table becomes due at that time. */
  expect(dueAt: number): void {
    this.nextDueAt = Math.min(this.nextDueAt, dueAt);
  }

  on(event: SourceEvent): void {
    this.current = nextSourceState(this.current, event);
    if (event === 'readBegins') this.nextDueAt = Infinity; // the read determines it again
  }
}

/** The deliveries to one endpoint, or of one ordering key. See lane-states.ts for its states. */
export class Lane {
  readonly isOrdered: boolean;
  readonly calls: LaneCalls;
  /** Deliveries that were never attempted. */
  readonly fresh: Source;
  readonly retries: Source;
  readonly sources: readonly Source[];
  /** Jobs in memory: queued, or called with the outcome not stored yet. */
  claimed = 0;
  /** Undefined while another process works on the lane, or none. */
  turn: Turn | undefined = ALWAYS;
  private current: LaneState = 'open';
  private pausedUntil = 0;
  private freshInARow = 0;

  constructor(
    readonly name: string,
    maxRunning: number,
    circuitLimits = CIRCUIT_LIMITS,
  ) {
    this.isOrdered = isOrderedLane(name);
    // New rows of an ordered lane must not overtake rows of an earlier process.
    const state = this.isOrdered ? 'backlog' : 'clear';
    this.fresh = new Source('pending', state);
    this.retries = new Source('retrying', state);
    this.sources = [this.fresh, this.retries];
    this.calls = new LaneCalls(this.isOrdered ? 1 : maxRunning, circuitLimits);
  }

  get queued(): number {
    return this.fresh.queue.size + this.retries.queue.size;
  }

  get canStart(): boolean {
    return this.turn !== undefined && this.calls.hasPlace && this.queued > 0;
  }

  /** Due rows are waiting in the table. */
  get hasBacklog(): boolean {
    return this.fresh.state === 'backlog' || this.retries.state === 'backlog';
  }

  /** When the table must be read for this lane: 0 means now, Infinity never. */
  get dueAt(): number {
    if (this.turn === undefined) return Infinity; // whoever has it reads
    if (this.calls.circuit.isPaused) return Infinity; // until `Bulkheads.resume`
    return this.current === 'paused' ? this.pausedUntil : Math.min(this.fresh.dueAt, this.retries.dueAt);
  }

  /** There is nothing to do before that time; before Infinity, never, so the lane can be forgotten. */
  restsUntil(time: number): boolean {
    const isReading = this.fresh.isReading || this.retries.isReading;
    return this.claimed === 0 && !isReading && this.dueAt >= time && !this.calls.circuit.isPaused;
  }

  /** How long it calls nobody although it has due rows. */
  pausedMs(now: number): number {
    return this.current === 'paused' ? Math.max(0, this.pausedUntil - now) : 0;
  }

  source(status: OpenStatus): Source {
    return status === 'pending' ? this.fresh : this.retries;
  }

  /** Removes the next delivery to call. First attempts take precedence, but every fifth is a retry. */
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

  /** The outcome of a call is stored. Returns the jobs to release: after a failure, all those of an ordered lane. */
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

  /** Takes what is queued out of memory: the table has it. Returns the jobs to release. */
  unload(): readonly Job[] {
    const loaded = this.sources.filter(({ queue }) => queue.size > 0);
    // A read that runs leaves out what is released meanwhile, and the rows after it must not overtake it.
    for (const source of loaded) source.on(this.isOrdered ? 'headRequeued' : 'rowsLeft');
    return loaded.flatMap(({ queue }) => queue.clear());
  }

  /** Rows were made due, or the receiver is back. Ends a pause, and prevents the one that a running call may cause. */
  wake(): void {
    this.on('wake');
    for (const source of this.sources) source.on('rowsLeft');
  }

  /** The receiver answers: as `wake`, if the lane is paused or calling. Returns whether it was paused. */
  resume(now: number): boolean {
    if (this.current === 'calling') this.on('wake');
    const isPaused = this.current === 'paused' && this.pausedUntil > now;
    if (isPaused) this.wake();
    return isPaused;
  }

  /** The table has rows, the earliest due at that time. An ordered lane ignores the time: its order decides. */
  found(status: OpenStatus, dueAt: number): void {
    if (this.isOrdered) this.source(status).on('rowsLeft');
    else this.source(status).expect(dueAt);
  }

  private on(event: LaneEvent): void {
    if (this.isOrdered) this.current = nextLaneState(this.current, event);
  }
}
