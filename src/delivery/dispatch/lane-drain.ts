import { setMaxListeners } from 'node:events';
import { loopTurn } from '../../platform/common/loop-turn.js';
import type { Bulkheads, Start } from './bulkheads.js';
import type { Claims } from './claims.js';
import type { Delivery } from './delivery.entity.js';
import type { DeliveryRunner } from './delivery-runner.js';
import type { Lane } from './lane.js';
import type { LaneReader } from './lane-reader.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import type { Turn } from './turns/lane-turns.js';

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
    private readonly recorder: OutcomeRecorder,
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

  /** Starts the turn of a lane: all its rows must be read from the table again. */
  take(lane: Lane, turn: Turn): void {
    lane.turn = turn;
    lane.wake();
    this.bulkheads.refresh(lane);
    this.drain(lane);
  }

  /** Ends the turn of a lane: starts no more calls. Running ones continue. */
  leave(lane: Lane): void {
    lane.turn = undefined;
    this.unload(lane);
  }

  /** Reads the queued deliveries of a lane again, because they may have been cancelled. */
  reload(lane: Lane): void {
    if (lane.queued === 0) return;
    this.unload(lane);
    this.drain(lane);
  }

  /** Drains a lane that may have due rows in the table. */
  drain(lane: Lane): void {
    this.reader.add(lane);
    for (const flow of lane.flows.all()) if (flow.hasBacklog) this.reader.addFlow(lane, flow);
    this.schedulePass();
  }

  /** Schedules one pass at the end of the current task, no matter how often it is called. */
  schedulePass(): void {
    this.schedulePassIn(queueMicrotask);
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

  private schedulePassIn(queue: (pass: () => void) => void): void {
    if (this.isPassScheduled) return;
    this.isPassScheduled = true;
    queue(() => this.pass());
  }

  private pass(): void {
    this.isPassScheduled = false;
    if (this.isStopped || this.recorder.isStuck) return; // the next tick tries again
    this.reader.start();
    for (let start = this.bulkheads.start(); start; start = this.bulkheads.start()) {
      if (start.job.state === 'dropped') this.skip(start);
      else this.begin(start);
      if (loopTurn.isLongInBackground) return this.schedulePassIn(setImmediate); // requests take precedence
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
    const { result, isLarge, stored } = await this.runner.run(job, this.abortController.signal);
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
