import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import { Contributes, type Contribution } from '../../platform/common/events/event-bus.js';
import { Settings } from '../../platform/config/settings.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { type CreatedPost, PostsCreated } from '../../messaging/posts/events/posts-created.event.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import type { Firing } from '../matching/team-triggers.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import { freezePayload } from './payload.js';

/** The kind of a delivery to the callback URL of an outgoing webhook. */
export const OUTGOING_HOOK = 'outgoing_hook';

const MAX_CONTRIBUTION_BYTES = 1024 * 1024;
const ROW_BYTES = 1024;

/**
 * From a post to its deliveries: which hooks fire, and one row for each callback URL with the payload as it is now.
 * The rows are stored in the transaction of the post. Trouble with one hook is logged and never stops a post; not
 * knowing which hooks there are does, because a delivery would be lost.
 */
@Injectable()
export class DeliveryListener {
  private readonly logger = new Logger(DeliveryListener.name);

  constructor(
    private readonly index: TriggerIndex,
    private readonly deliveries: DeliveriesService,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly settings: Settings,
  ) {}

  @Contributes(PostsCreated)
  async onPostsCreated({ created }: PostsCreated): Promise<Contribution[]> {
    if (!this.settings.enableOutgoingWebhooks) return [];
    const rows: Delivery[] = [];
    for (const { post } of created.filter(mayTrigger)) {
      const channel = await this.channels.find(post.channelId);
      if (channel && channel.teamId !== '' && !this.index.isSilent(channel, post.message))
        rows.push(...(await this.deliveriesOf(post, channel)));
    }
    return inPortions(rows).map((portion) => ({
      entity: Delivery,
      ...portion,
      afterCommit: () => this.deliveries.dispatch(portion.rows),
    }));
  }

  private async deliveriesOf(post: Post, channel: Channel): Promise<Delivery[]> {
    const firings = await this.index.firing(channel, post.message);
    if (firings.length === 0) return [];
    const [team, user] = await Promise.all([this.teams.find(channel.teamId), this.users.find(post.userId)]);
    const place = {
      teamId: channel.teamId,
      teamName: team?.name ?? '',
      channelName: channel.name,
      userName: user?.username ?? '',
    };
    return firings.flatMap((firing) => {
      try {
        return this.freeze(post, firing, place);
      } catch (error) {
        this.logger.error(
          `The outgoing webhook ${firing.hook.id} cannot fire on the post ${post.id}.`,
          stackOf(error),
        );
        return [];
      }
    });
  }

  private freeze(
    post: Post,
    { hook, word }: Firing,
    place: { teamId: string; teamName: string; channelName: string; userName: string },
  ): Delivery[] {
    const body = freezePayload({
      ...place,
      channelId: post.channelId,
      createAt: post.createAt,
      userId: post.userId,
      postId: post.id,
      text: post.message,
      triggerWord: word,
      fileIds: [],
    });
    return [...new Set(hook.callbackUrls)].map((url) => {
      const isOff =
        hook.disabledAt > 0 ? 'hook_disabled' : hook.disabledUrls.includes(url) ? 'url_disabled' : '';
      return this.deliveries.build({
        kind: OUTGOING_HOOK,
        ownerId: hook.id,
        subjectId: post.id,
        url,
        body,
        contentType: hook.contentType,
        ...(isOff === '' ? {} : { cancelled: isOff }),
      });
    });
  }
}

/**
 * Posts of people and bots only: nothing that a hook or the server itself wrote
 * (docs/contract/outgoing-webhooks.md#triggers).
 */
function mayTrigger({ origin, post }: CreatedPost): boolean {
  return origin === 'user' && !post.type.startsWith('system_');
}

/** No statement may grow beyond what a database takes at once. */
function inPortions(rows: readonly Delivery[]): { rows: Delivery[]; sizeBytes: number }[] {
  const portions: { rows: Delivery[]; sizeBytes: number }[] = [];
  for (const row of rows) {
    const sizeBytes = ROW_BYTES + 3 * String(row.body['text']).length;
    const last = portions.at(-1);
    if (last && last.sizeBytes + sizeBytes <= MAX_CONTRIBUTION_BYTES) {
      last.rows.push(row);
      last.sizeBytes += sizeBytes;
    } else {
      portions.push({ rows: [row], sizeBytes });
    }
  }
  return portions;
}
