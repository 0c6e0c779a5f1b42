import { Button, Text } from '@mantine/core';
import { IconArrowUpRight, IconSearchOff } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { outgoingRoute } from '../../app/router';
import { CutNote } from '../../parts/cut-note';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { isRefused, WebhooksRefused } from '../../parts/refused';
import { StatusBadge } from '../../parts/status-badge';
import { myChannels, useTeam } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { OutcomeTrend } from '../../parts/trend';
import { WebhooksHead } from '../../parts/webhooks-head';
import { useOpened } from '../../parts/use-opened';
import { CallbackHosts } from './callback-urls';
import { OutgoingHookForm } from './outgoing-hook-form';
import {
  CHARTED_AT_ONCE,
  type HookOutcomes,
  lastDayOf,
  type OutgoingHook,
  outgoingHooks,
  reasonOf,
  standingOf,
} from './outgoing-queries';

/** The outgoing webhooks of a team. */
export function OutgoingPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { search = '' } = outgoingRoute.useSearch();
  const [isAdding, setAdding] = useOpened('add');
  const add = (): void => setAdding(true);
  const navigate = useNavigate();
  const query = useQuery(outgoingHooks(teamId));
  const isForbidden = isRefused(query.error);
  return (
    <>
      <WebhooksHead
        title="Outgoing webhooks"
        teamId={teamId}
        onChooseTeam={choose}
        search={search}
        onSearch={(text) =>
          void navigate({ to: '/outgoing', search: { search: text }, replace: search !== '' })
        }
        onAdd={query.data && query.data.length > 0 && !isForbidden ? add : undefined}
      />
      {isForbidden ? (
        <WebhooksRefused />
      ) : (
        <Loaded query={query}>
          {(hooks) =>
            hooks.length > 0 ? (
              <HookTable hooks={hooks} search={search.toLowerCase()} teamId={teamId} />
            ) : (
              <Empty
                icon={IconArrowUpRight}
                title="No outgoing webhooks yet"
                text="An outgoing webhook calls a program whenever a message has a trigger word of your choice."
              >
                <Button onClick={add}>Add a webhook</Button>
              </Empty>
            )
          }
        </Loaded>
      )}
      <Modal title="Add an outgoing webhook" isOpen={isAdding} onClose={() => setAdding(false)}>
        <OutgoingHookForm
          teamId={teamId}
          onSaved={(hook) => void navigate({ to: '/outgoing/$hookId', params: { hookId: hook.id } })}
        />
      </Modal>
    </>
  );
}

const textOf = ({ display_name, description, trigger_words, callback_urls }: OutgoingHook): string =>
  [display_name, description, ...trigger_words, ...callback_urls].join(' ').toLowerCase();

interface HookTableProps {
  readonly hooks: readonly OutgoingHook[];
  readonly search: string;
  readonly teamId: string;
}

function HookTable({ hooks, search, teamId }: HookTableProps): ReactNode {
  const { data: channels = [] } = useQuery(myChannels(teamId));
  const names = new Map(channels.map(({ id, display_name: name }) => [id, name]));
  return (
    <>
      <CutNote count={hooks.length} />
      <Growing items={hooks.filter((hook) => textOf(hook).includes(search))} step={CHARTED_AT_ONCE}>
        {(shown) => <Rows all={hooks} shown={shown} channelNames={names} />}
      </Growing>
    </>
  );
}

interface RowsProps {
  readonly all: readonly OutgoingHook[];
  readonly shown: readonly OutgoingHook[];
  readonly channelNames: ReadonlyMap<string, string>;
}

function Rows({ all, shown, channelNames }: RowsProps): ReactNode {
  const outcomes = useLastDay(all, shown);
  const columns: readonly Column<OutgoingHook>[] = [
    { title: 'Webhook', cell: (hook) => <Name hook={hook} /> },
    {
      ...{ title: 'State', width: '18%', onPhone: 'corner' },
      cell: (hook) => (
        <div>
          <StatusBadge status={standingOf(hook)} />
          <Text size="xs" c="dimmed" lineClamp={2} visibleFrom="sm">
            {reasonOf(hook)}
          </Text>
        </div>
      ),
    },
    {
      title: 'Triggers',
      cell: ({ trigger_words: words }) => words.join(', ') || <Text inherit>Every message</Text>,
    },
    {
      title: 'Channel',
      cell: ({ channel_id: id }) =>
        id === ''
          ? 'All public channels'
          : (channelNames.get(id) ?? <span className="muted">another channel</span>),
    },
    { title: 'URLs', cell: (hook) => <CallbackHosts hook={hook} /> },
    {
      ...{ title: 'Last 24 h', width: 128, onPhone: 'hidden' },
      cell: ({ id }) => <LastCalls of={outcomes(id)} />,
    },
    {
      ...{ title: 'Last call', width: 96, isNumber: true },
      cell: ({ id }) => <LastCall of={outcomes(id)} />,
    },
  ];
  return (
    <DataTable
      label="Outgoing webhooks"
      columns={columns}
      rows={shown}
      keyOf={({ id }) => id}
      empty={<Empty icon={IconSearchOff} text="No webhooks match." />}
    />
  );
}

function Name({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  return (
    <>
      <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
        {hook.display_name || 'Unnamed'}
      </Link>
      {hook.description && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {hook.description}
        </Text>
      )}
    </>
  );
}

/** Calls by the hour; undefined while they load, and null if the user may not see them. */
type LastDay = (HookOutcomes & { readonly start: number; readonly step_seconds: number }) | null | undefined;

/** Loads the charts of the shown rows for fixed groups of webhooks, so that a search does not refetch them. */
function useLastDay(
  all: readonly OutgoingHook[],
  shown: readonly OutgoingHook[],
): (hookId: string) => LastDay {
  const groupOf = new Map(all.map(({ id }, at) => [id, Math.floor(at / CHARTED_AT_ONCE)]));
  const groups = [...new Set(shown.map(({ id }) => groupOf.get(id) ?? 0))];
  const idsIn = (group: number) => all.filter(({ id }) => groupOf.get(id) === group).map(({ id }) => id);
  const days = useQueries({ queries: groups.map((group) => lastDayOf(idsIn(group))) });
  return (hookId) => {
    const { data, isError } = days[groups.indexOf(groupOf.get(hookId) ?? 0)] ?? {};
    const found = data?.hooks.find(({ hook_id: id }) => id === hookId);
    if (data && found) return { ...data, ...found };
    return data || isError ? null : undefined;
  };
}

function LastCalls({ of: day }: { readonly of: LastDay }): ReactNode {
  const [good, bad] = [sumOf(day?.delivered), sumOf(day?.failed)];
  if (!day || good + bad === 0)
    return (
      <Text inherit c="dimmed" w={104} h={26}>
        {day === null && 'not shown'}
        {day && 'no calls'}
      </Text>
    );
  return <OutcomeTrend {...day} label={`Last day: ${good} delivered, ${bad} failed`} />;
}

const sumOf = (counts: readonly number[] = []): number => counts.reduce((sum, count) => sum + count, 0);

const HOUR_MS = 3_600_000;

/** When it was called last, to within an hour. */
function LastCall({ of: day }: { readonly of: LastDay }): ReactNode {
  if (!day) return null;
  const last = day.delivered.findLastIndex((count, at) => count + (day.failed[at] ?? 0) > 0);
  if (last === -1)
    return (
      <Text inherit c="dimmed">
        {'> 24 h'}
      </Text>
    );
  const end = day.start + (last + 1) * day.step_seconds * 1_000;
  return end > Date.now() - HOUR_MS ? '< 1 h' : <Time at={end} />;
}
