import { Injectable } from '@nestjs/common';
import { replyText, shownHeaders } from '../../delivery/dispatch/attempt.js';
import { redact } from '../../delivery/dispatch/redaction.js';
import { sendCall } from '../../delivery/dispatch/authorized-call.js';
import { type Call, endpointLane } from '../../delivery/dispatch/delivery-kind.js';
import { OutboundClient } from '../../delivery/outbound/outbound-client.js';
import { OutboundFailure, type PartialReply } from '../../delivery/outbound/outbound-failure.js';
import { OutboundSettings } from '../../delivery/outbound/outbound.settings.js';
import { DEFAULT_CHANNEL } from '../../messaging/channels/channel.rules.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import { runeLength } from '../../platform/common/utf8.js';
import { MAX_MESSAGE_RUNES } from '../../messaging/posts/content/split.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { newId } from '../../platform/common/ids.js';
import { CallbackUrlWarnings } from '../callback-url-warnings.js';
import { OutgoingHookKind } from '../delivery/outgoing-hook.kind.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { sampleEvent } from '../events/event-samples.js';
import { isHookEvent, TRIGGERED } from '../events/hook-events.js';
import { JSON_TYPE } from '../outgoing-hook.rules.js';
import type { Payload } from '../delivery/payload.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { tooManyTestCalls } from '../outgoing-hooks.errors.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { CallTimingDto } from './delivery.dto.js';
import type { TestDeliveryDto, TestedDto } from './test-delivery.dto.js';

/** Above the outbound client's own limit, as JSON. */
const MAX_TESTED_HEADER_LENGTH = 64 * 1024;
/** Limits per process. An endpoint's connection limit is above deliveries and test calls combined. */
const LIMITS = {
  user: { max: 4, what: 'You have 4 test calls' },
  endpoint: { max: 8, what: 'The endpoint has 8 test calls' },
  server: { max: 32, what: 'The server has 32 test calls' },
} as const;

/** Makes test calls, or refuses them without a free slot: users should not wait for a slow endpoint. */
@Injectable()
export class TestCallsService {
  private readonly taken = new Map<string, number>();

  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly kind: OutgoingHookKind,
    private readonly client: OutboundClient,
    private readonly warnings: CallbackUrlWarnings,
    private readonly teams: TeamsService,
    private readonly channels: ChannelsService,
    private readonly users: UsersService,
    private readonly permissions: PermissionsService,
    private readonly clock: Clock,
    private readonly settings: OutboundSettings,
  ) {}

  /** Makes one call with a realistic payload. Stores nothing. Throws `secretsUnreadable`, `tooManyTestCalls`. */
  async test(actor: Actor, hookId: string, input: TestDeliveryDto): Promise<TestedDto> {
    const hook = await this.hooks.getForUse(actor, hookId);
    const url = input.callback_url ?? hook.callbackUrls[0] ?? '';
    if (!hook.callbackUrls.includes(url))
      throw new InvalidBodyParam('callback_url', 'it must be one of the webhook');
    const text = input.text ?? hook.triggerWords[0] ?? 'This is a test.';
    if (runeLength(text) > MAX_MESSAGE_RUNES)
      throw new InvalidBodyParam('text', `it must have at most ${MAX_MESSAGE_RUNES} characters`);
    const call = this.kind.callForUser(hook, {
      id: newId(),
      ...(await this.contentOf(actor, hook, text)),
    });
    const response = await this.inSlot(actor.userId, url, () => this.responseTo(url, call));
    const { shownHeaders: headers, body } = call;
    const isSent = response.timing.sent_ms >= 0;
    const warnings = response.error === 'refused_address' ? await this.warnings.of([url]) : [];
    return {
      request: isSent ? { method: 'POST', url, headers, body } : null,
      response,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  }

  async inSlot<T>(userId: string, url: string, call: () => Promise<T>): Promise<T> {
    const slots = [
      ['user', `user ${userId}`],
      ['endpoint', `endpoint ${URL.canParse(url) ? endpointLane(url) : ''}`],
      ['server', 'server'],
    ] as const;
    for (const [limit, key] of slots)
      if (this.count(key) >= LIMITS[limit].max) throw tooManyTestCalls(LIMITS[limit].what);
    for (const [, key] of slots) this.taken.set(key, this.count(key) + 1);
    try {
      return await call();
    } finally {
      for (const [, key] of slots) this.leave(key);
    }
  }

  /** The stock payload, or that of the first event if no message triggers the hook. */
  private async contentOf(
    actor: Actor,
    hook: OutgoingHook,
    text: string,
  ): Promise<Pick<Delivery, 'contentType' | 'body'>> {
    const payload = await this.testPayload(actor, hook, text);
    const [event = TRIGGERED] = hook.events;
    if (!isHookEvent(event) || event === TRIGGERED || hook.events.includes(TRIGGERED))
      return { contentType: hook.contentType, body: payload };
    const body = sampleEvent(event, {
      moment: {
        eventId: newId(),
        at: payload.timestamp,
        team: { id: payload.team_id, name: payload.team_domain },
      },
      channel: { id: payload.channel_id, name: payload.channel_name },
      user: { id: payload.user_id, username: payload.user_name },
      post: { id: payload.post_id, rootId: '', message: text },
      botId: hook.botUserId,
      hook,
      connection: { id: newId(), name: 'Example' },
    });
    return { contentType: JSON_TYPE, body };
  }

  /** The payload as if the creator had posted. Hides the name of a channel that the caller cannot read. */
  private async testPayload(actor: Actor, hook: OutgoingHook, text: string): Promise<Payload> {
    const { teamId, channelId, creatorId } = hook;
    const [team, channel, creator] = await Promise.all([
      this.teams.find(teamId),
      channelId === '' ? this.channels.findByName(teamId, DEFAULT_CHANNEL) : this.channels.find(channelId),
      this.users.find(creatorId),
    ]);
    const canSeeName = channel !== null && (await this.permissions.canReadChannel(actor, channel.id));
    return {
      team_id: teamId,
      team_domain: team?.name ?? '',
      channel_id: channel?.id ?? channelId,
      channel_name: canSeeName ? channel.name : '',
      timestamp: this.clock.now(),
      user_id: creatorId,
      user_name: creator?.username ?? '',
      post_id: newId(),
      text,
      trigger_word: hook.triggerWords[0] ?? '',
      file_ids: '',
    };
  }

  private async responseTo(url: string, call: Call): Promise<TestedDto['response']> {
    const { outgoingTimeoutMs: timeoutMs } = this.settings;
    const { reply, error, secrets } = await sendCall(this.client, url, call, { timeoutMs });
    if (reply) return { ...shownReply(reply, secrets), error: '', note: '' };
    if (!(error instanceof OutboundFailure)) throw error;
    const { errorClass, message, partial } = error;
    return { ...shownReply(partial, secrets), error: errorClass, note: redact(message, secrets) };
  }

  private count(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  private leave(key: string): void {
    const left = this.count(key) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
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
