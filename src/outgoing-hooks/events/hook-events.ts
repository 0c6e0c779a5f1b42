/** The events that an outgoing webhook can have in `events`, and when they happen, in the order of the documentation. */
export const WHEN = {
  'message.triggered': 'A new message has one of the trigger words.',
  'message.created': 'A new message in the channel of the webhook, whatever its text.',
  'message.edited': 'The text or the attachments of a message were changed.',
  'message.deleted': 'A message was deleted.',
  'member.joined': 'A user has joined a channel or was added to it.',
  'member.left': 'A user has left a channel or its team, or was removed.',
  'bot.mentioned': 'A new message mentions the bot by name.',
  'bot.direct_message': 'A direct message to the bot.',
  'webhook.failing': 'The first callback URL of another outgoing webhook of the team began to fail.',
  'webhook.recovered': 'All callback URLs of such a webhook work again.',
  'connection.offline': 'The peer of a secure connection went offline.',
  'connection.online': 'The peer of a secure connection came online.',
} as const;
export type HookEvent = keyof typeof WHEN;
export const HOOK_EVENTS = Object.keys(WHEN) as HookEvent[];

/** The event of a message with a trigger word. Its payload is the stock one, which names no event. */
export const TRIGGERED = 'message.triggered';

/** The events of messages to a bot. They need `bot_user_id`. */
export const BOT_EVENTS: readonly string[] = ['bot.mentioned', 'bot.direct_message'];

/** Who wrote a message: a person, a bot with its token, or a webhook. */
export type Author = 'person' | 'bot' | 'program';

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(WHEN, name);
}
