import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { Clock } from '../../../platform/common/clock.js';
import { DatabaseUnavailable } from '../../../platform/common/errors/common-errors.js';
import { type Contribution, EventBus } from '../../../platform/common/events/event-bus.js';
import { newId } from '../../../platform/common/ids.js';
import { nextSequence, sequenceAt } from '../../../platform/common/sequence.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import type { Statement } from '../../../platform/database/statement.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { type CreatedPost, PostsCreated } from '../events/posts-created.event.js';
import type { Post } from '../post.entity.js';
import { PostWriterOverloaded } from '../posts.errors.js';
import type { PendingRow } from './pending-row.js';
import { PostRowsRepository } from './post-rows.repository.js';
import type { Companion, PostDraft, WriteRequest } from './write-request.js';

const MAX_BATCH_REQUESTS = 256;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_WAITING_REQUESTS = 20_000;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const DEFAULT_SIZE_BYTES = 2048;

interface Waiting {
  readonly request: WriteRequest;
  readonly resolve: (posts: Post[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A request with its rows made, ready to be written. */
interface Prepared {
  readonly rows: readonly PendingRow[];
  readonly created: readonly CreatedPost[];
  readonly companions: readonly Companion[];
}

/**
 * Stores posts by group commit (docs/architecture.md#group-commit). Requests that arrive while a commit is running
 * share the next one; a lone request waits for nobody. A request is stored whole or not at all, and one that fails
 * fails alone. The promise is kept once the commit is durable. Inside an open unit of work the posts join that one
 * instead.
 */
@Injectable()
export class PostWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(PostWriter.name);
  private readonly queue: Waiting[] = [];
  private waitingBytes = 0;
  private flight: Promise<void> | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: PostRowsRepository,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly metrics: MetricsService,
  ) {}

  /** Throws DatabaseUnavailable, PostWriterOverloaded, or what a companion or an in-transaction listener threw. */
  async write(request: WriteRequest): Promise<Post[]> {
    if (this.unitOfWork.isOpen) return this.join(request);
    if (this.queue.length >= MAX_WAITING_REQUESTS || this.waitingBytes > MAX_WAITING_BYTES)
      throw new PostWriterOverloaded();
    return new Promise((resolve, reject) => {
      this.queue.push({ request, resolve, reject });
      this.waitingBytes += sizeOf(request);
      this.flight ??= this.fly();
    });
  }

  /** Lets the commits that are due finish. */
  async onApplicationShutdown(): Promise<void> {
    while (this.flight) await this.flight;
  }

  private async join(request: WriteRequest): Promise<Post[]> {
    const prepared = this.prepare(request);
    const contributions = await this.events.contributions(eventOf([prepared]));
    await this.store(this.unitOfWork.manager, [prepared], contributions);
    this.unitOfWork.afterCommit(() => this.announce([prepared], contributions));
    return postsOf(prepared);
  }

  private async fly(): Promise<void> {
    await new Promise(setImmediate); // what the event loop has already received joins
    while (this.queue.length > 0) {
      const batch = this.nextBatch();
      try {
        await this.commit(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.flight = undefined;
  }

  private nextBatch(): Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const { request } of this.queue) {
      if (count === MAX_BATCH_REQUESTS || (count > 0 && bytes + sizeOf(request) > MAX_BATCH_BYTES)) break;
      bytes += sizeOf(request);
      count++;
    }
    this.waitingBytes -= bytes;
    return this.queue.splice(0, count);
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const prepared: { waiting: Waiting; prepared: Prepared }[] = [];
    for (const waiting of batch) {
      try {
        prepared.push({ waiting, prepared: this.prepare(waiting.request) });
      } catch (error) {
        waiting.reject(error);
      }
    }
    const posts = prepared.map((item) => item.prepared);
    let contributions: readonly Contribution[];
    try {
      contributions = await this.transact(posts);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        for (const item of prepared) item.waiting.reject(error);
      } else if (prepared.length === 1) {
        prepared[0]?.waiting.reject(error);
      } else {
        await this.commitSingly(prepared.map((item) => item.waiting)); // one of them is at fault; the others must not suffer
      }
      return;
    }
    // From here on they are stored: whatever fails now must not have them stored again.
    this.announce(posts, contributions);
    for (const item of prepared) item.waiting.resolve(postsOf(item.prepared));
  }

  private async commitSingly(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) await this.commit([waiting]);
  }

