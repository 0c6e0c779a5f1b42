import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { Form } from '../../parts/form';
import { Loading } from '../../parts/loading';
import { Modal } from '../../parts/modal';
import { type Recovery, stopRecovery } from '../outgoing/recovery-requests';
import { RecoveryProgress } from '../outgoing/recovery-progress';
import type { Source } from './delivery-queries';
import { questionOf } from './filters';

interface RetryMatching {
  /** The running or last retry, and the question before one. */
  readonly progress: ReactNode;
  /** Undefined if the filters are empty or find what cannot be retried, or while a retry runs. */
  readonly retryAll: (() => void) | undefined;
}

/** Retries all undelivered deliveries that match the filters, after a count. */
export function useRetryMatching(source: Source): RetryMatching {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [ordered, setOrdered] = useState<Recovery | null>(null);
  const { data: recovery = ordered } = useQuery({
    queryKey: ['deliveries', 'recovery', ordered?.id],
    queryFn: () => latestOf(ordered),
    enabled: ordered !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1_000 : false),
  });
  const filter = source.isOfAdmin ? filterOf(source) : undefined;
  const order = async (): Promise<void> => {
    if (filter) setOrdered(await retry(filter, false));
    setAsking(false);
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  const progress = (
    <>
      {recovery && <RecoveryProgress {...recovery} onStop={async () => setOrdered(await stop(recovery))} />}
      <Modal title="Retry all that match the filters?" isOpen={isAsking} onClose={() => setAsking(false)}>
        {filter && isAsking && <Question filter={filter} onOrder={order} />}
      </Modal>
    </>
  );
  const isOffered = filter !== undefined && recovery?.status !== 'running';
  return { progress, retryAll: isOffered ? () => setAsking(true) : undefined };
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
  if (!data) return <Loading />;
  const { total, waiting } = data;
  if (total === 0) return <p role="status">Nothing is left to retry.</p>;
  return (
    <Form action={`Retry ${total}`} onSubmit={onOrder}>
      <p role="status">
        {total} {total === 1 ? 'delivery matches' : 'deliveries match'}
        {waiting > 0 && `, of which ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for the next attempt`}. New
        deliveries go first.
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
