import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, LessThan } from 'typeorm';
import { Clock } from '../../../platform/common/clock.js';
import { Sequence } from '../../../platform/common/sequence.js';
import { executeSteps, type Step } from '../../../platform/database/commits/commit-kind.js';
import { insertStatements, type RowsToInsert } from '../../../platform/database/rows.js';
import type { Statement } from '../../../platform/database/statement.js';
import { lockOrder } from '../../channels/channel-counters.js';
import { Post } from '../post.entity.js';
import { InvalidRoot } from '../posts.errors.js';
import { channelStatements, threadStatements } from './counting-statements.js';
import type { PendingRow } from './write-request.js';

/** Change lists allow a commit to be two seconds late; half of that is reserved for the commit itself. */
const MAX_WAIT_MS = 1_000;

/**
 * How commits from several processes keep posts in order: `any` for a single process; `checked` fails if a
 * channel already has later posts; `locked` locks the channels first, so it cannot fail that way.
 */
export type CommitOrder = 'any' | 'checked' | 'locked';

/** Builds the steps that commit posts: the rows, their companions, and the counters. */
@Injectable()
export class PostRowsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequence: Sequence,
    private readonly clock: Clock,
  ) {}

  steps(
    rows: readonly PendingRow[],
    companions: readonly RowsToInsert[],
    others: readonly Statement[],
    order: CommitOrder,
  ): Step[] {
    const posts = rows.map(({ post }) => post);
    const insert = (): Statement[] => insertStatements(this.dataSource, Post, posts);
    const count = (): Statement[] => channelStatements(rows, order !== 'any');
    const isLate = order === 'locked';
    return [
      ...others,
      ...threadStatements(rows),
      ...(isLate ? [(manager: EntityManager) => this.renumber(manager, rows)] : []),
      ...(isLate ? [(manager: EntityManager) => this.renew(manager, rows), later(insert)] : insert()),
      ...companions.flatMap(({ entity, rows: some }) => insertStatements(this.dataSource, entity, some)),
      ...(posts.some(isReply) ? [(manager: EntityManager) => readRoots(manager, posts.filter(isReply))] : []),
      ...(isLate ? [later(count)] : count()),
    ];
  }

  /** Numbers posts after all others of their channels, and blocks other processes' commits to them. */
  private async renumber(manager: EntityManager, rows: readonly PendingRow[]): Promise<void> {
    const late = rows.filter(({ isNow }) => isNow).map(({ post }) => post);
    if (late.length === 0) return;
    const { sql, parameters } = lockOrder([...new Set(late.map(({ channelId }) => channelId))]);
    const locked = await manager.query<{ seq: number | string }[]>(sql, [...parameters]);
    for (const { seq } of locked) this.sequence.startAfter(Number(seq));
    for (const post of late) post.seq = this.sequence.next(post.createAt);
  }
  /**
   * Renews `updateAt` of posts that waited long for a lock; otherwise clients that list changes since a later
   * time would miss them. `createAt` stays because companion data already contains it.
   */
  private async renew(manager: EntityManager, rows: readonly PendingRow[]): Promise<void> {
    const now = this.clock.now();
    const late = rows
      .filter(({ isNow, post }) => (isNow || post.remoteId !== '') && now - post.updateAt > MAX_WAIT_MS)
      .map(({ post }) => post);
    for (const post of late) post.updateAt = now;
    const rootIds = [...new Set(late.filter(isReply).map(({ rootId }) => rootId))];
    if (rootIds.length > 0)
      await manager
        .getRepository(Post)
        .update({ id: In(rootIds), updateAt: LessThan(now) }, { updateAt: now });
  }
}

/** Builds statements that depend on data read in the transaction. */
function later(statements: () => readonly Statement[]): Step {
  return async (manager) => void (await executeSteps(manager, statements()));
}

function isReply({ rootId }: Post): boolean {
  return rootId !== '';
}

/**
 * Copies the reply counts of thread roots to their new replies. Throws InvalidRoot if a root was deleted. The
 * counter updates have locked the root rows, so they cannot be deleted before the commit.
 */
async function readRoots(manager: EntityManager, replies: readonly Post[]): Promise<void> {
  const roots = await manager.getRepository(Post).find({
    select: { id: true, replyCount: true },
    where: { id: In([...new Set(replies.map(({ rootId }) => rootId))]), deleteAt: 0 },
  });
  const counts = new Map(roots.map(({ id, replyCount }) => [id, replyCount]));
  for (const reply of replies) {
    const count = counts.get(reply.rootId);
    if (count === undefined) throw new InvalidRoot('missing');
    reply.replyCount = count;
  }
}
