import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { PeerMessages } from '../../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { channelIdOf, SYNC_TOPIC, syncPayloadOf } from './sync-payload.js';

/** A post is resent at most this many times. */
const MAX_ROUNDS = 5;
/** Posts resent per batch. The next batch follows the next answer, so that other writers get a turn. */
const MAX_AT_ONCE = 100;

/**
 * Resends posts that a peer has refused, because peers answer FAIL for temporary errors too. Posts are sent
 * in their current state, once the peer has accepted another message of the channel.
 */
@Injectable()
export class MissedPosts {
  /** Channels of peers without missed posts. Not used if other processes send too; then each call queries. */
  private readonly complete = new Set<string>();

  constructor(
    private readonly messages: PeerMessages,
    private readonly posts: PostsService,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Records, after the open unit of work commits, that the peer has refused a message of the channel. */
  note(peer: RemoteCluster, channelId: string): void {
    this.unitOfWork.afterCommit(() => this.complete.delete(keyOf(peer, channelId)));
  }

  /** Resends missed posts of the channel, oldest first. Joins the open unit of work. */
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
}

function keyOf({ id }: RemoteCluster, channelId: string): string {
  return `${id} ${channelId}`;
}

function roundOf({ resent }: JsonObject): number {
  return typeof resent === 'number' ? resent : 0;
}
