import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { ErrorDto } from '../../platform/common/dto/operation.js';
import type { Executed } from '../execution/hook-poster.js';
import { ON_KEY, type OnKey } from '../payload/payload-decoder.js';

/**
 * The payload of an incoming webhook (docs/contract/incoming-webhooks.md#payload). For documentation only;
 * the payload decoder parses the calls.
 */
export class PayloadDto {
  @ApiProperty({
    required: false,
    description: 'The message, in Markdown. Required without attachments and blocks.',
    example: 'Build 812 is green.',
  })
  text?: string;
  @ApiProperty({
    required: false,
    description: 'Another channel: `name`, `#name`, or `@username` for a direct message.',
    example: 'town-square',
  })
  channel?: string;
  @ApiProperty({ required: false, description: 'The author name of the post.', example: 'build-bot' })
  username?: string;
  @ApiProperty({
    required: false,
    description: 'The picture of the post.',
    example: 'https://example.com/bot.png',
  })
  icon_url?: string;
  @ApiProperty({
    required: false,
    description: 'An emoji as picture; overrides `icon_url`.',
    example: ':rocket:',
  })
  icon_emoji?: string;
  @ApiProperty({
    required: false,
    description: 'Message attachments in Slack format.',
    type: [Object],
    example: [
      { fallback: 'Build 812', color: '#36a64f', title: 'Build 812', text: 'All 1,204 tests passed.' },
    ],
  })
  attachments?: object[];
  @ApiProperty({
    required: false,
    description: 'Slack blocks. They are converted to text and attachments as far as possible.',
    type: [Object],
    example: [{ type: 'section', text: { type: 'mrkdwn', text: 'All tests passed.' } }],
  })
  blocks?: object[];
  @ApiProperty({
    selfRequired: false,
    type: 'object',
    additionalProperties: true,
    description: 'Free-form properties of the post, including `mm_blocks`.',
    example: { card: 'Details' },
  })
  props?: Record<string, unknown>;
  @ApiProperty({
    required: false,
    description: 'Empty, `me`, `slack_attachment`, or `custom_…`.',
    example: '',
  })
  type?: string;
  @ApiProperty({
    selfRequired: false,
    type: 'object',
    example: { priority: 'important', requested_ack: false },
    properties: {
      priority: { type: 'string', example: 'important' },
      requested_ack: { type: 'boolean' },
      persistent_notifications: { type: 'boolean' },
    },
  })
  priority?: { priority: string; requested_ack?: boolean; persistent_notifications?: boolean };
  @ApiProperty({
    required: false,
    description: 'Post into the thread of this post.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  root_id?: string;
  @ApiProperty({
    required: false,
    description: 'Like `root_id`; ignored unless it is an id of a post, such as a timestamp of Slack.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  thread_ts?: string;
  @ApiProperty({
    required: false,
    maxLength: 190,
    description: 'Calls with the same key concern the same message.',
    example: 'disk-full-db1',
  })
  key?: string;
  @ApiProperty({
    required: false,
    enum: ON_KEY,
    description: 'What a later call with the same key does; `thread` if absent.',
    example: 'update',
  })
  on_key?: OnKey;
  @ApiProperty({ required: false, description: 'Mention and notify nobody.', example: false })
  silent?: boolean;
}

/** The payload of a change: what is absent stays. For documentation only, like PayloadDto. */
export class MessageChangeDto extends PickType(PayloadDto, [
  'text',
  'username',
  'icon_url',
  'icon_emoji',
  'attachments',
  'blocks',
  'props',
]) {}

/** The response to a call with `?wait=true`. */
export class ExecutedDto {
  @ApiProperty({ enum: ['OK'], example: 'OK' }) status: 'OK';
  @ApiProperty({ type: [String], example: ['b1f8zcm5wtd5jfzn8u5fxpbkje'] }) post_ids: readonly string[];
  @ApiProperty({
    required: false,
    type: 'integer',
    description: 'Number of blocks that were not supported and were omitted. Absent if none.',
    example: 1,
  })
  not_understood?: number;
  @ApiProperty({
    required: false,
    description: 'Why nothing was posted, although the call was valid. Absent if something was.',
    example: 'the call is only a test',
  })
  ignored?: string;

  static from({
    postIds,
    notUnderstood,
    ignored,
  }: Pick<Executed, 'postIds' | 'notUnderstood' | 'ignored'>): ExecutedDto {
    return {
      status: 'OK',
      post_ids: postIds,
      ...(notUnderstood > 0 && { not_understood: notUnderstood }),
      ...(ignored !== undefined && { ignored }),
    };
  }
}

/** The response to a call at a path of Rocket.Chat; with `?wait=true` also the fields of ExecutedDto. */
export class RocketChatAnswerDto extends PartialType(ExecutedDto) {
  @ApiProperty({ enum: [true], example: true }) success: true;
}

/** An error at a path of Rocket.Chat. Errors before the call reaches the webhook lack the fields of Rocket.Chat. */
export class RocketChatErrorDto extends ErrorDto {
  @ApiProperty({ required: false, enum: [false], example: false }) success?: false;
  @ApiProperty({ required: false, description: 'The same as `message`.', example: 'No such webhook.' })
  error?: string;
}
