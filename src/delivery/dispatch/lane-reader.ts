import { Logger } from '@nestjs/common';
import type { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { Bulkheads } from './bulkheads.js';
import type { Claims } from './claims.js';
import type { LaneQueueRepository } from './lane-queue.repository.js';
import type { DispatchLimits } from './dispatch-limits.js';
import type { Lane, Source } from './lane.js';

/** Reads due rows from the table into the queues of their lanes, with few queries at a time. */
export class LaneReader {
  private readonly logger = new Logger(LaneReader.name);
  /** Lanes that may have due rows in the table. */
  private readonly lanes = new Set<Lane>();
  private reads = 0;
  private isStopped = false;

  constructor(
    private readonly repository: LaneQueueRepository,
    private readonly claims: Claims,
    private readonly bulkheads: Bulkheads,
    private readonly clock: Clock,
    private readonly limits: DispatchLimits,
    /** Called after each read. */
    private readonly onRead: () => void,
  ) {}

  /** Schedules a lane to be read as soon as it is due and its queue has room. */
  add(lane: Lane): void {
    this.lanes.add(lane);
  }

  /** Starts the reads that are possible now. */
  start(): void {
    const now = this.clock.now();
    for (const lane of this.lanes) {
      for (const source of lane.sources) {
        if (this.reads >= this.limits.maxReadsAtOnce) return;
        const room = lane.calls.circuit.isProbing
          ? 1
          : Math.min(this.limits.readSize, this.claims.roomPerLane);
        if (lane.dueAt <= now && source.dueAt <= now && !source.isReading && source.queue.size <= room / 4)
          void this.read(lane, source, now, room);
      }
      this.lanes.delete(lane);
    }
  }

  /** Errors of running reads are ignored from now on. */
  stop(): void {
    this.isStopped = true;
  }

  private async read(lane: Lane, source: Source, now: number, room: number): Promise<void> {
    this.reads++;
    lane.readBegins(source);
    try {
      source.on(await this.fill(lane, source, now, room));
      if (source.state === 'backlog') this.add(lane);
    } catch (error) {
      source.on('readSome'); // the next tick tries again
      if (!this.isStopped && !isDatabaseUnavailable(error))
        this.logger.error('Due deliveries cannot be read.', stackOf(error));
    }
    this.reads--;
    this.onRead();
  }

  private fill(lane: Lane, source: Source, now: number, room: number): Promise<'readAll' | 'readSome'> {
    const limit = room + lane.claimed; // rows of claimed jobs are open too and may come first
    const { turn } = lane;
    return this.claims.reading(async (isFree) => {
      const rows = await (lane.isOrdered
        ? this.repository.listInOrder(lane.name, source.status, limit)
        : this.repository.listDue(lane.name, source.status, now, limit));
      if (source.state === 'reading-stale' || lane.turn !== turn) return 'readSome';
      for (const delivery of rows) if (isFree(delivery)) this.claims.take(lane, source.status, delivery);
      this.bulkheads.refresh(lane);
      if (rows.length === limit) return 'readSome';
      if (!lane.isOrdered) {
        const nextDueAt = await this.repository.nextDueAt(lane.name, source.status, now);
        if (nextDueAt !== undefined) source.expect(nextDueAt);
      }
      return 'readAll';
    });
  }
}
