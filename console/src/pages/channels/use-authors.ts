import { useQuery } from '@tanstack/react-query';
import { authors, type Post } from './channel-queries';

/** Author names of posts; empty until loaded. */
export function useAuthors(posts: readonly Post[]): (post: Post) => string {
  const ids = [...new Set(posts.map(({ user_id: id }) => id))].sort();
  const { data: names } = useQuery(authors(ids));
  return ({ user_id: id }) => names?.get(id) ?? '';
}
