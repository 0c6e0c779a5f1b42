import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { type Status, STATUS_OF } from '../../parts/statuses';

export type OutgoingHook = Schemas['OutgoingHookDto'];

/** A team's outgoing webhooks that the user may see. */
export const outgoingHooks = (teamId: string) =>
  queryOptions({
    queryKey: ['outgoing', { teamId }],
    queryFn: () => readOutgoingHooks({ team_id: teamId }),
    enabled: teamId !== '',
    refetchInterval: 10_000,
  });

/** Outgoing webhooks of a team, or of all teams for administrators. */
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

export const hookHealth = (hookId: string) =>
  queryOptions({
    queryKey: ['outgoing', hookId, 'health'],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}/health', { params: { path: { hook_id: hookId } } })),
    refetchInterval: 10_000,
  });

/** The newest waiting deliveries of a webhook. */
export const waitingDeliveries = (hookId: string) =>
  queryOptions({
    queryKey: ['deliveries', 'waiting', hookId],
    queryFn: async () => {
      const params = { path: { hook_id: hookId }, query: { status: 'pending,retrying', per_page: 200 } };
      return (await answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}/deliveries', { params }))).deliveries;
    },
    refetchInterval: 10_000,
  });

/** Server warnings from the last save on this page; only the save response contains them. */
export const saveWarnings = (hookId: string) =>
  queryOptions({
    queryKey: ['save-warnings', hookId],
    queryFn: ({ client, queryKey }) => client.getQueryData<readonly string[]>(queryKey) ?? [],
    staleTime: Infinity,
  });

/** Maximum number of webhooks the server charts at once. */
export const CHARTED_AT_ONCE = 100;
export type HookOutcomes = Schemas['HookOutcomesDto'];

/** Hourly last-day statistics of several webhooks. */
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
    staleTime: 10_000, // rows scroll into view again often
    placeholderData: keepPreviousData,
  });

/** A webhook's recoveries, newest first; polled while one runs. */
export const recoveries = (hookId: string) =>
  queryOptions({
    queryKey: ['recoveries', hookId],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/{hook_id}/recover', { params: { path: { hook_id: hookId } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.[0]?.status === 'running' ? 1_000 : 15_000),
  });

/** State of a webhook, in one or two words. */
export function standingOf(hook: OutgoingHook): Status {
  const { webhook } = STATUS_OF;
  if (hook.disabled_at > 0) return webhook.disabled;
  if (hook.paused_reason !== '') return webhook.paused;
  if (hook.secrets_unreadable) return webhook.unreadable;
  if (hook.disabled_urls.length > 0) return webhook.url_disabled;
  if (hook.failing_urls.length > 0) return webhook.failing;
  return webhook.active;
}

const PAUSES: Readonly<Record<string, string>> = {
  creator_cannot_read: 'Its creator can no longer read its channel.',
  setter_cannot_read: 'The user who last set its channel or URLs can no longer read the channel.',
  bot_disabled: 'Its bot is disabled.',
  bot_cannot_read: 'Its bot cannot read its channel.',
  creator_not_permitted: 'Its creator may no longer receive all of its events.',
  setter_not_permitted:
    'The user who last set its channel, URLs or bot may no longer receive all of its events.',
  orphaned: 'Its creator no longer has an active account in the team.',
};

/** Reason why a webhook is paused. */
export const describePause = (reason: string): string => PAUSES[reason] ?? reason;

/** Why a webhook is not active, in one line; empty if it is. */
export function reasonOf(hook: OutgoingHook): string {
  const { disabled_reason: disabled, paused_reason: paused, callback_urls: urls } = hook;
  if (disabled !== '') return disabled;
  if (paused !== '') return describePause(paused);
  if (hook.secrets_unreadable) return 'Its secrets cannot be decrypted. Replace them.';
  const bad = [...hook.disabled_urls, ...hook.failing_urls];
  return bad.length > 0 && urls.length > 1 ? `${bad.length} of ${urls.length} URLs` : '';
}

/** Where trigger words match, by `trigger_when`. */
export const MATCHES = {
  0: 'Anywhere in the message',
  1: 'At the start of the message',
  2: 'The first word equals a trigger',
} as const;
