import type { WebhookMessage } from '../../messaging/posts/webhook/webhook-message.js';

/**
 * What a sender asked an incoming hook to post, whatever form it came in
 * (docs/contract/incoming-webhooks.md#payload).
 */
export interface IncomingPayload extends WebhookMessage {
  readonly channel: string;
}
