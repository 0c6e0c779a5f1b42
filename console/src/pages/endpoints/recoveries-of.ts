import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import type { Recovery } from '../outgoing/recovery-requests';

/** States of several recoveries; polled while any is running. */
export const recoveriesOf = (endpoint: string, ordered: readonly Recovery[]) => {
  const queryKey = ['recoveries', 'at', endpoint, ordered.map(({ id }) => id)];
  return queryOptions({
    queryKey,
    queryFn: () => readAll(queries.getQueryData<Recovery[]>(queryKey) ?? ordered),
    enabled: ordered.length > 0,
    refetchInterval: ({ state }) => (state.data?.every(hasEnded) === true ? false : 1_500),
  });
};

const hasEnded = ({ status }: Recovery): boolean => status !== 'running';

async function readAll(known: readonly Recovery[]): Promise<Recovery[]> {
  const all: Recovery[] = [];
  for (const recovery of known) all.push(hasEnded(recovery) ? recovery : await readOne(recovery));
  return all;
}

/** The server lists a webhook's latest recoveries; a missing one has ended. */
async function readOne(recovery: Recovery): Promise<Recovery> {
  const path = { hook_id: recovery.hook_id };
  const shown = await answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}/recover', { params: { path } }));
  return shown.find(({ id }) => id === recovery.id) ?? { ...recovery, status: 'finished' };
}

const WORST_FIRST = ['running', 'stopped'] as const;

/** Combines recoveries into one, which runs while any of them runs. Null if there are none. */
export function sumOf(
  all: readonly Recovery[],
): Pick<Recovery, 'total' | 'requeued' | 'status' | 'finish_at'> | null {
  if (all.length === 0) return null;
  return {
    total: all.reduce((sum, { total }) => sum + total, 0),
    requeued: all.reduce((sum, { requeued }) => sum + requeued, 0),
    status: WORST_FIRST.find((status) => all.some((one) => one.status === status)) ?? 'finished',
    finish_at: Math.max(...all.map(({ finish_at: at }) => at)),
  };
}
