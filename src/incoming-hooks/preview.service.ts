import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import type { Actor } from '../messaging/permissions/actor.js';
import type { PostDraft } from '../messaging/posts/writer/write-request.js';
import { InvalidBodyParam, permissionDenied } from '../platform/common/errors/common-errors.js';
import { decode, HookPoster } from './execution/hook-poster.js';
import { FORMATS } from './formats/formats.js';
import { requireFormat } from './incoming-hook.rules.js';
import { IncomingHooksService } from './incoming-hooks.service.js';
import { KeptRequestsPolicy } from './kept-requests/kept-requests.policy.js';
import { headersWithoutSecrets } from './kept-requests/request-keeper.js';
import { byteLength } from '../platform/common/utf8.js';
import { BodyName, ObjectField, StringField } from '../platform/common/dto/fields.js';
import type { JsonObject } from '../platform/common/json.js';

interface Preview {
  readonly drafts: readonly PostDraft[];
  readonly notUnderstood: number;
  readonly ignored?: string | undefined;
}

/** Shows what a call would post, without posting (docs/contract/incoming-webhooks.md#preview). */
@Injectable()
export class PreviewService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly poster: HookPoster,
    private readonly policy: KeptRequestsPolicy,
  ) {}

  /** Throws the errors of `IncomingHooksService.get` and of the call itself, and `permissionDenied`. */
  async preview(actor: Actor, hookId: string, input: PreviewIncomingHookDto): Promise<Preview> {
    const hook = await this.hooks.get(actor, hookId);
    const { format = hook.format, template = hook.template } = input;
    requireFormat(format, template);
    const call = { body: Buffer.from(input.payload), contentType: input.content_type };
    const headers = headersOf(input.headers);
    const payload = await decode(
      { ...call, headers },
      { id: hook.id, aliasPath: hook.aliasPath, format, template },
    );
    // Unlike a call, a preview is invisible to the owner, whose private channels it could probe.
    if (payload.channel !== '' && !(await this.policy.isTrusted(actor, hook)))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    const { notUnderstood = 0, ignored } = payload;
    return { drafts: await this.poster.preview(hookId, payload), notUnderstood, ignored };
  }
}

/** A call cannot have more either. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Returns the headers of which a call may know. Throws InvalidBodyParam. */
function headersOf(sent: JsonObject = {}): Readonly<Record<string, string>> {
  if (byteLength(JSON.stringify(sent)) > MAX_HEADER_BYTES)
    throw new InvalidBodyParam('headers', `they must have at most ${MAX_HEADER_BYTES} bytes as JSON`);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== 'string') throw new InvalidBodyParam('headers', 'each header must be a string');
    headers[name.toLowerCase()] = value;
  }
  return headersWithoutSecrets(headers);
}

/** No more posts are shown once this many bytes are reached. */
export const MAX_PREVIEW_BYTES = 1024 * 1024;

/** The payload to preview. */
@BodyName('preview')
export class PreviewIncomingHookDto {
  @StringField({
    required: true,
    description: 'The body of the call, as text.',
    example: '{"text":"Build 812 is *green*.","username":"build-bot"}',
  })
  payload: string;
  @StringField({
    description: 'Its `Content-Type`.',
    example: 'application/json',
    default: 'application/json',
    atMost: 255,
  })
  content_type = 'application/json';
  @StringField({ description: 'Instead of the format of the webhook.', enum: FORMATS, example: 'github' })
  format?: string;
  @StringField({
    description: 'Instead of the template of the webhook.',
    example: '{{ body.job }} is {{ body.status }}',
  })
  template?: string;
  @ObjectField({
    description: 'The headers of the call by name, such as those of a kept call; at most 16 KiB.',
    example: { 'x-github-event': 'push' },
  })
  headers?: JsonObject;
}

class PreviewedPostDto {
  @ApiProperty({
    description: 'The channel; empty for a direct channel that does not exist yet.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @ApiProperty({ example: 'Build 812 is **green**.' }) message: string;
  @ApiProperty({ example: '' }) type: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'With `attachments`, and the displayed name and picture.',
    example: { from_webhook: 'true', override_username: 'build-bot' },
  })
  props: JsonObject;

  static from({ channelId, message, type = '', props = {} }: PostDraft): PreviewedPostDto {
    return { channel_id: channelId, message, type, props };
  }
}

/** The response to a preview request. */
export class PreviewDto {
  @ApiProperty({
    type: [PreviewedPostDto],
    description: 'Several if one would be too long; the first of them, about a mebibyte.',
  })
  posts: PreviewedPostDto[];
  @ApiProperty({ description: 'Number of posts.', example: 1 }) post_count: number;
  @ApiProperty({ description: 'Number of unsupported blocks.', example: 0 })
  not_understood: number;
  @ApiProperty({
    required: false,
    description: 'Why the call would post nothing. Absent if it would.',
    example: 'the call is only a test',
  })
  ignored?: string;

  static from({ drafts, notUnderstood, ignored }: Preview): PreviewDto {
    const posts: PreviewedPostDto[] = [];
    for (let bytes = 0, index = 0; bytes < MAX_PREVIEW_BYTES; index++) {
      const draft = drafts[index];
      if (!draft) break;
      const post = PreviewedPostDto.from(draft);
      bytes += Buffer.byteLength(JSON.stringify(post));
      posts.push(post);
    }
    return {
      posts,
      post_count: drafts.length,
      not_understood: notUnderstood,
      ...(ignored !== undefined && { ignored }),
    };
  }
}
