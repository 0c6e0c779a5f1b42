import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../channels/channels.service.js';
import type { Channel } from '../channels/channel.entity.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam, permissionDenied } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { newId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PostPermission, PostsPolicy } from './posts.policy.js';
import { editedProps, propsOfSender } from './content/props.js';
import type { PatchPostDto, UpdatePostDto } from './dto/write-post.dto.js';
import { PostDeleted, PostEdited } from './posts.events.js';
import type { Post } from './post.entity.js';
import { LateCommits } from './late-commits.js';
import { PostChangesRepository } from './post-changes.repository.js';
import { PostContentService } from './post-content.service.js';
import {
  channelIsArchived,
  permanentDeletionDisabled,
  postNotFound,
  systemPostUnchangeable,
} from './posts.errors.js';
import { PostsRepository } from './posts.repository.js';
import { isSystemType, requireValidFileIds, requireValidMessage, requireValidProps } from './posts.rules.js';

const ARCHIVED = {
  update: 'api.post.update_post.can_not_update_post_in_deleted.error',
  patch: 'api.post.patch_post.can_not_update_post_in_deleted.error',
  delete: 'api.post.delete_post.can_not_delete_post_in_deleted.error',
} as const;

/** What remains of a deleted post that others have answered. */
const DELETED = '(deleted)';

/** The content of a post, already processed. */
type Content = Pick<Post, 'message' | 'type' | 'props' | 'hashtags'>;

/** The fields to change; omitted fields stay unchanged. */
type Change = Pick<PatchPostDto, 'message' | 'is_pinned' | 'props' | 'file_ids'>;

/**
 * Edits, pins and deletes posts (docs/contract/messaging.md#change-posts). Each change locks the row first,
 * so that concurrent changes are not lost and a post deleted in the meantime stays deleted.
 */
