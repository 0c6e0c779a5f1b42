import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { JsonObject } from '../../../platform/common/json.js';
import { type Attachment, stripActionIntegrations } from '../content/attachments.js';
import { emojiImagePath } from '../content/slack-text.js';
import { attachmentsOf } from '../content/props.js';
import type { Post } from '../post.entity.js';
import type { PostList } from '../post-list.js';

/** A post as returned by the API (docs/contract/messaging.md#posts). */
export class PostDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1767225600000 }) create_at: number;
  @ApiProperty({ example: 1767225600000 }) update_at: number;
  @ApiProperty({ example: 0, description: 'Time of the last edit of the message; 0 = never.' })
  edit_at: number;
  @ApiProperty({ example: 0 }) delete_at: number;
  @ApiProperty({ example: false }) is_pinned: boolean;
  @ApiProperty({ example: 'x9o7dhmz8f8zzrcsrwh3fpuxbe' }) user_id: string;
  @ApiProperty({ example: 'p4s8c9dzqjn7bfxq1bxkz5hz8w' }) channel_id: string;
  @ApiProperty({ example: '', description: 'The root post of the thread; empty for a root post.' })
  root_id: string;
  @ApiProperty({ example: '' }) original_id: string;
  @ApiProperty({ example: 'Build 812 is green.' }) message: string;
  @ApiProperty({ example: '' }) type: string;
  @ApiProperty({ type: 'object', additionalProperties: true, example: { from_webhook: 'true' } })
  props: JsonObject;
  @ApiProperty({ example: '' }) hashtags: string;
  @ApiProperty({ type: [String], example: [] }) file_ids: string[];
  @ApiProperty({ example: '' }) pending_post_id: string;
  @ApiProperty({ example: 0 }) reply_count: number;
  @ApiProperty({ example: 0 }) last_reply_at: number;
  @ApiProperty({ type: [Object], nullable: true, example: null }) participants: null;
  @ApiProperty({ type: 'object', additionalProperties: true, example: {} }) metadata: JsonObject;

  @ApiPropertyOptional({
    description: 'The secure connection it came over; absent for posts of this server.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  remote_id?: string;

  static from(post: Post): PostDto {
    return {
      id: post.id,
      create_at: post.createAt,
      update_at: post.updateAt,
      edit_at: post.editAt,
      delete_at: post.deleteAt,
      is_pinned: post.isPinned,
      user_id: post.userId,
      channel_id: post.channelId,
      root_id: post.rootId,
      original_id: post.originalId,
      message: post.message,
      type: post.type,
      props: clientProps(post.props),
      hashtags: post.hashtags,
      file_ids: [],
      pending_post_id: post.pendingPostId,
      reply_count: post.replyCount,
      last_reply_at: post.lastReplyAt,
      participants: null,
      metadata: clientMetadata(post),
      ...(post.remoteId === '' ? {} : { remote_id: post.remoteId }),
    };
  }
}

/** Returns the props for clients: without integration URLs, and with the image of an emoji icon. */
function clientProps(props: JsonObject): JsonObject {
  const { attachments, override_icon_emoji: emoji } = props;
  const image = typeof emoji === 'string' ? emojiImagePath(emoji) : undefined;
  const hasActions = attachmentsOf(props).some((attachment) => attachment.actions);
  if (!hasActions && image === undefined) return props;
  return {
    ...props,
    ...(hasActions ? { attachments: stripActionIntegrations(attachments as Attachment[]) } : {}),
    ...(image === undefined ? {} : { override_icon_url: image }),
  };
}

/** Adds an embed for attachments, which clients need to render them. */
function clientMetadata({ metadata, props }: Post): JsonObject {
  if (attachmentsOf(props).length === 0) return metadata;
  return { embeds: [{ type: 'message_attachment' }], ...metadata };
}

const ID = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

/** Posts and their order (docs/contract/messaging.md#post-lists). */
export class PostListDto {
  @ApiProperty({
    type: [String],
    description: 'The ids of the requested posts, newest first.',
    example: [ID],
  })
  order: string[];
  @ApiProperty({
    type: 'object',
    description: 'By id: the requested posts, and the root posts of their threads.',
    additionalProperties: { $ref: getSchemaPath(PostDto) },
  })
  posts: Record<string, PostDto>;
  @ApiProperty({ description: 'The next newer post after this list; empty at the end.', example: '' })
  next_post_id: string;
  @ApiProperty({ description: 'The next older post before this list; empty at the end.', example: ID })
  prev_post_id: string;
  @ApiPropertyOptional({ description: 'Whether there are more; only if the list was cut.', example: false })
  has_next?: boolean;
  @ApiProperty({ description: 'Always 0: every post is accessible.', example: 0 })
  first_inaccessible_post_time: number;

  static from(list: PostList): PostListDto {
    const posts = Object.fromEntries(
      [...list.context, ...list.posts].map((post) => [post.id, PostDto.from(post)]),
    );
    return {
      order: list.posts.map((post) => post.id),
      posts,
      next_post_id: list.nextPostId,
      prev_post_id: list.prevPostId,
      has_next: list.hasNext,
      first_inaccessible_post_time: 0,
    };
  }
}

/** The results of a search. */
export class PostSearchResultsDto extends PostListDto {
  @ApiProperty({
    type: 'object',
    description: 'By id: the words that were found in the post.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { [ID]: ['build'] },
  })
  matches: Record<string, string[]>;

  static fromResults(list: PostList, matches: ReadonlyMap<string, string[]>): PostSearchResultsDto {
    return { ...PostListDto.from(list), matches: Object.fromEntries(matches) };
  }
}
