import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import { CIRCUIT_LIMITS, LaneCalls, type Standing } from './call-limits.js';
import { endpointOf, isOrderedLane } from './delivery-kind.js';
import { type Delivery, OPEN_STATUSES, type OpenStatus } from './delivery.entity.js';
import { type Flow, LaneFlows } from './lane-flows.js';
import { type LaneEvent, type LaneState, nextLaneState, Source, Sources } from './lane-states.js';
import type { NextAttempt } from './outcome.js';
import { ALWAYS, type Turn } from './turns/lane-turns.js';

/** A delivery that this process has in memory. It is not claimed again until it is released. */
export interface Job {
  readonly delivery: Delivery;
  readonly sizeBytes: number;
  /** When its row was committed, by performance.now(); undefined if it was read from the table. */
  readonly committedAt: number | undefined;
  /** `dropped`: cancelled while queued, must not be called. */
  state: 'queued' | 'calling' | 'dropped';
  /** The turn in which the call is made. */
  turn: Turn;
  /** When its call may start by the rate of its owner, by performance.now(); undefined if not limited or not known. */
  slotAt?: number;
  /** Its row was cancelled while it was being prepared or called. */
  isCancelled?: boolean;
}

const JOB_OVERHEAD_BYTES = 1_024;

/** Creates a queued job with its approximate size in memory. */
export function newJob(delivery: Delivery, committedAt?: number): Job {
  const sizeBytes = JOB_OVERHEAD_BYTES + estimateBytes(delivery.body);
  return { delivery, sizeBytes, committedAt, state: 'queued', turn: ALWAYS };
}

/** After this many first attempts in a row, a retry comes next. */
const FRESH_PER_RETRY = 4;
const RETRIES_FIRST = OPEN_STATUSES.toReversed();

/** The deliveries to one endpoint or with one ordering key. See lane-states.ts for its states. */
export class Lane extends Sources<Source> {
  readonly isOrdered: boolean;
  readonly calls: LaneCalls;
  readonly flows: LaneFlows;
  /** Jobs in memory: queued, or called with the outcome not yet stored. */
  claimed = 0;
  /** How often its queued jobs were returned to the table. */
  unloads = 0;
  /** The endpoint whose places it shares with other ordered lanes. */
  readonly endpoint: string | undefined;
  /** Undefined while this process does not have the lane. */
  turn: Turn | undefined = ALWAYS;
  private current: LaneState = 'open';
  private pausedUntil = 0;
  private freshInARow = 0;

  constructor(
    readonly name: string,
    maxRunning: number,
    circuitLimits = CIRCUIT_LIMITS,
  ) {
    const isOrdered = isOrderedLane(name);
    // New rows of an ordered lane must not overtake rows left by an earlier process.
    const state = isOrdered ? 'backlog' : 'clear';
    super(new Source('pending', state), new Source('retrying', state));
    this.isOrdered = isOrdered;
    this.endpoint = endpointOf(name);
    this.calls = new LaneCalls(this.isOrdered ? 1 : maxRunning, circuitLimits);
    this.flows = new LaneFlows(this.calls, circuitLimits, this.isOrdered);
  }

  get queued(): number {
    let queued = 0;
    for (const flow of this.flows.all()) queued += flow.queued;
    return queued;
  }

  override get isReading(): boolean {
    if (super.isReading) return true;
    for (const flow of this.flows.all()) if (flow.isReading) return true;
    return false;
  }

  /** When the table must be read for this lane: 0 means now, Infinity means never. */
  get dueAt(): number {
    if (!this.mayRead) return Infinity;
    if (this.current === 'paused') return this.pausedUntil;
    for (const flow of this.flows.all()) if (flow.hasBacklog) return 0;
    return Math.min(this.fresh.dueAt, this.retries.dueAt);
  }

  /** False while another process has the lane, or while its endpoint is paused (until `Bulkheads.resume`). */
  private get mayRead(): boolean {
    return this.turn !== undefined && !this.calls.circuit.isPaused;
  }

  /** Whether the table may be read for this lane at the given time. */
  mayReadAt(now: number): boolean {
    return this.mayRead && (this.current !== 'paused' || this.pausedUntil <= now);
  }

  /** Whether there is nothing to do before `time`. With Infinity: whether the lane can be forgotten. */
  restsUntil(time: number): boolean {
    return this.claimed === 0 && !this.isReading && this.dueAt >= time && !this.calls.circuit.isPaused;
  }

  /** How much longer the lane makes no calls despite due rows. */
  pausedMs(now: number): number {
    return this.current === 'paused' ? Math.max(0, this.pausedUntil - now) : 0;
  }

  flowOf({ flow }: Delivery): Flow {
    return this.flows.get(this.isOrdered ? '' : flow);
  }

