import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';

const MAX_ASKED = 200;

/** Returns usernames by id; empty while loading, and the id if the user has no name. */
export function useUsernames(ids: readonly string[]): (id: string) => string {
  const asked = [...new Set(ids)].filter((id) => id !== '').sort();
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: ['usernames', asked],
    queryFn: () => readNames(asked),
    enabled: asked.length > 0,
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  return (id) => data?.get(id) ?? (isPending || isPlaceholderData ? '' : id);
}

async function readNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (let at = 0; at < ids.length; at += MAX_ASKED) {
    const users = await answerOf(api.POST('/api/v4/users/ids', { body: ids.slice(at, at + MAX_ASKED) }));
    for (const { id, username } of users) names.set(id, username);
  }
  return names;
}
