import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { VERSION } from '../../platform/common/version.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import type {
  Call,
  Cancellation,
  DeliveryKind,
  Receipt,
  SettledAttempt,
} from '../../delivery/dispatch/delivery-kind.js';
import { DeliveryKinds } from '../../delivery/dispatch/delivery-kinds.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { OutboundReply } from '../../delivery/outbound/outbound-client.js';
import { type HookSecrets, OutgoingHookSecrets } from '../outgoing-hook-secrets.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import { OUTGOING_HOOK } from './triggered-deliveries.js';
import { EndpointHealth } from './endpoint-health.js';
import { encodePayload } from './payload.js';
import { Replies } from './replies.js';
import { signatureHeaders, SIGNING_PREFIX } from './signature.js';

const USER_AGENT = `Hookline/${VERSION}`;

/** How deliveries of outgoing webhooks are called, and what their replies and failures lead to. */
@Injectable()
export class OutgoingHookKind implements DeliveryKind, OnModuleInit {
  readonly kind = OUTGOING_HOOK;
  private readonly hidden = new WeakMap<HookSecrets, readonly string[]>();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly hooks: OutgoingHookRecords,
    private readonly secrets: OutgoingHookSecrets,
    private readonly replies: Replies,
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  /** The hook as it is now decides whether it is called, and with which token; the payload is the frozen one. */
  async prepare(delivery: Delivery): Promise<Call | Cancellation> {
    if (!this.settings.enableOutgoingWebhooks) return { cancelled: 'switched_off' };
    const hook = await this.hooks.find(delivery.ownerId);
    if (!hook) return { cancelled: 'hook_deleted' };
    if (hook.disabledAt > 0) return { cancelled: 'hook_disabled' };
    if (hook.disabledUrls.includes(delivery.url)) return { cancelled: 'url_disabled' };
    if (!hook.callbackUrls.includes(delivery.url)) return { cancelled: 'url_removed' };
    return this.call(hook, delivery);
  }

  /**
   * The call for a payload: the peer's format and headers, and the signature
   * (docs/contract/outgoing-webhooks.md#calls).
   */
  call(
    hook: OutgoingHook,
    { id, contentType, body: frozen }: Pick<Delivery, 'id' | 'contentType' | 'body'>,
  ): Call {
    const secrets = this.secrets.open(hook);
    const { token, signingSecret, previousSecrets } = secrets;
    const now = this.clock.now();
    const overlapping = previousSecrets.filter(({ until }) => until > now).map(({ secret }) => secret);
    const body = encodePayload(contentType, token, frozen);
    return {
      headers: {
        'content-type': contentType,
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders([signingSecret, ...overlapping], id, now, body),
      },
      body,
      secrets: this.hiddenOf(secrets),
    };
  }

  async receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt> {
    const hook = await this.hooks.find(delivery.ownerId);
    return hook
      ? this.replies.receive(hook, delivery, reply)
      : { note: 'The webhook was deleted meanwhile.' };
  }

  async callableUrls(ownerId: string): Promise<readonly string[]> {
    const hook = await this.hooks.find(ownerId);
    if (!hook || hook.disabledAt > 0) return [];
    return hook.callbackUrls.filter((url) => !hook.disabledUrls.includes(url));
  }

  settled(attempt: SettledAttempt): void {
    this.health.note(attempt);
  }

  /** The same list for the same secrets, as those that look for it like it. A receiver may cut off the prefix. */
  private hiddenOf(secrets: HookSecrets): readonly string[] {
    let hidden = this.hidden.get(secrets);
    if (!hidden) {
      const signing = [secrets.signingSecret, ...secrets.previousSecrets.map(({ secret }) => secret)];
      const keys = signing.map((secret) => secret.slice(SIGNING_PREFIX.length));
      hidden = [secrets.token, ...signing, ...keys];
      this.hidden.set(secrets, hidden);
    }
    return hidden;
  }
}
