import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { AppError } from '../../../platform/common/errors/app-error.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { newId } from '../../../platform/common/ids.js';
import { Sequence } from '../../../platform/common/sequence.js';
import { CommitEngine } from '../../../platform/database/commits/commit-engine.js';
import type { Batch } from '../../../platform/database/commits/commit-kind.js';
import type { CommitQueue } from '../../../platform/database/commits/commit-queue.js';
import { OwnerLock } from '../../../platform/database/owner-lock.js';
import type { RowsToInsert } from '../../../platform/database/rows.js';
import type { Statement } from '../../../platform/database/statement.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import { isOutOfOrder } from '../../channels/channel-counters.js';
import { type CreatedPost, PostsCreated } from '../posts.events.js';
import { LateCommits } from '../late-commits.js';
import type { Post } from '../post.entity.js';
import { postWriterOverloaded } from '../posts.errors.js';
import { type PendingRow, PostCompanions, type PostDraft, type WriteRequest } from './write-request.js';
import { type CommitOrder, PostRowsRepository } from './post-rows.repository.js';

const DEFAULT_SIZE_BYTES = 2048;
/** A larger batch, e.g. of webhook deliveries, would delay other posts for too long. */
const MAX_ADDED_ROWS = 500;

interface Prepared {
  readonly rows: readonly PendingRow[];
  readonly created: readonly CreatedPost[];
  readonly companions: readonly RowsToInsert[];
  readonly statements: readonly Statement[];
}

/**
 * Stores posts by group commit (docs/architecture.md#group-commit): one transaction stores many posts and
 * updates each channel's counters once. Inside an open unit of work, posts join its transaction. Thread posts
 * read in their transaction and may wait for the thread row; a receiver's reply fails its transaction if the
 * delivery was settled otherwise. Both have separate commits.
 */
@Injectable()
export class PostWriter {
  private readonly commits: CommitQueue<WriteRequest, Post[]>;
  private readonly threadCommits: CommitQueue<WriteRequest, Post[]>;
  private readonly replyCommits: CommitQueue<WriteRequest, Post[]>;
  /** Rows recently added per request; limits how many requests are prepared at once. */
  private rowsEach = 0;

  constructor(
    private readonly rows: PostRowsRepository,
    private readonly companions: PostCompanions,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
    private readonly metrics: MetricsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly ownerLock: OwnerLock,
    private readonly tracing: Tracing,
    private readonly lateCommits: LateCommits,
    engine: CommitEngine,
  ) {
    const open = (name: string, first: CommitOrder = 'checked'): CommitQueue<WriteRequest, Post[]> =>
      engine.open({
        name,
        prepare: (requests, failures) =>
          this.prepareBatch(requests, this.orderOf(failures > 0 ? 'locked' : first)),
        retry: (error, failures) => Promise.resolve(failures === 1 && isOutOfOrder(error)),
        sizeOf: ({ sizeBytes }) => sizeBytes ?? DEFAULT_SIZE_BYTES,
        placeOf: ({ drafts: [first] }) => first?.channelId ?? '',
        overloaded: () => postWriterOverloaded(),
      });
    this.commits = open('posts');
    this.threadCommits = open('posts in threads', 'locked'); // several round trips: others would often win
    this.replyCommits = open('replies of receivers');
  }

  /** Throws DatabaseUnavailable, `postWriterOverloaded`, InvalidRoot, or a companion's error. */
  write(request: WriteRequest): Promise<Post[]> {
    const commits = this.commitsFor(request);
    return this.tracing.isOn ? this.traced(request, commits) : commits.submit(request);
  }

  /** Links the span of the commit to the post IDs, so that calls triggered by the posts become part of it. */
  private async traced(request: WriteRequest, commits: CommitQueue<WriteRequest, Post[]>): Promise<Post[]> {
    const span = this.tracing.start({
      name: 'commit',
      kind: 'internal',
      parent: this.tracing.current,
      attributes: { 'hookline.posts': request.drafts.length, 'hookline.origin': request.origin },
    });
    const companions = (postIds: readonly string[]): readonly RowsToInsert[] => {
      for (const id of postIds) this.tracing.remember(id, span.traceparent);
      return request.companions?.(postIds) ?? [];
    };
    try {
      const posts = await commits.submit({ ...request, companions });
      span.end();
      return posts;
    } catch (error) {
      span.end(error instanceof AppError ? error.id : 'unexpected');
      throw error;
    }
  }

