import { ActionIcon, Alert, Button, Group, Paper, Text, Title, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircleCheck, IconX } from '@tabler/icons-react';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useUser } from '../../app/session';
import { type Column, DataTable } from '../../parts/data-table';
import { FaultNote } from '../../parts/fault-note';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { showUndo } from '../../parts/undo';
import { connections } from '../connections/connection-queries';
import { useEndpointNews } from '../endpoints/endpoint-queries';
import { incomingHook, refusingHooks } from '../incoming/incoming-queries';
import type { OutgoingHook } from '../outgoing/outgoing-queries';
import {
  type Concern,
  endpointConcerns,
  lateConcerns,
  peerConcerns,
  refusedConcerns,
  webhookConcerns,
} from './concerns';
import { SHOWN_ENDPOINTS, worstEndpoints } from './overview-queries';

const ORDER = ['bad', 'warning', 'quiet', 'good'];
/** Webhooks with refused calls that are asked for a later success. */
const MAX_ASKED = 20;
const SHOWN = 10;

interface AttentionProps {
  /** The outgoing webhooks of the team. */
  readonly hooks: UseQueryResult<readonly OutgoingHook[]>;
  readonly isOfAdmin: boolean;
}

/** What needs attention, by endpoint, and recently refused calls: of the server for administrators, else of the team. */
export function Attention({ hooks, isOfAdmin: enabled }: AttentionProps): ReactNode {
  useEndpointNews();
  const endpoints = useQuery({ ...worstEndpoints, enabled });
  const peers = useQuery({ ...connections, enabled });
  const failing = (endpoints.data?.failing_count ?? 0) + (endpoints.data?.disabled_count ?? 0);
  const more = Math.max(0, failing - SHOWN_ENDPOINTS);
  const concerns = [
    ...endpointConcerns(endpoints.data?.endpoints ?? []),
    ...webhookConcerns(hooks.data ?? [], endpoints.data?.endpoints),
    ...(endpoints.data ? lateConcerns(endpoints.data) : []),
    ...peerConcerns(peers.data ?? []),
  ].sort((one, other) => ORDER.indexOf(one.status.tone) - ORDER.indexOf(other.status.tone));
  const errors = [endpoints.error, peers.error].filter((error) => error !== null);
  return (
    <>
      <Entries title="Needs attention" concerns={concerns} errors={errors} isWell={!hooks.isLoadingError}>
        {more > 0 && (
          <Text size="sm" mt="xs">
            <Link to="/endpoints" search={{ state: 'failing' }}>
              {more} more {more === 1 ? 'endpoint fails' : 'endpoints fail'}
            </Link>
          </Text>
        )}
      </Entries>
      {enabled && <RefusedCalls />}
    </>
  );
}

function RefusedCalls(): ReactNode {
  const { data: refusing = [], error } = useQuery(refusingHooks);
  const lastUsed = useQueries({
    queries: refusing
      .slice(0, MAX_ASKED)
      .map(({ hook_id: id }) => ({ ...incomingHook(id), staleTime: 30_000, retry: false })),
    combine: (all) => ({
      isKnown: all.every(({ isPending }) => !isPending),
      at: new Map(all.flatMap(({ data }) => (data ? [[data.id, data.last_used]] : []))),
    }),
  });
  if (!error && (refusing.length === 0 || !lastUsed.isKnown)) return null;
  return (
    <Entries
      title="Refused calls"
      concerns={refusedConcerns(refusing, lastUsed.at)}
      errors={error ? [error] : []}
    />
  );
}

interface EntriesProps {
  readonly title: string;
  readonly concerns: readonly Concern[];
  readonly errors: readonly Error[];
  /** Whether an empty list is good news; if undefined, it is not shown at all. */
  readonly isWell?: boolean;
  readonly children?: ReactNode;
}

/** A list of concerns, each of which can be dismissed until it happens again. */
function Entries({ title, concerns, errors, isWell, children }: EntriesProps): ReactNode {
  const [isDismissed, dismiss, restore] = useDismissed();
  const [isWhole, setWhole] = useState(false);
  const open = concerns.filter((one) => !isDismissed(one));
  const hidden = concerns.length - open.length;
  if (concerns.length + errors.length === 0 && isWell === undefined) return null;
  const dismissOne = (one: Concern): void => {
    dismiss(one);
    showUndo('Dismissed until it happens again.', () => Promise.resolve(restore([one])));
  };
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4} mih={28}>
        <Title order={2} m={0}>
          {title}
          {open.length > 0 && (
            <Text span c="dimmed" size="sm">
              {' '}
              {open.length}
            </Text>
          )}
        </Title>
        {hidden > 0 && (
          <Button variant="subtle" size="compact-sm" color="gray" onClick={() => restore(concerns)}>
            Show {hidden} dismissed
          </Button>
        )}
      </Group>
      {errors.map((error, index) => (
        <FaultNote key={index} error={error} />
      ))}
      {open.length > 0 && (
        <Paper withBorder px="xs">
          <DataTable
            label={title}
            columns={columnsOf(isWell === undefined ? 'Last' : 'Since', dismissOne)}
            rows={isWhole ? open : open.slice(0, SHOWN)}
            keyOf={({ key }) => key}
            empty={null}
          />
        </Paper>
      )}
      {!isWhole && open.length > SHOWN && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
          Show all {open.length}
        </Button>
      )}
      {open.length === 0 && errors.length === 0 && isWell === true && (
        <Alert color="green" icon={<IconCircleCheck />} p="sm">
          All endpoints, webhooks and connections work.
        </Alert>
      )}
      {children}
    </section>
  );
}

const columnsOf = (since: string, onDismiss: (one: Concern) => void): Column<Concern>[] => [
  { title: 'Name', width: '22%', cell: ({ title }) => title },
  { title: 'State', width: 130, onPhone: 'corner', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Reason',
    cell: ({ why }) => (
      <Text size="sm" lineClamp={1} title={typeof why === 'string' ? why : undefined}>
        {why}
      </Text>
    ),
  },
  { title: since, width: 80, isNumber: true, cell: ({ at }) => <Time at={at} none="" /> },
  {
    title: '',
    width: 160,
    cell: (one) => (
      <Group gap={4} wrap="nowrap" justify="flex-end" w="100%">
        {one.action}
        <Tooltip label="Dismiss">
          <ActionIcon size="sm" aria-label="Dismiss" onClick={() => onDismiss(one)}>
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    ),
  },
];

const MAX_DISMISSED = 200;

/** What this user has dismissed in this browser. */
function useDismissed() {
  const [times, set] = useLocalStorage<Readonly<Record<string, number>>>({
    key: `hookline.dismissed.${useUser().id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  return [
    ({ key, at }: Concern): boolean => (times[key] ?? -1) >= at,
    ({ key, at }: Concern) =>
      set((now) => Object.fromEntries([...Object.entries(now), [key, at] as const].slice(-MAX_DISMISSED))),
    (restored: readonly Concern[]) =>
      set((now) =>
        Object.fromEntries(Object.entries(now).filter(([key]) => !restored.some((one) => one.key === key))),
      ),
  ] as const;
}
