import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { Clock } from '../../platform/common/clock.js';
import { Purge } from '../../platform/database/purge.js';
import { laneOf } from '../delivery-log/delivery-filters.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import * as stats from './counts.js';
import { DeliveryStatsDto, type OutcomesOfHooksDto } from './delivery-stats.dto.js';
import { DeliveryStatsRepository } from './delivery-stats.repository.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';

/** Delivery statistics, read from counters only (docs/contract/outgoing-webhooks.md#statistics). */
@Injectable()
export class DeliveryStatsService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly repository: DeliveryStatsRepository,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    for (const { rows, seconds, keptMs } of stats.STEPS)
      purge.register({
        rows,
        retentionMs: () => keptMs,
        deleteBefore: (time, limit) => repository.deleteBefore(seconds, time, limit),
      });
  }

  async ofHook(actor: Actor, hookId: string, range: stats.StatsRange): Promise<DeliveryStatsDto> {
    await this.hooks.getEvenDeleted(actor, hookId);
    return this.of(hookId, range);
  }

  /** The statistics of all webhooks, or of their calls to one endpoint. Throws InvalidUrlParam. */
  async ofAll(endpoint: string | undefined, range: stats.StatsRange): Promise<DeliveryStatsDto> {
    this.hooks.requireEnabled();
    return this.of(laneOf(endpoint) ?? stats.ALL, range);
  }

  /**
   * The call outcomes of many webhooks, in order and without those whose statistics the actor may not see
   * (docs/contract/outgoing-webhooks.md#statistics-of-many-webhooks). Throws InvalidBodyParam.
   */
  async outcomesOf(
    actor: Actor,
    given: readonly string[],
    range: stats.OutcomeRange,
  ): Promise<OutcomesOfHooksDto> {
    if (given.length === 0 || given.length > stats.MAX_CHARTED_HOOKS)
      throw new InvalidBodyParam('hook_ids', `it must have 1 to ${stats.MAX_CHARTED_HOOKS} items`);
    if (!given.every(isId)) throw new InvalidBodyParam('hook_ids', 'each must be the id of a webhook');
    const ids = [...new Set(given)];
    const seen = new Set((await this.hooks.listEvenDeleted(actor, ids)).map(({ id }) => id));
    const { storedSeconds, stepSeconds, points } = stats.OUTCOME_RANGES[range];
    const { from, before } = stats.spanUpTo(this.clock.now(), stats.OUTCOME_RANGES[range]);
    const zeros = (): number[] => new Array<number>(points).fill(0);
    const hooks = ids
      .filter((id) => seen.has(id))
      .map((id) => ({ hook_id: id, delivered: zeros(), failed: zeros() }));
    const byId = new Map(hooks.map((hook) => [hook.hook_id, hook]));
    const query = { subjects: [...byId.keys()], storedSeconds, stepSeconds, from, before };
    for (const { subject, startAt, delivered, failed } of await this.repository.listOutcomes(query)) {
      const hook = byId.get(subject);
      if (!hook) continue;
      const point = (startAt - from) / (stepSeconds * 1_000);
      hook.delivered[point] = delivered;
      hook.failed[point] = failed;
    }
    return { range, start: from, step_seconds: stepSeconds, hooks };
  }

  private async of(subject: string, range: stats.StatsRange): Promise<DeliveryStatsDto> {
    const { storedSeconds, stepSeconds, points: count } = stats.RANGES[range];
    const { from, before } = stats.spanUpTo(this.clock.now(), stats.RANGES[range]);
    const points = Array.from({ length: count }, stats.noCounts);
    for (const { startAt, counts } of await this.repository.list(subject, storedSeconds, from, before)) {
      const point = points[Math.floor((startAt - from) / (stepSeconds * 1_000))];
      if (point) stats.addCounts(point, counts);
    }
    return DeliveryStatsDto.from(range, from, points);
  }
}
