import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { type Connection, standingOfPeer } from '../connections/connection-queries';
import { describeRefusal } from '../incoming/describe-refusal';
import type { Concern } from './concern';
import { Overdue } from './overdue';

/** Overdue deliveries. */
export function lateConcerns(found: Schemas['EndpointListDto']): Concern[] {
  if (found.overdue_count === 0) return [];
  return [
    {
      ...{ key: 'late', tone: 'bad', state: 'late', at: 0 },
      title: <Link to="/endpoints">Deliveries</Link>,
      text: <Overdue found={found} />,
    },
  ];
}

/** Incoming webhooks that refused calls in the last 24 hours. */
export function refusedConcerns(hooks: readonly Schemas['RefusingHookDto'][]): Concern[] {
  return hooks.map((hook) => ({
    ...{ key: hook.hook_id, tone: 'warning', at: hook.last_refused_at },
    state: hook.refused_count === 1 ? '1 call refused' : `${hook.refused_count} calls refused`,
    title: (
      <Link to="/incoming/$hookId" params={{ hookId: hook.hook_id }} search={{ tab: 'calls' }}>
        {hook.display_name || 'Unnamed'}
      </Link>
    ),
    text: describeRefusal(hook.last_message),
  }));
}

/** Connected servers that do not respond. */
export function peerConcerns(peers: readonly Connection[]): Concern[] {
  return peers
    .filter(({ standing }) => standing === 'offline')
    .map((peer) => ({
      ...{ key: peer.remote_id, tone: standingOfPeer(peer).tone, state: standingOfPeer(peer).text },
      title: (
        <Link to="/connections/$remoteId" params={{ remoteId: peer.remote_id }}>
          {peer.display_name}
        </Link>
      ),
      ...{ text: 'This server is not responding.', at: peer.last_ping_at },
    }));
}
