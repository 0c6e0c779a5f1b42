import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { type CreatedPost, PostDeleted, PostEdited } from '../../messaging/posts/posts.events.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostCompanions } from '../../messaging/posts/writer/write-request.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { type AddressedMessage, PeerMessages } from '../../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { ShareIndex } from '../share-index.js';
import { SYNC_TOPIC, syncPayloadOf } from './sync-payload.js';

/**
 * Sends posts of shared channels to peers by storing a message per connection in the post's transaction. A
 * post is never sent back to the server it came from.
 */
@Injectable()
export class SyncListener implements OnModuleInit {
  constructor(
    private readonly companions: PostCompanions,
    private readonly index: ShareIndex,
    private readonly clusters: RemoteClusterRecords,
    private readonly messages: PeerMessages,
    private readonly users: UserRecords,
  ) {}

  onModuleInit(): void {
    this.companions.register((created) => this.companionsOf(created));
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
      if (!peer || !author || (await this.isFrom(peer, post))) continue;
      const payload = syncPayloadOf(post, author);
      messages.push({ peer, message: { topic: SYNC_TOPIC, payload, subjectId: post.id } });
    }
    return messages;
  }

  private async isFrom(peer: RemoteCluster, { remoteId }: Post): Promise<boolean> {
    return (
      remoteId === peer.remoteId || (remoteId !== '' && (await this.clusters.isSameServer(peer, remoteId)))
    );
  }
}
