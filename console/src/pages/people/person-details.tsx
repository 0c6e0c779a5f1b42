import { Code, Grid, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { isAdmin, useUser } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { Copy } from '../../parts/copy';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Time } from '../../parts/time';
import { BotForm, hasRole, PasswordForm, PersonForm, RoleForm } from './account-forms';
import { NameCell, NameLink, RowActions, Section, Undoable } from './parts';
import {
  fullNameOf,
  membershipsOf,
  type Person,
  reloadAccounts,
  roleOf,
  sessionsOf,
  teamsOf,
} from './people-queries';
import { Tokens } from './tokens';

interface PersonProps {
  readonly user: Person;
}

interface PersonDetailsProps extends PersonProps {
  /** Set in a drawer. */
  readonly isNarrow?: boolean;
}

/** Profile, tokens, sessions and teams of an account. */
export function PersonDetails({ user, isNarrow = false }: PersonDetailsProps): ReactNode {
  const me = useUser();
  const isHere = !user.remote_id;
  const isPerson = isHere && !user.is_bot;
  const hasTokens = isHere && (me.id !== user.id || mayHaveTokens(user));
  return (
    <Grid gap="md">
      <Grid.Col span={isNarrow ? 12 : { base: 12, lg: 4 }}>
        <Paper withBorder p="md" pb={0}>
          <Facts
            of={{
              Username: user.username,
              Name: fullNameOf(user),
              Nickname: user.nickname,
              Email: user.email,
              Role: roleOf(user),
              Description: user.bot_description,
              'Last sign-in': isPerson && isAdmin(me) && <Time at={user.last_login ?? 0} isInText />,
              'Password set': isPerson && (
                <Time at={user.last_password_update ?? 0} isInText none="Unknown" />
              ),
              Created: <Time at={user.create_at} isInText />,
              ID: (
                <Group gap={4} wrap="nowrap">
                  <Code bg="transparent" p={0}>
                    {user.id}
                  </Code>
                  <Copy text={user.id} label="Copy the ID" />
                </Group>
              ),
            }}
          />
        </Paper>
      </Grid.Col>
      <Grid.Col span={isNarrow ? 12 : { base: 12, lg: 8 }}>
        {hasTokens && <Tokens userId={user.id} />}
        {isPerson && <Sessions userId={user.id} />}
        <Teams userId={user.id} />
      </Grid.Col>
    </Grid>
  );
}

/** Matches the default roles; a server may grant the permission to other users too. */
const mayHaveTokens = (user: Person): boolean =>
  isAdmin(user) || user.roles.split(' ').includes('system_user_access_token');

/** Administrator actions on an account. Administrators cannot lock themselves out here. */
export function PersonActions({ user }: PersonProps): ReactNode {
  const isOwn = useUser().id === user.id;
  const isPerson = !user.is_bot && !user.remote_id;
  const isActive = user.delete_at === 0;
  if (isOwn && isActive) return <Link to="/account">Your account</Link>;
  return (
    <Group gap="xs">
      {!user.remote_id && !isOwn && (
        <DialogButton label="Edit" title={`Edit ${user.username}`}>
          {(close) =>
            user.is_bot ? <BotForm bot={user} onSaved={close} /> : <PersonForm user={user} onSaved={close} />
          }
        </DialogButton>
      )}
      {isPerson && !isOwn && hasRole(user) && (
        <DialogButton label="Change role" title={`Role of ${user.username}`}>
          {(close) => <RoleForm user={user} onSaved={close} />}
        </DialogButton>
      )}
      {isPerson && !isOwn && (
        <DialogButton label="Set password" title={`New password for ${user.username}`}>
          {(close) => <PasswordForm user={user} onSaved={close} />}
        </DialogButton>
      )}
      {isActive ? (
        <Undoable
          label="Deactivate"
          isRisky
          done={`${user.username} cannot sign in any more. Tokens and webhooks are stopped.`}
          act={() => setActive(user, false)}
          undo={() => setActive(user, true)}
        />
      ) : (
        <Undoable
          label="Activate"
          done={`${user.username} can sign in again. Tokens and webhooks work.`}
          act={() => setActive(user, true)}
          undo={() => setActive(user, false)}
        />
      )}
    </Group>
  );
}

