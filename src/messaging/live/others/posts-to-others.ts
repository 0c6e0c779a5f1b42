import { Injectable } from '@nestjs/common';
import { On } from '../../../platform/events/listeners.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { PostDeleted, PostEdited, PostsCreated } from '../../posts/posts.events.js';
import { POST_NEWS, type PostNews } from './post-news.js';

/** Tells the other processes of posts, for their clients: in one message for what happens in one turn of the event loop. */
@Injectable()
export class PostsToOthers {
  private pending: PostNews[] = [];

  constructor(private readonly bus: Bus) {}

  @On(PostsCreated)
  onPostsCreated({ created }: PostsCreated): void {
    for (const { post, origin, setOnline, mentions } of created)
      this.tell({ kind: 'created', id: post.id, channelId: post.channelId, origin, setOnline, mentions });
  }

  @On(PostEdited)
  onPostEdited({ post: { id, channelId } }: PostEdited): void {
    this.tell({ kind: 'edited', id, channelId });
  }

  @On(PostDeleted)
  onPostDeleted({ post: { id, channelId }, deletedBy }: PostDeleted): void {
    this.tell({ kind: 'deleted', id, channelId, deletedBy });
  }

  private tell(news: PostNews): void {
    if (!this.bus.hasOthers) return;
    this.pending.push(news);
    if (this.pending.length > 1) return;
    setImmediate(() => {
      const told = this.pending;
      this.pending = [];
      this.bus.publish(POST_NEWS, { news: told });
    });
  }
}
