import { Injectable } from '@nestjs/common';
import { In, LessThan, Not } from 'typeorm';
import { dialect } from '../../platform/config/settings.js';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';

/**
 * Appends a member to the props, which overrides an earlier one of the same name. Edits them as text because
 * MariaDB's JSON functions before 12.2 return NULL for values nested more than 32 levels deep.
 */
const EXTENDED_PROPS = `CONCAT(SUBSTR(props, 1, ${dialect === 'mysql' ? 'CHAR_LENGTH' : 'LENGTH'}(props) - 1),
  CASE WHEN props = '{}' THEN '' ELSE ',' END, :members)`;
const LATER = 'CASE WHEN update_at < :at THEN :at ELSE update_at + 1 END';

/** The statements of edits and deletions. Call them inside a unit of work. */
@Injectable()
export class PostChangesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Locks a post and its thread root until the unit of work ends. A concurrent change waits here and then
   * reads the changed row. Returns null if the post does not exist or is deleted.
   */
  async lock({ id, rootId }: Post): Promise<Post | null> {
    const ids = rootId === '' ? [id] : [id, rootId];
    const locked = await this.posts.find({ where: { id: In(ids) }, ...FOR_UPDATE });
    return locked.find((post) => post.id === id && post.deleteAt === 0) ?? null;
  }

  async update(post: Post): Promise<void> {
    const { message, type, props, hashtags, isPinned, editAt, updateAt, sourceId } = post;
    const changed = { message, type, props: props as object, hashtags, isPinned, editAt, updateAt, sourceId };
    await this.posts.update({ id: post.id }, changed);
  }

  async insert(row: Post): Promise<void> {
    await this.posts.insert(row as object);
  }

  async deleteVersions(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.posts.delete({ id: In(ids) });
  }

  /** Marks a thread root as changed after a change to one of its replies. */
  async touch(rootId: string, now: number): Promise<void> {
    await this.posts.update({ id: rootId, updateAt: LessThan(now) }, { updateAt: now });
  }

  async delete(id: string, deletedBy: string, at: number): Promise<void> {
    await this.posts
      .createQueryBuilder()
      .update({ deleteAt: at, updateAt: at, props: () => EXTENDED_PROPS })
      .where({ id })
      .setParameters({ members: membersOf({ deleteBy: deletedBy }) })
      .execute();
  }

  /** Whether a thread has replies that the program of its root has not posted. */
  hasRepliesOfOthers({ id, sourceId }: Post): Promise<boolean> {
    return this.posts.existsBy({ rootId: id, deleteAt: 0, sourceId: Not(sourceId) });
  }

  async liveReplyIds(rootId: string): Promise<string[]> {
    const replies = await this.posts.find({ select: { id: true }, where: { rootId, deleteAt: 0 } });
    return replies.map(({ id }) => id);
  }

  async deleteReplies(rootId: string, deletedBy: string, at: number): Promise<void> {
    await this.posts
      .createQueryBuilder()
      .update({ deleteAt: at, updateAt: () => LATER, props: () => EXTENDED_PROPS })
      .where({ rootId, deleteAt: 0 })
      .setParameters({ at, members: membersOf({ deleteBy: deletedBy }) })
      .execute();
  }

  /** Updates a thread's counters after a reply was deleted. */
  async countOutOfThread(rootId: string, at: number): Promise<void> {
    await this.posts
      .createQueryBuilder()
      .update({
        replyCount: () => 'CASE WHEN reply_count > 0 THEN reply_count - 1 ELSE 0 END',
        updateAt: () => LATER,
        lastReplyAt: () =>
          `(SELECT live_replies.latest FROM (SELECT COALESCE(MAX(create_at), 0) AS latest FROM posts
            WHERE root_id = :rootId AND delete_at = 0) AS live_replies)`,
      })
      .where({ id: rootId })
      .setParameters({ at, rootId })
      .execute();
  }

  private get posts() {
    return this.unitOfWork.manager.getRepository(Post);
  }
}

/** Returns the parameter of EXTENDED_PROPS: an object as JSON without its opening brace. */
function membersOf(props: Readonly<Record<string, string>>): string {
  return JSON.stringify(props).slice(1);
}
