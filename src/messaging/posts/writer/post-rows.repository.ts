import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Step } from '../../../platform/database/commits/commit-kind.js';
import { insertStatements } from '../../../platform/database/rows.js';
import { Transaction } from '../../../platform/database/transaction.js';
import { Post } from '../post.entity.js';
import { InvalidRoot } from '../posts.errors.js';
import { countingStatements } from './counting-statements.js';
import type { PendingRow } from './pending-row.js';
import type { Companion } from './write-request.js';

/** What one commit of posts writes: the rows, their companions, and what has to be counted. */
@Injectable()
export class PostRowsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  steps(rows: readonly PendingRow[], companions: readonly Companion[]): Step[] {
    const posts = rows.map(({ post }) => post);
    const ofCompanion = (companion: Companion): Step[] =>
      'write' in companion
        ? [(manager) => companion.write(new Transaction(manager))]
        : insertStatements(this.dataSource, companion.entity, companion.rows);
    return [
      ...insertStatements(this.dataSource, Post, posts),
      ...countingStatements(rows),
      ...companions.flatMap(ofCompanion),
      ...rootsOf(posts).map((rootId) => (manager: EntityManager) => readRoot(manager, rootId, posts)),
    ];
  }
}

function rootsOf(posts: readonly Post[]): string[] {
  return [...new Set(posts.map(({ rootId }) => rootId).filter((rootId) => rootId !== ''))];
}

/**
 * A reply fails when its root is deleted before the commit: by then the root's row is ours, as it counts the reply. The
 * replies are told the size of their thread.
 */
async function readRoot(manager: EntityManager, rootId: string, posts: readonly Post[]): Promise<void> {
  const root = await manager
    .getRepository(Post)
    .findOne({ select: { id: true, replyCount: true }, where: { id: rootId, deleteAt: 0 } });
  if (!root) throw new InvalidRoot('missing');
  for (const post of posts) if (post.rootId === rootId) post.replyCount = root.replyCount;
}
