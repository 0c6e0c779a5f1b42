import { ApiProperty } from '@nestjs/swagger';
import { sliceRunes } from '../../platform/common/utf8.js';
import { SILENT_REASONS, type SilentReason } from '../matching/trigger-index.js';
import type { DryRun, TriedPost } from './dry-run.service.js';
import { BodyName, IdField, IntegerField, StringListField } from '../../platform/common/dto/fields.js';
import { CHANNEL_ID, TRIGGER_WHEN } from '../dto/write-outgoing-hook.dto.js';

/** Enough of a message for a user to recognize it. */
export const MAX_EXCERPT_RUNES = 200;

const SILENT = {
  enum: ['', ...SILENT_REASONS],
  example: '',
};

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
  @ApiProperty({ description: 'With the settings that are tried.', example: true }) would_fire: boolean;
  @ApiProperty({
    description: 'The first of the stored words that matches; empty if every post fires, or none.',
    example: '',
  })
  trigger_word_now: string;
  @ApiProperty({ description: 'The same of the words that are tried.', example: 'deploy' })
  would_be_trigger_word: string;

  static from({ post, wordNow, wordThen }: TriedPost): TriedPostDto {
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
  @ApiProperty({ description: 'The channel it was tried on.', example: 'gqsr16q5bj8ikq9dsu7mzp3acy' })
  channel_id: string;
  @ApiProperty({ description: 'How many messages were looked at, the newest ones.', example: 200 })
  post_count: number;
  @ApiProperty({
    description:
      'How many of them fire no webhook at all: those of webhooks, of the server and of other servers.',
    example: 12,
  })
  exempt_count: number;
  @ApiProperty({ description: 'On how many it fires with the stored settings.', example: 0 })
  firing_now_count: number;
  @ApiProperty({ description: 'On how many it would fire.', example: 1 }) would_fire_count: number;
  @ApiProperty({ ...SILENT, description: 'Why it fires on nothing in this channel now; empty if it does.' })
  silent_now_reason: SilentReason | '';
  @ApiProperty({ ...SILENT, description: 'Why it would fire on nothing in this channel; empty if it would.' })
  would_be_silent_reason: SilentReason | '';
  @ApiProperty({
    type: [TriedPostDto],
    description: 'The messages on which it fires or would fire, newest first.',
  })
  posts: TriedPostDto[];

  static from({ channelId, postCount, exemptCount, silentNow, silentThen, firing }: DryRun): DryRunDto {
    return {
      channel_id: channelId,
      post_count: postCount,
      exempt_count: exemptCount,
      firing_now_count: firing.filter(({ wordNow }) => wordNow !== undefined).length,
      would_fire_count: firing.filter(({ wordThen }) => wordThen !== undefined).length,
      silent_now_reason: silentNow ?? '',
      would_be_silent_reason: silentThen ?? '',
      posts: firing.map((tried) => TriedPostDto.from(tried)),
    };
  }
}

const IN_CHANNEL_ID = {
  description:
    'The channel whose messages it is tried on; without it the one that the webhook will watch. Needed if that is the whole team.',
  example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  nullIsEmpty: true,
};

/** A change to an outgoing webhook to try without saving; absent fields stay unchanged. */
@BodyName('dry_run')
export class TryOutgoingHookDto {
  @StringListField({ description: 'The words that would trigger it.', example: ['!deploy', '!rollback'] })
  trigger_words?: string[];
  @IntegerField(TRIGGER_WHEN) trigger_when?: number;
  @IdField(CHANNEL_ID) channel_id?: string;
  @IdField(IN_CHANNEL_ID) in_channel_id = '';
}

/** Trigger settings of an outgoing webhook that does not exist yet. */
@BodyName('dry_run')
export class TryNewOutgoingHookDto {
  @IdField({ required: true, description: 'The team to watch.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @StringListField({
    required: true,
    description:
      'The words that would trigger it. May be empty when there is a channel: then every post does.',
    example: ['!deploy'],
  })
  trigger_words: string[];
  @IntegerField({ ...TRIGGER_WHEN, default: 0 }) trigger_when = 0;
  @IdField({
    description: 'The public channel to watch; empty for all public channels of the team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
    nullIsEmpty: true,
  })
  channel_id = '';
  @IdField(IN_CHANNEL_ID) in_channel_id = '';
}