@Injectable()
export class PostChangesService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly changes: PostChangesRepository,
    private readonly content: PostContentService,
    private readonly channels: ChannelsService,
    private readonly policy: PostsPolicy,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly late: LateCommits,
  ) {}

  /** Throws `permissionDenied` for a missing post too, as does patch. */
  update(actor: Actor, id: string, whole: UpdatePostDto): Promise<Post> {
    if (whole.id !== id) throw new InvalidBodyParam('id', 'it must be the id in the path');
    return this.editAs(actor, id, whole, ARCHIVED.update);
  }

  patch(actor: Actor, id: string, change: PatchPostDto): Promise<Post> {
    return this.editAs(actor, id, change, ARCHIVED.patch);
  }

  /** Pins or unpins a post. Everyone who can read the post may do this. */
  async setPinned(actor: Actor, id: string, isPinned: boolean): Promise<void> {
    const missing = permissionDenied(CommonPermission.ReadChannelContent);
    const post = await this.posts.findLive(id);
    if (!post) throw missing;
    await this.policy.requireRead(actor, post.channelId);
    await this.edit(post, { is_pinned: isPinned }, ARCHIVED.patch, missing);
  }

  /** Deletes a post, and its replies if it is a thread root. Throws `postNotFound` if already deleted. */
  async delete(actor: Actor, id: string, isPermanent: boolean): Promise<void> {
    if (isPermanent) {
      await this.policy.requireManageSystem(actor);
      throw permanentDeletionDisabled();
    }
    const post = await this.posts.findLive(id);
    if (!post) throw postNotFound();
    await this.policy.requireDelete(actor, post);
    if ((await this.channels.get(post.channelId)).deleteAt > 0) throw channelIsArchived(ARCHIVED.delete);
    await this.remove(post, actor.userId);
  }

  /**
   * Applies an edit made on the post's own server. `editAt` is the time there, capped at the current time. If
   * the message changes without a later `editAt`, the current time is used, so that no edit goes unnoticed.
   */
  editAsRemote(post: Post, message: string, props: JsonObject, editAt: number): Promise<Post> {
    return this.edit(post, { message, props }, null, postNotFound(), Math.min(editAt, this.clock.now()));
  }

  /** Applies a deletion made on the post's own server. */
  deleteAsRemote(post: Post): Promise<void> {
    return this.remove(post, post.userId);
  }

  /** Stores the content that the program of a post has given it. Throws `postNotFound`. */
  rewrite(known: Post, { message, type, props, hashtags }: Content): Promise<Post> {
    return this.unitOfWork.run(async () => {
      const before = await this.lock(known);
      if (!before) throw postNotFound();
      const content = { message, type, props, hashtags };
      if (isSame(before, content)) return known;
      return this.store(before, { ...before, ...content, editAt: editTime(before, content) });
    });
  }

  /**
   * Deletes a post for the program that posted it, with the program's replies. If others have replied, the post stays
   * without its content, so that their replies stay readable, and no longer belongs to the program. Throws `postNotFound`.
   */
  withdraw(known: Post): Promise<void> {
    return this.unitOfWork.run(async () => {
      const post = await this.lock(known);
      if (!post) throw postNotFound();
      if (!(await this.changes.hasRepliesOfOthers(post))) return this.remove(post, post.userId);
      const content = { message: DELETED, type: '', props: propsOfSender(post.props), hashtags: '' };
      await this.store(post, { ...post, ...content, sourceId: '', editAt: post.updateAt });
    });
  }

  /**
   * Locks a post until the unit of work ends, and sets `updateAt` to the time of the change, after the wait. Null if it
   * is deleted.
   */
  async lock(known: Post): Promise<Post | null> {
    const post = await this.changes.lock(known);
    return post && { ...post, updateAt: Math.max(this.clock.now(), post.updateAt + 1) };
  }

  private async remove(known: Post, deletedBy: string): Promise<void> {
    const { id } = known;
    await this.unitOfWork.run(async () => {
      const post = await this.lock(known);
      if (!post) throw postNotFound();
      await this.changes.delete(id, deletedBy, post.updateAt);
      const replyIds = post.rootId === '' ? await this.changes.liveReplyIds(id) : [];
      if (post.rootId === '') await this.changes.deleteReplies(id, deletedBy, post.updateAt);
      else await this.changes.countOutOfThread(post.rootId, post.updateAt);
      this.checkForLateCommit(post, replyIds);
      await this.events.publish(new PostDeleted(await this.posts.withThreadSize(post), deletedBy, replyIds));
    });
  }

  private async editAs(actor: Actor, id: string, change: Change, archivedId: string): Promise<Post> {
    const post = await this.posts.findLive(id);
    if (!post) throw permissionDenied(PostPermission.EditPost);
    await this.policy.requireEdit(actor, post);
    return this.edit(post, change, archivedId, permissionDenied(PostPermission.EditPost));
  }

  private async edit(
    known: Post,
    change: Change,
    archivedId: string | null,
    missing: Error,
    editAt?: number,
  ): Promise<Post> {
    const { channelId, type } = known;
    if (isSystemType(type)) throw systemPostUnchangeable();
    const channel = await this.channels.get(channelId);
    if (archivedId !== null && (await this.channels.isArchived(channel))) throw channelIsArchived(archivedId);
    if (change.message !== undefined) requireValidMessage(change.message);
    if (change.file_ids !== undefined) requireValidFileIds(change.file_ids);
    return this.unitOfWork.run(async () => {
      const before = await this.lock(known);
      if (!before) throw missing;
      const changed = await this.changed(before, change, channel);
      const isUnseen = changed.message !== before.message && (editAt ?? 0) <= before.editAt;
      return this.store(before, editAt === undefined || isUnseen ? changed : { ...changed, editAt });
    });
  }

  private async store(before: Post, changed: Post): Promise<Post> {
    await this.changes.update(changed);
    if (changed.editAt !== before.editAt) await this.keepVersion(before);
    if (changed.rootId !== '') await this.changes.touch(changed.rootId, changed.updateAt);
    const after = await this.posts.withThreadSize(changed);
    this.checkForLateCommit(after);
    await this.events.publish(new PostEdited(after));
    return after;
  }

  private checkForLateCommit({ id, rootId, updateAt }: Post, replyIds: readonly string[] = []): void {
    const ids = [id, ...replyIds, ...(rootId === '' ? [] : [rootId])];
    this.unitOfWork.afterCommit(() => this.late.committed(updateAt, ids));
  }

  /** Stores an old version and deletes versions over the limit, so that edits cannot fill the disk. */
  private async keepVersion(before: Post): Promise<void> {
    await this.changes.insert(oldVersion(before));
    await this.changes.deleteVersions(await this.posts.surplusVersionIds(before));
  }

  private async changed(before: Post, change: Change, channel: Channel): Promise<Post> {
    const isPinned = change.is_pinned ?? before.isPinned;
    if (change.message === undefined && change.props === undefined) return { ...before, isPinned };
    const { userId: authorId, type } = before;
    const message = change.message ?? before.message;
    const sent = change.props === undefined ? before.props : editedProps(change.props, before.props);
    const { props, hashtags } = await this.content.describe({
      channel,
      authorId,
      message,
      props: sent,
      type,
    });
    requireValidProps(props);
    return { ...before, isPinned, message, props, hashtags, editAt: editTime(before, { message, props }) };
  }
}

function isSame(before: Post, { message, type, props }: Content): boolean {
  return (
    message === before.message &&
    type === before.type &&
    JSON.stringify(props) === JSON.stringify(before.props)
  );
}

/** The time of the change if message or attachments differ, otherwise that of the last edit. */
function editTime(before: Post, { message, props }: Pick<Post, 'message' | 'props'>): number {
  const isEdited =
    message !== before.message ||
    JSON.stringify(props['attachments']) !== JSON.stringify(before.props['attachments']);
  return isEdited ? before.updateAt : before.editAt;
}

/** Returns the row for an old version of a post. It has the same `seq` and appears in no list. */
function oldVersion(before: Post): Post {
  return { ...before, id: newId(), originalId: before.id, deleteAt: before.updateAt, isPinned: false };
}
