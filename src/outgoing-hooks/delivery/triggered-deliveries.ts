import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import type { JsonObject } from '../../platform/common/json.js';
import { loopTurn } from '../../platform/common/loop-turn.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { MESSAGE_LIMIT } from '../../delivery/dispatch/final-reasons.js';
import type { DeliveriesOfSubject } from '../../delivery/dispatch/delivery-rows.js';
import type { CreatedPost } from '../../messaging/posts/posts.events.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostCompanions } from '../../messaging/posts/writer/post-companions.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { mayTrigger } from '../matching/may-trigger.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import { countHooks, limitCalls, type TriggeredCall } from './message-limit.js';
import { freezePayload } from './payload.js';

/** The name of the delivery kind of outgoing webhooks. */
export const OUTGOING_HOOK = 'outgoing_hook';

const NONE: DeliveriesOfSubject = { shared: {}, deliveries: [] };

/**
 * Creates the deliveries of a post: one row for each callback URL of each hook that fires, with the payload as of now,
 * up to the limits of a message. The rows are stored in the transaction of the post. An error with one hook is logged and
 * does not fail the post; if the hooks cannot be read, the post fails, because deliveries would be lost.
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
    const subjects: DeliveriesOfSubject[] = [];
    for (const { post } of created.filter(mayTrigger)) {
      if (loopTurn.isLong) await loopTurn.next();
      const channel = await this.channels.find(post.channelId);
      if (channel && channel.teamId !== '') subjects.push(await this.deliveriesOf(post, channel));
    }
    return this.deliveries.companionsOf(subjects);
  }

  private async deliveriesOf(post: Post, channel: Channel): Promise<DeliveriesOfSubject> {
    const firings = await this.index.firing(channel, post.message);
    if (firings.length === 0) return NONE;
    const [team, user] = await Promise.all([this.teams.find(channel.teamId), this.users.find(post.userId)]);
    const shared = freezePayload({
      teamId: channel.teamId,
      teamName: team?.name ?? '',
      channelId: post.channelId,
      channelName: channel.name,
      createAt: post.createAt,
      userId: post.userId,
      userName: user?.username ?? '',
      postId: post.id,
      text: post.message,
      triggerWord: '',
      fileIds: [],
    });
    const { calls, leftOut } = limitCalls(firings, post.message, this.settings);
    const deliveries = calls.flatMap((call) =>
      this.build(post, call, { ...shared, trigger_word: call.word }, disabledReason(call)),
    );
    return { shared, deliveries: [...deliveries, ...this.cut(post, leftOut)] };
  }

  /** One row for all calls that are left out, in the log of the first webhook that they concern. */
  private cut(post: Post, leftOut: readonly TriggeredCall[]): Delivery[] {
    const [first] = leftOut;
    if (!first) return [];
    const counts = { left_out_calls: leftOut.length, left_out_hooks: countHooks(leftOut) };
    this.logger.warn(
      `The post ${post.id} triggers too many calls: ${leftOut.length} of ${counts.left_out_hooks} outgoing webhooks are left out, from ${first.hook.id} on.`,
    );
    return this.build(post, first, counts, MESSAGE_LIMIT);
  }

  private build(
    post: Post,
    { hook, url }: TriggeredCall,
    body: JsonObject,
    cancelled: string | undefined,
  ): Delivery[] {
    try {
      return [
        this.deliveries.build({
          kind: OUTGOING_HOOK,
          ownerId: hook.id,
          subjectId: post.id,
          url,
          body,
          contentType: hook.contentType,
          ...(cancelled === undefined ? {} : { cancelled }),
        }),
      ];
    } catch (error) {
      this.logger.error(
        `The outgoing webhook ${hook.id} cannot fire on the post ${post.id}.`,
        stackOf(error),
      );
      return [];
    }
  }
}

function disabledReason({ hook, url }: TriggeredCall): string | undefined {
  if (hook.disabledAt > 0) return 'hook_disabled';
  return hook.disabledUrls.includes(url) ? 'url_disabled' : undefined;
}
