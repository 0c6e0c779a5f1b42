import { TRIGGERED } from '../events/hook-events.js';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_MESSAGE_RUNES } from '../../messaging/posts/content/split.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { sliceRunes } from '../../platform/common/utf8.js';
import {
  type Explanation,
  type NotFiringReason,
  SILENT_REASONS,
  type SilentReason,
} from '../matching/trigger-index.js';
import {
  BodyName,
  IdField,
  IntegerField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';
import { CHANNEL_ID, TRIGGER_WHEN } from '../dto/write-outgoing-hook.dto.js';

export const MAX_EXCERPT_RUNES = 200;

const SILENT = { enum: ['', ...SILENT_REASONS], example: '' };

/** A message that triggers the webhook with its current or its tried settings. */
export class TriedPostDto {
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) post_id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ description: 'The author.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' }) user_id: string;
  @ApiProperty({
    description: `The first ${MAX_EXCERPT_RUNES} characters of the message.`,
    example: 'please deploy: now',
  })
  excerpt: string;
  @ApiProperty({ description: 'With the stored settings.', example: false }) fires_now: boolean;
  @ApiProperty({ description: 'With the tested settings.', example: true }) would_fire: boolean;
  @ApiProperty({
    description: 'The first matching stored word; empty if every post or no post fires.',
    example: '',
  })
  trigger_word_now: string;
  @ApiProperty({ description: 'The first matching tested word.', example: 'deploy' })
  would_be_trigger_word: string;

  /** From the words as returned by `firingWord`. */
  static from(post: Post, wordNow: string | undefined, wordThen: string | undefined): TriedPostDto {
    return {
      post_id: post.id,
      create_at: post.createAt,
      user_id: post.userId,
      excerpt: sliceRunes(post.message, 0, MAX_EXCERPT_RUNES),
      fires_now: wordNow !== undefined,
      would_fire: wordThen !== undefined,
      trigger_word_now: wordNow ?? '',
      would_be_trigger_word: wordThen ?? '',
    };
  }
}

/** How a webhook reacts to the last messages of a channel, with its current and its tried settings. */
export class DryRunDto {
  @ApiProperty({ description: 'The tested channel.', example: 'gqsr16q5bj8ikq9dsu7mzp3acy' })
  channel_id: string;
  @ApiProperty({ description: 'Number of tested messages, the newest ones.', example: 200 })
  post_count: number;
  @ApiProperty({
    description:
      'Number of messages that never fire a webhook: those of webhooks, of the server and of other servers.',
    example: 12,
  })
  exempt_count: number;
  @ApiProperty({ description: 'Number of messages that fire with the stored settings.', example: 0 })
  firing_now_count: number;
  @ApiProperty({ description: 'Number of messages that would fire.', example: 1 }) would_fire_count: number;
  @ApiProperty({ ...SILENT, description: 'Why it fires for nothing in this channel now; empty if it does.' })
  silent_now_reason: SilentReason | '';
  @ApiProperty({
    ...SILENT,
    description: 'Why it would fire for nothing in this channel; empty if it would.',
  })
  would_be_silent_reason: SilentReason | '';
  @ApiProperty({
    type: [TriedPostDto],
    description: 'The messages for which it fires or would fire, newest first.',
  })
  posts: TriedPostDto[];
}

const IN_CHANNEL_ID = {
  description:
    'The channel to test; by default the channel of the webhook. Required if that is the whole team.',
  example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  nullIsEmpty: true,
};

/** A change to an outgoing webhook to try without saving; absent fields stay unchanged. */
@BodyName('dry_run')
export class TryOutgoingHookDto {
  @StringListField({ description: 'The trigger words.', example: ['!deploy', '!rollback'] })
  trigger_words?: string[];
  @IntegerField(TRIGGER_WHEN) trigger_when?: number;
  @IdField(CHANNEL_ID) channel_id?: string;
  @IdField(IN_CHANNEL_ID) in_channel_id = '';
}

