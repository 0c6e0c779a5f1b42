import {
  botEvent,
  connectionEvent,
  deletionEvent,
  type EventPayload,
  memberEvent,
  messageEvent,
  type Moment,
  webhookEvent,
} from './event-payloads.js';
import type { HookEvent, TRIGGERED } from './hook-events.js';

/** What a sample event is about. */
export interface SampleFacts {
  readonly moment: Moment;
  readonly channel: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly username: string };
  readonly post: { readonly id: string; readonly rootId: string; readonly message: string };
  readonly botId: string;
  readonly hook: { readonly id: string; readonly displayName: string };
  readonly connection: { readonly id: string; readonly name: string };
}

/** A payload as it would be sent, for test calls and the documentation. */
export function sampleEvent(event: Exclude<HookEvent, typeof TRIGGERED>, facts: SampleFacts): EventPayload {
  const { moment, channel, user, post } = facts;
  switch (event) {
    case 'message.created':
      return messageEvent(event, moment, channel, user, post);
    case 'message.edited':
      return messageEvent(event, moment, channel, user, post);
    case 'message.deleted':
      return deletionEvent(moment, channel, user, post, { deletedBy: user.id, replyCount: 0 });
    case 'member.joined':
      return memberEvent(event, moment, channel, user, user.id);
    case 'member.left':
      return memberEvent(event, moment, channel, user, user.id);
    case 'bot.mentioned':
      return botEvent(event, moment, channel, user, post, facts.botId);
    case 'bot.direct_message':
      return botEvent(event, moment, channel, user, post, facts.botId);
    case 'webhook.failing':
      return webhookEvent(event, moment, facts.hook, 'https://ci.example.com');
    case 'webhook.recovered':
      return webhookEvent(event, moment, facts.hook, 'https://ci.example.com');
    case 'connection.offline':
      return connectionEvent(event, moment, facts.connection);
    case 'connection.online':
      return connectionEvent(event, moment, facts.connection);
  }
}
