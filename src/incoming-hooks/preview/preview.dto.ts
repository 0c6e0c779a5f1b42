import { ApiProperty } from '@nestjs/swagger';
import { BodyName, StringField } from '../../platform/common/dto/fields.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { PostDraft } from '../../messaging/posts/writer/write-request.js';
import type { Preview } from './preview.service.js';

/** No post is shown after so many bytes. */
export const MAX_PREVIEW_BYTES = 1024 * 1024;

/** What a program would send. */
@BodyName('preview')
export class PreviewIncomingHookDto {
  @StringField({
    required: true,
    description: 'The body of the call, as text.',
    example: '{"text":"Build 812 is *green*.","username":"build-bot"}',
  })
  payload: string;
  @StringField({
    description: 'The `Content-Type` that it would have.',
    example: 'application/json',
    default: 'application/json',
    atMost: 255,
  })
  content_type = 'application/json';
}

/** A message as it would be stored. */
export class PreviewedPostDto {
  @ApiProperty({
    description: 'Where it would be; empty for a direct channel that does not exist yet.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @ApiProperty({ example: 'Build 812 is **green**.' }) message: string;
  @ApiProperty({ example: '' }) type: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'With `attachments`, and the name and picture that would be shown.',
    example: { from_webhook: 'true', override_username: 'build-bot' },
  })
  props: JsonObject;

  static from({ channelId, message, type = '', props = {} }: PostDraft): PreviewedPostDto {
    return { channel_id: channelId, message, type, props };
  }
}

/** What a call would post. */
export class PreviewDto {
  @ApiProperty({
    type: [PreviewedPostDto],
    description: 'Several where one would be too long; the first of them, about a mebibyte.',
  })
  posts: PreviewedPostDto[];
  @ApiProperty({ description: 'How many there would be.', example: 1 }) post_count: number;
  @ApiProperty({ description: 'How many blocks of the payload are not understood.', example: 0 })
  not_understood: number;

  static from({ drafts, notUnderstood }: Preview): PreviewDto {
    const posts: PreviewedPostDto[] = [];
    for (let bytes = 0, index = 0; bytes < MAX_PREVIEW_BYTES; index++) {
      const draft = drafts[index];
      if (!draft) break;
      const post = PreviewedPostDto.from(draft);
      bytes += Buffer.byteLength(JSON.stringify(post));
      posts.push(post);
    }
    return { posts, post_count: drafts.length, not_understood: notUnderstood };
  }
}
