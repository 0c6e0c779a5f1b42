import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { DialogButton } from '../../parts/dialog-button';
import { FaultNote } from '../../parts/fault-note';
import { Form } from '../../parts/form';
import { type Recovery, stopRecovery } from '../outgoing/recovery-requests';
import { RecoveryProgress } from '../outgoing/recovery-progress';
import type { Source } from './delivery-queries';
import { questionOf } from './filters';

/** Retries all undelivered deliveries that match the filters, with a count, progress and a stop button. */
export function RetryMatching({ source }: { readonly source: Source }): ReactNode {
  const client = useQueryClient();
  const [ordered, setOrdered] = useState<Recovery | null>(null);
  const { data: recovery = ordered } = useQuery({
    queryKey: ['deliveries', 'recovery', ordered?.id],
    queryFn: () => latestOf(ordered),
    enabled: ordered !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1_000 : false),
  });
  const filter = filterOf(source);
  if (recovery?.status === 'running' || (recovery && !filter))
    return <RecoveryProgress {...recovery} onStop={async () => setOrdered(await stop(recovery))} />;
  if (!filter) return null;
  return (
    <>
      {recovery && <RecoveryProgress {...recovery} onStop={() => Promise.resolve()} />}
      <DialogButton kind="small" label="Retry all that match…" title="Retry all that match the filters?">
        {(close) => (
          <Question
            filter={filter}
            onOrder={async () => {
              setOrdered(await retry(filter, false));
              close();
              await client.invalidateQueries({ queryKey: ['deliveries'] });
            }}
          />
        )}
      </DialogButton>
    </>
  );
}

interface QuestionProps {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly onOrder: () => Promise<void>;
}

/** Shows how many deliveries match before retrying them. */
function Question({ filter, onOrder }: QuestionProps): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['deliveries', 'matching', filter],
    queryFn: () => retry(filter, true),
    gcTime: 0,
  });
  if (error) return <FaultNote error={error} />;
  if (!data) return <p role="status">Counting…</p>;
  const { total, waiting } = data;
  if (total === 0) return <p role="status">There is nothing left to send.</p>;
  return (
    <Form action={`Send ${total} again`} onSubmit={onOrder}>
      <p role="status">
        {total} {total === 1 ? 'delivery matches' : 'deliveries match'}, of which {waiting}{' '}
        {waiting === 1 ? 'waits' : 'wait'} for the next attempt. New deliveries go first.
      </p>
    </Form>
  );
}

/** API form of the filters; undefined if they are empty or select what cannot be retried in bulk. */
function filterOf({ filters, hookId }: Source): Readonly<Record<string, unknown>> | undefined {
  const { delivery_id: id, ...filter } = questionOf({ ...filters, hook: hookId ?? filters.hook });
  const isSettled = /delivered|in_flight/.test(filters.status ?? '');
  return id !== undefined || isSettled || Object.keys(filter).length === 0 ? undefined : filter;
}

async function retry(filter: Readonly<Record<string, unknown>>, isDryRun: boolean): Promise<Recovery> {
  const body = { filter, dry_run: isDryRun };
  const answer = await answerOf(api.POST('/api/v4/hooks/outgoing/deliveries/retry', { body }));
  if ('results' in answer) throw new Error('The server sent no recovery.');
  return answer;
}

async function latestOf(ordered: Recovery | null): Promise<Recovery> {
  if (!ordered) throw new Error('There is no recovery.');
  const { id, hook_id: hookId } = ordered;
  const all = await answerOf(
    hookId === ''
      ? api.GET('/api/v4/hooks/outgoing/deliveries/recoveries')
      : api.GET('/api/v4/hooks/outgoing/{hook_id}/recover', { params: { path: { hook_id: hookId } } }),
  );
  return all.find((one) => one.id === id) ?? ordered;
}

const stop = (recovery: Recovery): Promise<Recovery> =>
  recovery.hook_id === ''
    ? answerOf(
        api.POST('/api/v4/hooks/outgoing/deliveries/recoveries/{recovery_id}/stop', {
          params: { path: { recovery_id: recovery.id } },
        }),
      )
    : stopRecovery(recovery);
