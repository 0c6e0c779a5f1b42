import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useUsernames } from '../../parts/usernames';
import { connections } from '../connections/connection-queries';
import { readIncomingHooks } from '../incoming/incoming-queries';
import { readOutgoingHooks } from '../outgoing/outgoing-queries';
import { myTeams } from '../../parts/team-picker';
import { type Target, type TargetKind, targetsOf } from './actions';
import type { AuditRow } from './system-queries';

/** An existing record, identified as in the audit log. */
interface Known {
  readonly id: string;
  readonly name: string;
}

const NAMES_ARE_FRESH_MS = 60_000;
const HASH_LENGTH = 12;

const outgoingNames = queryOptions({
  queryKey: ['outgoing', 'everywhere'],
  queryFn: () => readOutgoingHooks({}),
  staleTime: NAMES_ARE_FRESH_MS,
});

/** Keyed by hash: the log hashes ids that are secrets. Browsers can only hash in secure contexts. */
const incomingNames = queryOptions({
  queryKey: ['incoming', 'hashes'],
  queryFn: async () => {
    const hooks = await readIncomingHooks({});
    const entries = hooks.map(
      async ({ id, display_name: name }) => [await hashOf(id), { id, name }] as const,
    );
    return new Map(await Promise.all(entries));
  },
  enabled: isSecureContext,
  staleTime: NAMES_ARE_FRESH_MS,
});

async function hashOf(secret: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `sha256:${hex.slice(0, HASH_LENGTH)}`;
}

/** Finds the records of targets. Loads each list once, only if needed; deleted records are missing. */
export function useTargetNames(targets: readonly Target[]): (target: Target) => Known | undefined {
  const has = (kind: TargetKind): boolean => targets.some((target) => target.kind === kind);
  const nameOf = useUsernames(targets.flatMap(({ kind, id }) => (kind === 'user' ? id : [])));
  const { data: outgoing = [] } = useQuery({ ...outgoingNames, enabled: has('outgoing') });
  const { data: incoming } = useQuery({ ...incomingNames, enabled: isSecureContext && has('incoming') });
  const { data: peers = [] } = useQuery({ ...connections, enabled: has('peer'), refetchInterval: false });
  const { data: teams = [] } = useQuery({ ...myTeams, enabled: has('team') });
  return ({ kind, id }) => {
    if (kind === 'incoming') return incoming?.get(id);
    if (kind === 'user') return known(id, nameOf(id) === id ? undefined : nameOf(id));
    if (kind === 'outgoing') return known(id, outgoing.find((hook) => hook.id === id)?.display_name);
    if (kind === 'peer') return known(id, peers.find((peer) => peer.remote_id === id)?.display_name);
    if (kind === 'team') return known(id, teams.find((team) => team.id === id)?.display_name);
    return undefined;
  };
}

const known = (id: string, name: string | undefined): Known | undefined =>
  name === undefined ? undefined : { id, name };

interface AuditTargetProps {
  readonly row: AuditRow;
  readonly find: ReturnType<typeof useTargetNames>;
}

/** An audit target: linked names of existing records, and ids of deleted ones. */
export function AuditTarget({ row, find }: AuditTargetProps): ReactNode {
  return targetsOf(row).map((target, index, all) => (
    <span key={index} title={target.id}>
      {index > 0 && ', '}
      <Part target={target} found={find(target)} before={all[index - 1]} />
    </span>
  ));
}

interface PartProps {
  readonly target: Target;
  readonly found: Known | undefined;
  /** The parent part, such as the webhook of a delivery. */
  readonly before: Target | undefined;
}

function Part({ target: { kind, id }, found, before }: PartProps): ReactNode {
  if (kind === 'delivery')
    return (
      <Link to="/deliveries" search={{ delivery: id, of: before?.id }}>
        the delivery
      </Link>
    );
  if (!found) return <code>{id}</code>;
  return <Link {...placeOf(kind, found.id)}>{found.name || 'Unnamed'}</Link>;
}

function placeOf(kind: TargetKind, id: string): LinkProps {
  if (kind === 'incoming') return { to: '/incoming/$hookId', params: { hookId: id } };
  if (kind === 'outgoing') return { to: '/outgoing/$hookId', params: { hookId: id } };
  if (kind === 'peer') return { to: '/connections/$remoteId', params: { remoteId: id } };
  if (kind === 'team') return { to: '/teams/$teamId', params: { teamId: id } };
  return { to: '/people/$userId', params: { userId: id } };
}
