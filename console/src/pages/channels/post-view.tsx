import { memo, type ReactNode } from 'react';
import { ChannelLink } from '../../parts/channel-link';
import { PostAuthor, PostAvatar, shownNameOf } from '../../parts/post-author';
import { PostContent } from '../../parts/post-content';
import { Time } from '../../parts/time';
import type { Post } from './channel-queries';

interface PostViewProps {
  readonly post: Post;
  readonly author: string;
  readonly onOpen?: ((postId: string) => void) | undefined;
  /** Set to show which of the team's channels the message is in. */
  readonly teamId?: string | undefined;
}

/** A message with its author and a link to its thread. */
export const PostView = memo(function PostView({ post, author, onOpen, teamId }: PostViewProps): ReactNode {
  const props = post.props as Record<string, unknown>;
  return (
    <article aria-label={`Message from ${shownNameOf(author, props) || 'somebody'}`}>
      <header className="row">
        <PostAvatar name={author} props={props} />
        <PostAuthor name={author} props={props} />
        <small className="muted">
          <Time at={post.create_at} isInText />
          {post.edit_at > 0 && ' (edited)'}
          {teamId !== undefined && (
            <>
              {' in '}
              <ChannelLink teamId={teamId} channelId={post.channel_id} />
            </>
          )}
        </small>
        {onOpen && (
          <button className="plain small" onClick={() => onOpen(post.root_id || post.id)}>
            {threadOf(post)}
          </button>
        )}
      </header>
      <PostContent message={post.message} props={props} />
    </article>
  );
});

/** Label of the link to a message's thread. */
function threadOf({ root_id: rootId, reply_count: count }: Post): string {
  if (rootId) return 'Thread';
  if (count === 0) return 'Reply';
  return count === 1 ? '1 reply' : `${count} replies`;
}
