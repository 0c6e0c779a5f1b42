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
  /** How many endpoints fail beside those that are listed. */
  readonly moreEndpoints: number;
  /** What could not be read, each once. */
  readonly errors: readonly Error[];
  readonly isPending: boolean;
  /** The webhooks of the team could not be read, which the page itself says. */
  readonly isIncomplete: boolean;
  /** Whether no webhook of the server calls anything; false while that is not known. */
  readonly callsNothing: boolean;
}

const ORDER = ['bad', 'warning', 'quiet', 'good'];

/**
 * All that needs somebody, the worst first: of the whole server for its administrators, else of one team. `ofTeam` are the outgoing
 * webhooks of the team.
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
    callsNothing: enabled ? endpoints.data?.total_count === 0 : hooks?.length === 0,
  };
}
