import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { isAdmin, useUser } from '../../app/session';
import { connections } from '../connections/connection-queries';
import { useEndpointNews } from '../endpoints/endpoint-queries';
import { refusingHooks } from '../incoming/incoming-queries';
import type { OutgoingHook } from '../outgoing/outgoing-queries';
import type { Concern } from './concern';
import { lateConcerns, peerConcerns, refusedConcerns } from './other-concerns';
import { webhookConcerns } from './webhook-concerns';
import { SHOWN_ENDPOINTS, worstEndpoints } from './worst-endpoints';

interface Concerns {
  readonly concerns: readonly Concern[];
  /** Number of failing endpoints that are not listed. */
  readonly moreEndpoints: number;
  /** Loading errors. */
  readonly errors: readonly Error[];
  readonly isPending: boolean;
  /** The team's webhooks could not be loaded; the page itself reports this. */
  readonly isIncomplete: boolean;
  /** Whether no webhook calls any endpoint; false while unknown. */
  readonly hasNoEndpoints: boolean;
}

const ORDER = ['bad', 'warning', 'quiet', 'good'];

/**
 * Collects everything that needs attention, worst first: server-wide for administrators, else for one team.
 * `ofTeam` is the query of the team's outgoing webhooks.
 */
export function useConcerns(ofTeam: UseQueryResult<readonly OutgoingHook[]>): Concerns {
  const { data: hooks } = ofTeam;
  const enabled = isAdmin(useUser());
  useEndpointNews();
  const endpoints = useQuery({ ...worstEndpoints, enabled });
  const refusing = useQuery({ ...refusingHooks, enabled });
  const peers = useQuery({ ...connections, enabled });
  const all = [endpoints, refusing, peers];
  const failing = (endpoints.data?.failing_count ?? 0) + (endpoints.data?.disabled_count ?? 0);
  return {
    concerns: [
      ...webhookConcerns(endpoints.data?.endpoints ?? [], hooks ?? []),
      ...(endpoints.data ? lateConcerns(endpoints.data) : []),
      ...refusedConcerns(refusing.data ?? []),
      ...peerConcerns(peers.data ?? []),
    ].sort((one, other) => ORDER.indexOf(one.tone) - ORDER.indexOf(other.tone)),
    moreEndpoints: Math.max(0, failing - SHOWN_ENDPOINTS),
    errors: all.flatMap(({ error }) => error ?? []),
    isPending: [...all, ofTeam].some(({ isLoading }) => isLoading),
    isIncomplete: ofTeam.isLoadingError,
    hasNoEndpoints: enabled ? endpoints.data?.total_count === 0 : hooks?.length === 0,
  };
}
