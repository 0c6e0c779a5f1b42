import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';

export type Post = Schemas['PostDto'];
export type PostList = Schemas['PostListDto'];

/** Messages that arrived while the list was not shown were not read. */
export const ALWAYS_STALE = 0;
/** The API returns at most this many results and has no second page. */
export const MAX_FOUND = 200;

/** A post with its replies. */
export const thread = (postId: string) =>
  queryOptions({
    queryKey: ['posts', 'thread', postId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/posts/{post_id}/thread', { params: { path: { post_id: postId } } })),
    staleTime: ALWAYS_STALE,
  });

/** The newest posts that match the search terms. */
export const foundPosts = (teamId: string, terms: string) =>
  queryOptions({
    queryKey: ['posts', 'search', teamId, terms],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/teams/{team_id}/posts/search', {
          params: { path: { team_id: teamId } },
          body: { terms, is_or_search: false, per_page: MAX_FOUND },
        }),
      ),
    enabled: teamId !== '',
  });

/** Names of users, fetched in one request. */
const names = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['authors', ids],
    queryFn: async () => {
      const users = await answerOf(api.POST('/api/v4/users/ids', { body: [...ids] }));
      return new Map(users.map(({ id, username }) => [id, username]));
    },
    enabled: ids.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData, // keep known names while a new author's name loads
  });

/** Names of users by their ids; empty until loaded. */
export function useNames(userIds: readonly string[]): (userId: string) => string {
  const { data } = useQuery(names([...new Set(userIds)].sort()));
  return (id) => data?.get(id) ?? '';
}

/** Oldest first. */
export const inOrder = ({ order, posts }: Pick<PostList, 'order' | 'posts'>): Post[] =>
  order.flatMap((id) => (posts as Record<string, Post>)[id] ?? []).toReversed();

/** Whether the list contains messages of a channel. */
export const isOf = (list: PostList, { channel_id: id }: { readonly channel_id: string }): boolean =>
  inOrder(list).some(({ channel_id: listed }) => listed === id);
