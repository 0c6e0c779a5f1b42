import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Bus } from '../../../platform/scaling/bus.js';
import type { Post } from '../../posts/post.entity.js';
import { type CreatedPost, PostDeleted, PostEdited, PostsCreated } from '../../posts/posts.events.js';
import { PostsService } from '../../posts/posts.service.js';
import { PostEventsListener } from '../listeners/post-events.listener.js';
import { LiveEventsService } from '../live-events.service.js';
import { LiveLimits } from '../live-limits.js';
import { newsOf, POST_NEWS, type PostNews } from './post-news.js';

const MAX_AT_ONCE = 500;
const RETRY_MS = 250;

/**
 * Tells the clients of this process of posts that other processes have stored. Reads them by id, in the order of the news
 * and only where a client is a member of the channel.
 */
@Injectable()
export class PostsOfOthers {
  private readonly logger = new Logger(PostsOfOthers.name);
  private queue: PostNews[] = [];
  private isWorking = false;

  constructor(
    bus: Bus,
    private readonly live: LiveEventsService,
    private readonly listener: PostEventsListener,
    private readonly posts: PostsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: LiveLimits,
  ) {
    bus.subscribe(POST_NEWS, (message) => this.take(newsOf(message)));
  }

  private take(news: readonly PostNews[]): void {
    if (!this.live.hasConnections) return;
    if (this.queue.length + news.length > this.limits.maxQueuedEvents)
      return this.giveUp('Too many posts of other processes are waiting.');
    this.queue.push(...news);
    if (this.isWorking) return;
    this.isWorking = true;
    setImmediate(() => void this.work());
  }

  private async work(): Promise<void> {
    while (this.queue.length > 0) {
      const news = this.queue.splice(0, MAX_AT_ONCE);
      try {
        await this.tell(news);
      } catch (error) {
        await this.failed(news, error);
      }
    }
    this.isWorking = false;
  }

  private async failed(news: readonly PostNews[], error: unknown): Promise<void> {
    if (isDatabaseUnavailable(error)) {
      this.queue.unshift(...news);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } else {
      this.logger.error('Posts of other processes cannot be told.', stackOf(error));
      this.giveUp('Posts of other processes could not be told.');
    }
  }

  private giveUp(reason: string): void {
    this.queue = [];
    this.live.reconnectAll(reason);
  }

  /** Members who came before a post hear of it: they are known first. */
  private async tell(news: readonly PostNews[]): Promise<void> {
    await this.unitOfWork.changes.caughtUp();
    const channelIds = await this.live.channelsHeard(new Set(news.map(({ channelId }) => channelId)));
    const heard = news.filter(({ channelId }) => channelIds.has(channelId));
    const posts = await this.posts.listAny([...new Set(heard.map(({ id }) => id))]);
    const byId = new Map(posts.map((post) => [post.id, post]));
    let created: CreatedPost[] = [];
    for (const one of heard) {
      const post = byId.get(one.id);
      if (!post) continue;
      if (one.kind === 'created') {
        if (post.deleteAt === 0) created.push({ ...one, post });
        continue;
      }
      this.tellCreated(created);
      created = [];
      if (one.kind === 'deleted')
        this.listener.onPostDeleted(new PostDeleted(before(post), one.deletedBy, []));
      else if (post.deleteAt === 0) this.listener.onPostEdited(new PostEdited(post));
    }
    this.tellCreated(created);
  }

  /** Of several processes, in the order of the channel. */
  private tellCreated(created: CreatedPost[]): void {
    if (created.length === 0) return;
    created.sort((a, b) => a.post.seq - b.post.seq);
    this.listener.onPostsCreated(new PostsCreated(created));
  }
}

/** A deleted post as it was. */
function before(post: Post): Post {
  const { deleteBy: _, ...props } = post.props;
  return { ...post, deleteAt: 0, props };
}
