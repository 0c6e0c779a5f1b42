import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { Clock } from '../../platform/common/clock.js';
import { Purge } from '../../platform/database/purge.js';
import { laneOf } from '../delivery-log/all-deliveries-query.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { addCounts, type Counts, noCounts } from './counts.js';
import { DeliveryStatsRepository } from './delivery-stats.repository.js';
import { ALL, RANGES, spanUpTo, type StatsRange, STEPS } from './steps.js';

/** What was counted in a range: points of the same length, the last of which is not over yet. */
export interface DeliveryStats {
  readonly range: StatsRange;
  readonly stepSeconds: number;
  readonly points: readonly { readonly startAt: number; readonly counts: Counts }[];
}

/** How deliveries went, from what was counted: no delivery or attempt is read (docs/contract/outgoing-webhooks.md#statistics). */
@Injectable()
export class DeliveryStatsService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly repository: DeliveryStatsRepository,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    for (const { rows, seconds, keptMs } of STEPS)
      purge.register({
        rows,
        retentionMs: () => keptMs,
        deleteBefore: (time, limit) => repository.deleteBefore(seconds, time, limit),
      });
  }

  /** Of a webhook, also of a deleted one. */
  async ofHook(actor: Actor, hookId: string, range: StatsRange): Promise<DeliveryStats> {
    await this.hooks.getEvenDeleted(actor, hookId);
    return this.of(hookId, range);
  }

  /** Of all webhooks, or of what they call at one endpoint. Throws InvalidUrlParam. */
  ofAll(endpoint: string | undefined, range: StatsRange): Promise<DeliveryStats> {
    return this.of(laneOf(endpoint) ?? ALL, range);
  }

  private async of(subject: string, range: StatsRange): Promise<DeliveryStats> {
    const { storedSeconds, stepSeconds, points: count } = RANGES[range];
    const stepMs = stepSeconds * 1_000;
    const { from, before } = spanUpTo(this.clock.now(), RANGES[range]);
    const points = Array.from({ length: count }, (_, index) => ({
      startAt: from + index * stepMs,
      counts: noCounts(),
    }));
    for (const { startAt, counts } of await this.repository.list(subject, storedSeconds, from, before)) {
      const point = points[Math.floor((startAt - from) / stepMs)];
      if (point) addCounts(point.counts, counts);
    }
    return { range, stepSeconds, points };
  }
}
