import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { PostContent } from '../../parts/post-content';
import { Time } from '../../parts/time';
import { authors, type Post } from './channel-queries';

interface PostsProps {
  /** In the order in which they are shown. */
  readonly posts: readonly Post[];
  readonly onOpen?: (postId: string) => void;
  /** What is said where there is none. */
  readonly none?: string;
}

/** Messages with their authors. */
export function Posts({ posts, onOpen, none = 'There is no message yet.' }: PostsProps): ReactNode {
  const ids = [...new Set(posts.map(({ user_id: id }) => id))].sort();
  const { data: names = new Map<string, string>() } = useQuery(authors(ids));
  if (posts.length === 0) return <p className="empty">{none}</p>;
  return (
    <ol className="posts" aria-label="Messages">
      {posts.map((post) => (
        <li key={post.id} className="post">
          <PostView post={post} author={names.get(post.user_id) ?? ''} onOpen={onOpen} />
        </li>
      ))}
    </ol>
  );
}

interface PostViewProps {
  readonly post: Post;
  readonly author: string;
  readonly onOpen: ((postId: string) => void) | undefined;
}

function PostView({ post, author, onOpen }: PostViewProps): ReactNode {
  const props = post.props as Record<string, unknown>;
  const shownAs = props['override_username'];
  const isFromHook = props['from_webhook'] === 'true';
  return (
    <article aria-label={`Message of ${author}`}>
      <header className="row">
        <b>{typeof shownAs === 'string' && shownAs !== '' ? shownAs : author}</b>
        {isFromHook && <Badge tone="quiet">webhook</Badge>}
        <small className="muted">
          <Time at={post.create_at} />
          {post.edit_at > 0 && ' (edited)'}
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
}

/** What the way to the thread of a message is called. */
function threadOf({ root_id: rootId, reply_count: count }: Post): string {
  if (rootId) return 'Thread';
  if (count === 0) return 'Reply';
  return count === 1 ? '1 reply' : `${count} replies`;
}
