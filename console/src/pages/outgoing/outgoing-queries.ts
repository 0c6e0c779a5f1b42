import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import type { Tone } from '../../parts/badge';

export type OutgoingHook = Schemas['OutgoingHookDto'];

/** The outgoing webhooks of a team that the user may see. */
export const outgoingHooks = (teamId: string) =>
  queryOptions({
    queryKey: ['outgoing', { teamId }],
    queryFn: () =>
      allPages((page) =>
        answerOf(api.GET('/api/v4/hooks/outgoing', { params: { query: { team_id: teamId, ...page } } })),
      ),
    enabled: teamId !== '',
    refetchInterval: 10_000,
  });

export const outgoingHook = (hookId: string) =>
  queryOptions({
    queryKey: ['outgoing', hookId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}', { params: { path: { hook_id: hookId } } })),
    refetchInterval: 10_000,
  });

/** How a webhook stands, in a word or two. */
export function standingOf(hook: OutgoingHook): { readonly tone: Tone; readonly text: string } {
  if (hook.disabled_at > 0) return { tone: 'bad', text: 'disabled' };
  if (hook.paused_reason !== '') return { tone: 'warning', text: 'paused' };
  if (hook.secrets_unreadable) return { tone: 'bad', text: 'secret unreadable' };
  if (hook.disabled_urls.length > 0) return { tone: 'warning', text: 'an address has failed' };
  return { tone: 'good', text: 'active' };
}
