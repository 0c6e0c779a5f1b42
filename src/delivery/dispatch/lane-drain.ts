import { setMaxListeners } from 'node:events';
import type { Clock } from '../../platform/common/clock.js';
import type { Bulkheads, Start } from './bulkheads.js';
import type { Claims } from './claims.js';
import type { Lane } from './lane.js';
import type { Delivery } from './delivery.entity.js';
import type { DeliveryRunner } from './delivery-runner.js';
import type { Flow } from './lane-flows.js';
import type { LaneReader } from './lane-reader.js';
import type { OutcomesService } from './outcomes.service.js';
import type { Turn } from './turns/lane-turns.js';

/** A lane with work due this soon is kept. */
const SOON_MS = 2_000;

/** The state of a lane in this process. */
export interface LaneWork {
  /** Deliveries in memory: queued, or called with the outcome not yet stored. */
  readonly claimed: number;
  /** Whether the lane has work now or soon. */
  readonly isBusy: boolean;
  /** How long the lane makes no calls despite due rows: after a failure, or because the receiver is away. */
  readonly pausedMs: number;
}

const NO_WORK: LaneWork = { claimed: 0, isBusy: false, pausedMs: 0 };

/**
 * Drains lanes: reads due rows and makes calls within the limits of the bulkheads. `Lane.dueAt` says when a
 * lane must be drained again.
 */
export class LaneDrain {
  private readonly calls = new Set<Promise<void>>();
  private readonly abortController = new AbortController();
  private isPassScheduled = false;
  private isStopped = false;

  constructor(
    private readonly bulkheads: Bulkheads,
    private readonly claims: Claims,
    private readonly reader: LaneReader,
    private readonly runner: DeliveryRunner,
    private readonly outcomes: OutcomesService,
    private readonly clock: Clock,
  ) {
    setMaxListeners(0, this.abortController.signal); // one listener per call
  }

  /** Accepts a just committed delivery. If there is no room in memory, it is read from the table later. */
  offer(delivery: Delivery, committedAt: number): void {
    const lane = this.bulkheads.lane(delivery.lane);
    if (this.claims.has(delivery.id)) return; // a read has already seen the commit
    // Another process may have committed earlier rows, which an ordered lane must not overtake.
    const mayOvertake = lane.isOrdered && lane.turn?.epoch !== undefined;
    const flow = lane.flowOf(delivery);
    const isFull = flow.fresh.state !== 'clear' || flow.queued >= this.claims.roomPerFlow;
    if (mayOvertake || lane.fresh.state !== 'clear' || (isFull && lane.isOrdered)) {
      lane.fresh.on('rowsLeft');
      this.reader.add(lane);
      return this.schedulePass();
    }
    if (isFull) {
      flow.fresh.on('rowsLeft');
      this.reader.addFlow(lane, flow);
      return this.schedulePass();
    }
    this.claims.take(lane, 'pending', delivery, committedAt);
    this.bulkheads.refresh(lane);
    this.schedulePass();
  }

  /** The turn of a lane has started or has become valid again. */
  taken(name: string, turn: Turn): void {
    const lane = this.bulkheads.lane(name);
    const isNew = lane.turn !== turn;
    lane.turn = turn;
    if (isNew) lane.wake(); // all its rows must be read from the table again
    this.bulkheads.refresh(lane);
    this.drain(lane);
  }

  /** The turn has ended: starts no more calls and unloads the lane. Running calls continue. */
  left(name: string): void {
    const lane = this.bulkheads.find(name);
    if (!lane) return;
    lane.turn = undefined;
    this.unload(lane);
  }

  /** Another process has committed rows of the lane. */
  rowsLeft(name: string): void {
    const lane = this.bulkheads.find(name);
    if (!lane?.turn) return;
    lane.fresh.on('rowsLeft');
    this.drain(lane);
  }

  /** Deliveries in memory may have been cancelled: reads them again. */
  reload(): void {
    for (const lane of this.bulkheads.all()) {
      if (!lane.turn || lane.queued === 0) continue;
      this.unload(lane);
      this.drain(lane);
    }
  }

  wake(name: string): void {
    const lane = this.bulkheads.lane(name);
    lane.wake();
    this.bulkheads.resume(lane, true);
    this.drain(lane);
  }

  resume(name: string): void {
    const lane = this.bulkheads.find(name);
    if (lane?.resume(this.clock.now())) this.drain(lane);
  }

  drop(matches: (delivery: Delivery) => boolean): void {
    this.claims.drop(matches);
  }

