import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { DialogButton } from '../../parts/dialog-button';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { Time } from '../../parts/time';
import { PasswordForm } from './password-form';
import { type Person, person, roleOf } from './people-queries';
import { PersonForm } from './person-form';
import { PersonSessions } from './person-sessions';
import { PersonTeams } from './person-teams';
import { PersonTokens } from './person-tokens';

/** The signed-in user's account: names, password, sessions, and tokens if allowed. */
export function AccountPage(): ReactNode {
  const query = useQuery(person(useUser().id));
  return <Loaded query={query}>{(user) => <Account user={user} />}</Loaded>;
}

function Account({ user }: { readonly user: Person }): ReactNode {
  return (
    <>
      <PageHead title="Your account">
        <DialogButton label="Edit" title="Edit your account">
          {(close) => <PersonForm user={user} isOwn onSaved={close} />}
        </DialogButton>
        <DialogButton label="Change the password" title="Change your password">
          {(close) => <PasswordForm userId={user.id} isOwn onSaved={close} />}
        </DialogButton>
      </PageHead>
      <Facts
        of={{
          Username: user.username,
          Name: [user.first_name, user.last_name].join(' ').trim(),
          Nickname: user.nickname,
          Email: user.email,
          Role: roleOf(user),
          'Password set': <Time isInText at={user.last_password_update ?? 0} none="at an unknown time" />,
        }}
      />
      <PersonTeams userId={user.id} />
      {mayHaveTokens(user) && <PersonTokens userId={user.id} />}
      <PersonSessions userId={user.id} />
    </>
  );
}

/** Matches the default roles; a server may grant the permission to other users too. */
const mayHaveTokens = (user: Person): boolean =>
  isAdmin(user) || user.roles.split(' ').includes('system_user_access_token');
