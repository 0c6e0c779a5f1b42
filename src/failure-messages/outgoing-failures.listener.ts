import { Injectable } from '@nestjs/common';
import {
  DeliveryExhausted,
  type DeliveryFacts,
  DeliverySucceeded,
} from '../delivery/dispatch/dispatch.events.js';
import { originOf } from '../delivery/dispatch/delivery-kind.js';
import { OUTGOING_HOOK } from '../outgoing-hooks/delivery/triggered-deliveries.js';
import { OutgoingHookRecords } from '../outgoing-hooks/outgoing-hook-records.js';
import type { OutgoingHook } from '../outgoing-hooks/outgoing-hook.entity.js';
import { EndpointDisabled, OutgoingHookDeleted } from '../outgoing-hooks/outgoing-hooks.events.js';
import { On } from '../platform/events/listeners.js';
import { FailuresService } from './failures.service.js';

const STAGE = { failing: 1, disabled: 2 } as const;

const REASONS = {
  gone: 'it responded with 410 Gone',
  disabled_by_receiver: 'its receiver wants no more calls',
  failing: 'its attempts have failed for too long',
} as const;

/** Reasons why a delivery ends that also disable its URL. */
const DISABLES: ReadonlySet<string> = new Set(['gone', 'disabled_by_receiver']);

/** Notifies creators of outgoing webhooks of given-up deliveries, disabled URLs and recoveries. */
@Injectable()
export class OutgoingFailuresListener {
  constructor(
    private readonly failures: FailuresService,
    private readonly hooks: OutgoingHookRecords,
  ) {}

  @On(DeliveryExhausted)
  async onExhausted({ facts, reason }: DeliveryExhausted): Promise<void> {
    if (facts.kind !== OUTGOING_HOOK || DISABLES.has(reason)) return; // `onDisabled` reports it
    const hook = await this.hooks.find(facts.ownerId);
    if (!hook) return;
    const endpoint = endpointOf(facts);
    const cause = facts.errorClass || `HTTP ${facts.statusCode}`;
    const text = `${nameOf(hook)} could not deliver a message to ${endpoint} (${cause}) and stopped trying. You will get a message when it works again.`;
    this.failures.begin({
      subjectId: hook.id,
      endpoint,
      userId: hook.creatorId,
      stage: STAGE.failing,
      text: `${text} Sent deliveries: \`GET /api/v4/hooks/outgoing/${hook.id}/deliveries\`.`,
    });
  }

  @On(EndpointDisabled)
  async onDisabled({ hookId, origin, reason }: EndpointDisabled): Promise<void> {
    const hook = await this.hooks.find(hookId);
    if (!hook) return;
    const text = `${nameOf(hook)} has disabled ${disabledAt(hook, origin)}: ${REASONS[reason]}. Enable it again once the URL works.`;
    this.failures.begin({
      subjectId: hookId,
      endpoint: origin,
      userId: hook.creatorId,
      stage: STAGE.disabled,
      text,
    });
  }

  @On(DeliverySucceeded)
  async onSucceeded({ facts }: DeliverySucceeded): Promise<void> {
    if (facts.kind !== OUTGOING_HOOK) return;
    const key = { subjectId: facts.ownerId, endpoint: endpointOf(facts) };
    const hook = this.failures.find(key) && (await this.hooks.find(facts.ownerId));
    if (hook && !fails(hook, key.endpoint, facts.url))
      this.failures.heal(key, `${nameOf(hook)} reaches ${key.endpoint} again.`);
  }

  @On(OutgoingHookDeleted)
  onDeleted({ hookId }: OutgoingHookDeleted): void {
    this.failures.forget(hookId);
  }
}

/** Whether another URL of the webhook at this endpoint is failing, or one is disabled. */
function fails({ disabledUrls, failingUrls }: OutgoingHook, endpoint: string, reached: string): boolean {
  const failing = Object.keys(failingUrls).filter((url) => url !== reached);
  return [...disabledUrls, ...failing].some((url) => new URL(url).origin === endpoint);
}

/** Names what is no longer called: the endpoint, or one URL there. */
function disabledAt({ callbackUrls, disabledUrls }: OutgoingHook, origin: string): string {
  const isCalled = callbackUrls.some((url) => !disabledUrls.includes(url) && new URL(url).origin === origin);
  return isCalled ? `a URL at ${origin}` : origin;
}

const endpointOf = ({ url }: DeliveryFacts): string => originOf(url);

function nameOf({ id, displayName }: OutgoingHook): string {
  return `Your outgoing webhook ${displayName === '' ? id : JSON.stringify(displayName)}`;
}
