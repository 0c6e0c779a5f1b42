import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { DeliveryStatsRepository } from './delivery-stats.repository.js';
import { OUTCOME_RANGES, type OutcomeRange, spanUpTo } from './steps.js';

/** How many webhooks can be asked for at once. */
export const MAX_CHARTED_HOOKS = 100;

/** How many attempts of a webhook delivered and failed in each point of a range. */
export interface HookOutcomes {
  readonly hookId: string;
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

/** Of several webhooks, whose points begin at the same times. */
export interface OutcomesOfHooks {
  readonly range: OutcomeRange;
  readonly startAt: number;
  readonly stepSeconds: number;
  readonly hooks: readonly HookOutcomes[];
}

/** How the calls of many webhooks went, from what was counted (docs/contract/outgoing-webhooks.md#statistics-of-many-webhooks). */
@Injectable()
export class HookOutcomesService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly repository: DeliveryStatsRepository,
    private readonly clock: Clock,
  ) {}

  /** Those of the webhooks whose statistics the actor may see, in the order given. Throws InvalidBodyParam. */
  async list(actor: Actor, given: readonly string[], range: OutcomeRange): Promise<OutcomesOfHooks> {
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
}
