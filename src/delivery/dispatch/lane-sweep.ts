import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import type { Bulkheads } from './bulkheads.js';
import { type LaneHead, lanePages, LanesReadModel } from './lanes.read-model.js';
import { OPEN_STATUSES, type OpenStatus } from './delivery.entity.js';
import type { Lane } from './lane.js';
import { isOrderedLane } from './lane-name.js';
import type { LaneTurns } from './turns/lane-turns.js';

/** Lanes due later than this are left to a later sweep, and are not loaded into memory. */
export const AHEAD_MS = 60_000;

/** Finds all lanes of this process with open rows in the table that are due soon, and what is overdue. */
export class LaneSweep {
  /**
   * How overdue the oldest delivery was at the end of the last sweep, excluding lanes that are only probed.
   * Only a lane's own process knows whether it is probed, so lanes of other processes are skipped.
   */
  oldestDueMs = 0;
  private isStopped = false;

  constructor(
    private readonly repository: LanesReadModel,
    private readonly bulkheads: Bulkheads,
    private readonly turns: LaneTurns,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
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
}

/** A delivery that has been due for longer than this is overdue. */
const OVERDUE_MS = 60_000;
/** Maximum number of overdue deliveries counted per status. */
const MAX_OVERDUE = 500;
/** Maximum number of lanes examined per status, each with two index lookups. */
const MAX_LANES = 5_000;

/** Endpoints with overdue deliveries. */
export interface Overdue {
  readonly endpoints: number;
  /** When the oldest of these deliveries was due; 0 if none. */
  readonly oldestDueAt: number;
}

/** Finds overdue deliveries of all processes among the first lanes with open deliveries. */
@Injectable()
export class OverdueLanes {
  constructor(
    private readonly repository: LanesReadModel,
    private readonly clock: Clock,
  ) {}

  async find(): Promise<Overdue> {
    const overdue = new Map<string, number>();
    for (const status of OPEN_STATUSES)
      for (const { lane, nextAttemptAt } of await this.overdue(status))
        overdue.set(lane, Math.min(nextAttemptAt, overdue.get(lane) ?? nextAttemptAt));
    return { endpoints: overdue.size, oldestDueAt: overdue.size === 0 ? 0 : Math.min(...overdue.values()) };
  }

  private async overdue(status: OpenStatus): Promise<LaneHead[]> {
    const before = this.clock.now() - OVERDUE_MS;
    const found: LaneHead[] = [];
    let looked = 0;
    for await (const heads of lanePages(this.repository, status)) {
      found.push(
        ...heads.filter(({ lane, nextAttemptAt }) => nextAttemptAt < before && !isOrderedLane(lane)),
      );
      looked += heads.length;
      if (found.length >= MAX_OVERDUE || looked >= MAX_LANES) break;
    }
    return found;
  }
}
