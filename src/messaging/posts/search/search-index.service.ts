import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { sequenceFrom, timeOfSequence } from '../../../platform/common/sequence.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { On } from '../../../platform/events/listeners.js';
import { PostsCreated } from '../posts.events.js';
import { ChannelsToIndexReadModel } from './channels-to-index.read-model.js';
import { Pacing } from './pacing.js';
import { type Block, SearchBlocksRepository, type SeqRange } from './search-blocks.repository.js';

const INTERVAL_MS = 5_000;
const FAILURE = 'The search index of posts cannot be brought up to date.';
const CHANNELS_AT_A_TIME = 200;

/** What of a channel is to be packed. */
interface Wanted {
  /** New posts since `since`. */
  posts: number;
  readonly since: number;
  latest: number;
  /** Posts whose blocks do not count any more. */
  readonly seqs: Set<number>;
}

/**
 * Packs posts into the blocks that searches read, in the background: what it has not packed is searched in the posts
 * themselves. After a start it looks for what was left.
 */
@Injectable()
export class SearchIndex implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly limits = {
    /** A block has at most so many posts and bytes, unless there is a large one, or posts came between. */
    posts: 256,
    bytes: 65_536,
    /** Of a channel without blocks, older posts than this many stay out of the index. */
    depth: 10_000,
    /** Younger posts may still be followed by older ones. */
    settleMs: 2_000,
    /** A channel is brought up to date after so long, or when it has posts for a block. */
    patienceMs: 600_000,
    /** Between one block and the next. */
    maxPauseMs: 500,
  };
  private readonly task = new PeriodicTask(SearchIndex.name, FAILURE, () => this.work());
  private readonly pacing = new Pacing();
  private readonly wanted = new Map<string, Wanted>();
  /** The last channel that was looked at after the start; null when all were. */
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

  /** Brings the index up to date, as far as it is due. Never throws. */
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

  /** Asks for the blocks around a `seq` to be packed again, or for all that is new if it is beyond the last one. */
  request(channelId: string, seq: number): void {
    this.of(channelId, this.clock.now()).seqs.add(seq);
  }

  /** Call it in the transaction that has changed the message of a post. */
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
    this.pacing.isUrgent = seqs.size > 0; // a search has missed it, or will
    try {
      await this.extend(channelId);
      for (const seq of seqs) if (!this.task.isStopped) await this.repair(channelId, seq);
    } finally {
      this.pacing.isUrgent = false;
    }
    if (startedAt - latest <= this.limits.settleMs) this.of(channelId, startedAt);
  }

  /** Looks for channels with posts that an earlier process did not pack; what is wanted meanwhile comes first. */
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

  /** Packs what is around a `seq` again, if no block counts there. */
  private async repair(channelId: string, seq: number): Promise<void> {
    const range = await this.blocks.rangeAround(channelId, seq);
    if (range) await this.pack(channelId, range, true);
  }

  /** `isWhole`: the last block ends with the range, however few posts it has. */
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
    const most = isWhole ? 2 : 1; // a block that is packed again has old versions of posts as well
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
