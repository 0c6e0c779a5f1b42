import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { TimeSlice } from '../../platform/common/time-slice.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { CreatedPost } from '../../messaging/posts/events/posts-created.event.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostCompanions } from '../../messaging/posts/writer/post-companions.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import type { Firing } from '../matching/team-triggers.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import { freezePayload } from './payload.js';

/** The name of the delivery kind of outgoing webhooks. */
export const OUTGOING_HOOK = 'outgoing_hook';

const MAX_BATCH_BYTES = 1024 * 1024;
const ROW_BYTES = 1024;

/**
 * Creates the deliveries of a post: one row for each callback URL of each hook that fires, with the payload as of now.
 * The rows are stored in the transaction of the post. An error with one hook is logged and does not fail the post; if
 * the hooks cannot be read, the post fails, because deliveries would be lost.
 */
@Injectable()
export class TriggeredDeliveries implements OnModuleInit {
  private readonly logger = new Logger(TriggeredDeliveries.name);

  constructor(
    private readonly companions: PostCompanions,
    private readonly index: TriggerIndex,
    private readonly deliveries: DeliveriesService,
    private readonly channels: ChannelRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  onModuleInit(): void {
    this.companions.register((created) => this.of(created));
  }

  private async of(created: readonly CreatedPost[]): Promise<RowsToInsert[]> {
    if (!this.settings.enableOutgoingWebhooks) return [];
    const rows: Delivery[] = [];
    const slice = new TimeSlice();
    for (const { post } of created.filter(mayTrigger)) {
      if (slice.isOver) await slice.giveWay();
      const channel = await this.channels.find(post.channelId);
      if (channel && channel.teamId !== '') rows.push(...(await this.deliveriesOf(post, channel)));
    }
    return batchesOf(rows).map((batch) => this.deliveries.companionOf(batch));
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
      const disabledReason =
        hook.disabledAt > 0 ? 'hook_disabled' : hook.disabledUrls.includes(url) ? 'url_disabled' : '';
      return this.deliveries.build({
        kind: OUTGOING_HOOK,
        ownerId: hook.id,
        subjectId: post.id,
        url,
        body,
        contentType: hook.contentType,
        ...(disabledReason === '' ? {} : { cancelled: disabledReason }),
      });
    });
  }
}

/**
 * Only posts of people and bots fire hooks, not those of hooks or of the server itself
 * (docs/contract/outgoing-webhooks.md#triggers).
 */
function mayTrigger({ origin, post }: CreatedPost): boolean {
  return origin === 'user' && !post.type.startsWith('system_');
}

/** Keeps statements within the size that a database accepts. */
function batchesOf(rows: readonly Delivery[]): Delivery[][] {
  const batches: Delivery[][] = [];
  let left = 0;
  for (const row of rows) {
    const sizeBytes = ROW_BYTES + 3 * String(row.body['text']).length;
    if (sizeBytes > left || batches.length === 0) {
      batches.push([]);
      left = MAX_BATCH_BYTES;
    }
    batches.at(-1)?.push(row);
    left -= sizeBytes;
  }
  return batches;
}
