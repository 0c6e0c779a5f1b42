import type { Clock } from '../../../platform/common/clock.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { LaneQueueRepository } from '../lane-queue.repository.js';
import type { LaneJobs, LaterLane } from './lane-jobs.js';

const LANES_OF_STATEMENT = 100;

/**
 * Orders the next turn of a lane after one has ended. It looks at the table once the lane is released, and again once its
 * job is gone: a delivery committed before is found, and one committed later has a job of its own.
 */
export class LaneRest {
  private readonly looks = new PeriodicTask(LaneRest.name, 'What is left of lanes cannot be read.', () =>
    this.look(),
  );
  private lanes = new Set<string>();

  constructor(
    private readonly table: Pick<LaneQueueRepository, 'firstDue'>,
    private readonly jobs: Pick<LaneJobs, 'later'>,
    private readonly clock: Clock,
    private readonly want: (lane: string) => void,
  ) {}

  add(lanes: readonly string[]): void {
    for (const lane of lanes) this.lanes.add(lane);
    void this.run();
  }

  /** Resolves once all lanes that were added are ordered, or cannot be. */
  async run(): Promise<void> {
    do await this.looks.run();
    while (this.lanes.size > 0);
  }

  private async look(): Promise<void> {
    const lanes = [...this.lanes];
    this.lanes = new Set();
    for (let start = 0; start < lanes.length; start += LANES_OF_STATEMENT) {
      const heads = await this.table.firstDue(lanes.slice(start, start + LANES_OF_STATEMENT));
      const now = this.clock.now();
      const later: LaterLane[] = [];
      for (const { lane, nextAttemptAt: dueAt } of heads)
        if (dueAt <= now) this.want(lane);
        else later.push({ lane, dueAt, delay: dueAt - now });
      await this.jobs.later(later);
    }
  }
}
