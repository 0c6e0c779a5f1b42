import type { WebhookMessage } from '../../messaging/posts/webhook/webhook-message.js';

/**
 * A decoded payload of an incoming hook, whatever its media type
 * (docs/contract/incoming-webhooks.md#payload).
 */
export interface IncomingPayload extends WebhookMessage {
  readonly channel: string;
}
