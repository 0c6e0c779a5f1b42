import { Button, Group as Row, Stack, Text, TextInput } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Avatar } from '../../parts/avatar';
import { Confirm } from '../../parts/confirm';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { useSettled } from '../../parts/use-settled';
import { NameCell, NameLink, RowActions, Undoable } from '../people/parts';
import { fullNameOf, type Person, roleOf, stateOf } from '../people/people-queries';
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
    { title: 'On the server', width: 150, cell: ({ user }) => roleOf(user) },
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

/** Finds accounts by the beginning of their name, and adds the selected ones. */
function AddMember({ group }: { readonly group: Group }): ReactNode {
  const [term, setTerm] = useState('');
  const settled = useSettled(term);
  const field = useRef<HTMLInputElement>(null);
  const search = useQuery({ ...strangersTo(group, settled), placeholderData: keepPreviousData });
  const found = term === '' ? [] : (search.data ?? []);
  const isAnswered = settled === term && search.isSuccess && !search.isPlaceholderData;
  const adding = useMutation({
    mutationFn: ({ id }: Person) => addMember(group, id),
    onSettled: () => field.current?.focus(), // the row of the added account is gone
  });
  const fault = adding.error ?? (term === '' ? null : search.error);
  const from = group.kind === 'team' ? 'People and bots' : 'Members of the team';
  return (
    <Stack gap="sm">
      <TextInput
        ref={field}
        data-autofocus
        type="search"
        label="Name"
        description={`${from} who are not in the ${group.kind} yet.`}
        value={term}
        onChange={({ target }) => setTerm(target.value)}
      />
      {fault && <FaultNote error={fault} />}
      <Text size="sm" role="status">
        {adding.isSuccess && `${adding.variables.username} is in the ${group.kind}.`}
      </Text>
      {found.map((user) => (
        <Row key={user.id} gap="sm" wrap="nowrap">
          <Avatar name={user.username} />
          <Text size="sm" fw={500}>
            {user.username}
          </Text>
          <Text size="xs" c="dimmed" flex={1} truncate>
            {fullNameOf(user)}
          </Text>
          <Button
            variant="default"
            size="compact-xs"
            loading={adding.isPending && adding.variables.id === user.id}
            disabled={adding.isPending}
            onClick={() => adding.mutate(user)}
            aria-label={`Add ${user.username}`}
          >
            Add
          </Button>
        </Row>
      ))}
      {term !== '' && isAnswered && found.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody else has that name.
        </Text>
      )}
    </Stack>
  );
}
