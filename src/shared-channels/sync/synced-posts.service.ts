import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { acceptedProps } from '../../messaging/posts/content/props.js';
import { PostChangesService } from '../../messaging/posts/post-changes.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { RemotePostsService } from '../../messaging/posts/remote-posts.service.js';
import type { JsonObject } from '../../platform/common/json.js';

/** A post of another server, as it is there now. */
export interface RemotePost {
  readonly id: string;
  readonly userId: string;
  readonly rootId: string;
  readonly message: string;
  readonly type: string;
  readonly props: JsonObject;
  readonly createAt: number;
  readonly editAt: number;
  readonly deleteAt: number;
}

/** The connection a post comes over, and whether another one was an earlier one to the same server. */
export interface PostSource {
  readonly remoteId: string;
  readonly hasReplaced: (remoteId: string) => Promise<boolean>;
}

/** The post belongs to this server, to another connection or to another channel. */
export class ForeignPost extends Error {
  override readonly name = 'ForeignPost';
}

/** Posts of other servers, as they are there. The same post, told twice, is stored once. */
@Injectable()
export class SyncedPosts {
  constructor(
    private readonly posts: PostsService,
    private readonly changes: PostChangesService,
    private readonly remotePosts: RemotePostsService,
  ) {}

  /**
   * Makes the post here what it is there: new, changed or deleted; in an archived channel as well, as nobody there knows
   * of that. Throws ForeignPost and ValidationFailed.
   */
  async save(source: PostSource, channel: Channel, remote: RemotePost): Promise<void> {
    const known = await this.posts.find(remote.id);
    if (known) return this.change(source, channel, known, remote);
    if (remote.deleteAt > 0) return; // it was never seen here
    await this.remotePosts.create(channel, { ...remote, remoteId: source.remoteId });
  }

  private async change(source: PostSource, channel: Channel, known: Post, remote: RemotePost): Promise<void> {
    const { remoteId } = known;
    const isTheirs =
      remoteId === source.remoteId || (remoteId !== '' && (await source.hasReplaced(remoteId)));
    if (!isTheirs || known.channelId !== channel.id) throw new ForeignPost();
    if (known.deleteAt > 0) return;
    if (remote.deleteAt > 0) return this.changes.deleteAsRemote(known);
    if (remote.editAt < known.editAt) return; // told late, or again
    const props = acceptedProps(remote.props);
    if (known.message === remote.message && isSame(known.props, props)) return;
    await this.changes.editAsRemote(known, remote.message, props, remote.editAt);
  }
}

/** Whether stored props are those that were sent, but for what this server has added to them. */
function isSame(stored: JsonObject, sent: JsonObject): boolean {
  const essence = (props: JsonObject): string => {
    const { mentionHighlightDisabled: _, ...essential } = acceptedProps(props);
    return JSON.stringify(essential);
  };
  return essence(stored) === essence(sent);
}
