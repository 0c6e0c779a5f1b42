import type { Clock } from '../../platform/common/clock.js';
import type { Bulkheads } from './bulkheads.js';
import type { LaneHead, LaneQueueRepository } from './lane-queue.repository.js';
import type { OpenStatus } from './delivery.entity.js';
import type { LaneTurns } from './turns/lane-turns.js';

/** So many lanes are found by one statement. */
const LANES = 100;
const OPEN_STATUSES: readonly OpenStatus[] = ['pending', 'retrying'];

/** Finds all lanes of this process that have open rows in the table. */
export class LaneSweep {
  /** How long the oldest due delivery had been due at the end of the last sweep, but for lanes that are only probed. */
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
        for (const head of heads) {
          const lane = this.turns.isOurs(head.lane) ? this.bulkheads.lane(head.lane) : undefined;
          lane?.found(status, head.nextAttemptAt);
          if (!lane?.calls.circuit.isProbing) firstDueAt = Math.min(firstDueAt, head.nextAttemptAt);
        }
        after = heads.length === LANES ? heads.at(-1)?.lane : undefined;
      }
    }
    this.oldestDueMs = Math.max(0, this.clock.now() - firstDueAt);
  }

  stop(): void {
    this.isStopped = true;
  }
}
