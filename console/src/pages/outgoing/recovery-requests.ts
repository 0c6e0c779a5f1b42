import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { recoveries } from './outgoing-queries';

export type Recovery = Schemas['RecoveryDto'];

/** Whose deliveries are resent. */
export type ResendScope = { readonly hookId: string } | { readonly endpoint: string };

/** Latest recoveries, newest first. The server lists those of endpoints with those of all webhooks. */
export const recoveriesOf = (of: ResendScope) =>
  'hookId' in of
    ? recoveries(of.hookId)
    : queryOptions({
        queryKey: ['recoveries', ''],
        queryFn: () => answerOf(api.GET('/api/v4/hooks/outgoing/deliveries/recoveries')),
        refetchInterval: ({ state }) => (state.data?.[0]?.status === 'running' ? 1_000 : 15_000),
      });

/** Resends what was missed since a given time, or only counts it. */
export const resendMissed = (of: ResendScope, since: number, isDryRun: boolean): Promise<Recovery> =>
  'hookId' in of
    ? answerOf(
        api.POST('/api/v4/hooks/outgoing/{hook_id}/recover', {
          params: { path: { hook_id: of.hookId } },
          body: { since, dry_run: isDryRun },
        }),
      )
    : retryMatching(of, { since }, isDryRun);

/** Resends now what waits for its next attempt. */
export const retryWaiting = (of: ResendScope): Promise<Recovery> =>
  retryMatching(of, { status: 'retrying' }, false);

async function retryMatching(of: ResendScope, filter: object, isDryRun: boolean): Promise<Recovery> {
  const answer = await answerOf(
    'hookId' in of
      ? api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/retry', {
          params: { path: { hook_id: of.hookId } },
          body: { filter: { ...filter }, dry_run: isDryRun },
        })
      : api.POST('/api/v4/hooks/outgoing/endpoints/deliveries/retry', {
          body: { filter: { ...filter, endpoint: of.endpoint }, dry_run: isDryRun },
        }),
  );
  if ('results' in answer) throw new Error('The server sent no recovery.');
  return answer;
}

export const stopRecovery = ({ hook_id: hookId, id }: Recovery): Promise<Recovery> =>
  answerOf(
    hookId === ''
      ? api.POST('/api/v4/hooks/outgoing/deliveries/recoveries/{recovery_id}/stop', {
          params: { path: { recovery_id: id } },
        })
      : api.POST('/api/v4/hooks/outgoing/{hook_id}/recover/{recovery_id}/stop', {
          params: { path: { hook_id: hookId, recovery_id: id } },
        }),
  );
