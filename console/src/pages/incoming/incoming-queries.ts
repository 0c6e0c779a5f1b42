import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { siteAddress } from '../../api/site';
import { queries } from '../../app/services';

export type IncomingHook = Schemas['IncomingHookDto'];
export type PreviousUrl = Schemas['PreviousUrlDto'];

/** Props of what shows a webhook. */
export interface HookProps {
  readonly hook: IncomingHook;
}

/** Parameters of the routes of one webhook. */
export const of = (hookId: string) => ({ params: { path: { hook_id: hookId } } });

/** Stands for all teams, for administrators. */
export const ALL_TEAMS = 'all';

/** A team's incoming webhooks that the user may see. */
export const incomingHooks = (teamId: string) =>
  queryOptions({
    queryKey: ['incoming', { teamId }],
    queryFn: () => readIncomingHooks(teamId === ALL_TEAMS ? {} : { team_id: teamId }),
    enabled: teamId !== '',
  });

/** Incoming webhooks of a team, or of all teams for administrators. */
export const readIncomingHooks = (where: { readonly team_id?: string }): Promise<IncomingHook[]> =>
  allPages(async (page) => {
    const found = await answerOf(
      api.GET('/api/v4/hooks/incoming', { params: { query: { ...where, ...page } } }),
    );
    return Array.isArray(found) ? found : found.incoming_webhooks;
  });

export const incomingHook = (hookId: string) =>
  queryOptions({
    queryKey: ['incoming', hookId],
    queryFn: () => answerOf(api.GET('/api/v4/hooks/incoming/{hook_id}', of(hookId))),
  });

/** Webhooks of all teams that refused calls in the last 24 hours, for administrators. */
export const refusingHooks = queryOptions({
  queryKey: ['incoming', 'refusing'],
  queryFn: () => answerOf(api.GET('/api/v4/hooks/incoming/refusing')),
  refetchInterval: 30_000,
});

const DAY_MS = 86_400_000;
type Call = Schemas['KeptRequestDto'];

/** Whether a call was refused. */
export const isRefusal = ({ status }: Call): boolean => status >= 300;

/** Whether a call is one of the last day. */
export const isRecent = ({ create_at: at }: Call): boolean => at > Date.now() - DAY_MS;

/** Stored calls and their results. */
export const keptCalls = (hookId: string) =>
  queryOptions({
    queryKey: ['incoming', hookId, 'calls'],
    queryFn: () => answerOf(api.GET('/api/v4/hooks/incoming/{hook_id}/requests', of(hookId))),
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
    queryFn: () => answerOf(api.GET('/api/v4/hooks/incoming/{hook_id}/previous_urls', of(hookId))),
    refetchInterval: 5_000,
  });

/** Changes some settings of a webhook, and refreshes it wherever it is shown. */
export async function patchHook(
  hookId: string,
  body: Schemas['PatchIncomingHookDto'],
): Promise<IncomingHook> {
  const saved = await answerOf(api.PATCH('/api/v4/hooks/incoming/{hook_id}', { ...of(hookId), body }));
  await queries.invalidateQueries({ queryKey: ['incoming'] });
  return saved;
}

/** URL that programs post to. Without a verifier, it works without further authentication. */
export const addressOf = (hookId: string): string => `${siteAddress()}hooks/${hookId}`;

/** All URLs of a webhook: their labels and secret parts. */
export const addressesOf = (hook: IncomingHook) =>
  [
    { label: 'URL', url: addressOf(hook.id), secret: hook.id },
    { label: 'Slack URL', url: `${siteAddress()}services/${hook.slack_path}`, secret: hook.slack_path },
    { label: 'Rocket.Chat URL', url: addressOf(hook.rocketchat_path), secret: hook.rocketchat_path },
  ].filter(({ secret }) => secret !== '');
