import type { ReactNode } from 'react';
import { type Post, useNames } from './channel-queries';
import { rowsOf } from './post-rows';
import { PostView, RowView } from './post-view';

interface PostsProps {
  /** In display order. */
  readonly posts: readonly Post[];
  readonly onOpen?: (postId: string) => void;
  /** The team of the channels, if the posts are from several channels. */
  readonly teamId?: string;
  readonly label?: string;
}

/** Messages with their authors. */
export function Posts({ posts, onOpen, teamId, label = 'Messages' }: PostsProps): ReactNode {
  const nameOf = useNames(posts.map(({ user_id: id }) => id));
  if (posts.length === 0) return <p className="empty">No messages yet.</p>;
  return (
    <div role="list" aria-label={label}>
      {teamId === undefined
        ? rowsOf(posts).map((row) => (
            <div key={row.id} role="listitem">
              <RowView row={row} nameOf={nameOf} onOpen={onOpen} />
            </div>
          ))
        : posts.map((post) => (
            <div key={post.id} role="listitem" className="found">
              <PostView post={post} author={nameOf(post.user_id)} onOpen={onOpen} teamId={teamId} />
            </div>
          ))}
    </div>
  );
}
