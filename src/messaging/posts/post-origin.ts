import type { Post } from './post.entity.js';
import type { CreatedPost } from './posts.events.js';

/** Derives a stored post's origin. Users cannot set the props used here. */
export function originOf({
  remoteId,
  type,
  props,
}: Pick<Post, 'remoteId' | 'type' | 'props'>): CreatedPost['origin'] {
  if (remoteId !== '') return 'remote';
  if (type.startsWith('system_')) return 'system';
  return props['from_webhook'] === 'true' ? 'hook' : 'user';
}
