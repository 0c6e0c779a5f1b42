import type { CreatedPost } from '../../messaging/posts/posts.events.js';

/**
 * Only posts of people and bots fire hooks, not those of hooks or of the server itself
 * (docs/contract/outgoing-webhooks.md#triggers).
 */
export function mayTrigger({ origin, post }: Pick<CreatedPost, 'origin' | 'post'>): boolean {
  return origin === 'user' && !post.type.startsWith('system_');
}
