import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { VERSION } from '../../platform/common/version.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import {
  type Call,
  type Cancellation,
  type DeliveryKind,
  DeliveryKinds,
  type FailedReply,
  originOf,
  PULL_URL,
  type Receipt,
  type SettledAttempt,
} from '../../delivery/dispatch/delivery-kind.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { OutboundReply } from '../../delivery/outbound/outbound-client.js';
import { type HookSecrets, OutgoingHookSecrets } from '../outgoing-hook-secrets.js';
import { plainHeadersOf } from '../credentials/hook-headers.js';
import { type OutgoingHook, urlsOf } from '../outgoing-hook.entity.js';
import { RepeatedWarnings } from '../../platform/logging/repeated-warnings.js';
import { type CallCredentials, HookCredentials } from '../credentials/hook-credentials.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import { secretsUnreadable } from '../outgoing-hooks.errors.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { EventRights } from '../events/event-rights.js';
import { OUTGOING_HOOK } from './triggered-deliveries.js';
import { callHeaders, signatureHeaders, SIGNING_PREFIX } from './call-headers.js';
import { EndpointHealth } from './endpoint-health.js';
import { encodePayload } from './payload.js';
import { Replies } from './replies.js';

/** A call, with its headers as they may be shown: without the secrets that users set. */
export interface HookCall extends Call {
  readonly shownHeaders: Readonly<Record<string, string>>;
  /** Without the headers that contain them, for consumers that pull. */
  readonly plainHeaders: Readonly<Record<string, string>>;
}

/** The delivery kind of outgoing webhooks: builds the calls, and handles replies and failures. */
@Injectable()
export class OutgoingHookKind implements DeliveryKind, OnModuleInit, OnApplicationShutdown {
  readonly kind = OUTGOING_HOOK;
  /** Logs deliveries that are given up: the first immediately, then once a minute per webhook. */
  private readonly warnings = new RepeatedWarnings('OutgoingHooks', 'Deliveries');
  private readonly redactions = new WeakMap<HookSecrets, readonly string[]>();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly hooks: OutgoingHookRecords,
    private readonly events: EventRights,
    private readonly secrets: OutgoingHookSecrets,
    private readonly credentials: HookCredentials,
    private readonly replies: Replies,
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  onApplicationShutdown(): void {
    this.warnings.flush();
  }

  /** Uses the hook's current state and token, but the stored payload. */
  async prepare(delivery: Delivery): Promise<Call | Cancellation> {
    if (!this.settings.enableOutgoingWebhooks) return { cancelled: 'switched_off' };
    const hook = await this.hooks.find(delivery.ownerId);
    if (!hook) return { cancelled: 'hook_deleted' };
    if (hook.disabledAt > 0) return { cancelled: 'hook_disabled' };
    if (hook.disabledUrls.includes(delivery.url)) return { cancelled: 'url_disabled' };
    if (!urlsOf(hook).includes(delivery.url)) return { cancelled: 'url_removed' };
    if (await this.events.refusal(hook, delivery.body)) return { cancelled: 'hook_paused' };
    const call = this.call(hook, delivery);
    return delivery.url === PULL_URL ? { ...call, headers: call.plainHeaders } : call;
  }

  /** Builds a signed call (docs/contract/outgoing-webhooks.md#calls). Throws SecretUnreadable. */
  call(
    hook: OutgoingHook,
    { id, contentType, body: frozen }: Pick<Delivery, 'id' | 'contentType' | 'body'>,
  ): HookCall {
    const secrets = this.secrets.open(hook);
    const credentials = this.credentials.open(hook);
    const { token, signingSecret, previousSecrets } = secrets;
    const now = this.clock.now();
    const overlapping = previousSecrets.filter(({ until }) => until > now).map(({ secret }) => secret);
    const body = encodePayload(contentType, token, frozen);
    const headers = {
      ...callHeaders({ id, contentType, version: VERSION, atMs: now }),
      ...signatureHeaders([signingSecret, ...overlapping], id, now, body),
    };
    return {
      headers: { ...headers, ...credentials.headers },
      shownHeaders: { ...headers, ...credentials.shownHeaders },
      plainHeaders: { ...headers, ...plainHeadersOf(hook) },
      body,
      secrets: this.redactionsOf(secrets, credentials),
      authorize: credentials.authorize,
      perSecond: hook.requestsPerSecond || undefined,
      builtAt: now,
    };
  }

  /** Like `call`, for a request of the API. Throws `secretsUnreadable`. */
  callForUser(...call: Parameters<OutgoingHookKind['call']>): HookCall {
    try {
      return this.call(...call);
    } catch (error) {
      throw error instanceof SecretUnreadable ? secretsUnreadable() : error;
    }
  }

  /** docs/contract/outgoing-webhooks.md#giving-up */
  isDisabledBy({ headers }: Pick<FailedReply, 'headers'>): boolean {
    return headers['webhook-delivery']?.trim().toLowerCase() === 'disable';
  }

  async receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt> {
    const hook = await this.hooks.find(delivery.ownerId);
    return hook
      ? this.replies.receive(hook, delivery, reply)
      : { note: 'The webhook was deleted in the meantime.' };
  }

  async callableUrls(ownerId: string): Promise<readonly string[]> {
    const hook = await this.hooks.find(ownerId);
    if (!hook || hook.disabledAt > 0 || (await this.events.stoppedReason(hook))) return [];
    return urlsOf(hook).filter((url) => !hook.disabledUrls.includes(url));
  }

  settled(attempt: SettledAttempt): void {
    this.health.note(attempt);
    if (attempt.result === 'failed') void this.warn(attempt);
  }

  private async warn({
    delivery: { id, ownerId, url },
    statusCode,
    errorClass,
  }: SettledAttempt): Promise<void> {
    const name = (await this.hooks.find(ownerId).catch(() => null))?.displayName;
    const hook = `${name ? `${JSON.stringify(name)} ` : ''}${ownerId}`;
    const cause = `${originOf(url)}: ${errorClass || `HTTP ${statusCode}`}`;
    this.warnings.note({
      key: ownerId,
      text: (count) =>
        `The outgoing webhook ${hook} has abandoned ${count === 1 ? 'a delivery to' : `${count} deliveries, the last to`} ${cause}.`,
      id,
    });
  }

  /** Redacts secrets with and without prefix. Returns a stable array because `redact` caches by identity. */
  private redactionsOf(secrets: HookSecrets, credentials: CallCredentials): readonly string[] {
    let redactions = this.redactions.get(secrets);
    if (!redactions) {
      const signing = [secrets.signingSecret, ...secrets.previousSecrets.map(({ secret }) => secret)];
      const keys = signing.map((secret) => secret.slice(SIGNING_PREFIX.length));
      redactions = [secrets.token, ...signing, ...keys, ...credentials.secrets];
      this.redactions.set(secrets, redactions);
    }
    return redactions;
  }
}
