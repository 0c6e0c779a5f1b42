import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import type { Bulkheads } from './bulkheads.js';
import { type LaneHead, LaneQueueRepository } from './lane-queue.repository.js';
import type { OpenStatus } from './delivery.entity.js';
import type { Lane } from './lane.js';
import { isOrderedLane } from './lane-name.js';
import type { LaneTurns } from './turns/lane-turns.js';

/** Lanes due later than this are left to a later sweep, and are not loaded into memory. */
export const AHEAD_MS = 60_000;
/** Number of lanes found by one statement. */
const LANES = 100;
const OPEN_STATUSES: readonly OpenStatus[] = ['pending', 'retrying'];

/** Finds all lanes of this process with open rows in the table that are due soon, and what is overdue. */
export class LaneSweep {
  /**
   * How overdue the oldest delivery was at the end of the last sweep, excluding lanes that are only probed.
   * Only a lane's own process knows whether it is probed, so lanes of other processes are skipped.
   */
  oldestDueMs = 0;
  private isStopped = false;

  constructor(
    private readonly repository: LaneQueueRepository,
    private readonly bulkheads: Bulkheads,
    private readonly turns: LaneTurns,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    let firstDueAt = Infinity;
    for (const status of OPEN_STATUSES) {
      for (let after: string | undefined = ''; after !== undefined && !this.isStopped;) {
        const heads: LaneHead[] = await this.repository.lanesAfter(after, status, LANES);
        for (const head of heads.filter(({ lane }) => this.turns.isOurs(lane))) {
          const lane = this.laneOf(head);
          if (!lane) continue;
          lane.found(status, head.nextAttemptAt);
          if (!lane.calls.circuit.isProbing) firstDueAt = Math.min(firstDueAt, head.nextAttemptAt);
        }
        for (const { nextAttemptAt } of await this.unattended(heads))
          firstDueAt = Math.min(firstDueAt, nextAttemptAt);
        after = heads.length === LANES ? heads.at(-1)?.lane : undefined;
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
const OPEN: readonly OpenStatus[] = ['pending', 'retrying'];
/** Maximum number of overdue deliveries counted per status. */
const MAX_OVERDUE = 500;
/** Maximum number of lanes examined per status, each with two index lookups. */
const MAX_LANES = 5_000;
const LANES_AT_ONCE = 100;

/** Endpoints with overdue deliveries. */
export interface Overdue {
  readonly endpoints: number;
  /** When the oldest of these deliveries was due; 0 if there are none. */
  readonly oldestDueAt: number;
}

/** Finds overdue deliveries of all processes among the first lanes with open deliveries. */
@Injectable()
export class OverdueLanes {
  constructor(
    private readonly repository: LaneQueueRepository,
    private readonly clock: Clock,
  ) {}

  async find(): Promise<Overdue> {
    const overdue = new Map<string, number>();
    for (const status of OPEN)
      for (const { lane, nextAttemptAt } of await this.overdue(status))
        overdue.set(lane, Math.min(nextAttemptAt, overdue.get(lane) ?? nextAttemptAt));
    return { endpoints: overdue.size, oldestDueAt: overdue.size === 0 ? 0 : Math.min(...overdue.values()) };
  }

  private async overdue(status: OpenStatus): Promise<LaneHead[]> {
    const before = this.clock.now() - OVERDUE_MS;
    const found: LaneHead[] = [];
    let after: string | undefined = '';
    for (let looked = 0; after !== undefined && looked < MAX_LANES; looked += LANES_AT_ONCE) {
      const next: LaneHead[] = await this.repository.lanesAfter(after, status, LANES_AT_ONCE);
      found.push(...next.filter(({ lane, nextAttemptAt }) => nextAttemptAt < before && !isOrderedLane(lane)));
      if (found.length >= MAX_OVERDUE) break;
      after = next.length === LANES_AT_ONCE ? next.at(-1)?.lane : undefined;
    }
    return found;
  }
}
