import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Confirm } from '../../parts/confirm';
import { Loaded } from '../../parts/loaded';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { sessionsOf } from './people-queries';

interface PersonSessionsProps {
  readonly userId: string;
}

/** Sessions of an account. */
export function PersonSessions({ userId }: PersonSessionsProps): ReactNode {
  const query = useQuery(sessionsOf(userId));
  const params = { path: { user_id: userId } };
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['people', userId] });
  const end = async (id: string): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/{user_id}/sessions/revoke', { params, body: { session_id: id } }));
    await reload();
  };
  const endAll = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/{user_id}/sessions/revoke/all', { params }));
    await reload();
  };
  return (
    <section aria-label="Sessions">
      <h2>Signed in</h2>
      <Loaded query={query}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="muted">Nowhere.</p>
          ) : (
            <>
              <Table heads={['Where', 'Since', 'Last active', 'Until', '']}>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <td>
                      {[session.props['browser'], session.props['os']].filter(Boolean).join(', ') ||
                        'not known'}
                    </td>
                    <td>
                      <Time at={session.create_at} />
                    </td>
                    <td>
                      <Time at={session.last_activity_at} />
                    </td>
                    <td>
                      <Time at={session.expires_at} none="never" />
                    </td>
                    <td className="actions">
                      <Confirm
                        label="Sign out"
                        title="End this session?"
                        isSmall
                        onConfirm={() => end(session.id)}
                      >
                        <p>Anyone using it has to sign in again.</p>
                      </Confirm>
                    </td>
                  </tr>
                ))}
              </Table>
              <div className="actions">
                <Confirm label="Sign out everywhere" title="End all sessions?" isRisky onConfirm={endAll}>
                  <p>The account has to sign in again in every browser and program. Tokens stay.</p>
                </Confirm>
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
