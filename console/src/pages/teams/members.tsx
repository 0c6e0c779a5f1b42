import { Group as Row, Stack, Text } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Picker } from '../../parts/picker';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { useSettled } from '../../parts/use-settled';
import { useUsernames } from '../../parts/usernames';
import { NameCell, NameLink, RowActions, Undoable } from '../people/parts';
import { fullNameOf, roleOf, stateOf } from '../people/people-queries';
import {
  addMember,
  type Group,
  type Member,
  membersOf,
  removeMember,
  setAdmin,
  strangersTo,
} from './member-queries';

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
          <DialogButton
            label="Add a member"
            title={`Add members to ${group.name}`}
            kind="primary"
            icon={<IconUserPlus size={16} />}
          >
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
