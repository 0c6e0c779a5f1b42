import type { Statement } from '../../../platform/database/statement.js';
import {
  countMentions,
  countPosts,
  lockOrder,
  markViewed,
  type MentionCount,
  type PostCount,
} from '../../channels/channel-counters.js';
import type { PendingRow } from './write-request.js';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, LessThan } from 'typeorm';
import { Clock } from '../../../platform/common/clock.js';
import { Sequence } from '../../../platform/common/sequence.js';
import { dialect } from '../../../platform/config/settings.js';
import { executeSteps, type Step } from '../../../platform/database/commits/commit-kind.js';
import { insertStatements, type RowsToInsert } from '../../../platform/database/rows.js';
import { Post } from '../post.entity.js';
import { InvalidRoot } from '../posts.errors.js';

/** Posts about joining and leaving do not count as messages. */
const UNCOUNTED = /^system_(?:join|leave|add_to|remove_from)_(?:channel|team)$/;

const NONE: PostCount = {
  ...{ posts: 0, roots: 0, lastPostAt: 0, lastRootPostAt: 0 },
  ...{ firstSeq: Infinity, lastSeq: 0 },
};

function threadStatements(rows: readonly PendingRow[]): Statement[] {
  const byRoot = new Map<string, { replies: number; at: number }>();
  for (const { post } of rows) {
    if (post.rootId === '') continue;
    const { replies, at } = byRoot.get(post.rootId) ?? { replies: 0, at: 0 };
    byRoot.set(post.rootId, { replies: replies + 1, at: Math.max(at, post.createAt) });
  }
  return [...byRoot].sort(byId).map(([rootId, { replies, at }]) => ({
    sql: `UPDATE posts SET reply_count = reply_count + ?,
      last_reply_at = CASE WHEN last_reply_at < ? THEN ? ELSE last_reply_at END,
      update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END WHERE id = ?`,
    parameters: [replies, at, at, at, at, rootId],
  }));
}

/**
 * Returns the statements that update channel and member counters. Run them last: a channel's other posts wait
 * for its row until the commit ends. With `isInOrder`, they fail if a channel has later posts.
 */
export function channelStatements(rows: readonly PendingRow[], isInOrder = false): Statement[] {
  // Sort so that all commits lock channels in the same order and cannot deadlock.
  const counts = [...countsByChannel(rows)].sort(byId);
  return [
    ...counts.map(([channelId, count]) => countPosts(channelId, count, isInOrder)),
    ...memberStatements(rows),
  ];
}

function memberStatements(rows: readonly PendingRow[]): Statement[] {
  const statements: Statement[] = [];
  const open = new Map<string, MentionCount>();
  const close = (count: MentionCount | undefined): void => {
    if (count) statements.push(countMentions(count));
  };
  const lastViews = lastViewsOf(rows);
  for (const row of rows) {
    const { channelId } = row.post;
    const count = mentionsOf(row);
    const before = open.get(channelId);
    if (count && before && isOfSame(count, before))
      open.set(channelId, { ...before, posts: before.posts + 1, roots: before.roots + count.roots });
    else if (count) {
      close(before);
      open.set(channelId, count);
    }
    if (lastViews.has(row)) {
      close(open.get(channelId)); // the author has read all earlier posts
      open.delete(channelId);
      statements.push(markViewed(row.post));
    }
  }
  open.forEach(close);
  return statements;
}

function mentionsOf({ post, mentions }: PendingRow): MentionCount | undefined {
  if (!mentions || (!mentions.everyone && mentions.userIds.length === 0)) return undefined;
  return {
    channelId: post.channelId,
    userIds: mentions.everyone ? [post.userId] : mentions.userIds,
    isEveryoneBut: mentions.everyone,
    posts: 1,
    roots: Number(post.rootId === ''),
  };
}

function isOfSame(a: MentionCount, b: MentionCount): boolean {
  return a.isEveryoneBut === b.isEveryoneBut && a.userIds.join() === b.userIds.join();
}

/** Returns each author's last post per channel, which also marks the earlier ones as read. */
function lastViewsOf(rows: readonly PendingRow[]): ReadonlySet<PendingRow> {
  const byPlace = new Map<string, PendingRow>();
  for (const row of rows) if (row.marksViewed) byPlace.set(`${row.post.channelId} ${row.post.userId}`, row);
  return new Set(byPlace.values());
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function countsByChannel(rows: readonly PendingRow[]): Map<string, PostCount> {
  const byChannel = new Map<string, PostCount>();
  for (const { post, isNow } of rows) {
    const count = byChannel.get(post.channelId) ?? NONE;
    const isCounted = !UNCOUNTED.test(post.type);
    const isRoot = post.rootId === '';
    byChannel.set(post.channelId, {
      posts: count.posts + Number(isCounted),
      roots: count.roots + Number(isCounted && isRoot),
      lastPostAt: Math.max(count.lastPostAt, post.createAt),
      lastRootPostAt: isRoot ? Math.max(count.lastRootPostAt, post.createAt) : count.lastRootPostAt,
      firstSeq: isNow ? Math.min(count.firstSeq, post.seq) : count.firstSeq,
      lastSeq: isNow ? Math.max(count.lastSeq, post.seq) : count.lastSeq,
    });
  }
  return byChannel;
}

/** Change lists allow a commit to be two seconds late; half of that is reserved for the commit itself. */
const MAX_WAIT_MS = 1_000;

/**
 * How commits from several processes keep posts in order: `any` for a single process; `checked` fails if a
 * channel already has later posts; `locked` locks the channels first, so it cannot fail that way.
 */
export type CommitOrder = 'any' | 'checked' | 'locked';

/**
 * Builds the steps that commit posts: the rows, their companions, and the counters. Raw SQL, because a commit of many
 * posts runs prepared statements without building queries.
 */
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
    const insert = (): Statement[] => [
      ...insertStatements(this.dataSource, Post, posts),
      ...(dialect === 'sqlite' ? [indexStatement(posts)] : []),
    ];
    const count = (): Statement[] => channelStatements(rows, order !== 'any');
    const isLate = order === 'locked';
    return [
      ...others,
      ...threadStatements(rows),
      ...(isLate ? [(manager: EntityManager) => this.claim(manager, rows), later(insert)] : insert()),
      ...companions.flatMap(({ entity, rows: some }) => insertStatements(this.dataSource, entity, some)),
      ...(posts.some(isReply) ? [(manager: EntityManager) => readRoots(manager, posts.filter(isReply))] : []),
      ...(isLate ? [later(count)] : count()),
    ];
  }

  private async claim(manager: EntityManager, rows: readonly PendingRow[]): Promise<void> {
    await this.renumber(manager, rows);
    await this.renew(manager, rows);
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

/** Adds posts to the full-text index of SQLite at once: a trigger would write the index for each of them. */
function indexStatement(posts: readonly Post[]): Statement {
  return {
    sql: `INSERT INTO post_search (rowid, message) SELECT rowid, message FROM posts
      WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    parameters: [JSON.stringify(posts.map(({ id }) => id))],
  };
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
    if (count === undefined) throw new InvalidRoot();
    reply.replyCount = count;
  }
}
