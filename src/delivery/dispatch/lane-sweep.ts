import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import type { Bulkheads } from './bulkheads.js';
import { type LaneHead, LaneQueueRepository } from './lane-queue.repository.js';
import type { OpenStatus } from './delivery.entity.js';
import type { Lane } from './lane.js';
import { isOrderedLane } from './lane-name.js';
import type { LaneTurns } from './turns/lane-turns.js';

/** What is due later than at the sweep after the next is left to a later one, and its lane out of memory. */
export const AHEAD_MS = 60_000;
/** So many lanes are found by one statement. */
const LANES = 100;
const OPEN_STATUSES: readonly OpenStatus[] = ['pending', 'retrying'];

/** Finds all lanes of this process that have open rows in the table that are due soon, and what is past due. */
export class LaneSweep {
  /**
   * How long the oldest due delivery had been due at the end of the last sweep, but for lanes that are only probed. Only the
   * process that works on a lane knows that, so the others leave it alone.
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

  /** The order of an ordered lane decides when it is due, so it is always known. */
  private laneOf({ lane, nextAttemptAt }: LaneHead): Lane | undefined {
    const isSoon = isOrderedLane(lane) || nextAttemptAt <= this.clock.now() + AHEAD_MS;
    return isSoon ? this.bulkheads.lane(lane) : this.bulkheads.find(lane);
  }

  /** The lanes that are due and that no process works on. */
  private async unattended(heads: readonly LaneHead[]): Promise<LaneHead[]> {
    const now = this.clock.now();
    const due = heads.filter(({ lane, nextAttemptAt }) => nextAttemptAt <= now && !this.turns.isOurs(lane));
    const lanes = await this.turns.unattended(due.map(({ lane }) => lane));
    return due.filter(({ lane }) => lanes.has(lane));
  }
}

/** A delivery that has been due for longer is overdue. */
const OVERDUE_MS = 60_000;
const OPEN: readonly OpenStatus[] = ['pending', 'retrying'];
/** Overdue ones that are counted of a status. */
const MAX_OVERDUE = 500;
/** Lanes of a status that are looked at, each with two looks at the index. */
const MAX_LANES = 5_000;
const LANES_AT_ONCE = 100;

/** Endpoints with deliveries that are overdue. */
export interface Overdue {
  readonly endpoints: number;
  /** When the first of these deliveries was due; 0 if there are none. */
  readonly oldestDueAt: number;
}

/** Finds what is due for long, of all processes, among the first lanes with open deliveries. */
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
