import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { insertRows, type RowsToInsert } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
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

  findKey(keyHash: string): Promise<MessageKey | null> {
    return this.keys.findOneBy({ keyHash });
  }

  async touchKey(keyHash: string, usedAt: number): Promise<void> {
    await this.keys.update({ keyHash }, { usedAt });
  }

  /** Deletes a key unless it belongs to another message by now. */
  async deleteKey({ keyHash, postId }: MessageKey): Promise<void> {
    await this.keys.delete({ keyHash, postId });
  }

  /** Deletes up to `limit` keys last used before `time` and returns the number deleted. */
  async deleteKeysBefore(time: number, limit: number): Promise<number> {
    const old = await this.keys.find({
      select: { keyHash: true },
      where: { usedAt: LessThan(time) },
      order: { usedAt: 'ASC' },
      take: limit,
    });
    if (old.length > 0) await this.keys.delete({ keyHash: In(old.map((row) => row.keyHash)) });
    return old.length;
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
