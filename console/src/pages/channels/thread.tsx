import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../parts/loaded';
import { inOrder, isOf, thread } from './channel-queries';
import { Posts } from './posts';
import { usePostNews } from './use-post-news';
import { WriteMessage } from './write-message';

/** A message with its replies and a reply form. */
export function Thread({ postId }: { readonly postId: string }): ReactNode {
  const query = thread(postId);
  const posts = useQuery(query);
  usePostNews(query.queryKey, ({ broadcast }) => !posts.data || isOf(posts.data, broadcast));
  return (
    <Loaded query={posts}>
      {(list) => {
        const all = inOrder(list);
        return (
          <>
            <Posts posts={all.toSorted((a, b) => a.create_at - b.create_at)} />
            {all[0] && <WriteMessage channelId={all[0].channel_id} rootId={all[0].root_id || all[0].id} />}
          </>
        );
      }}
    </Loaded>
  );
}