/** Trigger settings of an outgoing webhook that does not exist yet. */
@BodyName('dry_run')
export class TryNewOutgoingHookDto {
  @IdField({ required: true, description: 'The team of the webhook.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @StringListField({
    required: true,
    description: 'The trigger words. Can be empty with a channel: then every post triggers it.',
    example: ['!deploy'],
  })
  trigger_words: string[];
  @IntegerField({ ...TRIGGER_WHEN, default: 0 }) trigger_when = 0;
  @IdField({
    description: 'The public channel of the webhook; empty for all public channels of the team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
    nullIsEmpty: true,
  })
  channel_id = '';
  @IdField(IN_CHANNEL_ID) in_channel_id = '';
}

/** A hypothetical message. */
@BodyName('explain')
export class ExplainDto {
  @IdField({ required: true, description: 'The channel.', example: 'gqsr16q5bj8ikq9dsu7mzp3acy' })
  channel_id: string;
  @StringField({
    required: true,
    description: `At most ${MAX_MESSAGE_RUNES} characters.`,
    example: 'please !deploy now',
  })
  message: string;
}

type Reason = NotFiringReason | 'trigger_matches' | 'every_post' | 'partly_left_out';

const SENTENCES: Readonly<Record<Reason, string>> = {
  trigger_matches: 'One of its trigger words matches the message.',
  every_post: 'It has no trigger words or receives message.created, and fires for every post of its channel.',
  other_channel: 'It watches another channel.',
  archived_channel: 'The channel or its team is archived and accepts no posts.',
  private_channel: 'It watches the public channels of its team; this one is private.',
  creator_cannot_read: 'It is paused: the channel is private, and the creator of the webhook cannot read it.',
  setter_cannot_read:
    'It is paused: the channel is private, and the user who last set the channel or URLs of the webhook cannot read it.',
  orphaned: 'It is paused: its creator is deactivated or has left the team.',
  other_events: 'It has neither message.triggered nor message.created in its events.',
  no_trigger_matches: 'None of its trigger words matches the message.',
  disabled: 'It would fire but is disabled: its deliveries are cancelled until it is enabled.',
  message_limit: 'It would fire, but the message triggers too many calls, and older webhooks come first.',
  partly_left_out:
    'It fires, but not for all its callback URLs, because the message triggers too many calls.',
};
const REASONS = Object.keys(SENTENCES);

/** Whether one webhook would fire on the message, and why. */
export class HookExplanationDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ example: 'Deployments' }) display_name: string;
  @ApiProperty({ example: true }) fires: boolean;
  @ApiProperty({
    description: 'The first matching trigger word, as in the payload; otherwise empty.',
    example: 'deploy',
  })
  trigger_word: string;
  @ApiProperty({ description: 'The reason, for programs.', enum: REASONS, example: 'trigger_matches' })
  reason: string;
  @ApiProperty({ description: 'The reason, as text.', example: SENTENCES.trigger_matches })
  explanation: string;

  static from({ hook, word, event, notFiringReason, isCut }: Explanation): HookExplanationDto {
    const fires = hook.triggerWords.length > 0 && event === TRIGGERED ? 'trigger_matches' : 'every_post';
    const reason: Reason = notFiringReason ?? (isCut === true ? 'partly_left_out' : fires);
    return {
      hook_id: hook.id,
      display_name: hook.displayName,
      fires: notFiringReason === undefined,
      trigger_word: word ?? '',
      reason,
      explanation: SENTENCES[reason],
    };
  }
}

/** Which of the team's webhooks would fire on the message. */
export class ExplanationDto {
  @ApiProperty({
    type: [HookExplanationDto],
    description: 'One page: webhooks that fire first, then the others.',
  })
  hooks: HookExplanationDto[];
  @ApiProperty({ description: 'Number of tested webhooks on all pages.', example: 1 }) total_count: number;
  @ApiProperty({ description: 'Number of webhooks that fire.', example: 1 }) firing_count: number;
}
