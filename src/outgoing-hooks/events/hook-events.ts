/** The events that an outgoing webhook can have in `events`, in the order of the documentation. */
export const HOOK_EVENTS = [
  'message.triggered',
  'message.created',
  'message.edited',
  'message.deleted',
  'member.joined',
  'member.left',
  'bot.mentioned',
  'bot.direct_message',
  'webhook.failing',
  'webhook.recovered',
  'connection.offline',
  'connection.online',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** The event of a message with a trigger word. Its payload is the stock one, which names no event. */
export const TRIGGERED = 'message.triggered';

/** The events of messages to a bot. They need `bot_user_id`. */
export const BOT_EVENTS: readonly string[] = ['bot.mentioned', 'bot.direct_message'];

/** Who wrote a message: a person, a bot with its token, or a webhook. */
export type Author = 'person' | 'bot' | 'program';

export function isHookEvent(name: string): name is HookEvent {
  return (HOOK_EVENTS as readonly string[]).includes(name);
}
