import type { Clock } from '../../platform/common/clock.js';
import type { Bulkheads } from './bulkheads.js';
import type { LaneHead, LaneQueueRepository } from './lane-queue.repository.js';
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
