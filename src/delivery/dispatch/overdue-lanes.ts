import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import type { OpenStatus } from './delivery.entity.js';
import { isOrderedLane } from './lane-name.js';
import { type LaneHead, LaneQueueRepository } from './lane-queue.repository.js';

/** A delivery that has been due for longer is overdue. */
export const OVERDUE_MS = 60_000;
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
