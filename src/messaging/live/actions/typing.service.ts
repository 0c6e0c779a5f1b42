import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';
import type { Actor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import { PostPermission } from '../../posts/posts.policy.js';
import type { TypingDto } from '../live.controller.js';
import { LiveLimits } from '../live-limits.js';
import { LiveRelay } from '../others/posts-of-others.js';

/** Notifies the members of a channel, at a limited rate, that a user is typing. */
@Injectable()
export class TypingService {
  private readonly published = new LRUCache<string, number>({ max: 10_000 });

  constructor(
    private readonly live: LiveRelay,
    private readonly permissions: PermissionsService,
    private readonly limits: LiveLimits,
  ) {}

  /** A call over HTTP. Throws `permissionDenied`, even if the channel is unknown. */
  async type(
    actor: Actor,
    userId: string,
    { channel_id: channelId, parent_id: parentId }: TypingDto,
  ): Promise<void> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    if (!isId(channelId)) throw new InvalidBodyParam('channel_id', 'it must be 26 letters and digits');
    await this.permissions.require(actor, PostPermission.CreatePost, { channelId });
    this.publish(userId, channelId, parentId);
  }

  /** Does not check whether the user may post there. */
  publish(userId: string, channelId: string, parentId: unknown): void {
    const key = `${userId} ${channelId}`;
    const now = performance.now();
    if (now - (this.published.get(key) ?? -Infinity) < this.limits.typingEveryMs) return;
    this.published.set(key, now);
    this.live.send(
      'typing',
      { channelId, isContent: true, omitUsers: [userId] },
      { user_id: userId, parent_id: isId(parentId) ? parentId : '' },
    );
  }
}
