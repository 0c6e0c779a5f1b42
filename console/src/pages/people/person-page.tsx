import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { personRoute } from '../../app/router';
import { useUser } from '../../app/session';
import { DialogButton } from '../../parts/dialog-button';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { PasswordForm, PersonForm } from './account-forms';
import { person, stateOf } from './people-queries';
import { PersonActions, PersonDetails } from './person-details';

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
