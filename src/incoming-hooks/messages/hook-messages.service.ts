import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Companions } from '../../messaging/posts/idempotency.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostChangesService } from '../../messaging/posts/post-changes.service.js';
import { PostDeleted } from '../../messaging/posts/posts.events.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import type { PostDraft } from '../../messaging/posts/writer/write-request.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { ExecutionFailed, failures } from '../execution/execution.errors.js';
import { TargetChannel } from '../execution/target-channel.js';
import { UsableHooks } from '../execution/usable-hooks.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { originOf } from '../incoming-hooks.repository.js';
import type { IncomingPayload, PayloadChange } from '../payload/payload-decoder.js';
import { alone, MessageWriter, type Pieces } from './message-writer.js';
import { MessagesRepository } from './messages.repository.js';

/**
 * Shows, changes and deletes the messages of a webhook (docs/contract/incoming-webhooks.md#messages). A change locks
 * the first post of the message until all its posts are changed.
 */
@Injectable()
export class HookMessages {
  constructor(
    private readonly hooks: UsableHooks,
    private readonly repository: MessagesRepository,
    private readonly target: TargetChannel,
    private readonly writer: MessageWriter,
    private readonly posts: PostsService,
    private readonly changes: PostChangesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the first post of the message. Throws ExecutionFailed. */
  async get(hookId: string, postId: string): Promise<Post> {
    const hook = await this.hooks.get(hookId);
    const post = await this.first(hook, postId);
    await this.target.ofMessage(hook, post.channelId);
    return post;
  }

  /** Changes what the payload has, and returns the IDs of the message's posts. Throws ExecutionFailed. */
  async patch(hookId: string, postId: string, change: PayloadChange): Promise<readonly string[]> {
    const hook = await this.hooks.get(hookId);
    return this.change(hook, postId, async (pieces, channel) =>
      this.rewrite(pieces, await this.writer.revised(hook, pieces, channel, change)),
    );
  }

  /** Deletes the posts of the message, except for the replies of others. Throws ExecutionFailed. */
  async delete(hookId: string, postId: string): Promise<void> {
    const hook = await this.hooks.get(hookId);
    await this.change(hook, postId, (pieces) => this.withdraw(pieces));
  }

  /**
   * Replaces the content of a message, and stores the companions with the change, unless `isCurrent`, called in the
   * transaction, says that the message is not the one to change any more. Throws ExecutionFailed.
   */
  async replace(
    hook: IncomingHook,
    postId: string,
    payload: IncomingPayload,
    companions: Companions,
    isCurrent: () => Promise<boolean>,
  ): Promise<readonly string[]> {
    return this.change(hook, postId, async (pieces, channel) => {
      if (!(await isCurrent())) throw failures.noMessage();
      const drafts = await this.writer.draftsIn(hook, channel, { ...payload, rootId: '' });
      const postIds = await this.rewrite(pieces, drafts);
      await this.repository.insert(companions(postIds));
      return postIds;
    });
  }

  /** Posts a message into the thread of another, with companions. Throws ExecutionFailed. */
  async answer(
    hook: IncomingHook,
    postId: string,
    payload: IncomingPayload,
    companions: Companions,
  ): Promise<readonly string[]> {
    const { id, rootId, channelId } = await this.first(hook, postId);
    const channel = await this.target.ofMessage(hook, channelId);
    const drafts = await this.writer.draftsIn(hook, channel, { ...payload, rootId: rootId || id });
    return idsOf(await this.writer.store(drafts, companions));
  }

  /** Whether the message exists, and the webhook may still post where it is. */
  async isReachable(hook: IncomingHook, postId: string): Promise<boolean> {
    try {
      const { channelId } = await this.first(hook, postId);
      await this.target.ofMessage(hook, channelId);
      return !hook.channelLocked || channelId === hook.channelId;
    } catch (error) {
      if (error instanceof ExecutionFailed) return false;
      throw error;
    }
  }

  @InTransaction(PostDeleted)
  async onPostDeleted({ post }: PostDeleted): Promise<void> {
    if (post.sourceId !== '') await this.repository.deletePiecesOf(post.id);
  }

  /** Returns the first post of the message that a post belongs to. Throws ExecutionFailed. */
  private async first(hook: IncomingHook, postId: string): Promise<Post> {
    const [post] = await this.posts.listAny([await this.repository.messageOf(postId)]);
    if (post?.deleteAt !== 0 || post.sourceId !== originOf(hook)) throw failures.noMessage();
    return post;
  }

  private change<T>(
    hook: IncomingHook,
    postId: string,
    work: (pieces: Pieces, channel: Channel) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(async () => {
      const known = await this.first(hook, postId);
      const channel = await this.target.ofMessage(hook, known.channelId);
      const [first, ...others] = await this.lock([known]);
      if (first?.sourceId !== originOf(hook)) throw failures.noMessage();
      others.push(...(await this.lock(await this.posts.listAny(await this.repository.piecesOf(first.id)))));
      return work([first, ...others], channel);
    });
  }

  /** Locks the posts and returns those that exist. */
  private async lock(posts: readonly Post[]): Promise<Post[]> {
    const locked: Post[] = [];
    for (const post of posts) {
      const current = await this.changes.lock(post);
      if (current) locked.push(current);
    }
    return locked;
  }

  /** Surplus posts are deleted, and missing ones posted in the thread of the first. */
  private async rewrite(pieces: Pieces, drafts: readonly PostDraft[]): Promise<readonly string[]> {
    const [first] = pieces;
    await this.withdraw(pieces.slice(drafts.length));
    const postIds: string[] = [];
    for (const [index, piece] of pieces.slice(0, drafts.length).entries()) {
      const { message = '', type = '', props = {}, hashtags = '' } = drafts[index] ?? {};
      await this.changes.rewrite(piece, { message, type, props, hashtags });
      postIds.push(piece.id);
    }
    const more = drafts
      .slice(pieces.length)
      .map((draft) => ({ ...draft, rootId: first.rootId || first.id, mentions: undefined, metadata: {} }));
    if (more.length === 0) return postIds;
    return [...postIds, ...idsOf(await this.writer.store(more, alone, first.id))];
  }

  /** The last post first, since deleting the first one deletes its thread. */
  private async withdraw(pieces: readonly Post[]): Promise<void> {
    for (const piece of pieces.toReversed()) await this.changes.withdraw(piece);
    await this.repository.deletePieces(idsOf(pieces));
  }
}

function idsOf(posts: readonly Post[]): string[] {
  return posts.map(({ id }) => id);
}
