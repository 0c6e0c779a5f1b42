import { Group as Row, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { queries } from '../../app/services';
import { isAdmin, useUser } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Picker, type PickerOption } from '../../parts/picker';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { useSettled } from '../../parts/use-settled';
import { useUsernames } from '../../parts/usernames';
import { NameCell, NameLink, RowActions, Undoable } from '../people/parts';
import { fullNameOf, roleOf, stateOf } from '../people/people-queries';

/** What has members. */
interface Group {
  readonly kind: 'team' | 'channel';
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** Whether all members of the team are in it, always. */
  readonly isDefault?: boolean;
}

/** An account with its role in the group. */
interface Member {
  readonly user: Schemas['UserDto'];
  /** Undefined if the account has just left. */
  readonly membership: Schemas['TeamMemberDto'] | undefined;
}

const TEAM = '/api/v4/teams/{team_id}/members';
const CHANNEL = '/api/v4/channels/{channel_id}/members';
/** The routes of both kinds differ only in their beginning. */
const membersAt = (kind: Group['kind']) => (kind === 'team' ? TEAM : (CHANNEL as typeof TEAM));
const at = (id: string, userId = '') => ({
  params: { path: { team_id: id, channel_id: id, user_id: userId } },
});

const PAGE = 60;
/** The search also returns accounts of other servers, which cannot join. */
const MAX_FOUND = 100;
const MAX_STRANGERS = 10;

/** Members of a group, sorted by name; with a text, the first 100 whose name begins with it. */
const membersOf = ({ kind, id }: Group, term: string) =>
  infiniteQueryOptions({
    queryKey: ['teams', kind, id, 'members', term],
    queryFn: async ({ pageParam: page }): Promise<readonly Member[]> => {
      const isTeam = kind === 'team';
      const query = { ...(isTeam ? { in_team: id } : { in_channel: id }), page, per_page: PAGE };
      const scope = isTeam ? { team_id: id } : { in_channel_id: id };
      const search = { term, ...scope, allow_inactive: true, limit: MAX_FOUND };
      const users = await answerOf(
        term === ''
          ? api.GET('/api/v4/users', { params: { query } })
          : api.POST('/api/v4/users/search', { body: search }),
      );
      if (users.length === 0) return [];
      const body = users.map((user) => user.id);
      const memberships = await answerOf(api.POST(`${membersAt(kind)}/ids`, { ...at(id), body }));
      const byUser = new Map(memberships.map((one) => [one.user_id, one]));
      return users.map((user) => ({ user, membership: byUser.get(user.id) }));
    },
    initialPageParam: 0,
    getNextPageParam: (last, _all, page) => (term !== '' || last.length < PAGE ? undefined : page + 1),
    ...following(),
  });

/** The first accounts that may join a group and whose names begin with the text, if any. */
async function strangersTo({ kind, id, teamId }: Group, term: string): Promise<PickerOption[]> {
  const isTeam = kind === 'team';
  const query = { ...(isTeam ? { not_in_team: id } : { in_team: teamId, not_in_channel: id }), active: true };
  const scope = isTeam ? { not_in_team_id: id } : { team_id: teamId, not_in_channel_id: id };
  const found = await answerOf(
    term === ''
      ? api.GET('/api/v4/users', { params: { query: { ...query, per_page: MAX_FOUND } } })
      : api.POST('/api/v4/users/search', { body: { term, ...scope, limit: MAX_FOUND } }),
  );
  return found
    .filter(({ remote_id: remoteId }) => !remoteId)
    .slice(0, MAX_STRANGERS)
    .map((user) => ({ value: user.id, label: user.username }));
}

async function addMember({ kind, id }: Group, userId: string): Promise<void> {
  const body = { team_id: id, user_id: userId };
  await answerOf(api.POST(membersAt(kind), { ...at(id), body }));
  await reload();
}

async function removeMember({ kind, id }: Group, userId: string): Promise<void> {
  await answerOf(api.DELETE(`${membersAt(kind)}/{user_id}`, at(id, userId)));
  await reload();
}

async function setAdmin({ kind, id }: Group, userId: string, isAdmin: boolean): Promise<void> {
  const body = { scheme_user: true, scheme_admin: isAdmin };
  await answerOf(api.PUT(`${membersAt(kind)}/{user_id}/schemeRoles`, { ...at(id, userId), body }));
  await reload();
}

const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams'] });

