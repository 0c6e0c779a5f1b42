import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import {
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelsLeft,
} from '../../messaging/channels/channels.events.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { PostDeleted, PostEdited } from '../../messaging/posts/posts.events.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { Clock } from '../../platform/common/clock.js';
import { newId } from '../../platform/common/ids.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { TriggeredDeliveries } from '../delivery/triggered-deliveries.js';
import { authorOf } from '../matching/trigger-matcher.js';
import type { Firing } from '../matching/team-triggers.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import { OutgoingHookFailing, OutgoingHookRecovered } from '../outgoing-hooks.events.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import {
  connectionEvent,
  deletionEvent,
  memberEvent,
  messageEvent,
  type Moment,
  webhookEvent,
} from './event-payloads.js';
import { EventRights } from './event-rights.js';
import type { Author, HookEvent } from './hook-events.js';

type Payload = Readonly<Record<string, string | number>>;

interface MemberChange {
  readonly channelId: string;
  readonly userId: string;
  readonly actorId: string;
}

/**
 * Creates the deliveries of events other than new messages, in the transaction of the change
 * (docs/contract/outgoing-webhooks.md#webhook-events).
 */
@Injectable()
export class EventDeliveries {
  /** The calls of a change with many events, which are stored in one commit. */
  readonly limits = { callsOfChange: 1_000 };

