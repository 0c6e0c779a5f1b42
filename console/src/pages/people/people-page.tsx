import { Group, Stack } from '@mantine/core';
import { IconKey, IconRobot, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { peopleRoute } from '../../app/router';
import { type Column, DataTable } from '../../parts/data-table';
import { DetailDrawer, useDetail } from '../../parts/detail-drawer';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { ErrorState } from '../../parts/error-state';
import { FilterChips } from '../../parts/filter-chips';
import { Gone } from '../../parts/gone';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { Tabs } from '../../parts/tabs';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { useUsernames } from '../../parts/usernames';
import { AddPerson, BotForm } from './account-forms';
import { LinkButton, NameCell, NameLink } from './parts';
import { bots, fullNameOf, people, person, roleOf, stateOf } from './people-queries';
import { PersonActions, PersonDetails } from './person-page';
import { AllTokens } from './tokens';

const PERSON = 'person';
const FILTERS = {
  role: { label: 'Role', choices: { system_admin: 'Administrator' } },
  state: { label: 'State', choices: { active: 'Active', deactivated: 'Deactivated' } },
} as const;
const NO_BOTS = 'A bot is an account for a program, which signs in with tokens.';
const SEARCHES = { people: 'Search people', bots: 'Search bots', tokens: 'Search tokens' } as const;
type Tab = keyof typeof SEARCHES;
type Bot = Schemas['BotDto'];

/** Accounts and access: people, bots, and the tokens that programs use. */
export function PeoplePage(): ReactNode {
  const { tab: asked = '', search = '' } = peopleRoute.useSearch();
  const tab: Tab = asked === 'bots' || asked === 'tokens' ? asked : 'people';
  const navigate = useNavigate();
  const open = (userId: string): void => void navigate({ to: '/people/$userId', params: { userId } });
  return (
    <>
      <PageHead title="People">
        <SearchField
          key={tab}
          label={SEARCHES[tab]}
          value={search}
          onSearch={(text) =>
            void navigate({ to: '.', search: (now) => ({ ...now, search: text }), replace: search !== '' })
          }
        />
        {tab === 'people' && (
          <DialogButton label="Add a person" title="Add a person" kind="primary">
            {() => <AddPerson onAdded={open} />}
          </DialogButton>
        )}
        {tab === 'bots' && (
          <DialogButton label="Add a bot" title="Add a bot" kind="primary">
            {() => <BotForm onSaved={open} />}
          </DialogButton>
        )}
      </PageHead>
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '/people', search: { tab: name } })}
        tabs={{
          people: { title: 'People', icon: <IconUsers size={16} />, content: () => <People /> },
          bots: { title: 'Bots', icon: <IconRobot size={16} />, content: () => <Bots /> },
          tokens: {
            ...{ title: 'Access tokens', icon: <IconKey size={16} /> },
            content: () => <AllTokens term={search} />,
          },
        }}
      />
      <PersonDrawer />
    </>
  );
}

/** User accounts. Bots have a separate list, but search finds them here too. */
function People(): ReactNode {
  const { search = '', ...filter } = peopleRoute.useSearch();
  const navigate = useNavigate();
  const text = useSettled(search);
  const query = useInfiniteQuery({
    ...people({ ...filter, search: text }),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flat().filter(({ is_bot: isBot }) => !isBot || text !== '');
  const isEnd = rows?.length !== 0 || !query.hasNextPage;
  if (query.error && !rows) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="sm">
      <FilterChips
        filters={FILTERS}
        values={filter}
        onChange={(values) => void navigate({ to: '/people', search: { search, ...values } })}
      />
      <Accounts
        label="People"
        rows={isEnd ? rows : undefined}
        columns={[
          { title: 'Email', cell: ({ email }) => email },
          { title: 'Role', width: 140, cell: roleOf },
          {
            ...{ title: 'Last sign-in', width: 110 },
            cell: ({ last_login: at = 0, is_bot: isBot }) => !isBot && <Time at={at} />,
          },
        ]}
        empty={<Empty icon={IconUsers} text="No people match these filters." />}
      />
      <More query={query} />
    </Stack>
  );
}

/** Bot accounts. */
function Bots(): ReactNode {
  const { search = '' } = peopleRoute.useSearch();
  const query = useQuery(bots);
  const nameOf = useUsernames(query.data?.map(({ owner_id: id }) => id) ?? []);
  const text = search.toLowerCase();
  const isFound = ({ username, display_name: name = '', description = '' }: Bot): boolean =>
    `${username} ${name} ${description}`.toLowerCase().includes(text);
  return (
    <Loaded query={query}>
      {(all) => (
        <Growing key={text} items={all.filter(isFound)}>
          {(shown) => (
            <Accounts
              label="Bots"
              rows={shown.map((bot) => ({ ...bot, id: bot.user_id, first_name: bot.display_name }))}
              columns={[
                { title: 'Description', cell: ({ description }) => description },
                { title: 'Owner', width: 160, cell: ({ owner_id: id }) => nameOf(id) },
              ]}
              empty={
                <Empty icon={IconRobot} text={all.length === 0 ? NO_BOTS : 'No bots match this search.'} />
              }
            />
          )}
        </Growing>
      )}
    </Loaded>
  );
}

interface Account {
  readonly id: string;
  readonly username: string;
  readonly first_name?: string | undefined;
  readonly last_name?: string;
  readonly create_at: number;
  readonly delete_at: number;
}

interface AccountsProps<T> {
  readonly label: string;
  readonly rows: readonly T[] | undefined;
  /** Columns after the name. */
  readonly columns: readonly Column<T>[];
  readonly empty: ReactNode;
}

/** A list of accounts, which open in a drawer. */
function Accounts<T extends Account>({ columns, ...table }: AccountsProps<T>): ReactNode {
  const search = peopleRoute.useSearch();
  const [openId, open] = useDetail(PERSON);
  const all: readonly Column<T>[] = [
    {
      title: 'Name',
      cell: (account) => (
        <NameCell name={account.username} note={fullNameOf(account)}>
          <NameLink to="/people" search={{ ...search, [PERSON]: account.id }}>
            {account.username}
          </NameLink>
        </NameCell>
      ),
    },
    ...columns,
    {
      ...{ title: 'State', width: 140, onPhone: 'corner' },
      cell: ({ delete_at: at }) => <StatusBadge status={stateOf(at)} />,
    },
    { title: 'Created', width: 110, onPhone: 'hidden', cell: ({ create_at: at }) => <Time at={at} /> },
  ];
  return (
    <DataTable
      columns={all}
      keyOf={({ id }) => id}
      openKey={openId}
      onOpen={({ id }) => open(id)}
      {...table}
    />
  );
}

/** The drawer of an account. */
function PersonDrawer(): ReactNode {
  const [userId = ''] = useDetail(PERSON);
  const query = useQuery({ ...person(userId), enabled: userId !== '' });
  return (
    <DetailDrawer
      param={PERSON}
      title={query.data?.username ?? 'Account'}
      actions={
        <LinkButton to="/people/$userId" params={{ userId }}>
          Open page
        </LinkButton>
      }
    >
      {() => (
        <Loaded query={query} gone={<Gone what="account" list={<Link to="/people">People</Link>} />}>
          {(user) => (
            <Stack gap="md">
              <Group justify="space-between">
                <StatusBadge status={stateOf(user.delete_at)} />
                <PersonActions user={user} />
              </Group>
              <PersonDetails user={user} isNarrow />
            </Stack>
          )}
        </Loaded>
      )}
    </DetailDrawer>
  );
}
