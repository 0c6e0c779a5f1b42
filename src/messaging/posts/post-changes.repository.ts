import { Injectable } from '@nestjs/common';
import { dialect } from '../../platform/config/dialect.js';
import { insertRows } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';

/**
 * Props with one more at the end, which wins over an earlier one of its name. They are extended as text: the JSON functions
 * of MariaDB before 12.2 give NULL for what is nested more than 32 deep.
 */
const EXTENDED_PROPS = `CONCAT(SUBSTR(props, 1, ${dialect === 'mysql' ? 'CHAR_LENGTH' : 'LENGTH'}(props) - 1),
  CASE WHEN props = '{}' THEN '' ELSE ',' END, ?)`;

/** The statements of edits and deletions; all of them belong into a unit of work. */
@Injectable()
export class PostChangesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Takes a live post for this unit of work and moves its time of change, which always rises. Whoever comes second
   * waits, and reads what the first has done. Null when there is no such live post.
   */
  async take(id: string, now: number): Promise<Post | null> {
    await this.unitOfWork.manager.query(
      `UPDATE posts SET update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END WHERE id = ? AND delete_at = 0`,
      [now, now, id],
    );
    return this.unitOfWork.manager.getRepository(Post).findOneBy({ id, deleteAt: 0 });
  }

  async update(post: Post): Promise<void> {
    const { message, props, hashtags, isPinned, editAt, updateAt } = post;
    const changed = { message, props: props as object, hashtags, isPinned, editAt, updateAt };
    await this.unitOfWork.manager.getRepository(Post).update({ id: post.id }, changed);
  }

  async insert(row: Post): Promise<void> {
    await insertRows(this.unitOfWork.manager, Post, [row]);
  }

  /** A change of a reply is a change of its thread. */
  async touch(rootId: string, now: number): Promise<void> {
    await this.unitOfWork.manager.query('UPDATE posts SET update_at = ? WHERE id = ? AND update_at < ?', [
      now,
      rootId,
      now,
    ]);
  }

  /** `at` is the time of change that `take` gave the post. */
  async delete(id: string, deletedBy: string, at: number): Promise<void> {
    await this.unitOfWork.manager.query(
      `UPDATE posts SET delete_at = ?, update_at = ?, props = ${EXTENDED_PROPS} WHERE id = ?`,
      [at, at, endingWith({ deleteBy: deletedBy }), id],
    );
  }

  async deleteReplies(rootId: string, deletedBy: string, at: number): Promise<void> {
    await this.unitOfWork.manager.query(
      `UPDATE posts SET delete_at = ?, update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END,
       props = ${EXTENDED_PROPS} WHERE root_id = ? AND delete_at = 0`,
      [at, at, at, endingWith({ deleteBy: deletedBy }), rootId],
    );
  }

  /** After one reply has gone. */
  async countOutOfThread(rootId: string, at: number): Promise<void> {
    await this.unitOfWork.manager.query(
      `UPDATE posts SET reply_count = CASE WHEN reply_count > 0 THEN reply_count - 1 ELSE 0 END,
       update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END,
       last_reply_at = (SELECT alive.latest FROM (SELECT COALESCE(MAX(create_at), 0) AS latest FROM posts
         WHERE root_id = ? AND delete_at = 0) AS alive)
       WHERE id = ?`,
      [at, at, rootId, rootId],
    );
  }
}

/** What EXTENDED_PROPS takes: the members of an object as JSON, and its end. */
function endingWith(props: Readonly<Record<string, string>>): string {
  return JSON.stringify(props).slice(1);
}