  constructor(
    private readonly triggered: TriggeredDeliveries,
    private readonly index: TriggerIndex,
    private readonly rights: EventRights,
    private readonly hooks: OutgoingHookRecords,
    private readonly repository: OutgoingHooksRepository,
    private readonly deliveries: DeliveriesService,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  @InTransaction(PostEdited)
  async onPostEdited({ post }: PostEdited): Promise<void> {
    if (post.editAt !== post.updateAt) return; // only its pin, or what is not shown
    await this.ofMessage('message.edited', post, post.editAt, post.message, (moment, place, author) =>
      messageEvent('message.edited', moment, place, author, post),
    );
  }

  @InTransaction(PostDeleted)
  async onPostDeleted({ post, deletedBy, replyIds }: PostDeleted): Promise<void> {
    const facts = { deletedBy, replyCount: replyIds.length };
    await this.ofMessage('message.deleted', post, post.updateAt, '', (moment, place, author) =>
      deletionEvent(moment, place, author, post, facts),
    );
  }

  @InTransaction(ChannelMemberAdded)
  async onMemberAdded(change: ChannelMemberAdded): Promise<void> {
    await this.ofMember('member.joined', change);
  }

  @InTransaction(ChannelMemberRemoved)
  async onMemberRemoved(change: ChannelMemberRemoved): Promise<void> {
    await this.ofMember('member.left', change);
  }

  @InTransaction(ChannelsLeft)
  async onChannelsLeft({ teamId, channelIds, userId, actorId }: ChannelsLeft): Promise<void> {
    if (!(await this.index.isHeard(teamId, 'member.left'))) return;
    let left = this.limits.callsOfChange;
    for (const channelId of channelIds)
      left -= await this.ofMember('member.left', { channelId, userId, actorId }, left);
  }

  @InTransaction(OutgoingHookFailing)
  onFailing(event: OutgoingHookFailing): Promise<void> {
    return this.ofWebhook('webhook.failing', event);
  }

  @InTransaction(OutgoingHookRecovered)
  onRecovered(event: OutgoingHookRecovered): Promise<void> {
    return this.ofWebhook('webhook.recovered', event);
  }

  /** Announces a secure connection to the hooks whose creators may manage it. Call it in the unit of work. */
  async announceConnection(
    event: 'connection.offline' | 'connection.online',
    connection: { readonly id: string; readonly name: string },
  ): Promise<void> {
    const permission = this.rights.connectionPermission;
    if (!this.settings.enableOutgoingWebhooks || permission === undefined) return;
    const moment = { eventId: newId(), at: this.clock.now() };
    let left = this.limits.callsOfChange;
    for (const [teamId, hooks] of byTeam(await this.repository.listOfEvent(event))) {
      const team = await this.teamOf(teamId);
      const payload = { ...connectionEvent(event, { ...moment, team }, connection), permission };
      left -= await this.store(newId(), '', await this.permitted(event, hooks, payload), payload, left);
    }
  }

  private async ofMessage(
    event: HookEvent,
    post: Post,
    at: number,
    text: string,
    payloadOf: (moment: Moment, place: Place, author: Account) => Payload,
  ): Promise<void> {
    if (post.remoteId !== '' || post.type.startsWith('system_')) return;
    const { channelId, userId: id } = post;
    const isErasedWithPost = event !== 'message.deleted';
    const author = { id, username: (await this.users.find(id))?.username ?? '' };
    await this.inChannel(
      { event, channelId, by: authorOf(post), at, text },
      isErasedWithPost ? post.id : '',
      (moment, place) => payloadOf(moment, place, author),
    );
  }

  private async ofMember(
    event: 'member.joined' | 'member.left',
    { channelId, userId, actorId }: MemberChange,
    maxCalls?: number,
  ): Promise<number> {
    const user = await this.users.find(userId);
    if (!user) return 0;
    const by = user.isBot || (await this.users.find(actorId))?.isBot ? 'bot' : 'person';
    return this.inChannel(
      { event, channelId, by, at: this.clock.now(), text: '' },
      '',
      (moment, place) => memberEvent(event, moment, place, user, actorId),
      maxCalls,
    );
  }

  private async inChannel(
    { event, channelId, by, at, text }: Happening,
    subjectId: string,
    payloadOf: (moment: Moment, place: Place) => Payload,
    maxCalls?: number,
  ): Promise<number> {
    if (!this.settings.enableOutgoingWebhooks) return 0;
    const channel = await this.channels.find(channelId);
    if (!channel || channel.teamId === '') return 0;
    const firings = await this.index.watching(channel, event, by);
    if (firings.length === 0) return 0;
    const moment = { eventId: newId(), at, team: await this.teamOf(channel.teamId) };
    return this.store(subjectId || moment.eventId, text, firings, payloadOf(moment, channel), maxCalls);
  }

  private async ofWebhook(
    event: 'webhook.failing' | 'webhook.recovered',
    { hookId, teamId, origin }: OutgoingHookFailing | OutgoingHookRecovered,
  ): Promise<void> {
    if (!this.settings.enableOutgoingWebhooks) return;
    const others = (await this.index.hearing(teamId, event)).filter(({ id }) => id !== hookId);
    const hook = others.length === 0 ? null : await this.hooks.find(hookId);
    if (!hook) return;
    const moment = { eventId: newId(), at: this.clock.now(), team: await this.teamOf(teamId) };
    const payload = webhookEvent(event, moment, hook, origin);
    await this.store(moment.eventId, '', await this.permitted(event, others, payload), payload);
  }

  private async permitted(
    event: HookEvent,
    hooks: readonly OutgoingHook[],
    payload: Payload,
  ): Promise<Firing[]> {
    const firings: Firing[] = [];
    for (const hook of hooks)
      if ((await this.rights.refusal(hook, payload)) === undefined) firings.push({ hook, word: '', event });
    return firings;
  }

  /** Returns the number of deliveries. */
  private async store(
    subjectId: string,
    text: string,
    firings: readonly Firing[],
    payload: Payload,
    maxCalls = Infinity,
  ): Promise<number> {
    if (firings.length === 0) return 0;
    const cause = { id: subjectId, text, isShared: false, hops: 0, maxCalls };
    const rows = this.triggered.rowsOf(cause, firings, () => payload);
    await this.deliveries.store(rows);
    return rows.length;
  }

  private async teamOf(id: string): Promise<Moment['team']> {
    return { id, name: (await this.teams.find(id))?.name ?? '' };
  }
}

type Place = Parameters<typeof messageEvent>[2];
type Account = Parameters<typeof messageEvent>[3];

interface Happening {
  readonly event: HookEvent;
  readonly channelId: string;
  readonly by: Author;
  readonly at: number;
  /** The text in the payload, for the limit of its size. */
  readonly text: string;
}

function byTeam(hooks: readonly OutgoingHook[]): Map<string, OutgoingHook[]> {
  const teams = new Map<string, OutgoingHook[]>();
  for (const hook of hooks) teams.set(hook.teamId, [...(teams.get(hook.teamId) ?? []), hook]);
  return teams;
}