async function setActive({ id, is_bot: isBot }: Person, active: boolean): Promise<void> {
  const bot = { params: { path: { bot_user_id: id } } };
  if (!isBot)
    await answerOf(
      api.PUT('/api/v4/users/{user_id}/active', { params: { path: { user_id: id } }, body: { active } }),
    );
  else if (active) await answerOf(api.POST('/api/v4/bots/{bot_user_id}/enable', bot));
  else await answerOf(api.POST('/api/v4/bots/{bot_user_id}/disable', bot));
  await reloadAccounts();
}

interface PartProps {
  readonly userId: string;
}

type Session = Schemas['SessionDto'];

/** Where an account is signed in. */
function Sessions({ userId }: PartProps): ReactNode {
  const query = useQuery(sessionsOf(userId));
  const params = { path: { user_id: userId } };
  const end = (id: string): Promise<unknown> =>
    answerOf(api.POST('/api/v4/users/{user_id}/sessions/revoke', { params, body: { session_id: id } })).then(
      reloadAccounts,
    );
  const endAll = (): Promise<unknown> =>
    answerOf(api.POST('/api/v4/users/{user_id}/sessions/revoke/all', { params })).then(reloadAccounts);
  const columns: readonly Column<Session>[] = [
    {
      title: 'Signed in with',
      cell: ({ props }) => [props['browser'], props['os']].filter(Boolean).join(', ') || 'Unknown program',
    },
    { title: 'Since', width: 100, cell: ({ create_at: at }) => <Time at={at} /> },
    { title: 'Last active', width: 100, cell: ({ last_activity_at: at }) => <Time at={at} /> },
    { title: 'Until', width: 100, cell: ({ expires_at: at }) => <Time at={at} /> },
    {
      title: '',
      width: 100,
      cell: ({ id }) => (
        <RowActions>
          <Confirm label="Sign out" title="Sign out this session?" isSmall onConfirm={() => end(id)}>
            <p>Anyone using it has to sign in again.</p>
          </Confirm>
        </RowActions>
      ),
    },
  ];
  return (
    <Section
      title="Sessions"
      actions={
        query.data !== undefined &&
        query.data.length > 0 && (
          <Confirm label="Sign out everywhere" title="Sign out everywhere?" isRisky onConfirm={endAll}>
            <p>The account has to sign in again in every browser and program. Tokens keep working.</p>
          </Confirm>
        )
      }
    >
      <Loaded query={query}>
        {(sessions) => (
          <DataTable
            label="Sessions"
            columns={columns}
            rows={sessions}
            keyOf={({ id }) => id}
            empty={<None>Not signed in anywhere.</None>}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Teams of an account, and its role in each. */
function Teams({ userId }: PartProps): ReactNode {
  const query = useQuery(teamsOf(userId));
  const { data: memberships = [] } = useQuery(membershipsOf(userId));
  const isAdminOf = (id: string): boolean =>
    memberships.some((one) => one.team_id === id && one.scheme_admin);
  return (
    <Section title="Teams">
      <Loaded query={query}>
        {(teams) => (
          <Group gap="md">
            {teams.map(({ id, display_name: name }) => (
              <NameCell key={id} name={name} note={isAdminOf(id) ? 'Administrator' : 'Member'}>
                <NameLink to="/teams/$teamId" params={{ teamId: id }}>
                  {name}
                </NameLink>
              </NameCell>
            ))}
            {teams.length === 0 && <None>In no team. Administrators add members on the page of a team.</None>}
          </Group>
        )}
      </Loaded>
    </Section>
  );
}

const None = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);