  /** Queues a job. Call `Bulkheads.refresh` afterwards. */
  push(status: OpenStatus, job: Job): void {
    const flow = this.flowOf(job.delivery);
    flow.source(status).queue.push(job);
    this.flows.refresh(flow);
  }

  /** Queues a job again in front of those whose time is later or not known. It was not called. */
  putBack(flow: Flow, job: Job, slotAt: number): void {
    this.on('settled');
    const { queue } = flow.source(job.delivery.status === 'retrying' ? 'retrying' : 'pending');
    const index = queue.findIndex((other) => (other.slotAt ?? Infinity) > slotAt);
    queue.splice(index < 0 ? queue.length : index, 0, job);
  }

  /** Adjusts the number of the flow's jobs in memory. */
  claim(delivery: Delivery, count: 1 | -1): void {
    this.flowOf(delivery).claimed += count;
    this.claimed += count;
  }

  /** Whether a flow with this standing may call now. */
  canStart(standing: Standing): boolean {
    return this.turn !== undefined && this.nextFlow(standing) !== undefined;
  }

  /**
   * Removes and returns the next job for flows with this standing. First attempts take precedence, but every
   * fifth job is a retry; within each group, flows take turns.
   */
  shift(standing: Standing): { readonly flow: Flow; readonly job: Job } | undefined {
    const next = this.nextFlow(standing);
    const job = next?.flow.source(next.status).queue.shift();
    if (!next || !job) return undefined;
    this.flows.refresh(next.flow);
    this.freshInARow = next.status === 'retrying' || this.isRetriesTurn ? 0 : this.freshInARow + 1;
    return { flow: next.flow, job };
  }

  callStarts(): void {
    this.on('callStarts');
  }

  readBegins(source: Source): void {
    this.on('readBegins');
    source.on('readBegins');
  }

  /** The outcome of a call is stored. Returns the jobs to release: an ordered lane's jobs after a failure. */
  settled(nextAttempt: NextAttempt | undefined): readonly Job[] {
    this.on(nextAttempt ? 'requeued' : 'settled');
    if (!nextAttempt) return [];
    if (!this.isOrdered) {
      this.source(nextAttempt.status).expect(nextAttempt.dueAt);
      return [];
    }
    this.pausedUntil = nextAttempt.dueAt;
    for (const source of this.sources) source.on('headRequeued');
    return this.clear();
  }

  /** Unloads queued jobs, whose rows are in the table. Returns the jobs to release. */
  unload(): readonly Job[] {
    for (const { status } of this.sources) {
      const sources = [...this.flows.all()].map((flow) => flow.source(status));
      const isLoaded = sources.some(({ queue, state }) => queue.length > 0 || state === 'backlog');
      // A running read skips rows released since it began, and later rows must not overtake them.
      if (isLoaded) this.source(status).on(this.isOrdered ? 'headRequeued' : 'rowsLeft');
      for (const source of sources) source.on('handedOver');
    }
    return this.clear();
  }

  /** Rows were made due, or the receiver is back. Ends a pause, or prevents one by the running call. */
  wake(): void {
    this.on('wake');
    for (const source of this.sources) source.on('rowsLeft');
  }

  /** The receiver answers. Like `wake` if the lane is paused or calling. Returns whether it was paused. */
  resume(now: number): boolean {
    if (this.current === 'calling') this.on('wake');
    const isPaused = this.current === 'paused' && this.pausedUntil > now;
    if (isPaused) this.wake();
    return isPaused;
  }

  /** The table has rows, the first due at `dueAt`. Ordered lanes ignore the time: their order decides. */
  found(status: OpenStatus, dueAt: number): void {
    if (this.isOrdered) this.source(status).on('rowsLeft');
    else this.source(status).expect(dueAt);
  }

  private get isRetriesTurn(): boolean {
    return this.freshInARow >= FRESH_PER_RETRY;
  }

  /** The flow to call next, and the status of its next job. */
  private nextFlow(standing: Standing): { readonly flow: Flow; readonly status: OpenStatus } | undefined {
    for (const status of this.isRetriesTurn ? RETRIES_FIRST : OPEN_STATUSES) {
      const flow = this.flows.next(status, standing);
      if (flow) return { flow, status };
    }
    return undefined;
  }

  private clear(): Job[] {
    const jobs: Job[] = [];
    this.unloads++;
    for (const flow of this.flows.all()) {
      for (const { queue } of flow.sources) jobs.push(...queue.splice(0));
      this.flows.refresh(flow);
    }
    return jobs;
  }

  private on(event: LaneEvent): void {
    if (this.isOrdered) this.current = nextLaneState(this.current, event);
  }
}
