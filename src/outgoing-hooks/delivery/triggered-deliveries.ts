import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import type { Firing } from '../matching/team-triggers.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { endpointLane, flowOf, orderedLanesOf } from '../../delivery/dispatch/delivery-kind.js';
import type { DeliveriesOfSubject, Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { MESSAGE_LIMIT } from '../../delivery/dispatch/delivery.errors.js';
import { type CreatedPost, PostDeleted } from '../../messaging/posts/posts.events.js';
import { InTransaction } from '../../platform/events/listeners.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostCompanions } from '../../messaging/posts/writer/write-request.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { mayTrigger } from '../matching/trigger-matcher.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import type { Payload } from './payload.js';

type MessageLimit = Pick<OutgoingHooksSettings, 'outgoingPerMessage' | 'outgoingBytesPerMessage'>;

export interface TriggeredCall extends Firing {
  readonly url: string;
}

interface LimitedCalls {
  readonly calls: readonly TriggeredCall[];
  readonly leftOut: readonly TriggeredCall[];
}

/** The approximate size of a delivery without its URL and payload. */
const ROW_BYTES = 1024;
const MAX_BYTES_PER_CHARACTER = 3;

/** The calls of all webhooks that fire on a message, oldest webhooks first, up to the limit. */
export function limitCalls(
  firings: readonly Firing[],
  message: string,
  { outgoingPerMessage, outgoingBytesPerMessage }: MessageLimit,
): LimitedCalls {
  const all = firings.flatMap(callsOf);
  let bytes = MAX_BYTES_PER_CHARACTER * message.length;
  const cut = all.findIndex((call, index) => {
    bytes += sizeOf(call);
    return index >= outgoingPerMessage || (index > 0 && bytes > outgoingBytesPerMessage);
  });
  return cut < 0 ? { calls: all, leftOut: [] } : { calls: all.slice(0, cut), leftOut: all.slice(cut) };
}

function callsOf({ hook, word }: Firing): TriggeredCall[] {
  return [...new Set(hook.callbackUrls)].map((url) => ({ hook, word, url }));
}

/** The URL counts twice because its origin is stored as the lane. */
function sizeOf({ url, word }: TriggeredCall): number {
  return ROW_BYTES + MAX_BYTES_PER_CHARACTER * (2 * url.length + word.length);
}

export const OUTGOING_HOOK = 'outgoing_hook';

const NONE: DeliveriesOfSubject = { shared: {}, deliveries: [] };

/**
 * Creates the deliveries of a post in its transaction. An error in one hook is only logged; if the hooks cannot be
 * read, the post fails, because deliveries would be lost.
 */
@Injectable()
export class TriggeredDeliveries implements OnModuleInit {
  private readonly logger = new Logger(TriggeredDeliveries.name);

  constructor(
    private readonly companions: PostCompanions,
    private readonly index: TriggerIndex,
    private readonly deliveries: DeliveriesService,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  onModuleInit(): void {
    this.companions.register((created) => this.of(created));
  }

  /** Stops sending a message in the transaction that deletes it (docs/contract/outgoing-webhooks.md#deleted-messages). */
  @InTransaction(PostDeleted)
  async onPostDeleted({ post, replyIds }: PostDeleted): Promise<void> {
    await this.deliveries.forget(OUTGOING_HOOK, [post.id, ...replyIds]);
  }

  private async of(created: readonly CreatedPost[]): Promise<RowsToInsert[]> {
    if (!this.settings.enableOutgoingWebhooks) return [];
    const subjects: DeliveriesOfSubject[] = [];
    for (const { post } of created.filter(mayTrigger)) {
      const channel = await this.channels.find(post.channelId);
      if (channel && channel.teamId !== '') subjects.push(await this.deliveriesOf(post, channel));
    }
    return this.deliveries.companionsOf(subjects);
  }

  private async deliveriesOf(post: Post, channel: Channel): Promise<DeliveriesOfSubject> {
    const firings = await this.index.firing(channel, post.message);
    if (firings.length === 0) return NONE;
    const [team, user] = await Promise.all([this.teams.find(channel.teamId), this.users.find(post.userId)]);
    const shared: Payload = {
      team_id: channel.teamId,
      team_domain: team?.name ?? '',
      channel_id: post.channelId,
      channel_name: channel.name,
      timestamp: post.createAt,
      user_id: post.userId,
      user_name: user?.username ?? '',
      post_id: post.id,
      text: post.message,
      trigger_word: '',
      file_ids: '',
    };
    const { calls, leftOut } = limitCalls(firings, post.message, this.settings);
    const deliveries = calls.flatMap((call) =>
      this.build(post, call, { ...shared, trigger_word: call.word }, disabledReason(call)),
    );
    return { shared, deliveries: [...deliveries, ...this.cut(post, leftOut)] };
  }

  /** One row for all calls left out, in the log of the first webhook affected. */
  private cut(post: Post, leftOut: readonly TriggeredCall[]): Delivery[] {
    const [first] = leftOut;
    if (!first) return [];
    const counts = {
      left_out_calls: leftOut.length,
      left_out_hooks: new Set(leftOut.map(({ hook }) => hook)).size,
    };
    this.logger.warn(
      `The post ${post.id} triggers too many calls: ${leftOut.length} of ${counts.left_out_hooks} outgoing webhooks are skipped, from ${first.hook.id} on.`,
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
          ...(hook.ordering === 'channel' && { lane: channelLane(hook.id, url, post.channelId) }),
          ...(cancelled === undefined ? {} : { cancelled }),
        }),
      ];
    } catch (error) {
      this.logger.error(
        `The outgoing webhook ${hook.id} cannot fire for the post ${post.id}.`,
        stackOf(error),
      );
      return [];
    }
  }
}

/** The lane of the messages of a channel to one URL of a hook. */
function channelLane(hookId: string, url: string, channelId: string): string {
  return `${orderedLanesOf(endpointLane(url))}${hookId}:${flowOf(hookId, url)}:${channelId}`;
}

function disabledReason({ hook, url }: TriggeredCall): string | undefined {
  if (hook.disabledAt > 0) return 'hook_disabled';
  return hook.disabledUrls.includes(url) ? 'url_disabled' : undefined;
}
