import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { type Status, STATUS_OF } from '../../parts/statuses';
import { showDone, showFault } from '../../parts/undo';
import { type Connection, standingOfPeer } from '../connections/connection-queries';
import { type Endpoint, whyOf } from '../endpoints/endpoint-queries';
import { describeRefusal } from '../incoming/describe-refusal';
import { describePause, type OutgoingHook, standingOf } from '../outgoing/outgoing-queries';
import { longestWaiting, Overdue } from './overdue';
import { missedAt, missedCount, retryMissed } from './overview-queries';

/** Something that needs attention. */
export interface Concern {
  /** Another one if its state changes. */
  readonly key: string;
  /** Since when, or when it happened last; 0 if unknown. A dismissed one appears again if it is later. */
  readonly at: number;
  readonly status: Status;
  /** Its name, linked to its page. */
  readonly title: ReactNode;
  /** What is wrong. */
  readonly why: ReactNode;
  readonly action: ReactNode;
}

/** Endpoints that fail, each with its webhooks. */
export const endpointConcerns = (endpoints: readonly Endpoint[]): Concern[] =>
  endpoints
    .filter(({ state }) => state !== 'ok')
    .map((found) => {
      const { endpoint, state, since, hooks, hook_count: count } = found;
      const names = hooks
        .filter((hook) => hook.state !== 'ok')
        .slice(0, 3)
        .map(({ display_name: name }) => name || 'Unnamed');
      return {
        ...{ key: `${endpoint} ${state}`, at: since, status: STATUS_OF.endpoint[state] },
        title: (
          <Link to="/endpoints/details" search={{ endpoint }}>
            {endpoint}
          </Link>
        ),
        why: (
          <>
            {names.join(', ')}
            {count > names.length && ` and ${count - names.length} more`}
            <Text span inherit c="dimmed">
              {' '}
              · {whyOf(found)}
            </Text>
          </>
        ),
        action:
          state === 'failing' ? (
            <Retry found={found} />
          ) : (
            <Open to="/endpoints/details" search={{ endpoint }} name={endpoint} />
          ),
      };
    });

/** Webhooks that are paused or fail, except those of the endpoints above. */
export const webhookConcerns = (
  hooks: readonly OutgoingHook[],
  endpoints: readonly Endpoint[] = [],
): Concern[] => {
  const named = new Set(
    endpoints.flatMap((found) => found.hooks.filter(({ state }) => state !== 'ok').map(({ id }) => id)),
  );
  return hooks
    .filter((hook) => !named.has(hook.id) && standingOf(hook).tone !== 'good')
    .map((hook) => {
      const status = standingOf(hook);
      const to = { to: '/outgoing/$hookId', params: { hookId: hook.id } } as const;
      const urls = [...hook.disabled_urls, ...hook.failing_urls].join(', ');
      return {
        ...{ key: `${hook.id} ${status.text}`, at: hook.disabled_at, status },
        title: <Link {...to}>{hook.display_name || 'Unnamed'}</Link>,
        why: hook.disabled_reason || describePause(hook.paused_reason) || urls,
        action: <Open {...to} name={hook.display_name} />,
      };
    });
};

/** Overdue deliveries. */
export const lateConcerns = (found: Schemas['EndpointListDto']): Concern[] =>
  found.overdue_count === 0
    ? []
    : [
        {
          ...{ key: 'overdue', at: found.oldest_due_at, status: { tone: 'bad', text: 'Late' } },
          title: <Link {...longestWaiting(found)}>Deliveries</Link>,
          why: <Overdue found={found} />,
          action: <Open {...longestWaiting(found)} name="the longest waiting" />,
        },
      ];

/** Connected servers that do not respond. */
export const peerConcerns = (peers: readonly Connection[]): Concern[] =>
  peers
    .filter(({ standing }) => standing === 'offline')
    .map((peer) => {
      const to = { to: '/connections/$remoteId', params: { remoteId: peer.remote_id } } as const;
      return {
        ...{ key: `${peer.remote_id} offline`, at: peer.last_ping_at, status: standingOfPeer(peer) },
        title: <Link {...to}>{peer.display_name}</Link>,
        why: 'This server is not responding.',
        action: <Open {...to} name={peer.display_name} />,
      };
    });

/** Incoming webhooks that refused calls in the last 24 hours and have not accepted one since. */
export const refusedConcerns = (
  hooks: readonly Schemas['RefusingHookDto'][],
  lastUsed: ReadonlyMap<string, number>,
): Concern[] =>
  hooks
    .filter(({ hook_id: id, last_refused_at: at }) => (lastUsed.get(id) ?? 0) <= at)
    .map((hook) => {
      const { refused_count: count, display_name: name } = hook;
      const params = { hookId: hook.hook_id };
      const to = { to: '/incoming/$hookId', params, search: { tab: 'calls' } } as const;
      return {
        ...{ key: hook.hook_id, at: hook.last_refused_at },
        status: { tone: 'warning', text: count === 1 ? '1 call' : `${count} calls` },
        title: <Link {...to}>{name || 'Unnamed'}</Link>,
        why: `${hook.last_status}: ${describeRefusal(hook.last_message)}`,
        action: <Open {...to} name={name} />,
      };
    });

/** A link that looks like a button. */
function Open({ name, ...to }: LinkProps & { readonly name: string }): ReactNode {
  return (
    <Button
      variant="default"
      size="compact-sm"
      renderRoot={(props) => <Link {...to} {...props} aria-label={`Open ${name || 'Unnamed'}`} />}
    >
      Open
    </Button>
  );
}

/** Sends again what an endpoint has missed; a link to it if that is nothing. */
function Retry({ found }: { readonly found: Endpoint }): ReactNode {
  const client = useQueryClient();
  const filter = missedAt(found);
  const { data: count } = useQuery(missedCount(filter));
  const { mutate, isPending } = useMutation({
    mutationFn: () => retryMissed(filter),
    onSuccess: async (total) => {
      showDone(total === 0 ? 'Nothing is left to retry.' : `Retrying ${total} to ${found.endpoint}.`);
      await client.invalidateQueries({ queryKey: ['deliveries'] });
    },
    onError: showFault,
  });
  if (count === undefined || count === '0')
    return <Open to="/endpoints/details" search={{ endpoint: found.endpoint }} name={found.endpoint} />;
  return (
    <Button variant="default" size="compact-sm" loading={isPending} onClick={() => mutate()}>
      Retry {count}
    </Button>
  );
}
