import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import { DeliveryExhausted } from '../delivery/dispatch/events/delivery-exhausted.event.js';
import { OUTGOING_HOOK } from '../outgoing-hooks/delivery/triggered-deliveries.js';
import { EndpointDisabled } from '../outgoing-hooks/events/endpoint-disabled.event.js';
import { OutgoingHookRecords } from '../outgoing-hooks/outgoing-hook-records.js';
import { FailureMessagesSettings } from './failure-messages.settings.js';
import { OutgoingFailuresListener } from './outgoing-failures.listener.js';

type Finished = Awaited<ReturnType<DeliveriesService['listLastFinished']>>[number];

/**
 * Tells at the start of failures whose outcome was stored, but not told any more because the process ended. What was
 * told then is known, and not told again.
 */
@Injectable()
export class MissedFailures implements OnApplicationBootstrap {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly hooks: OutgoingHookRecords,
    private readonly listener: OutgoingFailuresListener,
    private readonly settings: FailureMessagesSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.failureMessages) return;
    for (const delivery of lastOfEach(await this.deliveries.listLastFinished(OUTGOING_HOOK)))
      await this.tell(delivery);
  }

  private async tell({
    id,
    status,
    reason,
    attempts,
    lastCode,
    lastError,
    ...about
  }: Finished): Promise<void> {
    const hook = status === 'delivered' ? null : await this.hooks.find(about.ownerId);
    if (!hook) return;
    const attempt = { attempt: attempts, statusCode: lastCode, errorClass: lastError };
    const facts = { deliveryId: id, ...about, ...attempt };
    if (status === 'failed') await this.listener.onExhausted(new DeliveryExhausted(facts, reason));
    if (!hook.disabledUrls.includes(about.url)) return;
    const { origin } = new URL(about.url);
    const why = reason === 'gone' ? 'gone' : 'failing';
    await this.listener.onDisabled(new EndpointDisabled(hook.id, hook.teamId, origin, why));
  }
}

/** For each webhook and endpoint what came last: an earlier failure may have healed. */
function lastOfEach(newestFirst: readonly Finished[]): Finished[] {
  const last = new Map<string, Finished>();
  for (const delivery of newestFirst) {
    const key = `${delivery.ownerId} ${new URL(delivery.url).origin}`;
    if (!last.has(key)) last.set(key, delivery);
  }
  return [...last.values()];
}
