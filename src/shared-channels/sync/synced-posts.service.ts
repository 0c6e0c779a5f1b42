import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { acceptedProps } from '../../messaging/posts/content/props.js';
import { PostChangesService } from '../../messaging/posts/post-changes.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { RemotePostsService } from '../../messaging/posts/remote-posts.service.js';
import type { JsonObject } from '../../platform/common/json.js';
import { aliasOf } from './sync-payload.js';

/** A post from another server in its current state there. */
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

/** The connection over which a post comes, and whether it replaces a deleted one to the same server. */
export interface PostSource {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly name: string;
  readonly hasReplaced: (remoteId: string) => Promise<boolean>;
}

/** The post belongs to this server, another connection or another channel. */
export class ForeignPost extends Error {
  override readonly name = 'ForeignPost';
}

/** Stores posts from other servers. A post that arrives twice is stored once. */
@Injectable()
export class SyncedPosts {
  constructor(
    private readonly posts: PostsService,
    private readonly changes: PostChangesService,
    private readonly remotePosts: RemotePostsService,
  ) {}

  /**
   * Creates, updates or deletes the post to match the peer. Also works in channels archived here, because the
   * peer does not know that. Throws ForeignPost and ValidationFailed.
   */
  async save(source: PostSource, channel: Channel, remote: RemotePost): Promise<void> {
    const [id, rootId] = await Promise.all([
      this.localIdOf(source, channel, remote.id),
      this.localIdOf(source, channel, remote.rootId),
    ]);
    const known = await this.posts.find(id);
    if (known) return this.change(source, channel, known, remote);
    if (remote.deleteAt > 0) return; // it never existed here
    await this.remotePosts.create(channel, { ...remote, id, rootId, remoteId: source.remoteId }, source.name);
  }

  /** The post's own id, unless another peer uses it in another channel: peers must not block each other. */
  private async localIdOf(source: PostSource, channel: Channel, id: string): Promise<string> {
    const holder = id === '' ? null : await this.posts.find(id);
    if (!holder || holder.remoteId === '' || holder.channelId === channel.id) return id;
    return (await this.isTheirs(holder, source)) ? id : aliasOf(source, id);
  }

  private async change(source: PostSource, channel: Channel, known: Post, remote: RemotePost): Promise<void> {
    if (!(await this.isTheirs(known, source)) || known.channelId !== channel.id) throw new ForeignPost();
    if (known.deleteAt > 0) return;
    if (remote.deleteAt > 0) return this.changes.deleteAsRemote(known);
    if (remote.userId !== known.userId) throw new ForeignPost(); // only the sent author was authorized
    if (remote.editAt < known.editAt) return; // an older state, or a duplicate
    const props = acceptedProps(remote.props);
    if (known.message === remote.message && isSame(known.props, props)) return;
    await this.changes.editAsRemote(known, remote.message, props, remote.editAt);
  }

  private async isTheirs({ remoteId }: Post, source: PostSource): Promise<boolean> {
    return remoteId === source.remoteId || (remoteId !== '' && (await source.hasReplaced(remoteId)));
  }
}

/** Whether stored props equal the props sent, ignoring what this server adds. */
function isSame(stored: JsonObject, sent: JsonObject): boolean {
  const essence = (props: JsonObject): string => {
    const { mentionHighlightDisabled: _, ...essential } = acceptedProps(props);
    return JSON.stringify(essential);
  };
  return essence(stored) === essence(sent);
}
