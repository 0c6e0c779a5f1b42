import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import type { Firing } from '../matching/team-triggers.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { DeliveriesOfSubject, Delivery } from '../../delivery/dispatch/delivery.entity.js';
import {
  endpointLane,
  flowOf,
  orderedLanesOf,
  PULL_URL,
  pullPlace,
} from '../../delivery/dispatch/delivery-kind.js';
import { MESSAGE_LIMIT } from '../../delivery/dispatch/delivery.errors.js';
import { type CreatedPost, PostDeleted } from '../../messaging/posts/posts.events.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { PostCompanions } from '../../messaging/posts/writer/write-request.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { newId } from '../../platform/common/ids.js';
import { botEvent, messageEvent } from '../events/event-payloads.js';
import { TRIGGERED } from '../events/hook-events.js';
import { JSON_TYPE } from '../outgoing-hook.rules.js';
import { authorOf, isEvent } from '../matching/trigger-matcher.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import { type OutgoingHook, urlsOf } from '../outgoing-hook.entity.js';
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
  bytesOfEach = 0,
): LimitedCalls {
  const all = firings.flatMap(callsOf);
  let bytes = MAX_BYTES_PER_CHARACTER * message.length;
  const cut = all.findIndex((call, index) => {
    bytes += sizeOf(call) + bytesOfEach;
    return index >= outgoingPerMessage || (index > 0 && bytes > outgoingBytesPerMessage);
  });
  return cut < 0 ? { calls: all, leftOut: [] } : { calls: all.slice(0, cut), leftOut: all.slice(cut) };
}

function callsOf(firing: Firing): TriggeredCall[] {
  return [...new Set(urlsOf(firing.hook))].map((url) => ({ ...firing, url }));
}

/** The URL counts twice because its origin is stored as the lane. */
function sizeOf({ url, word }: TriggeredCall): number {
  return ROW_BYTES + MAX_BYTES_PER_CHARACTER * (2 * url.length + word.length);
}

/** What the calls are about: a post, or the id of another event. */
interface Cause {
  readonly id: string;
  /** The text in the payloads. */
  readonly text: string;
  /** The payloads share the text, so it is stored once. */
  readonly isShared: boolean;
  /** How many replies of webhooks in a row have led to it. */
  readonly hops: number;
  /** At most this many calls, besides the limits of a message. */
  readonly maxCalls?: number;
}

/** A chain of replies ends after this many, so that webhooks that answer each other do not do so forever. */
const MAX_HOPS = 3;
const HOP_LIMIT = 'hop_limit';

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
    for (const one of created.filter(isEvent)) {
      const channel = await this.channels.find(one.post.channelId);
      if (channel) subjects.push(await this.deliveriesOf(one, channel));
    }
    return this.deliveries.companionsOf(subjects);
  }

  private async deliveriesOf(created: CreatedPost, channel: Channel): Promise<DeliveriesOfSubject> {
    const { post, origin, hops = 0 } = created;
    const author = origin === 'hook' ? 'program' : authorOf(post);
    const inTeam = channel.teamId === '' ? [] : await this.index.firing(channel, post.message, author);
    const firings: Firing[] = [...inTeam, ...(await this.index.firingOfBots(created, channel))];
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
    const moment = {
      eventId: newId(),
      at: post.createAt,
      team: { id: channel.teamId, name: shared.team_domain },
    };
    const place = { id: channel.id, name: channel.name };
    const account = { id: post.userId, username: shared.user_name };
    const bodyOf = ({ event, word, hook }: Firing): JsonObject => {
      if (event === 'message.created') return messageEvent(event, moment, place, account, post);
      if (event === 'bot.mentioned' || event === 'bot.direct_message')
        return botEvent(event, moment, place, account, post, hook.botUserId);
      return { ...shared, trigger_word: word };
    };
    const cause = { id: post.id, text: post.message, isShared: true, hops };
    return { shared, deliveries: this.rowsOf(cause, firings, bodyOf) };
  }

  /** The rows of all calls of a message or another event, up to the limit. */
  rowsOf(cause: Cause, firings: readonly Firing[], bodyOf: (firing: Firing) => JsonObject): Delivery[] {
    const { id, text, isShared, hops, maxCalls = Infinity } = cause;
    const bytesOfEach = isShared ? 0 : MAX_BYTES_PER_CHARACTER * text.length;
    const { outgoingPerMessage, outgoingBytesPerMessage } = this.settings;
    const limits = { outgoingPerMessage: Math.min(outgoingPerMessage, maxCalls), outgoingBytesPerMessage };
    const { calls, leftOut } = limitCalls(firings, text, limits, bytesOfEach);
    const isLoop = hops >= MAX_HOPS;
    if (isLoop)
      this.logger.warn(
        `The post ${id} is the ${hops}th reply in a row of outgoing webhooks. It triggers no more calls, such as of ${firings[0]?.hook.id}.`,
      );
    const deliveries = calls.flatMap((call) => {
      const body = hops === 0 ? bodyOf(call) : { ...bodyOf(call), hops };
      return this.build(id, call, body, disabledReason(call) ?? (isLoop ? HOP_LIMIT : undefined));
    });
    return [...deliveries, ...this.cut(id, leftOut)];
  }

  /** One row for all calls left out, in the log of the first webhook affected. */
  private cut(subjectId: string, leftOut: readonly TriggeredCall[]): Delivery[] {
    const [first] = leftOut;
    if (!first) return [];
    const counts = {
      left_out_calls: leftOut.length,
      left_out_hooks: new Set(leftOut.map(({ hook }) => hook)).size,
      ...(first.event !== TRIGGERED && { event: first.event }),
    };
    this.logger.warn(
      `The post ${subjectId} triggers too many calls: ${leftOut.length} of ${counts.left_out_hooks} outgoing webhooks are skipped, from ${first.hook.id} on.`,
    );
    return this.build(subjectId, first, counts, MESSAGE_LIMIT);
  }

  private build(
    subjectId: string,
    { hook, url, event }: TriggeredCall,
    body: JsonObject,
    cancelled: string | undefined,
  ): Delivery[] {
    try {
      return [
        this.deliveries.build({
          kind: OUTGOING_HOOK,
          ownerId: hook.id,
          subjectId,
          url,
          body,
          contentType: event === TRIGGERED ? hook.contentType : JSON_TYPE,
          ...placeOf(hook, url, channelOf(body)),
          ...(cancelled === undefined ? {} : { cancelled }),
        }),
      ];
    } catch (error) {
      this.logger.error(`The outgoing webhook ${hook.id} cannot fire for ${subjectId}.`, stackOf(error));
      return [];
    }
  }
}

/** The lane of the messages of a channel to one URL of a hook. */
function channelLane(hookId: string, url: string, channelId: string): string {
  return `${orderedLanesOf(endpointLane(url))}${hookId}:${flowOf(hookId, url)}:${channelId}`;
}

/** Where a delivery waits: with those that consumers pull, in the order of its channel, or by endpoint. */
function placeOf(hook: OutgoingHook, url: string, channelId: string): { readonly lane?: string } {
  if (url === PULL_URL) return pullPlace(hook.id, channelId);
  return hook.ordering === 'channel' ? { lane: channelLane(hook.id, url, channelId) } : {};
}

function disabledReason({ hook, url }: TriggeredCall): string | undefined {
  if (hook.disabledAt > 0) return 'hook_disabled';
  return hook.disabledUrls.includes(url) ? 'url_disabled' : undefined;
}

/** Empty for events without a channel. */
function channelOf({ channel_id: channelId }: JsonObject): string {
  return typeof channelId === 'string' ? channelId : '';
}
