import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Sequence } from '../../../platform/common/sequence.js';
import type { Step } from '../../../platform/database/commits/commit-kind.js';
import { executeSteps } from '../../../platform/database/commits/steps.js';
import { insertStatements, type RowsToInsert } from '../../../platform/database/rows.js';
import type { Statement } from '../../../platform/database/statement.js';
import { Transaction } from '../../../platform/database/transaction.js';
import { lockOrder } from '../../channels/channel-counters.js';
import { Post } from '../post.entity.js';
import { InvalidRoot } from '../posts.errors.js';
import { channelStatements, threadStatements } from './counting-statements.js';
import type { PendingRow } from './pending-row.js';

/** What is to be done in the transaction of posts. */
export type PostWork = (transaction: Transaction) => Promise<void>;

/**
 * How commits of several processes get into the order of their posts: `any` for a process that is alone; `checked` fails
 * if a channel has later posts already; `locked` locks the channels first, and cannot fail so.
 */
export type CommitOrder = 'any' | 'checked' | 'locked';

/** Builds the steps of a commit of posts: the rows, their companions, and the counters. */
@Injectable()
export class PostRowsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequence: Sequence,
  ) {}

  steps(
    rows: readonly PendingRow[],
    companions: readonly RowsToInsert[],
    work: readonly PostWork[],
    order: CommitOrder,
  ): Step[] {
    const posts = rows.map(({ post }) => post);
    const insert = (): Statement[] => insertStatements(this.dataSource, Post, posts);
    const count = (): Statement[] => channelStatements(rows, order !== 'any');
    const isLate = order === 'locked';
    return [
      ...(isLate ? [(manager: EntityManager) => this.renumber(manager, rows), later(insert)] : insert()),
      ...threadStatements(rows),
      ...companions.flatMap(({ entity, rows: some }) => insertStatements(this.dataSource, entity, some)),
      ...work.map((one) => (manager: EntityManager) => one(new Transaction(manager))),
      ...rootsOf(posts).map((rootId) => (manager: EntityManager) => readRoot(manager, rootId, posts)),
      ...(isLate ? [later(count)] : count()),
    ];
  }

  /** From here on no other process commits posts to these channels: they get numbers after all there are. */
  private async renumber(manager: EntityManager, rows: readonly PendingRow[]): Promise<void> {
    const late = rows.filter(({ isNow }) => isNow).map(({ post }) => post);
    if (late.length === 0) return;
    const { sql, parameters } = lockOrder([...new Set(late.map(({ channelId }) => channelId))]);
    const locked = await manager.query<{ seq: number | string }[]>(sql, [...parameters]);
    for (const { seq } of locked) this.sequence.startAfter(Number(seq));
    for (const post of late) post.seq = this.sequence.next(post.createAt);
  }
}

/** Statements that depend on what is read in the transaction. */
function later(statements: () => readonly Statement[]): Step {
  return async (manager) => void (await executeSteps(manager, statements()));
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