  private commitsFor({ drafts, statements }: WriteRequest): CommitQueue<WriteRequest, Post[]> {
    if (drafts.some(({ rootId = '' }) => rootId !== '')) return this.threadCommits;
    return statements ? this.replyCommits : this.commits;
  }

  private async prepareBatch(waiting: readonly WriteRequest[], order: CommitOrder): Promise<Batch<Post[]>> {
    const fitting = Math.floor(MAX_ADDED_ROWS / this.rowsEach);
    const requests = waiting.slice(0, Math.max(1, fitting));
    const prepared = requests.map((request) => this.prepare(request));
    const rows = prepared.flatMap((item) => item.rows);
    const created = prepared.flatMap((item) => item.created);
    const added = await this.companions.of(created);
    const addedRows = added.reduce((sum, { rows: some }) => sum + some.length, 0);
    this.rowsEach = addedRows / requests.length;
    if (addedRows > MAX_ADDED_ROWS && requests.length > 1) return this.prepareBatch(waiting, order);
    return {
      taken: requests.length,
      steps: this.rows.steps(
        rows,
        [...prepared.flatMap((item) => item.companions), ...added],
        prepared.flatMap((item) => item.statements),
        order,
      ),
      results: () => prepared.map((item) => item.rows.map(({ post }) => post)),
      observe: (seconds) => this.metrics.postsCommitted(rows.length, seconds),
      afterCommit: [
        () => this.countCreated(prepared),
        () => this.checkForLateCommit(rows),
        ...added.flatMap(({ afterCommit }) => afterCommit ?? []),
        () => void this.events.publish(new PostsCreated(created)),
      ],
    };
  }

  /** An open unit of work cannot be retried just because its posts are out of order. */
  private orderOf(wanted: CommitOrder): CommitOrder {
    if (this.ownerLock.slot === undefined) return 'any';
    return this.unitOfWork.isOpen ? 'locked' : wanted;
  }

  private countCreated(prepared: readonly Prepared[]): void {
    for (const { created } of prepared)
      if (created[0]) this.metrics.postsCreated(created[0].origin, created.length);
  }

  /** Skips local posts with an explicit time, since they do not appear in lists of recent changes. */
  private checkForLateCommit(rows: readonly PendingRow[]): void {
    const posts = rows.flatMap(({ post, isNow }) => (isNow || post.remoteId !== '' ? [post] : []));
    for (const { id, rootId, updateAt } of posts)
      this.lateCommits.committed(updateAt, rootId === '' ? [id] : [id, rootId]);
  }

  private prepare(request: WriteRequest): Prepared {
    const { origin, setOnline = false, hops } = request;
    const rows = request.drafts.map((draft) => ({
      post: this.toRow(draft),
      mentions: draft.mentions,
      marksViewed: origin === 'user',
      isNow: draft.createAt === undefined,
    }));
    const postIds = rows.map(({ post }) => post.id);
    return {
      rows,
      created: rows.map(({ post, mentions }) => ({ post, origin, setOnline, mentions, hops })),
      companions: request.companions?.(postIds) ?? [],
      statements: request.statements?.(postIds) ?? [],
    };
  }

  private toRow(draft: PostDraft): Post {
    const createAt = draft.createAt ?? this.clock.now();
    return {
      id: draft.origin?.id ?? newId(),
      seq: draft.createAt === undefined ? this.sequence.next(createAt) : this.sequence.at(createAt),
      createAt,
      updateAt: draft.origin ? this.clock.now() : createAt, // must appear in lists of changes since then
      editAt: draft.origin?.editAt ?? 0,
      deleteAt: 0,
      userId: draft.userId,
      channelId: draft.channelId,
      rootId: draft.rootId ?? '',
      originalId: '',
      message: draft.message,
      type: draft.type ?? '',
      props: draft.props ?? {},
      hashtags: draft.hashtags ?? '',
      isPinned: false,
      pendingPostId: draft.pendingPostId ?? '',
      metadata: draft.metadata ?? {},
      replyCount: 0,
      lastReplyAt: 0,
      remoteId: draft.origin?.remoteId ?? '',
      sourceId: draft.sourceId ?? '',
    };
  }
}