  private async transact(prepared: readonly Prepared[]): Promise<readonly Contribution[]> {
    const contributions = await this.events.contributions(eventOf(prepared));
    const startedAt = performance.now();
    const statements = this.statements(prepared, contributions);
    if (statements) await this.unitOfWork.runStatements(statements);
    else await this.unitOfWork.runDetached((manager) => this.store(manager, prepared, contributions));
    const seconds = (performance.now() - startedAt) / 1000;
    this.afterwards(() => this.metrics.postsCommitted(rowsOf(prepared).length, seconds));
    return contributions;
  }

  /** All that is to be written, where it is known beforehand and the database takes it in one trip. */
  private statements(
    prepared: readonly Prepared[],
    contributions: readonly Contribution[],
  ): Statement[] | undefined {
    if (!this.unitOfWork.takesStatements || this.events.hasInTransactionListeners(PostsCreated))
      return undefined;
    if (contributions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_BATCH_BYTES) return undefined;
    return this.rows.statements(rowsOf(prepared), companionsOf(prepared), contributions);
  }

  private async store(
    manager: EntityManager,
    prepared: readonly Prepared[],
    contributions: readonly Contribution[],
  ): Promise<void> {
    await this.rows.insert(manager, rowsOf(prepared), companionsOf(prepared), contributions);
    if (this.events.hasInTransactionListeners(PostsCreated))
      await this.events.inTransaction(eventOf(prepared), manager);
  }

  private announce(prepared: readonly Prepared[], contributions: readonly Contribution[]): void {
    for (const { created } of prepared)
      this.afterwards(() => created[0] && this.metrics.postsCreated(created[0].origin, created.length));
    for (const { afterCommit } of contributions) if (afterCommit) this.afterwards(afterCommit);
    this.events.announce(eventOf(prepared));
  }

  /** A step after the commit, which cannot undo it. */
  private afterwards(step: () => void): void {
    try {
      step();
    } catch (error) {
      const reason = stackOf(error);
      this.logger.error('A step after the commit of posts failed.', reason);
    }
  }

  private prepare(request: WriteRequest): Prepared {
    const { origin, setOnline = false } = request;
    const rows = request.drafts.map((draft) => ({
      post: this.toRow(draft),
      mentions: draft.mentions,
      marksViewed: origin === 'user',
    }));
    return {
      rows,
      created: rows.map(({ post, mentions }) => ({ post, origin, setOnline, mentions })),
      companions: request.companions?.(rows.map(({ post }) => post.id)) ?? [],
    };
  }

  private toRow(draft: PostDraft): Post {
    const createAt = draft.createAt ?? this.clock.now();
    return {
      id: draft.origin?.id ?? newId(),
      seq: draft.createAt === undefined ? nextSequence(createAt) : sequenceAt(createAt),
      createAt,
      updateAt: draft.origin ? this.clock.now() : createAt, // whoever asks for changes since then must get it
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

function eventOf(prepared: readonly Prepared[]): PostsCreated {
  return new PostsCreated(prepared.flatMap((item) => item.created));
}

function rowsOf(prepared: readonly Prepared[]): PendingRow[] {
  return prepared.flatMap((item) => item.rows);
}

function companionsOf(prepared: readonly Prepared[]): Companion[] {
  return prepared.flatMap((item) => item.companions);
}

function postsOf(prepared: Prepared): Post[] {
  return prepared.rows.map(({ post }) => post);
}

function sizeOf(request: WriteRequest): number {
  return request.sizeBytes ?? DEFAULT_SIZE_BYTES;
}
