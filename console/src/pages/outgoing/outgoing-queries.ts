import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import type { Tone } from '../../parts/badge';

export type OutgoingHook = Schemas['OutgoingHookDto'];

/** The outgoing webhooks of a team that the user may see. */
export const outgoingHooks = (teamId: string) =>
  queryOptions({
    queryKey: ['outgoing', { teamId }],
    queryFn: () => readOutgoingHooks({ team_id: teamId }),
    enabled: teamId !== '',
    refetchInterval: 10_000,
  });

/** Those of a team; without one those of all, for administrators. */
export const readOutgoingHooks = (
  of: { readonly team_id?: string },
  maxPages?: number,
): Promise<OutgoingHook[]> =>
  allPages(
    (page) => answerOf(api.GET('/api/v4/hooks/outgoing', { params: { query: { ...of, ...page } } })),
    maxPages,
  );

export const outgoingHook = (hookId: string) =>
  queryOptions({
    queryKey: ['outgoing', hookId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}', { params: { path: { hook_id: hookId } } })),
    refetchInterval: 10_000,
  });

/** What the server warned of when the webhook was last saved in this page; only the answer to that has it. */
export const saveWarnings = (hookId: string) =>
  queryOptions({
    queryKey: ['save-warnings', hookId],
    queryFn: ({ client, queryKey }) => client.getQueryData<readonly string[]>(queryKey) ?? [],
    staleTime: Infinity,
  });

/** How many webhooks the server charts at once. */
export const CHARTED_AT_ONCE = 100;
export type HookOutcomes = Schemas['HookOutcomesDto'];

/** How the calls of several webhooks went on the last day, by the hour. */
export const lastDayOf = (hookIds: readonly string[]) =>
  queryOptions({
    queryKey: ['deliveries', 'stats', 'of', hookIds],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/hooks/outgoing/stats', {
          params: { query: { range: '24h' } },
          body: { hook_ids: [...hookIds] },
        }),
      ),
    refetchInterval: 30_000,
    staleTime: 10_000, // rows come back into sight all the time
    placeholderData: keepPreviousData,
  });

/** The recoveries of a webhook, newest first; followed while one runs. */
export const recoveries = (hookId: string) =>
  queryOptions({
    queryKey: ['recoveries', hookId],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/{hook_id}/recover', { params: { path: { hook_id: hookId } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.[0]?.status === 'running' ? 1_000 : 15_000),
  });

/** How a webhook stands, in a word or two. */
export function standingOf(hook: OutgoingHook): { readonly tone: Tone; readonly text: string } {
  if (hook.disabled_at > 0) return { tone: 'bad', text: 'disabled' };
  if (hook.paused_reason !== '') return { tone: 'warning', text: 'paused' };
  if (hook.secrets_unreadable) return { tone: 'bad', text: 'secret unreadable' };
  if (hook.disabled_urls.length > 0) return { tone: 'warning', text: 'a URL is disabled' };
  if (hook.failing_urls.length > 0) return { tone: 'warning', text: 'failing' };
  return { tone: 'good', text: 'active' };
}

const PAUSES: Readonly<Record<string, string>> = {
  creator_cannot_read: 'Its creator can no longer read its channel.',
  setter_cannot_read: 'The user who last set its channel or URLs can no longer read the channel.',
  orphaned: 'Its creator no longer has an active account in the team.',
};

/** Why a webhook is paused, in words. */
export const pauseInWords = (reason: string): string => PAUSES[reason] ?? reason;

/** Which messages a webhook fires on, in words. */
export function ruleOf({ trigger_words: words, trigger_when: when }: OutgoingHook): string {
  if (words.length === 0) return 'every message in the channel';
  return `${words.join(', ')}, ${when === 1 ? 'at the beginning of a message' : 'anywhere in a message'}`;
}
