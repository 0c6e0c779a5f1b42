import { queryOptions } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { ALWAYS_STALE, inOrder, type Post, type PostList } from './channel-queries';

/** A channel's posts from some point on. */
export interface ChannelHistory {
  /** Oldest first. */
  readonly posts: readonly Post[];
  readonly hasOlder: boolean;
}

const PAGE = 60;
const keyOf = (channelId: string): readonly string[] => ['posts', channelId];

/** The newest posts of a channel. A refetch asks only for changes, regardless of the number of posts. */
export const channelHistory = (channelId: string) =>
  queryOptions({
    queryKey: keyOf(channelId),
    queryFn: () => readHistory(channelId),
    staleTime: ALWAYS_STALE,
    enabled: channelId !== '',
    structuralSharing: false, // unchanged posts already keep their identity
  });

/** Loads the page of posts before the oldest known post. */
async function readOlder(channelId: string): Promise<void> {
  const known = queries.getQueryData<ChannelHistory>(keyOf(channelId));
  const before = known?.posts[0]?.id;
  if (before === undefined) return;
  const list = await read(channelId, { before, per_page: PAGE });
  queries.setQueryData<ChannelHistory>(keyOf(channelId), (now) => now && withOlder(now, list));
}

async function readHistory(channelId: string): Promise<ChannelHistory> {
  const known = queries.getQueryData<ChannelHistory>(keyOf(channelId));
  const times = (known?.posts ?? []).map(({ update_at: at }) => at);
  const changedAt = Math.max(...times.filter((at) => at <= Date.now()), 0); // posts may be dated ahead
  if (known && changedAt > 0) {
    const list = await read(channelId, { since: changedAt - 1 }); // posts may share a millisecond
    const now = withChanges(queries.getQueryData<ChannelHistory>(keyOf(channelId)) ?? known, list);
    if (list.has_next !== true && (now.posts.length > 0 || !now.hasOlder)) return now;
  }
  const list = await read(channelId, { per_page: PAGE });
  return { posts: inOrder(list), hasOlder: list.prev_post_id !== '' };
}

const read = (channelId: string, query: { before?: string; since?: number; per_page?: number }) =>
  answerOf(
    api.GET('/api/v4/channels/{channel_id}/posts', { params: { path: { channel_id: channelId }, query } }),
  );

function withOlder({ posts }: ChannelHistory, list: PostList): ChannelHistory {
  const known = new Set(posts.map(({ id }) => id));
  const older = inOrder(list).filter(({ id }) => !known.has(id));
  return { posts: [...older, ...posts], hasOlder: list.prev_post_id !== '' };
}

/** Posts older than the oldest known one are skipped; they come with their own page. */
function withChanges({ posts, hasOlder }: ChannelHistory, list: PostList): ChannelHistory {
  const changed = list.posts as Readonly<Record<string, Post>>;
  const known = new Set(posts.map(({ id }) => id));
  const from = hasOlder ? (posts[0]?.create_at ?? 0) : 0;
  const added = inOrder(list).filter(({ id, create_at: at }) => !known.has(id) && at >= from);
  const all = [...posts.map((post) => changed[post.id] ?? post), ...added];
  return {
    posts: all.filter(({ delete_at: at }) => at === 0).sort((a, b) => a.create_at - b.create_at),
    hasOlder,
  };
}

interface Older {
  /** Whether `load` may be called: it is not running and has not failed. */
  readonly isReady: boolean;
  readonly error: Error | null;
  readonly load: () => void;
}

/** Loads messages older than the oldest known one. */
export function useOlder(channelId: string): Older {
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const load = useCallback(() => {
    setReading(true);
    setError(null);
    void readOlder(channelId)
      .catch((reason: unknown) => setError(reason as Error))
      .finally(() => setReading(false));
  }, [channelId]);
  return { isReady: !isReading && !error, error, load };
}
