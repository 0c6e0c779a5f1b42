import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  StringListField,
} from '../../../platform/common/dto/fields.js';
import { DEFAULT_PER_PAGE, IdParam, QueryObject } from '../../../platform/common/dto/params.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { MAX_MESSAGE_RUNES } from '../content/split.js';

const PROPS = 'Free-form data. `attachments` has the same format as in incoming webhooks.';
const FILES = 'Accepted and dropped: files are not supported.';

/** The body for creating a post. */
@BodyName('post')
export class CreatePostDto {
  @IdField({ required: true, description: 'The channel of the post.', example: 'p4s8c9dzqjn7bfxq1bxkz5hz8w' })
  channel_id: string;
  @StringField({
    description: 'The text, in Markdown.',
    maxLength: MAX_MESSAGE_RUNES,
    example: 'Please !deploy build 812.',
  })
  message = '';
  @IdField({ description: 'The root post of the thread, for a reply.', example: '' })
  root_id = '';
  @ObjectField({ description: PROPS, example: {}, default: {} })
  props: JsonObject = {};
  @StringField({ description: 'Empty, `me`, `slack_attachment`, or `custom_…`.', maxLength: 26, example: '' })
  type = '';
  @StringField({
    description:
      'A value of your choice: a second call with the same one returns the same post and creates none.',
    maxLength: 128,
    example: '',
  })
  pending_post_id = '';
  @StringListField({ description: FILES, example: [], default: [] })
  file_ids: string[] = [];
  @ObjectField({
    description: 'Only `priority` is stored: `{"priority": "important"}`.',
    example: {},
    default: {},
  })
  metadata: JsonObject = {};
  @IntegerField({ description: 'For holders of `manage_system`; otherwise ignored.', example: 0, default: 0 })
  create_at = 0;
  @IdField({ description: 'Must be empty: the server assigns the id of a new post.', example: '' })
  id = '';
}

/** Changes to a post; absent fields stay unchanged. */
@BodyName('post')
export class PatchPostDto {
  @StringField({ description: 'The new text.', maxLength: MAX_MESSAGE_RUNES, example: 'Build 812 is red.' })
  message?: string;
  @BooleanField({ description: 'Whether it is pinned to the channel.', example: false })
  is_pinned?: boolean;
  @ObjectField({ description: `Replaces all props. ${PROPS}`, example: {} })
  props?: JsonObject;
  @StringListField({ description: FILES, example: [] })
  file_ids?: string[];
  @BooleanField({ description: 'Accepted and ignored: reactions are not supported.', example: false })
  has_reactions?: boolean;
}

/** A whole post: an absent message becomes empty, and `is_pinned` false. Absent props stay unchanged. */
@BodyName('post')
export class UpdatePostDto extends PatchPostDto {
  override message = '';
  @ApiPropertyOptional({ type: Boolean, default: false }) override is_pinned = false;
  @IdField({ required: true, description: 'The same id as in the path.' })
  id: string;
}

/** The search terms. */
@BodyName('search')
export class SearchPostsDto {
  @StringField({
    required: true,
    description:
      'Words, `beginnings*`, "phrases", #tags, `from:name`, `in:channel`, and `on:`, `before:` and `after:` with a day such as 2026-01-31; a `-` before a term excludes it.',
    maxLength: 512,
    example: 'build from:ada',
  })
  terms: string;
  @BooleanField({ description: 'One matching word is enough.', example: false, default: false })
  is_or_search = false;
  @BooleanField({ description: 'Include archived channels.', example: false, default: false })
  include_deleted_channels = false;
  @IntegerField({ description: 'Only the first page (0) contains posts.', example: 0, default: 0 })
  page = 0;
  @IntegerField({
    description: 'Maximum number of posts; more than 200 count as 200.',
    example: 60,
    default: DEFAULT_PER_PAGE,
  })
  per_page = DEFAULT_PER_PAGE;
  @IntegerField({ description: 'Time zone offset for days, in seconds ahead of UTC.', example: 3600 })
  time_zone_offset?: number;
}

export interface CreatePostOptions {
  readonly setOnline: boolean;
}

export const CreatePostQuery = (): ParameterDecorator =>
  QueryObject<CreatePostOptions>({
    setOnline: {
      name: 'set_online',
      description: {
        description: 'Whether the author becomes online.',
        schema: { type: 'boolean', default: true },
      },
      parse: (text = '') => !['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text),
    },
  });

export const PostIdParam = (): ParameterDecorator => IdParam('post_id', 'The id of the post.');
