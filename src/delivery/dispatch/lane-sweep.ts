import type { Bulkheads } from './bulkheads.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import type { OpenStatus } from './delivery.entity.js';

const OPEN_STATUSES: readonly OpenStatus[] = ['pending', 'retrying'];

/** Finds all lanes that have open rows in the table. */
export class LaneSweep {
  private isStopped = false;

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly bulkheads: Bulkheads,
  ) {}

  async run(): Promise<void> {
    for (const status of OPEN_STATUSES) {
      for (let head = await this.repository.laneAfter('', status); head && !this.isStopped;) {
        this.bulkheads.lane(head.lane).found(status, head.nextAttemptAt);
        head = await this.repository.laneAfter(head.lane, status);
      }
    }
  }

  stop(): void {
    this.isStopped = true;
  }
}
