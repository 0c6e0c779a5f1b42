import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { DialogButton } from '../../parts/dialog-button';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Table } from '../../parts/table';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { roleOf } from '../people/people-queries';
import { AddMember } from './add-member';
import { MemberActions } from './member-actions';
import { type Member, membersOf } from './team-queries';

interface TeamMembersProps {
  readonly teamId: string;
}

/** Members of a team and their roles. */
export function TeamMembers({ teamId }: TeamMembersProps): ReactNode {
  const query = useInfiniteQuery(membersOf(teamId));
  const mayManage = useIsTeamAdmin(teamId);
  const mayOpen = isAdmin(useUser());
  return (
    <>
      {mayManage && (
        <div className="list-actions">
          <DialogButton label="Add a member" title="Add a member" kind="primary">
            {() => <AddMember teamId={teamId} />}
          </DialogButton>
        </div>
      )}
      <Loaded query={query}>
        {({ pages }) => (
          <>
            <Table heads={['Name', 'In the team', 'On the server', ...(mayManage ? [''] : [])]}>
              {pages.flat().map((member) => (
                <tr key={member.user.id}>
                  <td>
                    {mayOpen ? (
                      <Link to="/people/$userId" params={{ userId: member.user.id }}>
                        {member.user.username}
                      </Link>
                    ) : (
                      member.user.username
                    )}{' '}
                    {member.user.delete_at > 0 && <Badge tone="warning">deactivated</Badge>}
                  </td>
                  <td>{roleIn(member)}</td>
                  <td className="muted">{roleOf(member.user)}</td>
                  {mayManage && (
                    <td className="actions">
                      <MemberActions teamId={teamId} member={member} />
                    </td>
                  )}
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

function roleIn({ membership }: Member): string {
  if (!membership) return '';
  return membership.scheme_admin ? 'administrator' : 'member';
}
