import { Injectable } from '@nestjs/common';
import { type FindManyOptions, In, LessThan } from 'typeorm';
import { insertRows, type RowsToInsert } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { IncomingHook } from '../incoming-hook.entity.js';
import { originOf } from '../incoming-hooks.repository.js';
import { MessageKey, MessagePiece } from './message.entity.js';

/** Queries on the keys and pieces of messages. */
@Injectable()
export class MessagesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns the ID of the message that the post is a piece of; that of the post if it is the first or only one. */
  async messageOf(postId: string): Promise<string> {
    return (await this.pieces.findOneBy({ postId }))?.messageId ?? postId;
  }

  /** Returns the IDs of the other posts of a message. */
  async piecesOf(messageId: string): Promise<string[]> {
    return (await this.pieces.findBy({ messageId })).map(({ postId }) => postId);
  }

  async deletePieces(postIds: readonly string[]): Promise<void> {
    if (postIds.length > 0) await this.pieces.delete({ postId: In([...postIds]) });
  }

  /** Forgets that the post is a piece of a message, and the pieces of which it is the first. */
  async deletePiecesOf(postId: string): Promise<void> {
    await this.pieces.delete({ messageId: postId });
    await this.pieces.delete({ postId });
  }

  findKey(keyHash: string): Promise<MessageKey | null> {
    return this.keys.findOneBy({ keyHash });
  }

  async touchKey(keyHash: string, usedAt: number): Promise<void> {
    await this.keys.update({ keyHash }, { usedAt });
  }

  /**
   * Notes a change of the message of a key. Returns false if the key belongs to another message by now, or was resolved
   * and this call does not resolve it again.
   */
  async noteChange(keyHash: string, postId: string, isResolved: boolean, usedAt: number): Promise<boolean> {
    const open = { keyHash, postId, ...(!isResolved && { isResolved }) };
    const { affected } = await this.keys.update(open, { usedAt, isResolved });
    return affected === 1;
  }

  /** Deletes a key unless it belongs to another message by now. */
  async deleteKey({ keyHash, postId }: MessageKey): Promise<void> {
    await this.keys.delete({ keyHash, postId });
  }

  /** Deletes up to `limit` keys of a webhook, which may be deleted. */
  async deleteKeysOf(hookId: string, limit: number): Promise<void> {
    const hook = await this.unitOfWork.manager.findOneBy(IncomingHook, { id: hookId });
    if (!hook) return;
    await this.deleteKeys({ where: { originId: originOf(hook) }, take: limit });
  }

  /** Deletes up to `limit` keys last used before `time` and returns the number deleted. */
  deleteKeysBefore(time: number, limit: number): Promise<number> {
    return this.deleteKeys({ where: { usedAt: LessThan(time) }, order: { usedAt: 'ASC' }, take: limit });
  }

  private async deleteKeys(options: FindManyOptions<MessageKey>): Promise<number> {
    const found = await this.keys.find({ select: { keyHash: true }, ...options });
    if (found.length > 0) await this.keys.delete({ keyHash: In(found.map(({ keyHash }) => keyHash)) });
    return found.length;
  }

  /** Stores companions of a change in its unit of work. */
  async insert(companions: readonly RowsToInsert[]): Promise<void> {
    for (const { entity, rows } of companions) await insertRows(this.unitOfWork.manager, entity, rows);
  }

  private get keys() {
    return this.unitOfWork.manager.getRepository(MessageKey);
  }

  private get pieces() {
    return this.unitOfWork.manager.getRepository(MessagePiece);
  }
}
