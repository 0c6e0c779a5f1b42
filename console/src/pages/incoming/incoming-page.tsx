import { Button, Group, Switch, Text } from '@mantine/core';
import { IconLock, IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { incomingRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { Copy } from '../../parts/copy';
import { CutNote } from '../../parts/cut-note';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { FilterChips } from '../../parts/filter-chips';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { isRefused, WebhooksRefused } from '../../parts/refused';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { myChannels, myTeams, useTeam } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { useOpened } from '../../parts/use-opened';
import { AddWebhook } from './add-webhook';
import { describeRefusal } from './describe-refusal';
import { STATES, stateOf, statusOf } from './hook-state';
import { addressOf, ALL_TEAMS, type IncomingHook, incomingHooks, refusingHooks } from './incoming-queries';
import { FORMATS, titlesOf } from './senders';

const FILTERS = {
  state: {
    label: 'State',
    choices: Object.fromEntries(Object.entries(STATES).map(([state, { text }]) => [state, text])),
  },
  format: { label: 'Format', choices: titlesOf(FORMATS) },
};

/** The incoming webhooks of a team, or of all teams. */
export function IncomingPage(): ReactNode {
  const [chosenTeam] = useTeam();
  const isOfAdmin = isAdmin(useUser());
  const { data: teams = [] } = useQuery(myTeams);
  const { search = '', team, ...values } = incomingRoute.useSearch();
  const navigate = useNavigate({ from: '/incoming' });
  const isEverywhere = team === ALL_TEAMS && isOfAdmin;
  const hooks = useQuery(incomingHooks(isEverywhere ? ALL_TEAMS : chosenTeam));
  const { columns, matches } = useColumns(hooks.data ?? [], isEverywhere);
  const [isAdding, setAdding] = useOpened('add');
  const add = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      Add a webhook
    </Button>
  );
  const isEmpty = hooks.data?.length === 0;
  const empty = isEmpty ? (
    <Empty
      icon={IconWebhook}
      title="No webhooks yet"
      text="A program posts to the URL of a webhook, and the message appears in its channel."
    >
      {add}
    </Empty>
  ) : (
    <Empty text="No webhooks match these filters." />
  );
  const refused = isRefused(hooks.error) && <WebhooksRefused />;
  return (
    <>
      <PageHead title="Incoming webhooks">{hooks.data && !isEmpty && !refused && add}</PageHead>
      {refused || (
        <>
          <Group mb="sm" gap="sm">
            <SearchField
              label="Search webhooks"
              value={search}
              onSearch={(text) =>
                void navigate({ search: (now) => ({ ...now, search: text }), replace: search !== '' })
              }
            />
            <FilterChips
              filters={FILTERS}
              values={values}
              onChange={(changed) => void navigate({ search: (now) => ({ ...now, ...changed }) })}
            />
            {isOfAdmin && teams.length > 1 && (
              <Switch
                label="All teams"
                checked={isEverywhere}
                onChange={({ target: { checked } }) =>
                  void navigate({ search: (now) => ({ ...now, team: checked ? ALL_TEAMS : undefined }) })
                }
              />
            )}
          </Group>
          <Loaded query={hooks}>
            {(all) => (
              <>
                <CutNote count={all.length} />
                <Growing items={all.filter((hook) => matches(hook, search, values))}>
                  {(shown) => (
                    <DataTable
                      label="Incoming webhooks"
                      columns={columns}
                      rows={shown}
                      keyOf={({ id }) => id}
                      onOpen={({ id: hookId }) =>
                        void navigate({ to: '/incoming/$hookId', params: { hookId } })
                      }
                      empty={empty}
                    />
                  )}
                </Growing>
              </>
            )}
          </Loaded>
        </>
      )}
      <Modal title="Add an incoming webhook" isOpen={isAdding} onClose={() => setAdding(false)} isWide>
        <AddWebhook teamId={chosenTeam} />
      </Modal>
    </>
  );
}

type Filters = Readonly<Record<string, string | undefined>>;

/** The columns of the list, and whether a webhook matches a search and filters. */
function useColumns(hooks: readonly IncomingHook[], isEverywhere: boolean) {
  const { data: refusing } = useQuery({ ...refusingHooks, enabled: isAdmin(useUser()) });
  const refusals = new Map(refusing?.map((one) => [one.hook_id, one]));
  const teamIds = [...new Set(hooks.map(({ team_id: id }) => id))];
  const channels = useQueries({ queries: teamIds.map(myChannels) }).flatMap(({ data = [] }) => data);
  const { data: teams = [] } = useQuery(myTeams);
  const names = new Map([...channels, ...teams].map(({ id, display_name: name }) => [id, name]));
  const ownerOf = useUsernames(hooks.map(({ user_id: id }) => id));
  const columns: Column<IncomingHook>[] = [
    {
      title: 'Name',
      cell: ({ id: hookId, display_name: name, description }) => (
        <>
          <Link to="/incoming/$hookId" params={{ hookId }}>
            {name || 'Unnamed'}
          </Link>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {description}
          </Text>
        </>
      ),
    },
    {
      title: 'Channel',
      cell: ({ channel_id: channelId, channel_locked: isLocked, team_id: teamId }) => (
        <div>
          {names.get(channelId) ?? <span className="muted">Another channel</span>}{' '}
          {isLocked && (
            <Badge tone="quiet" icon={IconLock}>
              Locked
            </Badge>
          )}
          {isEverywhere && <div className="muted">{names.get(teamId) ?? 'Another team'}</div>}
        </div>
      ),
    },
    { title: 'Format', cell: ({ format }) => FORMATS[format][0], onPhone: 'hidden' },
    { title: 'Owner', cell: ({ user_id: id }) => ownerOf(id), onPhone: 'hidden' },
    {
      title: 'State',
      width: '28%',
      cell: (hook) => {
        const refusal = refusals.get(hook.id);
        return (
          <div>
            <StatusBadge status={statusOf(hook, refusal !== undefined)} />
            {refusal && (
              <Text size="xs" c="dimmed" lineClamp={2}>
                <Link to="/incoming/$hookId" params={{ hookId: hook.id }} search={{ tab: 'calls' }}>
                  refused <Time at={refusal.last_refused_at} isInText />
                </Link>
                : {describeRefusal(refusal.last_message)}
              </Text>
            )}
          </div>
        );
      },
    },
    { title: 'Last used', isNumber: true, width: 90, cell: ({ last_used: at }) => <Time at={at} /> },
    {
      title: '',
      width: 44,
      onPhone: 'corner',
      cell: ({ id, display_name: name }) => (
        <Copy text={addressOf(id)} label={`Copy the URL of ${name || 'the webhook'}`} />
      ),
    },
  ];
  const matches = (hook: IncomingHook, search: string, { state, format }: Filters): boolean =>
    (state === undefined || stateOf(hook, refusals.has(hook.id)) === state) &&
    (format === undefined || hook.format === format) &&
    [hook.display_name, hook.description, names.get(hook.channel_id) ?? '', ownerOf(hook.user_id)]
      .join(' ')
      .toLowerCase()
      .includes(search.toLowerCase());
  return { columns, matches };
}
