import { Injectable, Logger } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { type CreatedPost, PostDeleted, PostEdited, PostsCreated } from '../../posts/posts.events.js';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Bus } from '../../../platform/scaling/bus.js';
import type { Post } from '../../posts/post.entity.js';
import { PostsService } from '../../posts/posts.service.js';
import { PostEventsListener } from '../listeners/post-events.listener.js';
import { LiveEventsService } from '../live-events.service.js';
import { LiveLimits } from '../live-limits.js';
import { ChangeLog } from '../../../platform/database/changes/change-log.js';
import { On } from '../../../platform/events/listeners.js';
import type { Broadcast, LiveData } from '../live-event.js';

/** The message that processes exchange about a post; omits everything stored in its row. */
type PostNews = { readonly id: string; readonly channelId: string } & (
  | ({ readonly kind: 'created' } & Pick<CreatedPost, 'origin' | 'setOnline' | 'mentions'>)
  | { readonly kind: 'edited' }
  | { readonly kind: 'deleted'; readonly deletedBy: string }
);

const POST_NEWS = 'posts';

function newsOf({ news }: JsonObject): readonly PostNews[] {
  return Array.isArray(news) ? (news as PostNews[]) : [];
}

const MAX_AT_ONCE = 500;
const RETRY_MS = 250;

/**
 * Tells other processes about posts stored here, and this process's clients about posts stored by others. Reads
 * those by id, in the order of the news, and only for channels that a connected client is a member of. If
 * messages or changes from other processes were lost, all clients must reconnect and refetch.
 */
@Injectable()
export class PostsOfOthers {
  private readonly logger = new Logger(PostsOfOthers.name);
  private queue: PostNews[] = [];
  private isWorking = false;
  private pending: PostNews[] = [];

  constructor(
    private readonly bus: Bus,
    changes: ChangeLog,
    private readonly live: LiveEventsService,
    private readonly listener: PostEventsListener,
    private readonly posts: PostsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: LiveLimits,
  ) {
    bus.subscribe(POST_NEWS, (message) => this.take(newsOf(message)));
    bus.onGap(() => live.reconnectAll('Events of other processes may be missing.'));
    changes.onLost((loss) => {
      if (loss === 'commit') live.reconnectAll('Events of a commit may be missing.');
      // Their sessions may have ended, so they must not receive any more events.
      else live.disconnectAll('Changes of other processes are missing.');
    });
  }

  @On(PostsCreated)
  onPostsCreated({ created }: PostsCreated): void {
    for (const { post, origin, setOnline, mentions } of created)
      this.announce({ kind: 'created', id: post.id, channelId: post.channelId, origin, setOnline, mentions });
  }

  @On(PostEdited)
  onPostEdited({ post: { id, channelId } }: PostEdited): void {
    this.announce({ kind: 'edited', id, channelId });
  }

  @On(PostDeleted)
  onPostDeleted({ post: { id, channelId }, deletedBy }: PostDeleted): void {
    this.announce({ kind: 'deleted', id, channelId, deletedBy });
  }

  /** Batches all news from one event loop tick into one message. */
  private announce(one: PostNews): void {
    if (!this.bus.hasOthers) return;
    this.pending.push(one);
    if (this.pending.length > 1) return;
    setImmediate(() => {
      const news = this.pending;
      this.pending = [];
      this.bus.publish(POST_NEWS, { news });
    });
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
      this.logger.error('Posts of other processes cannot be sent.', stackOf(error));
      this.giveUp('Posts of other processes could not be sent.');
    }
  }

  private giveUp(reason: string): void {
    this.queue = [];
    this.live.reconnectAll(reason);
  }

  /** Catches up on membership changes first, so that members who joined before a post receive it. */
  private async tell(news: readonly PostNews[]): Promise<void> {
    await this.unitOfWork.changes.caughtUp();
    const channelIds = await this.live.channelsWithListeners(new Set(news.map(({ channelId }) => channelId)));
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
      this.announceCreated(created);
      created = [];
      if (one.kind === 'deleted')
        this.listener.onPostDeleted(new PostDeleted(before(post), one.deletedBy, []));
      else if (post.deleteAt === 0) this.listener.onPostEdited(new PostEdited(post));
    }
    this.announceCreated(created);
  }

  /** Posts may come from several processes; sorts them by channel sequence. */
  private announceCreated(created: CreatedPost[]): void {
    if (created.length === 0) return;
    created.sort((a, b) => a.post.seq - b.post.seq);
    this.listener.onPostsCreated(new PostsCreated(created));
  }
}

function before(post: Post): Post {
  const { deleteBy: _, ...props } = post.props;
  return { ...post, deleteAt: 0, props };
}

const TOPIC = 'live';
const RELAYED = ['typing', 'multiple_channels_viewed'] as const;

/** Sends events in all processes on the same database; the others need no lookup to deliver them. */
@Injectable()
export class LiveRelay {
  constructor(
    private readonly live: LiveEventsService,
    private readonly bus: Bus,
  ) {
    bus.subscribe(TOPIC, ({ event, broadcast, data }) => {
      const name = RELAYED.find((one) => one === event);
      if (name && isJsonObject(broadcast) && isJsonObject(data)) live.send(name, broadcast, data);
    });
  }

  /** Call it after the change is committed. Never throws. */
  send(event: (typeof RELAYED)[number], broadcast: Broadcast, data: LiveData): void {
    this.live.send(event, broadcast, data);
    this.bus.publish(TOPIC, { event, broadcast, data });
  }
}
