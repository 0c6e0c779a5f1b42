import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import type { User } from '../../messaging/users/user.entity.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import type { JsonObject } from '../../platform/common/json.js';
import { ForeignPost, SyncedPosts } from './synced-posts.service.js';
import { SyncedAccounts } from './synced-accounts.service.js';
import { MessageRefused, type Topic, Topics } from '../../remote-cluster/messages/topics.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { MissedPosts } from './missed-posts.service.js';
import { ShareIndex } from '../share-index.js';
import { SharedChannelsService } from '../shared-channels.service.js';
import { parseSync, type SyncMessage } from './sync-message.js';
import { channelIdOf, SYNC_TOPIC } from './sync-payload.js';

/**
 * `sharedchannel_sync`: users and posts of a shared channel in their current state on the peer. A peer may
 * send only its own users and posts, and only for channels shared with it.
 */
@Injectable()
export class SyncTopic implements Topic<SyncMessage>, OnModuleInit {
  readonly name = SYNC_TOPIC;
  private readonly logger = new Logger(SyncTopic.name);

  constructor(
    private readonly topics: Topics,
    private readonly index: ShareIndex,
    private readonly clusters: RemoteClusterRecords,
    private readonly shared: SharedChannelsService,
    private readonly channels: ChannelRecords,
    private readonly accounts: SyncedAccounts,
    private readonly posts: SyncedPosts,
    private readonly missed: MissedPosts,
  ) {}

  onModuleInit(): void {
    this.topics.register(this);
  }

  parse(payload: unknown): SyncMessage {
    return parseSync(payload);
  }

  async receive(peer: RemoteCluster, { channelId, users, posts }: SyncMessage): Promise<JsonObject> {
    const { remoteId, siteUrl, name } = peer;
    await this.requireShared(peer, channelId);
    const channel = await this.channels.get(channelId);
    const source = {
      ...{ remoteId, siteUrl, name },
      hasReplaced: (earlierId: string) => this.clusters.hasReplaced(peer, earlierId),
    };
    const known = new Map<string, User>();
    const userErrors: string[] = [];
    for (const { account } of users) {
      await this.requireShared(peer, channelId);
      const user = await this.accounts.save(source, account);
      if (user) known.set(account.id, user);
      else userErrors.push(account.id);
    }
    const refused = new Map<string, string>();
    for (const post of posts) {
      await this.requireShared(peer, channelId);
      try {
        // The author may have come with an earlier message.
        const user = known.get(post.userId) ?? (await this.accounts.find(source, post.userId));
        if (!user || (user.isDeactivatedHere && post.deleteAt === 0)) throw new ForeignPost();
        await this.posts.save(source, channel, { ...post, userId: user.id });
      } catch (error) {
        refused.set(post.id, refusalOf(error));
      }
    }
    const [first] = refused;
    if (first)
      this.logger.warn(
        `${refused.size} posts over the connection ${remoteId} were refused, ${first[0]} because: ${first[1]}`,
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
    await this.missed.resend(peer, channelId);
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
    this.missed.note(peer, channelIdOf(sent));
    return Promise.resolve();
  }

  isWanted(peer: RemoteCluster, sent: JsonObject): Promise<boolean> {
    return this.index.isShared(channelIdOf(sent), peer.remoteId);
  }

  groupOf(sent: JsonObject): string {
    return channelIdOf(sent);
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
  if (error instanceof ForeignPost) return 'it is not theirs to write.';
  if (error instanceof AppError && error.status < 500) return error.message;
  throw error;
}

function latest(items: readonly { readonly updateAt: number }[]): number {
  return items.reduce((max, { updateAt }) => Math.max(max, updateAt), 0);
}
