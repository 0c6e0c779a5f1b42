import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Step } from '../../../platform/database/commits/commit-kind.js';
import { insertStatements, type RowsToInsert } from '../../../platform/database/rows.js';
import { Transaction } from '../../../platform/database/transaction.js';
import { Post } from '../post.entity.js';
import { InvalidRoot } from '../posts.errors.js';
import { channelStatements, threadStatements } from './counting-statements.js';
import type { PendingRow } from './pending-row.js';

/** What is to be done in the transaction of posts. */
export type PostWork = (transaction: Transaction) => Promise<void>;

/** Builds the steps of a commit of posts: the rows, their companions, and the counters. */
@Injectable()
export class PostRowsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  steps(rows: readonly PendingRow[], companions: readonly RowsToInsert[], work: readonly PostWork[]): Step[] {
    const posts = rows.map(({ post }) => post);
    return [
      ...insertStatements(this.dataSource, Post, posts),
      ...threadStatements(rows),
      ...companions.flatMap(({ entity, rows: some }) => insertStatements(this.dataSource, entity, some)),
      ...work.map((one) => (manager: EntityManager) => one(new Transaction(manager))),
      ...rootsOf(posts).map((rootId) => (manager: EntityManager) => readRoot(manager, rootId, posts)),
      ...channelStatements(rows),
    ];
  }
}

function rootsOf(posts: readonly Post[]): string[] {
  return [...new Set(posts.map(({ rootId }) => rootId).filter((rootId) => rootId !== ''))];
}

/**
 * Copies the reply count of a root to its new replies. Throws InvalidRoot if the root was deleted. Counting the replies
 * has locked the root's row, so that it cannot be deleted before the commit.
 */
async function readRoot(manager: EntityManager, rootId: string, posts: readonly Post[]): Promise<void> {
  const root = await manager
    .getRepository(Post)
    .findOne({ select: { id: true, replyCount: true }, where: { id: rootId, deleteAt: 0 } });
  if (!root) throw new InvalidRoot('missing');
  for (const post of posts) if (post.rootId === rootId) post.replyCount = root.replyCount;
}
