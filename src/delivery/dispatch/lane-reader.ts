import { Logger } from '@nestjs/common';
import type { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { Bulkheads } from './bulkheads.js';
import type { Claims } from './claims.js';
import type { Lane } from './lane.js';
import { isOrderedLane } from './delivery-kind.js';
import { type Delivery, OPEN_STATUSES, type OpenStatus } from './delivery.entity.js';
import { Flow } from './lane-flows.js';
import { type LaneHead, lanePages, type LanesReadModel } from './lanes.read-model.js';
import type { DispatchLimits } from './dispatch.settings.js';
import type { Source } from './lane-states.js';
import type { LaneTurns } from './turns/lane-turns.js';

/** Lanes due later than this are left to a later sweep, and are not loaded into memory. */
export const AHEAD_MS = 60_000;

type Result = 'readAll' | 'readSome';

/** Number of flows found by one statement. */
const FLOWS = 100;

/**
 * Reads due rows from the table into their flows' queues, with few concurrent queries. A lane with few due
 * rows is read as a whole. Otherwise each flow reads its own rows, so that none waits for those of another.
 */
export class LaneReader {
  /**
   * How overdue the oldest delivery was at the end of the last sweep, excluding lanes that are only probed.
   * Only a lane's own process knows whether it is probed, so lanes of other processes are skipped.
   */
  oldestDueMs = 0;
  private readonly logger = new Logger(LaneReader.name);
  /** Lanes and flows that may have due rows in the table, in order, with their lanes. */
  private readonly waiting = new Map<Lane | Flow, Lane>();
  private reads = 0;
  private isStopped = false;

  constructor(
    private readonly repository: LanesReadModel,
    private readonly claims: Claims,
    private readonly bulkheads: Bulkheads,
    private readonly turns: LaneTurns,
    private readonly clock: Clock,
    private readonly limits: DispatchLimits,
    /** Called after each read. */
    private readonly onRead: () => void,
  ) {}

  /** Schedules a lane to be read as soon as it is due. */
  add(lane: Lane): void {
    this.waiting.set(lane, lane);
  }

  /** Schedules a flow to be read as soon as its queue has room. */
  addFlow(lane: Lane, flow: Flow): void {
    this.waiting.set(flow, lane);
  }

  /** Starts the reads that are possible now. */
  start(): void {
    const now = this.clock.now();
    for (const [one, lane] of this.waiting) {
      for (const status of OPEN_STATUSES) {
        if (this.reads >= this.limits.maxReadsAtOnce) return;
        if (!lane.mayReadAt(now)) continue;
        if (one === lane) this.startLane(lane, lane.source(status), now);
        else if (one instanceof Flow) this.startFlow(lane, one, status, now);
      }
      this.waiting.delete(one);
    }
  }

  /** Finds all lanes of this process with open rows that are due soon, and what is overdue. */
  async sweep(): Promise<void> {
    let firstDueAt = Infinity;
    for (const status of OPEN_STATUSES) {
      for await (const heads of lanePages(this.repository, status)) {
        for (const head of heads.filter(({ lane }) => this.turns.isOurs(lane))) {
          const lane = this.laneOf(head);
          if (!lane) continue;
          lane.found(status, head.nextAttemptAt);
          if (!lane.calls.circuit.isProbing) firstDueAt = Math.min(firstDueAt, head.nextAttemptAt);
        }
        for (const { nextAttemptAt } of await this.unattended(heads))
          firstDueAt = Math.min(firstDueAt, nextAttemptAt);
        if (this.isStopped) return;
      }
    }
    this.oldestDueMs = Math.max(0, this.clock.now() - firstDueAt);
  }

  /** Ends a sweep. Errors of running reads are ignored from now on. */
  stop(): void {
    this.isStopped = true;
  }

  /** The order of an ordered lane decides when it is due, so it is always loaded. */
  private laneOf({ lane, nextAttemptAt }: LaneHead): Lane | undefined {
    const isSoon = isOrderedLane(lane) || nextAttemptAt <= this.clock.now() + AHEAD_MS;
    return isSoon ? this.bulkheads.lane(lane) : this.bulkheads.find(lane);
  }

  /** Returns the due lanes that no process works on. */
  private async unattended(heads: readonly LaneHead[]): Promise<LaneHead[]> {
    const now = this.clock.now();
    const due = heads.filter(({ lane, nextAttemptAt }) => nextAttemptAt <= now && !this.turns.isOurs(lane));
    const lanes = await this.turns.unattended(due.map(({ lane }) => lane));
    return due.filter(({ lane }) => lanes.has(lane));
  }
  private startLane(lane: Lane, source: Source, now: number): void {
    const room = this.roomOf(lane);
    if (source.dueAt > now || source.isReading || (lane.isOrdered && lane.queued > room / 4)) return;
    lane.readBegins(source);
    void this.read(
      source,
      () => this.fillLane(lane, source, now, room),
      () => this.add(lane),
    );
  }

  private startFlow(lane: Lane, flow: Flow, status: OpenStatus, now: number): void {
    const source = flow.source(status);
    const room = this.roomOf(lane);
    if (source.state !== 'backlog' || source.queue.length > room / 4) return;
    source.on('readBegins');
    void this.read(
      source,
      () => this.fillFlow(lane, flow, source, now, room),
      () => this.addFlow(lane, flow),
    );
  }

  private roomOf(lane: Lane): number {
    return lane.calls.circuit.isProbing ? 1 : Math.min(this.limits.readSize, this.claims.roomPerFlow);
  }

  private async read(source: Source, fill: () => Promise<Result>, readAgain: () => void): Promise<void> {
    this.reads++;
    try {
      source.on(await fill());
      if (source.state === 'backlog') readAgain();
    } catch (error) {
      source.on('readSome'); // the next tick tries again
      if (!this.isStopped && !isDatabaseUnavailable(error))
        this.logger.error('Due deliveries cannot be read.', stackOf(error));
    }
    this.reads--;
    this.onRead();
  }

  private async fillLane(lane: Lane, source: Source, now: number, room: number): Promise<Result> {
    const { turn } = lane;
    const { name, isOrdered } = lane;
    // Rows of claimed jobs are open too and may come first. If there are many, flows are read one by one.
    const limit = room + lane.claimed;
    if (isOrdered || lane.claimed <= this.limits.readSize) {
      const result = await this.fill(
        lane,
        () =>
          isOrdered
            ? this.repository.listInOrder(name, source.status, limit)
            : this.repository.listDue({ lane: name }, source.status, now, limit),
        source,
        limit,
      );
      if (isOrdered || lane.turn !== turn) return result;
      if (result === 'readAll') {
        const nextDueAt = await this.repository.nextDueAt(name, source.status, now);
        if (nextDueAt !== undefined) source.expect(nextDueAt);
        return result;
      }
      if (lane.calls.circuit.isProbing) return result;
    }
    return this.findFlows(lane, source, now);
  }

  /** Hands the rows of a lane over to its flows. */
  private async findFlows(lane: Lane, source: Source, now: number): Promise<Result> {
    const { turn } = lane;
    for (let after: string | undefined, isLast = false; !isLast;) {
      const heads = await this.repository.flowsAfter(lane.name, after, source.status, FLOWS);
      if (lane.turn !== turn) return 'readSome';
      for (const { flow: name, nextAttemptAt } of heads) {
        if (nextAttemptAt > now) source.expect(nextAttemptAt);
        else this.leaveToFlow(lane, lane.flows.get(name), source);
      }
      after = heads.at(-1)?.flow;
      isLast = heads.length < FLOWS;
    }
    return 'readAll';
  }

  private async fillFlow(lane: Lane, flow: Flow, source: Source, now: number, room: number): Promise<Result> {
    const { turn } = lane;
    const limit = room + flow.claimed;
    const { status } = source;
    const result = await this.fill(
      lane,
      () => this.repository.listDue({ lane: lane.name, flow: flow.name }, status, now, limit),
      source,
      limit,
    );
    if (result === 'readSome' || lane.turn !== turn) return result;
    const nextDueAt = await this.repository.nextDueAt(lane.name, status, now);
    if (nextDueAt !== undefined) lane.source(status).expect(nextDueAt);
    return result;
  }

  private fill(lane: Lane, list: () => Promise<Delivery[]>, source: Source, limit: number): Promise<Result> {
    const { turn } = lane;
    return this.claims.reading(async (isFree) => {
      const rows = await list();
      if (source.state === 'reading-stale' || lane.turn !== turn) return 'readSome';
      for (const delivery of rows) if (isFree(delivery)) this.claim(lane, source, delivery);
      this.bulkheads.refresh(lane);
      return rows.length === limit ? 'readSome' : 'readAll';
    });
  }

  /** Rows read for a lane must not overtake rows that their flow still has to read. */
  private claim(lane: Lane, source: Source, delivery: Delivery): void {
    const flow = lane.flowOf(delivery);
    const ofFlow = flow.source(source.status);
    if (source !== ofFlow && lane.calls.circuit.isProbing) ofFlow.on('handedOver'); // one row at a time, of any flow
    if (source !== ofFlow && ofFlow.state !== 'clear') this.leaveToFlow(lane, flow, source);
    else this.claims.take(lane, source.status, delivery);
  }

  private leaveToFlow(lane: Lane, flow: Flow, { status }: Source): void {
    flow.source(status).on('rowsLeft');
    this.addFlow(lane, flow);
  }
}
