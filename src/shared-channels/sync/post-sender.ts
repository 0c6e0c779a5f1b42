import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { type CreatedPost, PostDeleted, PostEdited } from '../../messaging/posts/posts.events.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostCompanions } from '../../messaging/posts/writer/write-request.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { type AddressedMessage, PeerMessages } from '../../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { ShareIndex } from '../share-index.js';
import type { SharedChannelRemote } from '../shared-channel.entity.js';
import { SharedChannelsRepository } from '../shared-channels.repository.js';
import { channelIdOf, SYNC_TOPIC, syncPayloadOf } from './sync-message.js';
import type { JsonObject } from '../../platform/common/json.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PostsService } from '../../messaging/posts/posts.service.js';

const MAX_ROUNDS = 5;
/** Posts resent per batch. The next batch follows the next answer, so that other writers get a turn. */
const MAX_AT_ONCE = 100;
/** Posts of a channel that are sent for the server that this one replaces. */
const MAX_CAUGHT_UP = 10_000;

/**
 * Sends posts of shared channels to peers by storing a message per connection in the post's transaction. A
 * post is never sent back to the server it came from.
 */
@Injectable()
export class PostSender implements OnApplicationBootstrap, OnModuleInit {
  /** Channels of peers without missed posts. Not used if other processes send too; then each call queries. */
  private readonly complete = new Set<string>();

  constructor(
    private readonly companions: PostCompanions,
    private readonly index: ShareIndex,
    private readonly shares: SharedChannelsRepository,
    private readonly clusters: RemoteClusterRecords,
    private readonly messages: PeerMessages,
    private readonly users: UsersService,
    private readonly posts: PostsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.companions.register((created) => this.companionsOf(created));
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const share of await this.shares.listBehind()) await this.unitOfWork.run(() => this.catchUp(share));
  }

  /** Sends what the server that this one replaces had not sent to a peer. */
  private async catchUp(share: SharedChannelRemote): Promise<void> {
    if (!(await this.shares.takeBehind(share.id))) return; // another process sends
    const after = Math.max(share.lastPostUpdateAt, share.lastPostCreateAt);
    for (const id of await this.posts.listChangedIds(share.channelId, after, MAX_CAUGHT_UP)) {
      const post = await this.posts.find(id);
      const messages = post ? await this.messagesOf(post) : [];
      for (const { peer, message } of messages)
        if (peer.remoteId === share.remoteId) await this.messages.send(peer, message);
    }
  }

  private async companionsOf(created: readonly CreatedPost[]): Promise<RowsToInsert[]> {
    const companions: RowsToInsert[] = [];
    for (const { post } of created) {
      if (this.index.isUnshared(post.channelId)) continue;
      const messages = await this.messagesOf(post, true);
      if (messages.length > 0) companions.push(this.messages.companionOf(messages));
    }
    return companions;
  }

  @InTransaction(PostEdited)
  async onPostEdited({ post }: PostEdited): Promise<void> {
    await this.send(post);
  }

  @InTransaction(PostDeleted)
  async onPostDeleted({ post, replyIds }: PostDeleted): Promise<void> {
    if (this.index.isUnshared(post.channelId)) return;
    await this.messages.withdraw([post.id, ...replyIds]); // deleting a post unknown to the peer is harmless
    const deleted = post.deleteAt > 0 ? post : { ...post, deleteAt: post.updateAt };
    await this.send(deleted);
  }

  /** Records, after the open unit of work commits, that the peer has refused a message of the channel. */
  noteRefused(peer: RemoteCluster, channelId: string): void {
    this.unitOfWork.afterCommit(() => this.complete.delete(keyOf(peer, channelId)));
  }

  /**
   * Resends the posts of the channel that a peer has refused, oldest first, because peers answer FAIL for temporary
   * errors too. Call it once the peer has accepted another message. Joins the open unit of work.
   */
  async resend(peer: RemoteCluster, channelId: string): Promise<void> {
    const key = keyOf(peer, channelId);
    if (!this.unitOfWork.changes.isShared && this.complete.has(key)) return;
    const missed = await this.messages.takeRefused(
      peer,
      SYNC_TOPIC,
      (sent) => channelIdOf(sent) === channelId,
      MAX_AT_ONCE,
    );
    const rounds = new Map<string, number>();
    for (const { subjectId, payload } of missed)
      rounds.set(subjectId, Math.max(rounds.get(subjectId) ?? 0, roundOf(payload) + 1));
    for (const [postId, round] of rounds) {
      const post = round > MAX_ROUNDS ? null : await this.posts.find(postId);
      const author = post && (await this.users.find(post.userId));
      if (!post || !author) continue;
      const payload = { ...syncPayloadOf(post, author), resent: round };
      await this.messages.send(peer, { topic: SYNC_TOPIC, payload, subjectId: postId });
    }
    if (missed.length < MAX_AT_ONCE) this.unitOfWork.afterCommit(() => this.complete.add(key));
  }

  private async send(post: Post): Promise<void> {
    for (const { peer, message } of await this.messagesOf(post)) await this.messages.send(peer, message);
  }

  private async messagesOf(post: Post, isNew = false): Promise<AddressedMessage[]> {
    if (post.type.startsWith('system_')) return [];
    const shares = await this.index.sharesOf(post.channelId);
    const messages: AddressedMessage[] = [];
    for (const { remoteId, createAt } of shares) {
      // For older posts, the peer gets only deletions.
      if (post.createAt < createAt && post.deleteAt === 0 && !isNew) continue;
      const peer = await this.clusters.findLive(remoteId);
      const author = peer && (await this.users.find(post.userId));
      if (!peer || !author || (await this.clusters.isSameServer(peer, post.remoteId))) continue;
      const payload = syncPayloadOf(post, author);
      messages.push({ peer, message: { topic: SYNC_TOPIC, payload, subjectId: post.id } });
    }
    return messages;
  }
}

function keyOf({ id }: RemoteCluster, channelId: string): string {
  return `${id} ${channelId}`;
}

function roundOf({ resent }: JsonObject): number {
  return typeof resent === 'number' ? resent : 0;
}
