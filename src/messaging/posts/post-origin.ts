import type { Post } from './post.entity.js';
import type { CreatedPost } from './posts.events.js';

/** Where a stored post came from, as it was told when it was made. People cannot set the props that say so. */
export function originOf({
  remoteId,
  type,
  props,
}: Pick<Post, 'remoteId' | 'type' | 'props'>): CreatedPost['origin'] {
  if (remoteId !== '') return 'remote';
  if (type.startsWith('system_')) return 'system';
  return props['from_webhook'] === 'true' ? 'hook' : 'user';
}
