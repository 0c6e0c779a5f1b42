import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { personRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Facts } from '../../parts/facts';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { Time } from '../../parts/time';
import { type Person, person, roleOf, stateOf } from './people-queries';
import { PersonActions } from './person-actions';
import { PersonSessions } from './person-sessions';
import { PersonTeams } from './person-teams';
import { PersonTokens } from './person-tokens';

const LIST = <Link to="/people">People</Link>;

/** An account: its profile, role, sessions, and tokens. */
export function PersonPage(): ReactNode {
  const { userId } = personRoute.useParams();
  const query = useQuery(person(userId));
  return (
    <Loaded query={query} gone={<Gone what="account" list={LIST} />}>
      {(user) => <PersonView user={user} />}
    </Loaded>
  );
}

function PersonView({ user }: { readonly user: Person }): ReactNode {
  const state = stateOf(user.delete_at);
  return (
    <>
      <PageHead title={user.username} parent={LIST} state={<Badge tone={state.tone}>{state.text}</Badge>}>
        <PersonActions user={user} />
      </PageHead>
      <Facts
        of={{
          Role: roleOf(user),
          Name: [user.first_name, user.last_name].join(' ').trim(),
          Email: user.email,
          Purpose: user.bot_description,
          Created: <Time at={user.create_at} isInText />,
          ID: <code>{user.id}</code>,
        }}
      />
      <PersonTeams userId={user.id} />
      {!user.remote_id && <PersonTokens userId={user.id} />}
      {!user.is_bot && !user.remote_id && <PersonSessions userId={user.id} />}
    </>
  );
}
