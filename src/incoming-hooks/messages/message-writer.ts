import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Companions } from '../../messaging/posts/idempotency.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { InvalidRoot } from '../../messaging/posts/posts.errors.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import {
  WebhookMessageRefused,
  WebhookPostsService,
} from '../../messaging/posts/webhook/webhook-posts.service.js';
import { PostWriter } from '../../messaging/posts/writer/post-writer.js';
import { type PostDraft, sizeOfDrafts } from '../../messaging/posts/writer/write-request.js';
import { isId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { failures } from '../execution/execution.errors.js';
import { TargetChannel } from '../execution/target-channel.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { originOf } from '../incoming-hooks.repository.js';
import type { IncomingPayload, PayloadChange } from '../payload/payload-decoder.js';
import { MessagePiece } from './message.entity.js';

type PostTarget = Pick<Channel, 'id' | 'teamId' | 'type'>;

const NEW_DIRECT_CHANNEL: PostTarget = { id: '', teamId: '', type: 'D' };
const RESOLVED = ':white_check_mark:';

/** The posts of a message, in order. The first one identifies it. */
export type Pieces = readonly [Post, ...Post[]];

/** No companions. */
export const alone: Companions = () => [];

/** Converts payloads to posts of a webhook, and stores those of a payload in one transaction. */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly target: TargetChannel,
    private readonly content: WebhookPostsService,
    private readonly posts: PostsService,
    private readonly writer: PostWriter,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the posts for a payload in its target channel. Throws ExecutionFailed. */
  async drafts(hook: IncomingHook, payload: IncomingPayload): Promise<PostDraft[]> {
    const channel = await this.target.existing(hook, payload.channel);
    if (channel) return this.draftsIn(hook, channel, payload);
    // A new direct channel must be rolled back if the message is rejected.
    return this.unitOfWork.run(async () =>
      this.draftsIn(hook, await this.target.resolve(hook, payload.channel), payload),
    );
  }

  /** Like `drafts`, but creates no direct channel and leaves its ID empty. */
  async preview(hook: IncomingHook, payload: IncomingPayload): Promise<PostDraft[]> {
    const channel = await this.target.existing(hook, payload.channel);
    return this.draftsIn(hook, channel ?? NEW_DIRECT_CHANNEL, payload);
  }

  /** Returns the posts for a payload in a channel, in the thread that it names. Throws ExecutionFailed. */
  async draftsIn(hook: IncomingHook, channel: PostTarget, payload: IncomingPayload): Promise<PostDraft[]> {
    const { rootId = '', silent = false } = payload;
    if (rootId !== '') await this.requireRoot(rootId, channel);
    // Spreading the webhook would cost a few percent of a call.
    const { userId: ownerId, displayName, username, iconUrl } = hook;
    const source = { ownerId, displayName, username, iconUrl };
    return asFailure(() =>
      this.content.drafts(source, channel, marked(payload), {
        rootId,
        sourceId: originOf(hook),
        ...(silent && { mentions: undefined }),
        ...(rootId !== '' && { metadata: {} }), // only root posts have a priority
      }),
    );
  }

  /** Returns the posts of a message after a change. Throws ExecutionFailed. */
  async revised(
    hook: IncomingHook,
    pieces: Pieces,
    channel: Channel,
    change: PayloadChange,
  ): Promise<PostDraft[]> {
    const { unknownBlocks } = change.message;
    if (unknownBlocks) throw failures.unknownBlocks(unknownBlocks);
    const drafts = await asFailure(() => this.content.revised(pieces, channel, change));
    if (drafts.every(({ message, props }) => message === '' && !props?.['attachments']))
      throw failures.noText();
    return drafts.map((draft) => ({ ...draft, sourceId: originOf(hook) }));
  }

  /** Stores the posts of a message, or further ones of the message `messageId`, with their companions. */
  async store(
    drafts: readonly PostDraft[],
    companions: Companions,
    messageId?: string,
  ): Promise<readonly Post[]> {
    try {
      return await this.writer.write({
        drafts,
        origin: 'hook',
        sizeBytes: sizeOfDrafts(drafts),
        companions: (postIds) => [...companions(postIds), ...piecesOf(postIds, messageId)],
      });
    } catch (error) {
      throw error instanceof InvalidRoot ? failures.badRoot() : error;
    }
  }

  private async requireRoot(rootId: string, channel: PostTarget): Promise<void> {
    const root = isId(rootId) ? await this.posts.findLive(rootId) : null;
    if (root?.channelId !== channel.id || root.rootId !== '') throw failures.badRoot();
  }
}

function piecesOf(postIds: readonly string[], messageId?: string): ReturnType<Companions> {
  const [first = ''] = postIds;
  const others = messageId === undefined ? postIds.slice(1) : postIds;
  if (others.length === 0) return [];
  const rows = others.map((postId) => ({ postId, messageId: messageId ?? first }));
  return [{ entity: MessagePiece, rows }];
}

/** The payload with a check mark before its text if it resolves the message of its key. */
function marked(payload: IncomingPayload): IncomingPayload {
  const { text, onKey } = payload;
  if (onKey !== 'resolve' || text.startsWith(RESOLVED)) return payload;
  return { ...payload, text: `${RESOLVED} ${text}`.trimEnd() };
}

async function asFailure<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof WebhookMessageRefused ? failures[error.cause]() : error;
  }
}
