import { Code, Grid, Group, Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { personRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { Copy } from '../../parts/copy';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Facts } from '../../parts/facts';
import { FaultNote } from '../../parts/fault-note';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { BotForm, PasswordForm, PersonForm } from './account-forms';
import { RowActions, Section, Undoable } from './parts';
import {
  fullNameOf,
  type Person,
  person,
  reloadAccounts,
  roleOf,
  sessionsOf,
  stateOf,
  teamsOf,
} from './people-queries';
import { Tokens } from './tokens';

const ADMIN = 'system_admin';
const LIST = <Link to="/people">People</Link>;

/** An account, for administrators. */
export function PersonPage(): ReactNode {
  const { userId } = personRoute.useParams();
  const query = useQuery(person(userId));
  return (
    <Loaded query={query} as="page" gone={<Gone what="account" list={LIST} />}>
      {(user) => (
        <>
          <PageHead
            title={user.username}
            parent={LIST}
            state={<StatusBadge status={stateOf(user.delete_at)} />}
          >
            <PersonActions user={user} />
          </PageHead>
          <PersonDetails user={user} />
        </>
      )}
    </Loaded>
  );
}

/** The signed-in user's account: names, password, sessions, and tokens if allowed. */
export function AccountPage(): ReactNode {
  const query = useQuery(person(useUser().id));
  return (
    <Loaded query={query} as="page">
      {(user) => (
        <>
          <PageHead title="Your account">
            <DialogButton label="Edit" title="Edit your account">
              {(close) => <PersonForm user={user} isOwn onSaved={close} />}
            </DialogButton>
            <DialogButton label="Change password" title="Change your password">
              {(close) => <PasswordForm user={user} isOwn onSaved={close} />}
            </DialogButton>
          </PageHead>
          <PersonDetails user={user} />
        </>
      )}
    </Loaded>
  );
}

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
              Teams: <Teams userId={user.id} />,
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
      {isPerson && !isOwn && <RoleButton user={user} />}
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

/** Gives or takes the administrator role, and keeps other roles, such as the one for tokens. */
function RoleButton({ user }: PersonProps): ReactNode {
  const label = isAdmin(user) ? 'Make member' : 'Make administrator';
  const save = async (): Promise<void> => {
    const others = user.roles.split(' ').filter((name) => name !== '' && name !== ADMIN);
    const roles = (isAdmin(user) ? others : [...others, ADMIN]).join(' ');
    const params = { path: { user_id: user.id } };
    await answerOf(api.PUT('/api/v4/users/{user_id}/roles', { params, body: { roles } }));
    await reloadAccounts();
  };
  return (
    <Confirm
      label={label}
      title={isAdmin(user) ? `Make ${user.username} a member?` : `Make ${user.username} an administrator?`}
      onConfirm={save}
    >
      <p>
        {isAdmin(user)
          ? 'Members use the teams they are in.'
          : 'Administrators can read and change everything.'}
      </p>
    </Confirm>
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
  const end = async (id: string): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/{user_id}/sessions/revoke', { params, body: { session_id: id } }));
    await reloadAccounts();
  };
  const endAll = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/{user_id}/sessions/revoke/all', { params }));
    await reloadAccounts();
  };
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
            empty="Not signed in anywhere."
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Teams of an account, and its role in each. */
function Teams({ userId }: PartProps): ReactNode {
  const { data: teams, error } = useQuery(teamsOf(userId));
  if (error) return <FaultNote error={error} />;
  if (teams?.length === 0) return 'None';
  return teams?.map(({ id, display_name: name, isAdmin: is }) => (
    <div key={id}>
      <Link to="/teams/$teamId" params={{ teamId: id }}>
        {name}
      </Link>
      {is && ', administrator'}
    </div>
  ));
}
