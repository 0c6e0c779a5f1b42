import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { Clock } from '../../platform/common/clock.js';
import { Purge } from '../../platform/database/purge.js';
import { laneOf } from '../delivery-log/delivery-filters.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import {
  addCounts,
  ALL,
  type Counts,
  noCounts,
  OUTCOME_RANGES,
  type OutcomeRange,
  RANGES,
  spanUpTo,
  type StatsRange,
  STEPS,
} from './counts.js';
import { DeliveryStatsRepository } from './delivery-stats.repository.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';

/** The counts in a range: points of equal length, the last of which is still in progress. */
export interface DeliveryStats {
  readonly range: StatsRange;
  readonly stepSeconds: number;
  readonly points: readonly { readonly startAt: number; readonly counts: Counts }[];
}

/** The most webhooks per request. */
export const MAX_CHARTED_HOOKS = 100;

/** The delivered and failed attempts of a webhook in each point of a range. */
export interface HookOutcomes {
  readonly hookId: string;
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

/** The outcomes of several webhooks over the same time points. */
export interface OutcomesOfHooks {
  readonly range: OutcomeRange;
  readonly startAt: number;
  readonly stepSeconds: number;
  readonly hooks: readonly HookOutcomes[];
}

/** Delivery statistics, read from counters only (docs/contract/outgoing-webhooks.md#statistics). */
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

  /** The statistics of a webhook, even if it is deleted. */
  async ofHook(actor: Actor, hookId: string, range: StatsRange): Promise<DeliveryStats> {
    await this.hooks.getEvenDeleted(actor, hookId);
    return this.of(hookId, range);
  }

  /** The statistics of all webhooks, or of their calls to one endpoint. Throws InvalidUrlParam. */
  async ofAll(endpoint: string | undefined, range: StatsRange): Promise<DeliveryStats> {
    this.hooks.requireEnabled();
    return this.of(laneOf(endpoint) ?? ALL, range);
  }

  /**
   * Call outcomes of many webhooks (docs/contract/outgoing-webhooks.md#statistics-of-many-webhooks). Skips webhooks whose statistics the actor may not see; keeps the
   * order. Throws InvalidBodyParam.
   */
  async outcomesOf(actor: Actor, given: readonly string[], range: OutcomeRange): Promise<OutcomesOfHooks> {
    if (given.length === 0 || given.length > MAX_CHARTED_HOOKS)
      throw new InvalidBodyParam('hook_ids', `it must have 1 to ${MAX_CHARTED_HOOKS} items`);
    if (!given.every(isId)) throw new InvalidBodyParam('hook_ids', 'each must be the id of a webhook');
    const ids = [...new Set(given)];
    const seen = new Set((await this.hooks.listEvenDeleted(actor, ids)).map(({ id }) => id));
    const { storedSeconds, stepSeconds, points } = OUTCOME_RANGES[range];
    const { from, before } = spanUpTo(this.clock.now(), OUTCOME_RANGES[range]);
    const zeros = (): number[] => new Array<number>(points).fill(0);
    const hooks = ids
      .filter((id) => seen.has(id))
      .map((hookId) => ({ hookId, delivered: zeros(), failed: zeros() }));
    const byId = new Map(hooks.map((hook) => [hook.hookId, hook]));
    const query = { subjects: [...byId.keys()], storedSeconds, stepSeconds, from, before };
    for (const { subject, startAt, delivered, failed } of await this.repository.listOutcomes(query)) {
      const hook = byId.get(subject);
      if (!hook) continue;
      const point = (startAt - from) / (stepSeconds * 1_000);
      hook.delivered[point] = delivered;
      hook.failed[point] = failed;
    }
    return { range, startAt: from, stepSeconds, hooks };
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
