import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { siteAddress } from '../../api/site';

export type IncomingHook = Schemas['IncomingHookDto'];
export type PreviousUrl = Schemas['PreviousUrlDto'];

/** A team's incoming webhooks that the user may see. */
export const incomingHooks = (teamId: string) =>
  queryOptions({
    queryKey: ['incoming', { teamId }],
    queryFn: () => readIncomingHooks({ team_id: teamId }),
    enabled: teamId !== '',
  });

/** Incoming webhooks of a team, or of all teams for administrators. */
export const readIncomingHooks = (of: { readonly team_id?: string }): Promise<IncomingHook[]> =>
  allPages(async (page) => {
    const found = await answerOf(
      api.GET('/api/v4/hooks/incoming', { params: { query: { ...of, ...page } } }),
    );
    return Array.isArray(found) ? found : found.incoming_webhooks;
  });

export const incomingHook = (hookId: string) =>
  queryOptions({
    queryKey: ['incoming', hookId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/incoming/{hook_id}', { params: { path: { hook_id: hookId } } })),
  });

/** Webhooks of all teams that refused calls in the last 24 hours, for administrators. */
export const refusingHooks = queryOptions({
  queryKey: ['incoming', 'refusing'],
  queryFn: () => answerOf(api.GET('/api/v4/hooks/incoming/refusing')),
  refetchInterval: 30_000,
});

/** Stored calls and their results. */
export const keptCalls = (hookId: string) =>
  queryOptions({
    queryKey: ['incoming', hookId, 'calls'],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/incoming/{hook_id}/requests', { params: { path: { hook_id: hookId } } }),
      ),
    refetchInterval: 5_000,
  });

export const keptCall = (hookId: string, callId: string) =>
  queryOptions({
    queryKey: ['incoming', hookId, 'calls', callId],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/incoming/{hook_id}/requests/{request_id}', {
          params: { path: { hook_id: hookId, request_id: callId } },
        }),
      ),
  });

/** Previous URLs that still work, newest first. */
export const previousUrls = (hookId: string) =>
  queryOptions({
    queryKey: ['incoming', hookId, 'urls'],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/incoming/{hook_id}/previous_urls', { params: { path: { hook_id: hookId } } }),
      ),
    refetchInterval: 5_000,
  });

/** URL that programs post to. Without a verifier, it works without further authentication. */
export const addressOf = (hookId: string): string => `${siteAddress()}hooks/${hookId}`;

/** The second URL of a webhook with a Slack path. */
export const slackAddressOf = (path: string): string => `${siteAddress()}services/${path}`;

/** The address of a webhook for the senders of Rocket.Chat. */
export const rocketChatAddressOf = (path: string): string => `${siteAddress()}hooks/${path}`;
