import { answerOf, api, type Schemas } from '../../api/client';

export type Recovery = Schemas['RecoveryDto'];

/** Resends what a webhook missed since a given time, or only counts it. */
export const recover = (hookId: string, since: number, isDryRun: boolean): Promise<Recovery> =>
  answerOf(
    api.POST('/api/v4/hooks/outgoing/{hook_id}/recover', {
      params: { path: { hook_id: hookId } },
      body: { since, dry_run: isDryRun },
    }),
  );

export const stopRecovery = ({ hook_id: hookId, id }: Recovery): Promise<Recovery> =>
  answerOf(
    api.POST('/api/v4/hooks/outgoing/{hook_id}/recover/{recovery_id}/stop', {
      params: { path: { hook_id: hookId, recovery_id: id } },
    }),
  );
