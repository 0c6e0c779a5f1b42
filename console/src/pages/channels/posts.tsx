import type { ReactNode } from 'react';
import type { Post } from './channel-queries';
import { PostView } from './post-view';
import { useAuthors } from './use-authors';

interface PostsProps {
  /** In display order. */
  readonly posts: readonly Post[];
  readonly onOpen?: (postId: string) => void;
  /** The team of the channels, if the posts are from several channels. */
  readonly teamId?: string;
  /** Text for an empty list. */
  readonly none?: string;
}

/** Messages with their authors. */
export function Posts({ posts, onOpen, teamId, none = 'No messages yet.' }: PostsProps): ReactNode {
  const authorOf = useAuthors(posts);
  if (posts.length === 0) return <p className="empty">{none}</p>;
  return (
    <ol className="posts" aria-label="Messages">
      {posts.map((post) => (
        <li key={post.id} className="post">
          <PostView post={post} author={authorOf(post)} onOpen={onOpen} teamId={teamId} />
        </li>
      ))}
    </ol>
  );
}
