import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { PeerMessages } from '../../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { channelOf, SYNC_TOPIC, syncOf } from './sync-message.js';

/** A post that is refused again so often stays refused. */
const MAX_ROUNDS = 5;

/**
 * Posts that a peer has refused, as it says FAIL also while something is wrong there: once it takes a message of the
 * channel again, they are told as they are by then.
 */
@Injectable()
export class MissedPosts {
  /** Channels of peers of which nothing is missed, as far as this process knows. */
  private readonly complete = new Set<string>();

  constructor(
    private readonly messages: PeerMessages,
    private readonly posts: PostsService,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The peer has refused a message of the channel. Joins the open unit of work. */
  note(peer: RemoteCluster, channelId: string): void {
    this.unitOfWork.afterCommit(() => this.complete.delete(keyOf(peer, channelId)));
  }

  /** The peer takes messages of the channel: what it has missed follows. Joins the open unit of work. */
  async resend(peer: RemoteCluster, channelId: string): Promise<void> {
    const key = keyOf(peer, channelId);
    if (this.complete.has(key)) return;
    const missed = await this.messages.takeRefused(peer, SYNC_TOPIC, (sent) => channelOf(sent) === channelId);
    const rounds = new Map<string, number>();
    for (const { subjectId, payload } of missed)
      rounds.set(subjectId, Math.max(rounds.get(subjectId) ?? 0, roundOf(payload) + 1));
    for (const [postId, round] of rounds) {
      const post = round > MAX_ROUNDS ? null : await this.posts.find(postId);
      const author = post && (await this.users.find(post.userId));
      if (!post || !author) continue;
      const payload = { ...syncOf(post, author), resent: round };
      const message = { topic: SYNC_TOPIC, payload, subjectId: postId };
      await this.messages.send([this.messages.build(peer, message)]);
    }
    this.unitOfWork.afterCommit(() => this.complete.add(key));
  }
}

function keyOf({ id }: RemoteCluster, channelId: string): string {
  return `${id} ${channelId}`;
}

function roundOf({ resent }: JsonObject): number {
  return typeof resent === 'number' ? resent : 0;
}
