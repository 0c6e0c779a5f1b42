import { Injectable } from '@nestjs/common';
import { DEFAULT_CHANNEL } from '../../messaging/channels/channel.rules.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { Clock } from '../../platform/common/clock.js';
import {
  InvalidBodyParam,
  InvalidUrlParam,
  permissionDenied,
} from '../../platform/common/errors/common-errors.js';
import { newId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { OutboundSettings } from '../../delivery/outbound/outbound.settings.js';
import { replyText, shownHeaders } from '../../delivery/dispatch/attempt-row.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { ShownDelivery } from '../../delivery/dispatch/shown-status.js';
import type { Delivery, DeliveryAttempt, DeliveryRecovery } from '../../delivery/dispatch/delivery.entity.js';
import type { Call } from '../../delivery/dispatch/delivery-kind.js';
import { POST_DELETED } from '../../delivery/dispatch/final-reasons.js';
import { redact } from '../../delivery/dispatch/redact.js';
import { RecoveriesService } from '../../delivery/dispatch/recoveries.service.js';
import { OutboundClient } from '../../delivery/outbound/outbound-client.js';
import { OutboundFailure, type PartialReply } from '../../delivery/outbound/outbound-failure.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { CallbackUrlWarnings } from '../callback-url-warnings.js';
import { OutgoingHookKind } from '../delivery/outgoing-hook.kind.js';
import { freezePayload, payloadOf } from '../delivery/payload.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { secretsUnreadable } from '../outgoing-hooks.errors.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { bodyBytesOf, CallTimingDto, requestHeadersOf } from './delivery.dto.js';
import {
  type DeliveriesQuery,
  MAX_TIME,
  type SentRequestDto,
  statusesOf,
  type TestDeliveryDto,
  type TestedDto,
  timeOf,
} from './test-delivery.dto.js';
import { HookReadiness } from './hook-readiness.js';
import { type OrderedRecovery, orderRecovery } from './ordered-recovery.js';
import { type Retried, RetriesService } from './retries.service.js';
import type { RetryDeliveriesDto } from './recovery.dto.js';
import { TestCallPlaces } from './test-call-places.js';

const MAX_TEXT_LENGTH = 16_383;
/** Above the outbound client's own limit, as JSON. */
const MAX_TESTED_HEADER_LENGTH = 64 * 1024;

/** An attempt with the request headers that were sent. */
export interface LoggedAttempt {
  readonly attempt: DeliveryAttempt;
  readonly requestHeaders: Readonly<Record<string, string>>;
}

/** A delivery with its payload and attempts. */
export interface DeliveryDetail extends ShownDelivery {
  readonly payload: JsonObject;
  readonly attempts: readonly LoggedAttempt[];
}

/** One page of deliveries; `nextCursor` is empty on the last one. */
export interface DeliveryPage {
  readonly deliveries: readonly ShownDelivery[];
  readonly nextCursor: string;
}

/**
 * The delivery log of a hook, for callers who may manage it
 * (docs/contract/outgoing-webhooks.md#delivery-log).
 */
@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly readiness: HookReadiness,
    private readonly retries: RetriesService,
    private readonly deliveries: DeliveriesService,
    private readonly recoveries: RecoveriesService,
    private readonly kind: OutgoingHookKind,
    private readonly client: OutboundClient,
    private readonly places: TestCallPlaces,
    private readonly warnings: CallbackUrlWarnings,
    private readonly teams: TeamRecords,
    private readonly channels: ChannelRecords,
    private readonly users: UserRecords,
    private readonly permissions: PermissionsService,
    private readonly clock: Clock,
    private readonly settings: OutboundSettings,
  ) {}

  /** Lists a hook's deliveries, newest first, even if the hook is deleted. Throws InvalidUrlParam. */
  async list(actor: Actor, hookId: string, query: DeliveriesQuery, limit: number): Promise<DeliveryPage> {
    await this.hooks.getEvenDeleted(actor, hookId);
    const found = await this.deliveries.list(
      {
        ownerId: hookId,
        statuses: statusesOf(query.status),
        since: timeOf('since', query.since),
        before: timeOf('before', query.before),
        cursor: await this.cursorOf(hookId, query.cursor),
      },
      limit + 1,
    );
    const shown = found.slice(0, limit);
    return {
      deliveries: await this.deliveries.shown(shown),
      nextCursor: found.length > limit ? (shown.at(-1)?.id ?? '') : '',
    };
  }

  /** Payload and replies are empty if the caller cannot read the channel or the message is deleted. */
  async get(actor: Actor, hookId: string, deliveryId: string): Promise<DeliveryDetail> {
    await this.hooks.getEvenDeleted(actor, hookId);
    const delivery = await this.deliveries.get(hookId, deliveryId);
    const attempts = await this.deliveries.attemptsOf(deliveryId);
    const logged = await this.loggedOne(delivery);
    const isDeleted = delivery.reason === POST_DELETED;
    const channelId = String(delivery.body['channel_id']);
    const isShown = !isDeleted && (await this.permissions.canReadChannel(actor, channelId));
    // The body length would reveal the length of the message.
    const bodyBytes = isShown ? bodyBytesOf(delivery) : undefined;
    return {
      ...logged,
      payload: isShown ? payloadOf(delivery.body) : {},
      attempts: attempts.map((attempt) => ({
        attempt: isShown ? attempt : withoutReply(attempt),
        requestHeaders: requestHeadersOf(delivery, attempt, bodyBytes),
      })),
    };
  }

  /** Sends a delivery again (RetriesService.retry). */
  async retry(actor: Actor, hookId: string, deliveryId: string): Promise<ShownDelivery> {
    const logged = await this.loggedOne(await this.retries.retry(actor, hookId, deliveryId));
    return { ...logged, pausedUntil: 0 }; // the retry ends the pause, but that is recorded a moment later
  }

  /** Sends deliveries of a hook again (RetriesService.retryWanted). */
  async retryMany(
    actor: Actor,
    hookId: string,
    wanted: RetryDeliveriesDto,
  ): Promise<readonly Retried[] | OrderedRecovery> {
    await this.hooks.getForUse(actor, hookId);
    return this.retries.retryWanted(actor, wanted, { hookId });
  }

  /**
   * Builds the request as it would be sent now, freshly signed. It contains the message, so the caller must
   * be able to read the channel. Throws `permissionDenied`, `deliveryIsFinal`, `secretsUnreadable`.
   */
  async request(actor: Actor, hookId: string, deliveryId: string): Promise<SentRequestDto> {
    const hook = await this.hooks.getForUse(actor, hookId);
    const delivery = await this.deliveries.getRepeatable(hookId, deliveryId);
    if (!(await this.permissions.canReadChannel(actor, String(delivery.body['channel_id']))))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    const { headers, body } = this.callOf(hook, delivery);
    return { method: 'POST', url: delivery.url, headers, body };
  }

  /** Dry runs only count. Throws `hookIsDisabled`, `hookIsPaused`, InvalidBodyParam, `recoveryIsRunning`. */
  async recover(
    actor: Actor,
    hookId: string,
    since: number | undefined,
    isDryRun: boolean,
  ): Promise<OrderedRecovery> {
    const hook = await this.hooks.getForUse(actor, hookId);
    if (since === undefined || since < 0 || since > MAX_TIME)
      throw new InvalidBodyParam('since', 'it must be milliseconds since the epoch');
    await this.readiness.require(hook);
    return orderRecovery(this.recoveries, { ownerId: hookId, since }, isDryRun);
  }

  async listRecoveries(actor: Actor, hookId: string): Promise<DeliveryRecovery[]> {
    await this.hooks.getEvenDeleted(actor, hookId);
    return this.recoveries.list(hookId);
  }

  /** Stops a recovery early. Throws `recoveryNotFound`. */
  async stopRecovery(actor: Actor, hookId: string, recoveryId: string): Promise<DeliveryRecovery> {
    await this.hooks.getForUse(actor, hookId);
    return this.recoveries.stop(hookId, recoveryId);
  }

  /** Makes one call with a realistic payload. Stores nothing. Throws `secretsUnreadable`, `tooManyTestCalls`. */
  async test(actor: Actor, hookId: string, input: TestDeliveryDto): Promise<TestedDto> {
    const hook = await this.hooks.getForUse(actor, hookId);
    const url = input.callback_url ?? hook.callbackUrls[0] ?? '';
    if (!hook.callbackUrls.includes(url))
      throw new InvalidBodyParam('callback_url', 'it must be one of the webhook');
    const text = input.text ?? hook.triggerWords[0] ?? 'This is a test.';
    if (text.length > MAX_TEXT_LENGTH)
      throw new InvalidBodyParam('text', `it may have ${MAX_TEXT_LENGTH} characters at most`);
    const call = this.callOf(hook, {
      id: newId(),
      contentType: hook.contentType,
      body: await this.testPayload(actor, hook, text),
    });
    const response = await this.places.run(actor.userId, url, () => this.responseTo(url, call));
    const { headers, body } = call;
    const isSent = response.timing.sent_ms >= 0;
    const warnings = response.error === 'refused_address' ? await this.warnings.of([url]) : [];
    return {
      request: isSent ? { method: 'POST', url, headers, body } : null,
      response,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  }

  private callOf(...call: Parameters<OutgoingHookKind['call']>): ReturnType<OutgoingHookKind['call']> {
    try {
      return this.kind.call(...call);
    } catch (error) {
      throw error instanceof SecretUnreadable ? secretsUnreadable() : error;
    }
  }

  private async loggedOne(delivery: Delivery): Promise<ShownDelivery> {
    const [shown] = await this.deliveries.shown([delivery]);
    return shown ?? { delivery, status: 'pending', pausedUntil: 0 };
  }

  private async cursorOf(hookId: string, cursor: string | undefined): Promise<Delivery | undefined> {
    if (cursor === undefined || cursor === '') return undefined;
    const delivery = await this.deliveries.find(hookId, cursor);
    if (!delivery) throw new InvalidUrlParam('cursor', 'there is no such delivery of this webhook any more');
    return delivery;
  }

  /**
   * Builds the payload as if the hook's creator had posted in its channel (a team-wide hook: in the default
   * channel). The channel name is empty if the caller cannot read the channel.
   */
  private async testPayload(actor: Actor, hook: OutgoingHook, text: string): Promise<Delivery['body']> {
    const { teamId, channelId, creatorId } = hook;
    const [team, channel, creator] = await Promise.all([
      this.teams.find(teamId),
      channelId === '' ? this.channels.findByName(teamId, DEFAULT_CHANNEL) : this.channels.find(channelId),
      this.users.find(creatorId),
    ]);
    const canSeeName = channel !== null && (await this.permissions.canReadChannel(actor, channel.id));
    return freezePayload({
      teamId,
      teamName: team?.name ?? '',
      channelId: channel?.id ?? channelId,
      channelName: canSeeName ? channel.name : '',
      createAt: this.clock.now(),
      userId: creatorId,
      userName: creator?.username ?? '',
      postId: newId(),
      text,
      triggerWord: hook.triggerWords[0] ?? '',
      fileIds: [],
    });
  }

  private async responseTo(url: string, { headers, body, secrets }: Call): Promise<TestedDto['response']> {
    const { outgoingTimeoutMs: timeoutMs } = this.settings;
    try {
      const reply = await this.client.send({ method: 'POST', url, headers, body, timeoutMs });
      return { ...shownReply(reply, secrets), error: '', note: '' };
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      const { errorClass, message, partial } = error;
      return { ...shownReply(partial, secrets), error: errorClass, note: redact(message, secrets) };
    }
  }
}

function shownReply(
  reply: PartialReply,
  secrets: readonly string[],
): Omit<TestedDto['response'], 'error' | 'note'> {
  return {
    status_code: reply.status,
    headers: shownHeaders(reply.headers, secrets, MAX_TESTED_HEADER_LENGTH),
    body: replyText(reply.body, secrets),
    duration_ms: Math.round(reply.durationMs),
    first_byte_ms: Math.round(reply.firstByteMs),
    timing: CallTimingDto.from(reply.timing),
  };
}

function withoutReply(attempt: DeliveryAttempt): DeliveryAttempt {
  return { ...attempt, reply: '', detail: { ...attempt.detail, headers: {} } };
}
