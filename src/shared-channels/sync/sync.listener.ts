import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { PostDeleted } from '../../messaging/posts/events/post-deleted.event.js';
import { PostEdited } from '../../messaging/posts/events/post-edited.event.js';
import type { CreatedPost } from '../../messaging/posts/events/posts-created.event.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostCompanions } from '../../messaging/posts/writer/post-companions.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { PeerMessages } from '../../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { ShareIndex } from '../share-index.js';
import { SYNC_TOPIC, syncOf } from './sync-message.js';

/**
 * From a post of a shared channel to its messages: a row for each connection in the transaction of the post. A post
 * never goes back to where it came from.
 */
@Injectable()
export class SyncListener implements OnModuleInit {
  constructor(
    private readonly companions: PostCompanions,
    private readonly index: ShareIndex,
    private readonly clusters: RemoteClusterRecords,
    private readonly messages: PeerMessages,
    private readonly deliveries: DeliveriesService,
    private readonly users: UserRecords,
  ) {}

  onModuleInit(): void {
    this.companions.register((created) => this.companionsOf(created));
  }

  private async companionsOf(created: readonly CreatedPost[]): Promise<RowsToInsert[]> {
    const companions: RowsToInsert[] = [];
    for (const { post } of created) {
      if (this.index.isUnshared(post.channelId)) continue;
      const rows = await this.rowsOf(post, true);
      if (rows.length === 0) continue;
      companions.push(this.deliveries.companionOf(rows));
    }
    return companions;
  }

  @InTransaction(PostEdited)
  async onPostEdited({ post }: PostEdited): Promise<void> {
    await this.messages.send(await this.rowsOf(post));
  }

  @InTransaction(PostDeleted)
  async onPostDeleted({ post }: PostDeleted): Promise<void> {
    const deleted = post.deleteAt > 0 ? post : { ...post, deleteAt: post.updateAt };
    await this.messages.send(await this.rowsOf(deleted));
  }

  private async rowsOf(post: Post, isNew = false): Promise<Delivery[]> {
    if (post.type.startsWith('system_')) return [];
    const shares = await this.index.sharesOf(post.channelId);
    const rows: Delivery[] = [];
    for (const { remoteId, createAt } of shares) {
      // What was written before is not theirs; that it is deleted they may know.
      if (post.createAt < createAt && post.deleteAt === 0 && !isNew) continue;
      const peer = await this.clusters.findLive(remoteId);
      const author = peer && (await this.users.find(post.userId));
      if (!peer || !author || (await this.isFrom(peer, post))) continue;
      const message = { topic: SYNC_TOPIC, payload: syncOf(post, author), subjectId: post.id };
      rows.push(this.messages.build(peer, message));
    }
    return rows;
  }

  private async isFrom(peer: RemoteCluster, { remoteId }: Post): Promise<boolean> {
    return (
      remoteId === peer.remoteId || (remoteId !== '' && (await this.clusters.isSameServer(peer, remoteId)))
    );
  }
}
