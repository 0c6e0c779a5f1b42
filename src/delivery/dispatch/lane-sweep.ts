import type { Clock } from '../../platform/common/clock.js';
import type { Bulkheads } from './bulkheads.js';
import type { LaneQueueRepository } from './lane-queue.repository.js';
import type { OpenStatus } from './delivery.entity.js';

const OPEN_STATUSES: readonly OpenStatus[] = ['pending', 'retrying'];

/** Finds all lanes that have open rows in the table. */
export class LaneSweep {
  /** How long the oldest due delivery had been due at the end of the last sweep, but for lanes that are only probed. */
  oldestDueMs = 0;
  private isStopped = false;

  constructor(
    private readonly repository: LaneQueueRepository,
    private readonly bulkheads: Bulkheads,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    let firstDueAt = Infinity;
    for (const status of OPEN_STATUSES) {
      for (let head = await this.repository.laneAfter('', status); head && !this.isStopped;) {
        const lane = this.bulkheads.lane(head.lane);
        lane.found(status, head.nextAttemptAt);
        if (!lane.calls.circuit.isProbing) firstDueAt = Math.min(firstDueAt, head.nextAttemptAt);
        head = await this.repository.laneAfter(head.lane, status);
      }
    }
    this.oldestDueMs = Math.max(0, this.clock.now() - firstDueAt);
  }

  stop(): void {
    this.isStopped = true;
  }
}
