import type { JsonObject } from '../../../platform/common/json.js';
import type { CreatedPost } from '../../posts/posts.events.js';

/** What processes tell each other of a post: nothing that is in its row. */
export type PostNews = { readonly id: string; readonly channelId: string } & (
  | ({ readonly kind: 'created' } & Pick<CreatedPost, 'origin' | 'setOnline' | 'mentions'>)
  | { readonly kind: 'edited' }
  | { readonly kind: 'deleted'; readonly deletedBy: string }
);

export const POST_NEWS = 'posts';

/** What a message of another process tells. */
export function newsOf({ news }: JsonObject): readonly PostNews[] {
  return Array.isArray(news) ? (news as PostNews[]) : [];
}
