import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { sequenceFrom, timeOfSequence } from '../../../platform/common/sequence.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { On } from '../../../platform/events/listeners.js';
import { PostsCreated } from '../posts.events.js';
import { ChannelsToIndexReadModel } from './channels-to-index.read-model.js';
import { Pacing } from './channel-walk.js';
import { type Block, SearchBlocksRepository, type SeqRange } from './search-blocks.repository.js';

const INTERVAL_MS = 5_000;
const FAILURE = 'The search index of posts cannot be brought up to date.';
const CHANNELS_AT_A_TIME = 200;

/** What to pack in a channel. */
interface Wanted {
  /** Number of new posts since `since`. */
  posts: number;
  readonly since: number;
  latest: number;
  /** Posts whose blocks are no longer valid. */
  readonly seqs: Set<number>;
}

/**
 * Packs posts into search blocks in the background. Posts that are not packed yet are searched directly.
 * After a restart it looks for posts left unpacked.
 */
@Injectable()
export class SearchIndex implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly limits = {
    /** Maximum size of a block, except for a single large post or a repacked block. */
    posts: 256,
    bytes: 65_536,
    /** If a channel has no blocks yet, only this many of its newest posts are indexed. */
    depth: 10_000,
    /** Posts newer than this may still be followed by older ones. */
    settleMs: 2_000,
    /** A channel is indexed after this time, or once it has enough posts for a block. */
    patienceMs: 600_000,
    /** Maximum pause between blocks. */
    maxPauseMs: 500,
  };
  private readonly task = new PeriodicTask(SearchIndex.name, FAILURE, () => this.work());
  private readonly pacing = new Pacing();
  private readonly wanted = new Map<string, Wanted>();
  /** The last channel checked after startup; null once all have been checked. */
  private checkedTo: string | null = '';

  constructor(
    private readonly blocks: SearchBlocksRepository,
    private readonly channels: ChannelsToIndexReadModel,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.pacing.stop();
    await this.task.stop();
  }

  /** Runs the index updates that are due. Never throws. */
  run(): Promise<void> {
    return this.task.run();
  }

  @On(PostsCreated)
  onPostsCreated({ created }: PostsCreated): void {
    const now = this.clock.now();
    for (const { post } of created) {
      const wanted = this.of(post.channelId, now);
      wanted.posts++;
      wanted.latest = now;
    }
  }

  /** Requests repacking around a `seq`, or indexing of new posts if it is beyond the last block. */
  request(channelId: string, seq: number): void {
    this.of(channelId, this.clock.now()).seqs.add(seq);
  }

  /** Call it in the transaction that changes a post's message. */
  async forget(channelId: string, seq: number): Promise<void> {
    await this.blocks.forget(channelId, seq);
    this.unitOfWork.afterCommit(() => this.request(channelId, seq));
  }

  private of(channelId: string, now: number): Wanted {
    let wanted = this.wanted.get(channelId);
    if (!wanted) {
      wanted = { posts: 0, since: now, latest: 0, seqs: new Set() };
      this.wanted.set(channelId, wanted);
    }
    return wanted;
  }

  private async work(): Promise<void> {
    await this.satisfyAll();
    while (this.checkedTo !== null && !this.task.isStopped) await this.check(this.checkedTo);
  }

  private async satisfyAll(): Promise<void> {
    for (const [channelId, wanted] of [...this.wanted]) {
      if (this.task.isStopped) return;
      if (this.isDue(wanted)) await this.satisfy(channelId, wanted);
    }
  }

  private isDue({ posts, since, seqs }: Wanted): boolean {
    return posts >= this.limits.posts || seqs.size > 0 || this.clock.now() - since >= this.limits.patienceMs;
  }

  private async satisfy(channelId: string, { latest, seqs }: Wanted): Promise<void> {
    const startedAt = this.clock.now();
    this.wanted.delete(channelId);
    this.pacing.isUrgent = seqs.size > 0; // a search has missed these blocks, or will
    try {
      await this.extend(channelId);
      for (const seq of seqs) if (!this.task.isStopped) await this.repair(channelId, seq);
    } finally {
      this.pacing.isUrgent = false;
    }
    if (startedAt - latest <= this.limits.settleMs) this.of(channelId, startedAt);
  }

  /** Indexes posts that an earlier process did not pack. Pending requests come first. */
  private async check(afterId: string): Promise<void> {
    const startedAt = performance.now();
    const page = await this.channels.page(afterId, CHANNELS_AT_A_TIME);
    await this.pacing.pause(startedAt, this.limits.maxPauseMs);
    for (const { id, lastPostAt, indexedTo } of page) {
      if (this.task.isStopped) return;
      if (lastPostAt > timeOfSequence(indexedTo)) {
        await this.extend(id);
        await this.satisfyAll();
      }
    }
    this.checkedTo = page.length < CHANNELS_AT_A_TIME ? null : (page.at(-1)?.id ?? null);
  }

  /** Packs the posts after the last full block of a channel. */
  private async extend(channelId: string): Promise<void> {
    const to = sequenceFrom(this.clock.now() - this.limits.settleMs);
    const last = await this.blocks.last(channelId);
    if (!last) {
      const from = await this.blocks.seqAtDepth(channelId, this.limits.depth);
      await this.pack(channelId, { from, to }, false);
    } else if (await this.blocks.window(channelId, { from: last.to, to }, 1)) {
      await this.pack(channelId, { from: this.isFull(last) ? last.to : last.from, to }, false);
    }
  }

  /** Repacks the posts around a `seq` if no valid block covers it. */
  private async repair(channelId: string, seq: number): Promise<void> {
    const range = await this.blocks.rangeAround(channelId, seq);
    if (range) await this.pack(channelId, range, true);
  }

  /** With `isWhole`, the last block ends with the range, even if it has few posts. */
  private async pack(channelId: string, range: SeqRange, isWhole: boolean): Promise<void> {
    for (let { from } = range; from < range.to && !this.task.isStopped;) {
      const startedAt = performance.now();
      const to = await this.endOfBlock(channelId, { ...range, from }, isWhole);
      if (to === null || !(await this.blocks.pack(channelId, { from, to }))) return;
      from = to;
      await this.pacing.pause(startedAt, this.limits.maxPauseMs);
    }
  }

  private async endOfBlock(channelId: string, range: SeqRange, isWhole: boolean): Promise<number | null> {
    const most = isWhole ? 2 : 1; // a repacked block also contains old versions of posts
    for (let posts = this.limits.posts * most; ;) {
      const window = await this.blocks.window(channelId, range, posts);
      if (!window) return isWhole ? range.to : null;
      const excess = window.bytes / (this.limits.bytes * most);
      if (excess <= 1 || window.posts === 1)
        return isWhole && window.posts < posts ? range.to : window.lastSeq + 1;
      posts = Math.max(1, Math.floor(window.posts / excess));
    }
  }

  private isFull({ posts, bytes }: Block): boolean {
    return posts >= this.limits.posts || bytes >= this.limits.bytes / 2;
  }
}
