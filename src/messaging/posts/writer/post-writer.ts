import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
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
import { isOutOfOrder } from '../../channels/channel-counters.js';
import { type CreatedPost, PostsCreated } from '../posts.events.js';
import { LateCommits } from '../late-commits.js';
import type { Post } from '../post.entity.js';
import { postWriterOverloaded } from '../posts.errors.js';
import { CommitSpans } from './commit-spans.js';
import type { PendingRow } from './pending-row.js';
import { PostCompanions } from './post-companions.js';
import { type CommitOrder, PostRowsRepository } from './post-rows.repository.js';
import type { PostDraft, WriteRequest } from './write-request.js';

const DEFAULT_SIZE_BYTES = 2048;
/** More than this, such as deliveries of webhooks, would hold up other posts for too long. */
const MAX_ADDED_ROWS = 500;

/** A request and its rows, ready to be written. */
interface Prepared {
  readonly rows: readonly PendingRow[];
  readonly created: readonly CreatedPost[];
  readonly companions: readonly RowsToInsert[];
  readonly statements: readonly Statement[];
}

/**
 * Stores posts by group commit (docs/architecture.md#group-commit): one transaction stores many posts, and updates each
 * channel's counters once. Inside an open unit of work, the posts join its transaction instead. Posts in threads must read
 * in their transaction, and may wait for the row of their thread; replies of receivers fail it when their delivery was
 * settled otherwise: both have commits of their own.
 */
@Injectable()
export class PostWriter {
  private readonly commits: CommitQueue<WriteRequest, Post[]>;
  private readonly threadCommits: CommitQueue<WriteRequest, Post[]>;
  private readonly replyCommits: CommitQueue<WriteRequest, Post[]>;
  /** How many rows a request has added of late: what cannot fit is not prepared. */
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
    private readonly spans: CommitSpans,
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
    this.threadCommits = open('posts in threads', 'locked'); // it takes several trips: others would often be first
    this.replyCommits = open('replies of receivers');
  }

  /** Throws DatabaseUnavailable, `postWriterOverloaded`, InvalidRoot, or the error of a companion. */
  write(request: WriteRequest): Promise<Post[]> {
    const commits = this.commitsFor(request);
    return this.spans.areMade
      ? this.spans.around(request, (traced) => commits.submit(traced))
      : commits.submit(request);
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
        () => this.tellLate(rows),
        ...added.flatMap(({ afterCommit }) => afterCommit ?? []),
        () => void this.events.publish(new PostsCreated(created)),
      ],
    };
  }

  /** An open unit of work could not be retried for the order of its posts alone. */
  private orderOf(wanted: CommitOrder): CommitOrder {
    if (this.ownerLock.slot === undefined) return 'any';
    return this.unitOfWork.isOpen ? 'locked' : wanted;
  }

  private countCreated(prepared: readonly Prepared[]): void {
    for (const { created } of prepared)
      if (created[0]) this.metrics.postsCreated(created[0].origin, created.length);
  }

  /** Those with a time of their own are not listed by it. */
  private tellLate(rows: readonly PendingRow[]): void {
    const posts = rows.flatMap(({ post, isNow }) => (isNow || post.remoteId !== '' ? [post] : []));
    for (const { id, rootId, updateAt } of posts)
      this.lateCommits.committed(updateAt, rootId === '' ? [id] : [id, rootId]);
  }

  private prepare(request: WriteRequest): Prepared {
    const { origin, setOnline = false } = request;
    const rows = request.drafts.map((draft) => ({
      post: this.toRow(draft),
      mentions: draft.mentions,
      marksViewed: origin === 'user',
      isNow: draft.createAt === undefined,
    }));
    const postIds = rows.map(({ post }) => post.id);
    return {
      rows,
      created: rows.map(({ post, mentions }) => ({ post, origin, setOnline, mentions })),
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
      updateAt: draft.origin ? this.clock.now() : createAt, // lists of changes since then must include it
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
    };
  }
}
