import type { SizedPost } from '../post-portions.repository.js';
import { type BlockSearch, candidatesIn, foldedBytes } from './block-content.js';
import { type ChannelSearch, NEWEST, type PostSearchRepository } from './post-search.repository.js';
import type { BlockState, SearchBlocksRepository } from './search-blocks.repository.js';
import type { SearchIndex } from './search-index.service.js';

/** Common words are found in the newest blocks. */
const FIRST_BLOCKS = 4;
const BLOCKS_AT_A_TIME = 16;
const CANDIDATES_AT_A_TIME = 100;

/** How much a search may still read. */
interface Effort {
  posts: number;
  bytes: number;
}

/** Limits per channel and per statement. */
interface WalkLimits {
  readonly depth: number;
  readonly postsAtATime: number;
  readonly bytesAtATime: number;
}

/** The dependencies of a walk. */
interface WalkMeans {
  readonly search: PostSearchRepository;
  readonly blocks: SearchBlocksRepository;
  readonly index: SearchIndex;
  readonly limits: WalkLimits;
  /** Runs a statement when its turn comes. */
  readonly inTurn: <T>(statement: () => Promise<T>) => Promise<T>;
}

/**
 * Searches a channel from the newest post on: in blocks, and in the posts themselves where there is no valid
 * block. Stops at the limits. Matches in blocks are only candidates; the posts decide.
 */
export class ChannelWalk {
  private readonly found: SizedPost[] = [];
  private readonly blockSearch: BlockSearch;
  private readonly words: number;
  private below: number;
  private depth: number;

  constructor(
    private readonly search: ChannelSearch,
    private readonly effort: Effort,
    private readonly means: WalkMeans,
  ) {
    const { words, excluded, anyWord, authorIds } = search;
    this.blockSearch = { words: words.map(foldedBytes), anyWord, authorIds };
    this.words = Math.max(1, words.length + excluded.length);
    this.below = search.to;
    this.depth = Math.min(means.limits.depth, effort.posts);
  }

  /** Returns the posts found, newest first. */
  async run(): Promise<readonly SizedPost[]> {
    const { search, blockSearch, means } = this;
    const most = Math.ceil(BLOCKS_AT_A_TIME / this.words);
    let to = this.below;
    for (let count = FIRST_BLOCKS, isMore = true; isMore && !this.isOver; count *= 4) {
      const limit = Math.min(count, most);
      const range = { from: search.from, to };
      const page = await means.inTurn(() => means.blocks.list(search.channelId, blockSearch, range, limit));
      for (const block of page) await this.pass(block);
      to = page.at(-1)?.from ?? 0;
      isMore = page.length === limit;
    }
    await this.searchPosts(0);
    return this.found;
  }

  private get isOver(): boolean {
    const { found, search, below, depth, effort } = this;
    return found.length >= search.limit || below <= search.from || depth <= 0 || effort.bytes <= 0;
  }

  private async pass(block: BlockState): Promise<void> {
    if (block.to > this.below) return; // repacked in the meantime
    if (!block.isCurrent) return this.ask(block.from);
    if (block.newestSeq < block.to) this.below = Math.min(this.below, block.to);
    await this.searchPosts(block.to);
    if (this.isOver) return;
    const isSearched = !block.mayMatch || (await this.searchBlock(block));
    if (!isSearched) return;
    this.spend(block);
    this.below = block.from;
  }

  /** Returns false if the block has changed. */
  private async searchBlock(block: BlockState): Promise<boolean> {
    const { search, blockSearch, means } = this;
    const content = await means.inTurn(() => means.blocks.content(search.channelId, block));
    if (!content) return false;
    const limits = { posts: this.depth, bytes: this.effort.bytes / this.words };
    const seqs = candidatesIn(content, blockSearch, limits).filter((seq) => seq >= search.from);
    const count = Math.ceil(CANDIDATES_AT_A_TIME / this.words);
    for (let at = 0; at < seqs.length && this.found.length < search.limit; at += count) {
      const some = seqs.slice(at, at + count);
      this.found.push(...(await means.inTurn(() => means.search.findAmong(this.searchForRest, some))));
    }
    return true;
  }

  /** Searches the posts starting at a `seq`, window by window. */
  private async searchPosts(from: number): Promise<void> {
    const { search, limits, inTurn } = this.means;
    const { below: start, depth: depthBefore, words } = this;
    const lowest = Math.max(from, this.search.from);
    const maxSize = Math.ceil(limits.postsAtATime / words);
    for (let size = maxSize; !this.isOver && this.below > lowest;) {
      const range = { from: lowest, to: this.below };
      const count = Math.min(size, this.depth);
      const window = await inTurn(() => search.windowBelow(this.search.channelId, range, count));
      if (!window) break;
      const excess = (window.bytes * words) / limits.bytesAtATime;
      if (excess > 1 && window.posts > 1) {
        size = Math.max(1, Math.floor(window.posts / excess));
        continue;
      }
      this.found.push(...(await inTurn(() => search.find(this.searchForRest, window))));
      this.spend(window);
      this.below = window.posts < count ? lowest : window.from;
      size = Math.min(maxSize, size * 2);
    }
    const posts = depthBefore - this.depth;
    if (posts >= (start === NEWEST ? this.means.index.limits.posts : 1)) this.ask(from);
  }

  private get searchForRest(): ChannelSearch {
    return { ...this.search, limit: this.search.limit - this.found.length };
  }

  private spend({ posts, bytes }: { readonly posts: number; readonly bytes: number }): void {
    this.effort.bytes -= bytes * this.words;
    this.effort.posts -= posts;
    this.depth -= posts;
  }

  /** Asks the index to pack the posts that had no valid block. */
  private ask(seq: number): void {
    this.means.index.request(this.search.channelId, seq);
  }
}

/** Maximum share of time for background work while the server is busy (normal and urgent) or idle. */
const BUSY_SHARE = 0.02;
const BUSY_SHARE_IF_URGENT = 0.2;
const IDLE_SHARE = 0.4;
/** Event loop utilization above which the server is busy, including this work. */
const BUSY = 0.7;

/** Pauses background work so that it takes only a small share of the time. */
export class Pacing {
  /** Whether someone is waiting for the result. */
  isUrgent = false;
  private sample = performance.eventLoopUtilization();
  private wake: (() => void) | undefined;
  private hasStopped = false;

  /** Waits in proportion to the time worked since `startedAt` (`performance.now()`), at most `maxMs`. */
  async pause(startedAt: number, maxMs: number): Promise<void> {
    if (this.hasStopped) return;
    const share = this.share();
    const pauseMs = ((performance.now() - startedAt) * (1 - share)) / share;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, Math.min(pauseMs, maxMs)).unref();
    });
  }

  /** Ends the current pause and prevents further ones. */
  stop(): void {
    this.hasStopped = true;
    this.wake?.();
  }

  private share(): number {
    if (!this.loopIsBusy()) return IDLE_SHARE;
    return this.isUrgent ? BUSY_SHARE_IF_URGENT : BUSY_SHARE;
  }

  /** Whether the event loop has been busy since the last check. */
  private loopIsBusy(): boolean {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, this.sample);
    this.sample = current;
    return utilization > BUSY;
  }
}
