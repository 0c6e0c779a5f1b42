import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Confirm } from '../../parts/confirm';
import { DialogButton } from '../../parts/dialog-button';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Table } from '../../parts/table';
import { roleOf } from '../people/people-queries';
import { AddMember } from './add-member';
import { membersOf } from './team-queries';

interface TeamMembersProps {
  readonly teamId: string;
}

const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams'] });

/** Who is in a team. */
export function TeamMembers({ teamId }: TeamMembersProps): ReactNode {
  const query = useInfiniteQuery(membersOf(teamId));
  const remove = async (userId: string): Promise<void> => {
    await answerOf(
      api.DELETE('/api/v4/teams/{team_id}/members/{user_id}', {
        params: { path: { team_id: teamId, user_id: userId } },
      }),
    );
    await reload();
  };
  return (
    <>
      <div className="actions">
        <DialogButton label="Add a member" title="Add a member" kind="primary">
          {() => <AddMember teamId={teamId} />}
        </DialogButton>
      </div>
      <Loaded query={query}>
        {({ pages }) => (
          <>
            <Table heads={['Name', 'Role', '']}>
              {pages.flat().map((user) => (
                <tr key={user.id}>
                  <td>
                    <Link to="/people/$userId" params={{ userId: user.id }}>
                      {user.username}
                    </Link>
                  </td>
                  <td>{roleOf(user)}</td>
                  <td className="actions">
                    <Confirm
                      label="Remove"
                      title={`Remove ${user.username} from the team?`}
                      isSmall
                      isRisky
                      onConfirm={() => remove(user.id)}
                    >
                      <p>The account leaves all channels of the team. Its webhooks here stop posting.</p>
                    </Confirm>
                  </td>
                </tr>
              ))}
            </Table>
            <More query={query} />
          </>
        )}
      </Loaded>
    </>
  );
}