  workOn(name: string): LaneWork {
    const lane = this.bulkheads.find(name);
    if (!lane) return NO_WORK;
    const now = this.clock.now();
    const pausedMs = Math.max(lane.pausedMs(now), this.bulkheads.sparedMs(lane));
    const isBusy = lane.claimed > 0 || lane.isReading || pausedMs > 0 || lane.dueAt <= now + SOON_MS;
    return { claimed: lane.claimed, isBusy, pausedMs };
  }

  /** The ids of matching deliveries with a running call. */
  inFlight(matches: (delivery: Delivery) => boolean): readonly string[] {
    return this.claims.calling().flatMap(({ delivery }) => (matches(delivery) ? delivery.id : []));
  }

  /** Drains a lane that may have due rows in the table. */
  drain(lane: Lane): void {
    this.reader.add(lane);
    for (const flow of lane.flows.all()) if (flow.hasBacklog) this.reader.addFlow(lane, flow);
    this.schedulePass();
  }

  /** Schedules one pass at the end of the current task, no matter how often it is called. */
  schedulePass(): void {
    if (this.isPassScheduled) return;
    this.isPassScheduled = true;
    queueMicrotask(() => this.pass());
  }

  /** Stops starting calls. Resolves once running ones have ended and their outcomes are stored. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.reader.stop();
    while (this.calls.size > 0) await Promise.all(this.calls);
  }

  /** Aborts running calls. Their rows stay open. */
  abort(): void {
    this.abortController.abort();
  }

  private pass(): void {
    this.isPassScheduled = false;
    if (this.isStopped || this.outcomes.isStuck) return; // the next tick tries again
    this.reader.start();
    for (let start = this.bulkheads.start(); start; start = this.bulkheads.start()) {
      if (start.job.state === 'dropped') this.skip(start);
      else this.begin(start);
    }
  }

  private begin(start: Start): void {
    const call = this.call(start).finally(() => this.calls.delete(call));
    this.calls.add(call);
  }

  private async call(start: Start): Promise<void> {
    const { lane, job } = start;
    job.state = 'calling';
    job.turn = lane.turn ?? job.turn;
    lane.callStarts();
    const { unloads } = lane;
    const { result, isLarge, stored, slotAt } = await this.runner.run(job, this.abortController.signal);
    const isCurrent = !job.isCancelled && lane.unloads === unloads && lane.turn === job.turn;
    if (slotAt !== undefined && isCurrent) return this.putBack(start, slotAt);
    if (!lane.isOrdered) this.bulkheads.answered(start, result, isLarge);
    if (lane.calls.circuit.isProbing) this.unload(lane);
    const holdsPlace = lane.isOrdered || isLarge; // large replies would fill up memory
    if (holdsPlace) this.schedulePass();
    else this.free(start);
    const nextAttempt = await stored;
    this.claims.release(lane, job);
    for (const other of lane.settled(nextAttempt)) this.claims.release(lane, other);
    // In an ordered lane, the next call must wait until this outcome is stored.
    if (lane.isOrdered) this.bulkheads.answered(start, result);
    if (holdsPlace) this.free(start);
  }

  /** Queues a call again until its time comes. It keeps no place. */
  private putBack(start: Start, slotAt: number): void {
    const { lane, flow, job } = start;
    job.state = 'queued';
    lane.putBack(flow, job, slotAt);
    if (flow.slotAt === undefined || slotAt < flow.slotAt) {
      flow.slotAt = slotAt;
      setTimeout(() => this.slotCame(lane, flow, slotAt), Math.ceil(slotAt - performance.now())).unref();
    }
    this.bulkheads.answered(start, undefined);
    this.free(start);
  }

  private slotCame(lane: Lane, flow: Flow, slotAt: number): void {
    if (flow.slotAt !== slotAt) return;
    flow.slotAt = undefined;
    lane.flows.refresh(flow);
    this.bulkheads.refresh(lane);
    this.schedulePass();
  }

  /** Moves the queued deliveries of a lane back to the table. */
  private unload(lane: Lane): void {
    for (const job of lane.unload()) this.claims.release(lane, job);
    this.bulkheads.refresh(lane);
  }

  /** Skips a dropped job. Its row may have been requeued in the meantime. */
  private skip(start: Start): void {
    this.claims.release(start.lane, start.job);
    start.lane.fresh.on('rowsLeft');
    this.reader.add(start.lane);
    this.bulkheads.answered(start, undefined);
    this.free(start);
  }

  private free(start: Start): void {
    this.bulkheads.free(start);
    if (start.lane.hasBacklog) this.reader.add(start.lane);
    if (start.flow.hasBacklog) this.reader.addFlow(start.lane, start.flow);
    this.schedulePass();
  }
}