interface MembersProps {
  readonly group: Group;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** Members of a team or channel and their roles. */
export function Members({ group, search, onSearch }: MembersProps): ReactNode {
  const query = useInfiniteQuery({
    ...membersOf(group, useSettled(search)),
    placeholderData: keepPreviousData,
  });
  const mayManage = useIsTeamAdmin(group.teamId);
  const mayOpen = isAdmin(useUser());
  const columns: readonly Column<Member>[] = [
    {
      title: 'Name',
      cell: ({ user }) => (
        <NameCell name={user.username} note={fullNameOf(user)}>
          <Row gap="xs">
            {mayOpen ? (
              <NameLink to="/people/$userId" params={{ userId: user.id }}>
                {user.username}
              </NameLink>
            ) : (
              <b>{user.username}</b>
            )}
            {user.delete_at > 0 && <StatusBadge status={stateOf(user.delete_at)} />}
          </Row>
        </NameCell>
      ),
    },
    { title: `In the ${group.kind}`, width: 150, cell: roleIn },
    ...(group.kind === 'team'
      ? [{ title: 'On the server', width: 150, cell: ({ user }: Member) => roleOf(user) }]
      : []),
    ...(mayManage
      ? [{ title: '', width: 230, cell: (one: Member) => <Actions group={group} member={one} /> }]
      : []),
  ];
  return (
    <Stack gap="sm">
      <Row justify="space-between">
        <SearchField label="Search members" value={search} onSearch={onSearch} />
        {mayManage && !group.isDefault && (
          <DialogButton label="Add a member" title={`Add members to ${group.name}`} kind="primary">
            {() => <AddMember group={group} />}
          </DialogButton>
        )}
      </Row>
      <Loaded query={query}>
        {({ pages }) => (
          <>
            <DataTable
              label="Members"
              columns={columns}
              rows={pages.flat()}
              keyOf={({ user }) => user.id}
              empty={
                <Empty icon={IconUsers} text={search === '' ? 'No members yet.' : 'No members match.'} />
              }
            />
            <More query={query} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function roleIn({ membership }: Member): string {
  if (!membership) return '';
  return membership.scheme_admin ? 'Administrator' : 'Member';
}

interface ActionsProps {
  readonly group: Group;
  readonly member: Member;
}

/** What a team administrator may do with a member. */
function Actions({ group, member: { user, membership } }: ActionsProps): ReactNode {
  const me = useUser();
  const { kind, isDefault = false } = group;
  const isOfGroup = membership?.scheme_admin ?? false;
  const set = (is: boolean) => () => setAdmin(group, user.id, is);
  const label = isOfGroup ? 'Make member' : 'Make administrator';
  return (
    <RowActions>
      {membership?.scheme_user &&
        (isOfGroup && user.id === me.id && !isAdmin(me) ? (
          <Confirm label={label} title={`Give up administering the ${kind}?`} isSmall onConfirm={set(false)}>
            <p>Only another administrator can undo this.</p>
          </Confirm>
        ) : (
          <Undoable
            isSmall
            label={label}
            done={`${user.username} is ${isOfGroup ? 'a member' : 'an administrator'} of the ${kind}.`}
            act={set(!isOfGroup)}
            undo={set(isOfGroup)}
          />
        ))}
      {!isDefault && (
        <Confirm
          label="Remove"
          title={`Remove ${user.username} from the ${kind}?`}
          isSmall
          isRisky
          onConfirm={() => removeMember(group, user.id)}
        >
          <p>
            {kind === 'team'
              ? 'The account leaves all channels of the team. Its webhooks here stop posting.'
              : 'The account no longer sees new messages of the channel.'}
          </p>
        </Confirm>
      )}
    </RowActions>
  );
}

/** Finds accounts by the beginning of their name; picking one adds it. */
function AddMember({ group }: { readonly group: Group }): ReactNode {
  const adding = useMutation({ mutationFn: (userId: string) => addMember(group, userId) });
  const nameOf = useUsernames(adding.variables === undefined ? [] : [adding.variables]);
  const who = group.kind === 'team' ? 'People and bots' : 'Members of the team';
  return (
    <>
      <Picker
        key={adding.submittedAt} // empties it
        autoFocus
        data-autofocus
        openOnFocus={false}
        label="Name"
        description={`${who} who are not in the ${group.kind} yet.`}
        queryKey={['teams', group.kind, group.id, 'strangers']}
        find={(term) => strangersTo(group, term)}
        value=""
        onChange={(userId) => userId !== '' && adding.mutate(userId)}
      />
      {adding.error && <FaultNote error={adding.error} />}
      <Text size="sm" mt="sm" mih={20} role="status">
        {adding.isSuccess && `${nameOf(adding.variables)} is in the ${group.kind}.`}
      </Text>
    </>
  );
}
