import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import {
  DeliveryExhausted,
  type DeliveryFacts,
  DeliverySucceeded,
} from '../delivery/dispatch/dispatch.events.js';
import { OUTGOING_HOOK } from '../outgoing-hooks/delivery/triggered-deliveries.js';
import { OutgoingHookRecords } from '../outgoing-hooks/outgoing-hook-records.js';
import { EndpointDisabled } from '../outgoing-hooks/outgoing-hooks.events.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';
import { Bus } from '../platform/scaling/bus.js';
import { FailureMessagesSettings } from './failure-messages.settings.js';
import type { FailureKey } from './failures.repository.js';
import { FailuresService } from './failures.service.js';
import { OutgoingFailuresListener } from './outgoing-failures.listener.js';

/** Why deliveries are cancelled because an endpoint failed. */
const GIVEN_UP = new Set(['hook_disabled', 'url_disabled']);

type Finished = Awaited<ReturnType<DeliveriesService['listLastFinished']>>[number];

/**
 * Tells of failures whose outcome was stored, but not told any more because the process ended: at the start, and when
 * another process is gone. What was told then is known, and not told again. And tells of endpoints that were reached before
 * their failure was known here.
 */
@Injectable()
export class MissedFailures implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly looks = new PeriodicTask(MissedFailures.name, 'Missed failures cannot be told.', () =>
    this.look(),
  );

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly hooks: OutgoingHookRecords,
    private readonly listener: OutgoingFailuresListener,
    private readonly failures: FailuresService,
    private readonly settings: FailureMessagesSettings,
    bus: Bus,
  ) {
    bus.onLeft(() => void this.looks.run());
  }

  onApplicationBootstrap(): Promise<void> {
    this.failures.watch((key) => this.healIfReached(key));
    return this.look();
  }

  onApplicationShutdown(): Promise<void> {
    return this.looks.stop();
  }

  private async look(): Promise<void> {
    if (!this.settings.failureMessages) return;
    for (const delivery of lastOfEach(await this.deliveries.listLastFinished(OUTGOING_HOOK)))
      await this.tell(delivery);
  }

  private async healIfReached({ subjectId, endpoint }: FailureKey): Promise<void> {
    const isThere = (url: string): boolean => new URL(url).origin === endpoint;
    const hook = await this.hooks.find(subjectId);
    if (!hook || hook.disabledUrls.some(isThere)) return; // what is given up is not called any more
    const calls = await this.deliveries.listLastCalls(subjectId);
    const last = calls.find(({ url }) => isThere(url));
    if (last?.status === 'delivered') await this.listener.onSucceeded(new DeliverySucceeded(factsOf(last)));
  }

  private async tell(last: Finished): Promise<void> {
    const { ownerId, url, status, reason } = last;
    const hook = status === 'delivered' ? null : await this.hooks.find(ownerId);
    if (!hook) return;
    if (status === 'failed') await this.listener.onExhausted(new DeliveryExhausted(factsOf(last), reason));
    if (!hook.disabledUrls.includes(url)) return;
    const { origin } = new URL(url);
    const why = reason === 'gone' ? 'gone' : 'failing';
    await this.listener.onDisabled(new EndpointDisabled(hook.id, hook.teamId, origin, why));
  }
}

function factsOf(last: Finished): DeliveryFacts {
  const { id: deliveryId, kind, ownerId, subjectId, url } = last;
  const { attempts: attempt, lastCode: statusCode, lastError: errorClass, finishAt: finishedAt } = last;
  const call = { attempt, statusCode, errorClass, durationMs: -1, finishedAt };
  return { deliveryId, kind, ownerId, subjectId, url, ...call };
}

/** For each webhook and endpoint what came last: an earlier failure may have healed. */
function lastOfEach(newestFirst: readonly Finished[]): Finished[] {
  const last = new Map<string, Finished>();
  for (const delivery of newestFirst) {
    if (delivery.status === 'cancelled' && !GIVEN_UP.has(delivery.reason)) continue;
    const key = `${delivery.ownerId} ${new URL(delivery.url).origin}`;
    if (!last.has(key)) last.set(key, delivery);
  }
  return [...last.values()];
}
