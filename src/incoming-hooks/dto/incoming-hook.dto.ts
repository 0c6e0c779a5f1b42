import { ApiProperty } from '@nestjs/swagger';
import { OWNER_STATES, type OwnerState } from '../../messaging/owners/owner-states.js';
import { isRocketChatPath, isSlackPath, ROCKETCHAT_PATH, SLACK_PATH } from '../alias-paths.js';
import { FORMATS, PAYLOAD_FORMAT } from '../formats/formats.js';
import type { HookPage, ShownHook } from '../incoming-hooks.service.js';
import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  NameField,
  NullableObjectField,
  StringField,
} from '../../platform/common/dto/fields.js';
import { GivenVerifierDto, VERIFIER, VerifierDto } from '../verification/verifier.dto.js';

/** An incoming webhook as returned by the API (docs/contract/incoming-webhooks.md#record). */
export class IncomingHookDto {
  @ApiProperty({
    description: 'Identifies the webhook, and is the secret of its URL `/hooks/{id}`.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  id: string;
  @ApiProperty({ description: 'Milliseconds since 1970, like all times here.', example: 1764633600000 })
  create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: '0: not deleted.', example: 0 }) delete_at: number;
  @ApiProperty({ description: 'The owner and author of the posts.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' })
  user_id: string;
  @ApiProperty({
    description: 'The channel that receives the payloads.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @ApiProperty({ description: 'The team of that channel.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @ApiProperty({ example: 'Build server' }) display_name: string;
  @ApiProperty({ example: 'Reports each build of the main branch.' }) description: string;
  @ApiProperty({ description: 'The author name of the posts; empty for the default.', example: 'build-bot' })
  username: string;
  @ApiProperty({ description: 'The picture of the posts.', example: 'https://example.com/bot.png' })
  icon_url: string;
  @ApiProperty({ description: 'A locked webhook posts into its own channel only.', example: false })
  channel_locked: boolean;
  @ApiProperty({ description: 'Whether successful calls are kept too.', example: false })
  keep_requests: boolean;
  @ApiProperty({
    type: VerifierDto,
    nullable: true,
    description: 'How calls are verified; null: anyone who knows the URL can post.',
  })
  verifier: VerifierDto | null;
  @ApiProperty({ description: 'How calls are read.', enum: FORMATS, example: 'mattermost' }) format: string;
  @ApiProperty({ description: 'The template of the format `template`.', example: '' }) template: string;
  @ApiProperty({ description: 'Time of the last post; 0: never.', example: 1764637200000 }) last_used: number;
  @ApiProperty({
    description:
      'Whether the account of the owner is active, deactivated or gone, or has left the team. Without an active owner the webhook posts into public channels only.',
    enum: OWNER_STATES,
    example: 'active',
  })
  owner_state: OwnerState;
  @ApiProperty({ description: 'When it stops accepting calls; 0: never.', example: 0 }) expires_at: number;
  @ApiProperty({ description: 'Calls per minute; 0: the limit of the server.', example: 0 })
  rate_limit: number;
  @ApiProperty({
    description:
      'It is called at `/services/{slack_path}` too, and this path is a secret as well; empty: it is not.',
    example: '',
  })
  slack_path: string;
  @ApiProperty({ description: 'Like `slack_path`, at `/hooks/{rocketchat_path}`.', example: '' })
  rocketchat_path: string;

  /** Mapped by hand, like all responses: plainToInstance takes 13 µs per record, 0.8 ms for a list of 60. */
  static from(hook: ShownHook): IncomingHookDto {
    return {
      id: hook.id,
      create_at: hook.createAt,
      update_at: hook.updateAt,
      delete_at: hook.deleteAt,
      user_id: hook.userId,
      channel_id: hook.channelId,
      team_id: hook.teamId,
      display_name: hook.displayName,
      description: hook.description,
      username: hook.username,
      icon_url: hook.iconUrl,
      channel_locked: hook.channelLocked,
      keep_requests: hook.keepRequests,
      verifier: hook.verifier,
      format: hook.format,
      template: hook.template,
      last_used: hook.lastUsed,
      owner_state: hook.ownerState,
      expires_at: hook.expiresAt,
      rate_limit: hook.rateLimit,
      slack_path: isSlackPath(hook.aliasPath) ? hook.aliasPath : '',
      rocketchat_path: isRocketChatPath(hook.aliasPath) ? hook.aliasPath : '',
    };
  }
}

/* Field descriptions shared by the create and update bodies. */

const USERNAME = {
  description: 'The author name of the posts: 1 to 64 of a–z, 0–9, dot, dash, underscore.',
  example: 'build-bot',
};

const ICON_URL = {
  description: 'The picture of the posts; at most 1024 bytes.',
  example: 'https://example.com/bot.png',
};

const KEEP_REQUESTS = { description: 'Keep successful calls too, not only refused ones.' };

const FORMAT = {
  description: 'How calls are read: as payloads of Mattermost and Slack, or as calls of the named program.',
  enum: FORMATS,
  example: 'github',
};

const TEMPLATE = {
  description: 'Liquid over `body`, `headers` and `query`, for the format `template`; at most 16 KiB.',
  example: '{{ body.job }} is {{ body.status }}',
};

const CHANNEL_LOCKED = {
  description:
    'Post into this channel only. Always true for callers without `bypass_incoming_webhook_channel_lock`.',
};

const EXPIRES_AT = {
  description:
    'When it stops accepting calls, in milliseconds since 1970; 0: never. The owner is reminded a week and a day before.',
  example: 1796169600000,
};

const RATE_LIMIT = {
  description: 'Calls per minute, at most 1,000,000; 0: the limit of the server.',
  example: 600,
};

/** The body for creating an incoming webhook (docs/contract/incoming-webhooks.md#create). */
@BodyName('incoming_webhook')
export class CreateIncomingHookDto {
  @IdField({
    required: true,
    description: 'The channel for the payloads: public or private, not direct or group.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @IdField({
    description: 'The owner, if it is not the caller. Required in local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  user_id = '';
  @NameField({ description: 'At most 64 bytes.', example: 'Build server' })
  display_name = '';
  @StringField({ description: 'At most 500 bytes.', example: 'Reports each build of the main branch.' })
  description = '';
  @NameField(USERNAME) username = '';
  @NameField(ICON_URL) icon_url = '';
  @BooleanField({ ...CHANNEL_LOCKED, default: false }) channel_locked = false;
  @BooleanField({ ...KEEP_REQUESTS, default: false }) keep_requests = false;
  @IntegerField({ ...EXPIRES_AT, default: 0 }) expires_at = 0;
  @IntegerField({ ...RATE_LIMIT, default: 0 }) rate_limit = 0;
  @StringField({ ...SLACK_PATH, default: '' }) slack_path = '';
  @StringField({ ...ROCKETCHAT_PATH, default: '' }) rocketchat_path = '';
  @NullableObjectField(VERIFIER, GivenVerifierDto) verifier?: GivenVerifierDto | null;
  @StringField({ ...FORMAT, default: PAYLOAD_FORMAT }) format = PAYLOAD_FORMAT;
  @StringField(TEMPLATE) template = '';
  @StringField({ description: 'The server assigns the id: omit it or leave it empty.', example: '' })
  id = '';
}

const required = {
  channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  display_name: 'Build server',
  description: 'Reports each build of the main branch.',
};

/** Example bodies in Swagger UI. Each is accepted once its IDs are replaced with real ones. */
export const CREATE_EXAMPLES = {
  short: { summary: 'Required fields', value: required },
  full: {
    summary: 'With a name, a picture and a lock',
    value: {
      ...required,
      username: 'build-bot',
      icon_url: 'https://example.com/bot.png',
      channel_locked: true,
    },
  },
};

/** A page of incoming webhooks with the total count, for `include_total_count`. */
export class IncomingHookListDto {
  @ApiProperty({ type: [IncomingHookDto] }) incoming_webhooks: IncomingHookDto[];
  @ApiProperty({ type: 'integer', description: 'Number of webhooks on all pages.', example: 1 })
  total_count: number;

  /** Returns the bare list unless the total count was requested. */
  static from({ hooks, totalCount }: HookPage): IncomingHookDto[] | IncomingHookListDto {
    const list = hooks.map((hook) => IncomingHookDto.from(hook));
    return totalCount === undefined ? list : { incoming_webhooks: list, total_count: totalCount };
  }
}

/**
 * The body for updating a webhook (docs/contract/incoming-webhooks.md#update). An absent name, picture
 * or lock becomes empty or false; other absent fields stay.
 */
@BodyName('incoming_webhook')
export class UpdateIncomingHookDto {
  @IdField({ required: true, description: 'The same id as in the path.' })
  id: string;
  @IdField({
    required: true,
    description: 'The channel for the payloads: public or private, in the same team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @NameField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Build server' })
  display_name: string;
  @StringField({
    required: true,
    description: 'At most 500 bytes; may be empty.',
    example: 'Reports each build.',
  })
  description: string;
  @NameField(USERNAME) username = '';
  @NameField(ICON_URL) icon_url = '';
  @BooleanField({ ...CHANNEL_LOCKED, default: false }) channel_locked = false;
  @BooleanField({ description: `${KEEP_REQUESTS.description} Absent: unchanged.` }) keep_requests?: boolean;
  @IntegerField({ ...EXPIRES_AT, description: `${EXPIRES_AT.description} Absent: unchanged.` })
  expires_at?: number;
  @IntegerField({ ...RATE_LIMIT, description: `${RATE_LIMIT.description} Absent: unchanged.` })
  rate_limit?: number;
  @StringField({ ...SLACK_PATH, description: `${SLACK_PATH.description} Absent: unchanged.` })
  slack_path?: string;
  @StringField({ ...ROCKETCHAT_PATH, description: `${ROCKETCHAT_PATH.description} Absent: unchanged.` })
  rocketchat_path?: string;
  @NullableObjectField(
    { ...VERIFIER, description: `${VERIFIER.description} Absent: unchanged.` },
    GivenVerifierDto,
  )
  verifier?: GivenVerifierDto | null;
  @StringField({ ...FORMAT, description: `${FORMAT.description} Absent: unchanged.` }) format?: string;
  @StringField({ ...TEMPLATE, description: `${TEMPLATE.description} Absent: unchanged.` }) template?: string;
  @StringField({ description: 'The team cannot change: omit it, or send the stored one.', example: '' })
  team_id = '';
}

/** Changes to an incoming webhook; absent fields stay unchanged. */
@BodyName('incoming_webhook')
export class PatchIncomingHookDto {
  @IdField({ description: 'Another channel of the team: public or private.' }) channel_id?: string;
  @IdField({ description: 'Another owner, who is also the author of later posts; may be a bot.' })
  user_id?: string;
  @NameField({ description: 'At most 64 bytes.', example: 'Build server' }) display_name?: string;
  @StringField({ description: 'At most 500 bytes.', example: 'Reports each build.' }) description?: string;
  @NameField(USERNAME) username?: string;
  @NameField(ICON_URL) icon_url?: string;
  @BooleanField(CHANNEL_LOCKED) channel_locked?: boolean;
  @BooleanField(KEEP_REQUESTS) keep_requests?: boolean;
  @IntegerField(EXPIRES_AT) expires_at?: number;
  @IntegerField(RATE_LIMIT) rate_limit?: number;
  @StringField(SLACK_PATH) slack_path?: string;
  @StringField(ROCKETCHAT_PATH) rocketchat_path?: string;
  @NullableObjectField(VERIFIER, GivenVerifierDto) verifier?: GivenVerifierDto | null;
  @StringField(FORMAT) format?: string;
  @StringField(TEMPLATE) template?: string;
}

export const PATCH_EXAMPLES = {
  lock: { summary: 'Lock to its channel', value: { channel_locked: true } },
  verifier: {
    summary: 'Accept only calls of GitHub',
    value: { verifier: VERIFIER.example },
  },
  owner: { summary: 'Another owner', value: { user_id: 'o1sd3xnpxjbwbyyhf9amnzpzyh' } },
};

const id = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

/** Example bodies in Swagger UI: those of POST, with the ID. */
export const UPDATE_EXAMPLES = {
  short: { ...CREATE_EXAMPLES.short, value: { id, ...CREATE_EXAMPLES.short.value } },
  full: { ...CREATE_EXAMPLES.full, value: { id, ...CREATE_EXAMPLES.full.value } },
};
