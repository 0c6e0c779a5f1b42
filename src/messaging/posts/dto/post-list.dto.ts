import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { PostList } from '../post-list.js';
import { PostDto } from './post.dto.js';

const ID = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

/** Posts and their order (docs/contract/messaging.md#post-lists). */
export class PostListDto {
  @ApiProperty({
    type: [String],
    description: 'The ids of the posts asked for, newest first.',
    example: [ID],
  })
  order: string[];
  @ApiProperty({
    type: 'object',
    description: 'By id: the posts asked for, and the first posts of their threads.',
    additionalProperties: { $ref: getSchemaPath(PostDto) },
  })
  posts: Record<string, PostDto>;
  @ApiProperty({ description: 'The next newer post behind this list; empty at the end.', example: '' })
  next_post_id: string;
  @ApiProperty({ description: 'The next older post before this list; empty at the end.', example: ID })
  prev_post_id: string;
  @ApiPropertyOptional({ description: 'Whether there is more; only where the list was cut.', example: false })
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

/** What a search has found. */
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
