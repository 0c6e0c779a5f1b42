import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { DeliveryNotFound } from '../../delivery/dispatch/delivery.errors.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { DatabaseUnavailable, InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { isDatabaseUnavailable, isLostRace } from '../../platform/database/database-errors.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';
import { OutgoingHooksDisabled } from '../outgoing-hooks.errors.js';
import { OutgoingHooksPolicy } from '../outgoing-hooks.policy.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { HookReadiness } from './hook-readiness.js';

/** How many deliveries can be sent again at once. */
export const MAX_RETRIED = 200;

/** What became of one delivery of many; `error` says why it is not sent again. */
export interface Retried {
  readonly id: string;
  readonly error: AppError | null;
}

/** Sends deliveries again, one or many (docs/contract/outgoing-webhooks.md#retry). */
@Injectable()
export class RetriesService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly policy: OutgoingHooksPolicy,
    private readonly readiness: HookReadiness,
    private readonly deliveries: DeliveriesService,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  /**
   * Sends a delivery again. Throws PermissionDenied, HookIsDisabled, HookIsPaused, DeliveryIsInFlight,
   * DeliveryHasChanged, or ValidationFailed for a removed URL.
   */
  async retry(actor: Actor, hookId: string, deliveryId: string): Promise<Delivery> {
    await this.hooks.getForUse(actor, hookId); // an unknown webhook is told before an unknown delivery
    return this.send(actor, await this.deliveries.get(hookId, deliveryId));
  }

  /**
   * Sends each of the deliveries again for which nothing speaks against it, in the order given. If the server fails once some
   * were sent, the rest have its error. Throws InvalidBodyParam.
   */
  async retryMany(actor: Actor, given: readonly string[]): Promise<Retried[]> {
    if (!this.settings.enableOutgoingWebhooks) throw new OutgoingHooksDisabled();
    if (given.length === 0 || given.length > MAX_RETRIED)
      throw new InvalidBodyParam('ids', `it must have 1 to ${MAX_RETRIED} items`);
    if (!given.every(isId)) throw new InvalidBodyParam('ids', 'each must be the id of a delivery');
    const ids = [...new Set(given)];
    // All at first: what another request sends again meanwhile is noticed by it.
    const found = await this.deliveries.listByIds(OUTGOING_HOOK, ids);
    const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]));
    const results: Retried[] = [];
    let outage: AppError | undefined;
    for (const id of ids) {
      const error = outage ?? (await this.refusalOf(actor, deliveries.get(id)));
      if (error && error.status >= 500) {
        if (results.every((result) => result.error)) throw error;
        outage = error;
      }
      results.push({ id, error });
    }
    return results;
  }

  private async refusalOf(actor: Actor, delivery: Delivery | undefined): Promise<AppError | null> {
    try {
      if (!delivery) throw new DeliveryNotFound();
      await this.send(actor, delivery);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      if (isDatabaseUnavailable(error) || isLostRace(error)) return new DatabaseUnavailable(error);
      throw error;
    }
  }

  private async send(actor: Actor, delivery: Delivery): Promise<Delivery> {
    const hook = await this.hooks.getForUse(actor, delivery.ownerId);
    await this.policy.requireReader(actor, String(delivery.body['channel_id']));
    await this.readiness.require(hook, delivery.url);
    return this.deliveries.retry(delivery);
  }
}
