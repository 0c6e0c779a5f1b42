import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { allPages } from '../../api/all-pages';
import { answerOf, api } from '../../api/client';
import { useUsernames } from '../../parts/usernames';
import { connections } from '../connections/connection-queries';
import { readIncomingHooks } from '../incoming/incoming-queries';
import { readOutgoingHooks } from '../outgoing/outgoing-queries';
import { myTeams } from '../../parts/team-picker';
import { describeAction, type Target, type TargetKind, targetsOf } from './actions';
import type { AuditRow } from './system-queries';

/** An existing record, identified as in the audit log. */
interface Known {
  readonly id: string;
  readonly name: string;
  /** Of a channel. */
  readonly teamId?: string;
}

const NAMES_ARE_FRESH_MS = 60_000;
const HASH_LENGTH = 12;
const MAX_CHANNEL_PAGES = 5;

const outgoingNames = queryOptions({
  queryKey: ['outgoing', 'everywhere'],
  queryFn: () => readOutgoingHooks({}),
  staleTime: NAMES_ARE_FRESH_MS,
});

const channelNames = queryOptions({
  queryKey: ['channels', 'everywhere'],
  queryFn: () =>
    allPages(async (page) => {
      const query = { ...page, include_deleted: true };
      const found = await answerOf(api.GET('/api/v4/channels', { params: { query } }));
      return Array.isArray(found) ? found : found.channels;
    }, MAX_CHANNEL_PAGES),
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
  const { data: channels = [] } = useQuery({ ...channelNames, enabled: has('channel') });
  const { data: peers = [] } = useQuery({ ...connections, enabled: has('peer'), refetchInterval: false });
  const { data: teams = [] } = useQuery({ ...myTeams, enabled: has('team') });
  return ({ kind, id }) => {
    if (kind === 'incoming') return incoming?.get(id);
    if (kind === 'user') return known(id, nameOf(id) === id ? undefined : nameOf(id));
    if (kind === 'outgoing') return known(id, outgoing.find((hook) => hook.id === id)?.display_name);
    if (kind === 'peer') return known(id, peers.find((peer) => peer.remote_id === id)?.display_name);
    if (kind === 'channel') {
      const found = channels.find((channel) => channel.id === id);
      return found && { id, name: found.display_name, teamId: found.team_id };
    }
    if (kind === 'team') return known(id, teams.find((team) => team.id === id)?.display_name);
    return undefined;
  };
}

const known = (id: string, name: string | undefined): Known | undefined =>
  name === undefined ? undefined : { id, name };

/** Words for kinds of targets, which the name of the target follows. */
const NOUNS: Readonly<Partial<Record<TargetKind, RegExp>>> = {
  incoming: /an incoming webhook/,
  outgoing: /an outgoing webhook|a failing outgoing webhook|a webhook/,
  delivery: /a delivery/,
  peer: /a server|a connection/,
  channel: /a channel/,
  team: /a team/,
  user: /a person|an account|a bot|a member|a role/,
};

interface DescriptionProps {
  readonly row: AuditRow;
  readonly find: ReturnType<typeof useTargetNames>;
}

/** What was done, with linked names of existing records, and ids of deleted ones. */
export function Description({ row, find }: DescriptionProps): ReactNode {
  const words = describeAction(row.action);
  if (words === '') return <code>{row.action}</code>;
  let parts: ReactNode[] = [words.charAt(0).toLowerCase() + words.slice(1)];
  targetsOf(row).forEach((target, index, all) => {
    const part = <Part key={index} target={target} found={find(target)} before={all[index - 1]} />;
    const at = parts.findIndex((one) => typeof one === 'string' && NOUNS[target.kind]?.test(one));
    const text = String(parts[at]);
    const [noun = ''] = NOUNS[target.kind]?.exec(text) ?? [];
    const [before = '', after = ''] = text.split(noun);
    parts =
      at === -1
        ? [...parts, ' · ', part]
        : parts.toSpliced(
            at,
            1,
            `${before}${noun.replace(/^an? /, 'the ')} ${noun === 'a role' ? 'of ' : ''}`,
            part,
            after,
          );
  });
  return parts;
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
        {id.slice(0, 8)}
      </Link>
    );
  if (!found) return <code title={id}>{id.slice(0, 12)}</code>;
  return (
    <Link {...placeOf(kind, found)} title={id}>
      {found.name || 'Unnamed'}
    </Link>
  );
}

function placeOf(kind: TargetKind, { id, teamId }: Known): LinkProps {
  if (kind === 'channel') return { to: '/channels', search: { team: teamId, channel: id } };
  if (kind === 'incoming') return { to: '/incoming/$hookId', params: { hookId: id } };
  if (kind === 'outgoing') return { to: '/outgoing/$hookId', params: { hookId: id } };
  if (kind === 'peer') return { to: '/connections/$remoteId', params: { remoteId: id } };
  if (kind === 'team') return { to: '/teams/$teamId', params: { teamId: id } };
  return { to: '/people/$userId', params: { userId: id } };
}
