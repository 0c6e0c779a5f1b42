import { type Peer, RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { acceptedProps } from '../../messaging/posts/content/props.js';
import { PostChangesService } from '../../messaging/posts/post-changes.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import type { JsonObject } from '../../platform/common/json.js';
import { aliasOf, channelIdOf, parseSync, SYNC_TOPIC, type SyncMessage } from './sync-message.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import type { User } from '../../messaging/users/user.entity.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { SyncedAccounts } from './synced-accounts.service.js';
import { MessageRefused, type Topic, Topics } from '../../remote-cluster/messages/topics.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { PostSender } from './post-sender.js';
import { ShareIndex } from '../share-index.js';
import { SharedChannelsService } from '../shared-channels.service.js';

export type RemotePost = Pick<
  Post,
  'id' | 'userId' | 'rootId' | 'message' | 'type' | 'props' | 'createAt' | 'editAt' | 'deleteAt'
>;

/** The post belongs to this server, another connection or another channel. */
class ForeignPost extends Error {
  override readonly name = 'ForeignPost';
}

/** Stores posts from other servers. A post that arrives twice is stored once. */
@Injectable()
export class SyncedPosts {
  constructor(
    private readonly posts: PostsService,
    private readonly changes: PostChangesService,
    private readonly clusters: RemoteClusterRecords,
  ) {}

  /**
   * Creates, updates or deletes the post to match the peer. Also works in channels archived here, because the
   * peer does not know that. Throws ForeignPost and ValidationFailed.
   */
  async save(peer: Peer, channel: Channel, remote: RemotePost): Promise<void> {
    const [id, rootId] = await Promise.all([
      this.localIdOf(peer, channel, remote.id),
      this.localIdOf(peer, channel, remote.rootId),
    ]);
    const known = await this.posts.find(id);
    if (known) return this.change(peer, channel, known, remote);
    if (remote.deleteAt > 0) return; // it never existed here
    await this.posts.createRemote(channel, { ...remote, id, rootId, remoteId: peer.remoteId }, peer.name);
  }

  /** The post's own id, unless another peer uses it in another channel: peers must not block each other. */
  private async localIdOf(peer: Peer, channel: Channel, id: string): Promise<string> {
    const holder = id === '' ? null : await this.posts.find(id);
    if (!holder || holder.remoteId === '' || holder.channelId === channel.id) return id;
    return (await this.clusters.owns(peer, holder.remoteId)) ? id : aliasOf(peer, id);
  }

  private async change(peer: Peer, channel: Channel, known: Post, remote: RemotePost): Promise<void> {
    if (!(await this.clusters.owns(peer, known.remoteId)) || known.channelId !== channel.id)
      throw new ForeignPost();
    if (known.deleteAt > 0) return;
    if (remote.deleteAt > 0) return this.changes.deleteAsRemote(known);
    if (remote.userId !== known.userId) throw new ForeignPost(); // only the sent author was authorized
    if (remote.editAt < known.editAt) return; // an older state, or a duplicate
    const props = acceptedProps(remote.props);
    if (known.message === remote.message && isSame(known.props, props)) return;
    await this.changes.editAsRemote(known, remote.message, props, remote.editAt);
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

/**
 * `sharedchannel_sync`: users and posts of a shared channel in their current state on the peer. A peer may
 * send only its own users and posts, and only for channels shared with it.
 */
@Injectable()
export class SyncTopic implements Topic<SyncMessage>, OnModuleInit {
  readonly name = SYNC_TOPIC;
  readonly parse = parseSync;
  readonly groupOf = channelIdOf;
  private readonly logger = new Logger(SyncTopic.name);

  constructor(
    private readonly topics: Topics,
    private readonly index: ShareIndex,
    private readonly shared: SharedChannelsService,
    private readonly channels: ChannelsService,
    private readonly accounts: SyncedAccounts,
    private readonly posts: SyncedPosts,
    private readonly sender: PostSender,
  ) {}

  onModuleInit(): void {
    this.topics.register(this);
  }

  async receive(peer: RemoteCluster, { channelId, users, posts }: SyncMessage): Promise<JsonObject> {
    await this.requireShared(peer, channelId);
    const channel = await this.channels.get(channelId);
    const known = new Map<string, User>();
    const userErrors: string[] = [];
    for (const { account } of users) {
      await this.requireShared(peer, channelId);
      const user = await this.accounts.save(peer, account);
      if (user) known.set(account.id, user);
      else userErrors.push(account.id);
    }
    const refused = new Map<string, string>();
    for (const post of posts) {
      await this.requireShared(peer, channelId);
      try {
        // The author may have come with an earlier message.
        const user = known.get(post.userId) ?? (await this.accounts.find(peer, post.userId));
        if (!user || (user.isDeactivatedHere && post.deleteAt === 0)) throw new ForeignPost();
        await this.posts.save(peer, channel, { ...post, userId: user.id });
      } catch (error) {
        refused.set(post.id, refusalOf(error));
      }
    }
    const [first] = refused;
    if (first)
      this.logger.warn(
        `${refused.size} posts over the connection ${peer.remoteId} were refused, ${first[0]} because: ${first[1]}`,
      );
    return {
      users_last_update_at: latest(users),
      user_errors: userErrors,
      users_syncd: [...known.keys()],
      posts_last_update_at: latest(posts),
      post_errors: [...refused.keys()],
    };
  }

  async acknowledged(peer: RemoteCluster, sent: JsonObject, answer: unknown): Promise<void> {
    const { channelId, posts } = parseSync(sent);
    const listed = (answer as { post_errors?: unknown } | null)?.post_errors;
    const errors: unknown[] = Array.isArray(listed) ? listed : [];
    if (errors.length > 0)
      this.logger.warn(`The peer of the connection ${peer.remoteId} refused ${errors.length} posts.`);
    await this.sender.resend(peer, channelId);
    const last = posts.filter(({ id }) => !errors.includes(id)).at(-1);
    if (!last) return;
    await this.shared.updateShare(peer.remoteId, channelId, (share) => ({
      lastPostUpdateAt: Math.max(share.lastPostUpdateAt, last.updateAt),
      lastPostId: last.id,
      lastPostCreateAt: Math.max(share.lastPostCreateAt, last.createAt),
      lastPostCreateId: last.createAt >= share.lastPostCreateAt ? last.id : share.lastPostCreateId,
    }));
  }

  refused(peer: RemoteCluster, sent: JsonObject): Promise<void> {
    this.sender.noteRefused(peer, channelIdOf(sent));
    return Promise.resolve();
  }

  isWanted(peer: RemoteCluster, sent: JsonObject): Promise<boolean> {
    return this.index.isShared(channelIdOf(sent), peer.remoteId);
  }

  /** Throws MessageRefused. If a share ends while a message is processed, the rest of it is not stored. */
  private async requireShared(peer: RemoteCluster, channelId: string): Promise<void> {
    if (await this.index.isShared(channelId, peer.remoteId)) return;
    await this.shared.requireNotWithdrawn(peer, channelId);
    throw new MessageRefused('The channel is not shared with this server.');
  }
}

/** Why a post is skipped while the others are stored. Rethrows temporary and unexpected errors. */
function refusalOf(error: unknown): string {
  if (error instanceof ForeignPost) return 'the account must not write it.';
  if (error instanceof AppError && error.status < 500) return error.message;
  throw error;
}

function latest(items: readonly { readonly updateAt: number }[]): number {
  return items.reduce((max, { updateAt }) => Math.max(max, updateAt), 0);
}
