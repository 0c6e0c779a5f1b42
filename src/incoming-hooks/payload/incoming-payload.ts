import type { WebhookMessage } from '../../messaging/posts/webhook/webhook-message.js';

/** What a sender asked an incoming hook to post, whatever form it came in (spec/webhooks.md 11.2). */
export interface IncomingPayload extends WebhookMessage {
  readonly channel: string;
}
