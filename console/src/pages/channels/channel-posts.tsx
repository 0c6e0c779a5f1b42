import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Loaded } from '../../parts/loaded';
import { channelHistory } from './channel-history';
import { PostScroller } from './post-scroller';
import { usePostNews } from './use-post-news';
import { WriteMessage } from './write-message';

interface ChannelPostsProps {
  readonly channelId: string;
  readonly onOpen: (postId: string) => void;
}

/** The messages of a channel, with a form to write one. */
export function ChannelPosts({ channelId, onOpen }: ChannelPostsProps): ReactNode {
  const query = channelHistory(channelId);
  const history = useQuery(query);
  const [sentCount, setSentCount] = useState(0);
  const sent = useCallback(() => setSentCount((count) => count + 1), []);
  usePostNews(query.queryKey, ({ broadcast }) => broadcast.channel_id === channelId);
  return (
    <>
      <Loaded query={history}>
        {(known) =>
          known.posts.length === 0 ? (
            <p className="empty">No messages yet.</p>
          ) : (
            <PostScroller channelId={channelId} history={known} sentCount={sentCount} onOpen={onOpen} />
          )
        }
      </Loaded>
      <WriteMessage channelId={channelId} onSent={sent} />
    </>
  );
}
