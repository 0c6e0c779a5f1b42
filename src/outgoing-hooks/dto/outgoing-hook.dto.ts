import { ApiProperty } from '@nestjs/swagger';
import { OWNER_STATES, type OwnerState } from '../../messaging/owners/owner-states.js';
import { HookAuthDto, HookHeaderDto } from '../credentials/credentials.dto.js';
import { HOOK_EVENTS, TRIGGERED } from '../events/hook-events.js';
import type { HookSecrets } from '../outgoing-hook-secrets.js';
import { DELIVERY_MODES, type DeliveryMode, ORDERINGS, type OutgoingHook } from '../outgoing-hook.entity.js';
import { PAUSED_REASONS } from '../pausing/hook-rights.js';
import { ORDERING, REQUESTS_PER_SECOND, TRIGGER_WHEN } from './write-outgoing-hook.dto.js';

interface ShownState {
  readonly ownerState: OwnerState;
  readonly pausedReason: string;
  readonly areSecretsUnreadable: boolean;
}

/** An outgoing webhook per contract (docs/contract/outgoing-webhooks.md#record), plus Hookline's fields. */
export class OutgoingHookDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({
    description:
      'Sent with each call, so that the receiver can identify the sender. Empty for callers who cannot read its private channel or manage its bot.',
    example: 'yqb6mu8o9fbzmfbs8xnhumqsnw',
  })
  token: string;
  @ApiProperty({ description: 'Milliseconds since the epoch.', example: 1764633600000 }) create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ example: 0 }) delete_at: number;
  @ApiProperty({ description: 'The owner.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' }) creator_id: string;
  @ApiProperty({
    description: 'Empty: all public channels of the team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ type: [String], example: ['!deploy'] }) trigger_words: readonly string[];
  @ApiProperty({ enum: TRIGGER_WHEN.enum, example: 0 }) trigger_when: number;
  @ApiProperty({
    type: [String],
    description:
      'Without path and query, which may contain keys, for callers who cannot read its private channel or manage its bot.',
    example: ['https://ci.example.com/deploy'],
  })
  callback_urls: readonly string[];
  @ApiProperty({ example: 'Deployer' }) display_name: string;
  @ApiProperty({ example: 'Starts a deployment.' }) description: string;
  @ApiProperty({ example: 'application/json' }) content_type: string;
  @ApiProperty({ description: 'The author name of replies.', example: 'deployer' }) username: string;
  @ApiProperty({ example: 'https://example.com/bot.png' }) icon_url: string;
  @ApiProperty({
    description:
      'Verifies the signature of each call (Standard Webhooks). Empty for callers who cannot read its private channel or manage its bot.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  signing_secret: string;
  @ApiProperty({
    description: 'When it was disabled because its endpoints fail; 0 while it is enabled.',
    example: 0,
  })
  disabled_at: number;
  @ApiProperty({ description: 'Why it was disabled.', example: '' }) disabled_reason: string;
  @ApiProperty({
    type: [String],
    description: 'Disabled callback URLs, shown like `callback_urls`.',
    example: [],
  })
  disabled_urls: readonly string[];
  @ApiProperty({
    type: [String],
    description: 'Callback URLs whose last attempts failed, but which are not disabled.',
    example: [],
  })
  failing_urls: readonly string[];
  @ApiProperty({
    description: 'The user who last set its channel or callback URLs; empty: local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  set_by: string;
  @ApiProperty({
    description:
      'Whether the account of the creator is active, deactivated or gone, or has left the team. Without an active creator the webhook fires in public channels only.',
    enum: OWNER_STATES,
    example: 'active',
  })
  owner_state: OwnerState;
  @ApiProperty({
    enum: ['', ...PAUSED_REASONS],
    description:
      'Why it does not send all of its events now: its channel is private, and its creator, the user in `set_by` or its bot cannot read it; its bot is disabled; its creator or the user in `set_by` may not manage the bot, webhooks or secure connections that an event is about; or it is `orphaned` and `DISABLE_ORPHANED_HOOKS` is on.',
    example: '',
  })
  paused_reason: string;
  @ApiProperty({
    description:
      'Whether its secrets cannot be decrypted with the key of the server: token and signing secret are empty then, and its calls wait. `regen_token` generates new ones. False for callers who cannot see them.',
    example: false,
  })
  secrets_unreadable: boolean;
  @ApiProperty({
    description:
      'Until when calls are also signed with a replaced secret. 0 if none was replaced; a past time if that has ended.',
    example: 0,
  })
  previous_secret_until: number;

  @ApiProperty({
    type: [HookHeaderDto],
    description:
      'Additional headers of each call, without the values of secret ones. Empty for callers who cannot read its private channel or manage its bot.',
  })
  headers: readonly HookHeaderDto[];
  @ApiProperty({
    type: HookAuthDto,
    nullable: true,
    description:
      'How each call authenticates, without the secret; null: not at all. Null for callers who cannot read its private channel or manage its bot.',
  })
  auth: HookAuthDto | null;
  @ApiProperty({ enum: HOOK_EVENTS, isArray: true, description: 'What it receives.', example: [TRIGGERED] })
  events: readonly string[];
  @ApiProperty({
    description:
      'The bot of `bot.mentioned` and `bot.direct_message`, which also writes the replies; empty if none.',
    example: '',
  })
  bot_user_id: string;
  @ApiProperty({ description: 'Whether messages of bots and webhooks are events too.', example: false })
  include_bots: boolean;
  @ApiProperty({ enum: ORDERINGS, description: ORDERING, example: '' }) ordering: string;
  @ApiProperty({ description: REQUESTS_PER_SECOND, example: 0 }) requests_per_second: number;

  @ApiProperty({
    enum: DELIVERY_MODES,
    description: 'Whether the server calls the callback URLs, or consumers pull the deliveries.',
    example: 'push',
  })
  delivery: DeliveryMode;

  static from(hook: OutgoingHook, secrets: HookSecrets, state: ShownState): OutgoingHookDto {
    return {
      id: hook.id,
      token: secrets.token,
      create_at: hook.createAt,
      update_at: hook.updateAt,
      delete_at: hook.deleteAt,
      creator_id: hook.creatorId,
      channel_id: hook.channelId,
      team_id: hook.teamId,
      trigger_words: hook.triggerWords,
      trigger_when: hook.triggerWhen,
      callback_urls: hook.callbackUrls,
      display_name: hook.displayName,
      description: hook.description,
      content_type: hook.contentType,
      username: hook.username,
      icon_url: hook.iconUrl,
      signing_secret: secrets.signingSecret,
      disabled_at: hook.disabledAt,
      disabled_reason: hook.disabledReason,
      disabled_urls: hook.disabledUrls,
      failing_urls: Object.keys(hook.failingUrls),
      set_by: hook.setBy,
      owner_state: state.ownerState,
      paused_reason: state.pausedReason,
      secrets_unreadable: state.areSecretsUnreadable,
      previous_secret_until: hook.previousSigningUntil,
      headers: hook.headers ?? [],
      auth: hook.auth,
      events: hook.events,
      bot_user_id: hook.botUserId,
      include_bots: hook.includeBots,
      delivery: hook.delivery,
      ordering: hook.ordering,
      requests_per_second: hook.requestsPerSecond,
    };
  }
}

/** The response to a change of the record (docs/contract/outgoing-webhooks.md#calls). */
export class SavedOutgoingHookDto extends OutgoingHookDto {
  @ApiProperty({
    type: [String],
    description: 'Which callback URLs or token endpoint will not be called, and why; absent if all will be.',
    example: ['callback_urls: 10.0.0.5 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it'],
    required: false,
  })
  warnings?: readonly string[];
}

/** The record with its new token, and a status (docs/contract/outgoing-webhooks.md#regenerate-token). */
export class RegeneratedHookDto extends OutgoingHookDto {
  @ApiProperty({ enum: ['OK'], example: 'OK' }) status: 'OK';
}
