import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import type { Team } from '../../messaging/teams/team.entity.js';
import type { User } from '../../messaging/users/user.entity.js';

/* The payloads of events, without `token`, which is the webhook's at the time of the call. */

type Occurrence<Name extends string> = {
  readonly event: Name;
  /** The same in all deliveries of this occurrence. */
  readonly event_id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly team_id: string;
  readonly team_domain: string;
};

type InChannel<Name extends string> = Occurrence<Name> & {
  readonly channel_id: string;
  readonly channel_name: string;
};

type OfMessage<Name extends string> = InChannel<Name> & {
  /** The author. */
  readonly user_id: string;
  readonly user_name: string;
  readonly post_id: string;
  /** Empty for the root of a thread. */
  readonly root_id: string;
};

type WithText<Name extends string> = OfMessage<Name> & {
  readonly text: string;
  readonly file_ids: string;
};

type ToBot<Name extends string> = WithText<Name> & {
  readonly bot_user_id: string;
};

type OfMember<Name extends string> = InChannel<Name> & {
  readonly user_id: string;
  readonly user_name: string;
  /** The user who has added or removed the member; the member if they did so themselves. */
  readonly actor_id: string;
};

type OfWebhook<Name extends string> = Occurrence<Name> & {
  readonly webhook_id: string;
  readonly webhook_name: string;
  /** The scheme, host and port of the callback URL. */
  readonly endpoint: string;
};

type OfConnection<Name extends string> = Occurrence<Name> & {
  readonly connection_id: string;
  readonly connection_name: string;
};

export type MessageCreated = WithText<'message.created'>;
export type MessageEdited = WithText<'message.edited'>;
/** Without the text. `reply_count`: the replies that were deleted with the root of their thread. */
export type MessageDeleted = OfMessage<'message.deleted'> & {
  readonly deleted_by: string;
  readonly reply_count: number;
};
export type MemberJoined = OfMember<'member.joined'>;
export type MemberLeft = OfMember<'member.left'>;
export type BotMentioned = ToBot<'bot.mentioned'>;
export type BotDirectMessage = ToBot<'bot.direct_message'>;
export type WebhookFailing = OfWebhook<'webhook.failing'>;
export type WebhookRecovered = OfWebhook<'webhook.recovered'>;
export type ConnectionOffline = OfConnection<'connection.offline'>;
export type ConnectionOnline = OfConnection<'connection.online'>;

/** The payload of each event except the trigger. */
export type EventPayload =
  | MessageCreated
  | MessageEdited
  | MessageDeleted
  | MemberJoined
  | MemberLeft
  | BotMentioned
  | BotDirectMessage
  | WebhookFailing
  | WebhookRecovered
  | ConnectionOffline
  | ConnectionOnline;

type KeyOf<Payload> = Payload extends unknown ? keyof Payload : never;

const KEY_ORDER: Readonly<Record<KeyOf<EventPayload> | 'token', true>> = {
  token: true,
  event: true,
  event_id: true,
  timestamp: true,
  team_id: true,
  team_domain: true,
  channel_id: true,
  channel_name: true,
  user_id: true,
  user_name: true,
  actor_id: true,
  bot_user_id: true,
  post_id: true,
  root_id: true,
  text: true,
  file_ids: true,
  deleted_by: true,
  reply_count: true,
  webhook_id: true,
  webhook_name: true,
  endpoint: true,
  connection_id: true,
  connection_name: true,
};

/** The keys of these payloads in contract order. */
export const EVENT_KEYS: readonly string[] = Object.keys(KEY_ORDER);

/** When and where an event has happened. */
export interface Moment {
  readonly eventId: string;
  readonly at: number;
  readonly team: Pick<Team, 'id' | 'name'>;
}

type Place = Pick<Channel, 'id' | 'name'>;
type Account = Pick<User, 'id' | 'username'>;
type Message = Pick<Post, 'id' | 'rootId' | 'message'>;

function occurrence<Name extends string>(event: Name, { eventId, at, team }: Moment): Occurrence<Name> {
  return { event, event_id: eventId, timestamp: at, team_id: team.id, team_domain: team.name };
}

function inChannel<Name extends string>(event: Name, moment: Moment, channel: Place): InChannel<Name> {
  return { ...occurrence(event, moment), channel_id: channel.id, channel_name: channel.name };
}

function ofMessage<Name extends string>(
  event: Name,
  moment: Moment,
  channel: Place,
  author: Account,
  { id, rootId }: Pick<Message, 'id' | 'rootId'>,
): OfMessage<Name> {
  return {
    ...inChannel(event, moment, channel),
    user_id: author.id,
    user_name: author.username,
    post_id: id,
    root_id: rootId,
  };
}

/** The payload of a new or edited message. */
export function messageEvent<Name extends string>(
  event: Name,
  moment: Moment,
  channel: Place,
  author: Account,
  post: Message,
): WithText<Name> {
  return { ...ofMessage(event, moment, channel, author, post), text: post.message, file_ids: '' };
}

/** The payload of a message to a bot. */
export function botEvent<Name extends 'bot.mentioned' | 'bot.direct_message'>(
  event: Name,
  moment: Moment,
  channel: Place,
  author: Account,
  post: Message,
  botId: string,
): ToBot<Name> {
  return { ...messageEvent(event, moment, channel, author, post), bot_user_id: botId };
}

/** The payload of a deleted message. */
export function deletionEvent(
  moment: Moment,
  channel: Place,
  author: Account,
  post: Pick<Message, 'id' | 'rootId'>,
  { deletedBy, replyCount }: { readonly deletedBy: string; readonly replyCount: number },
): MessageDeleted {
  const message = ofMessage('message.deleted', moment, channel, author, post);
  return { ...message, deleted_by: deletedBy, reply_count: replyCount };
}

/** The payload of a change of the members of a channel. */
export function memberEvent<Name extends 'member.joined' | 'member.left'>(
  event: Name,
  moment: Moment,
  channel: Place,
  member: Account,
  actorId: string,
): OfMember<Name> {
  const facts = { user_id: member.id, user_name: member.username, actor_id: actorId || member.id };
  return { ...inChannel(event, moment, channel), ...facts };
}

/** The payload of a change of the health of an outgoing webhook. */
export function webhookEvent<Name extends 'webhook.failing' | 'webhook.recovered'>(
  event: Name,
  moment: Moment,
  hook: { readonly id: string; readonly displayName: string },
  endpoint: string,
): OfWebhook<Name> {
  return { ...occurrence(event, moment), webhook_id: hook.id, webhook_name: hook.displayName, endpoint };
}

/** The payload of a change of a secure connection. */
export function connectionEvent<Name extends 'connection.offline' | 'connection.online'>(
  event: Name,
  moment: Moment,
  connection: { readonly id: string; readonly name: string },
): OfConnection<Name> {
  return {
    ...occurrence(event, moment),
    connection_id: connection.id,
    connection_name: connection.name,
  };
}
