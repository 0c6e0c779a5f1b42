import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Confirm } from '../../parts/confirm';
import type { Member } from './team-queries';

interface MemberActionsProps {
  readonly teamId: string;
  readonly member: Member;
}

const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams'] });

/** Actions of a team administrator on a member. */
export function MemberActions({ teamId, member: { user, membership } }: MemberActionsProps): ReactNode {
  const params = { path: { team_id: teamId, user_id: user.id } };
  const isTeamAdmin = membership?.scheme_admin ?? false;
  const setRole = async (): Promise<void> => {
    await answerOf(
      api.PUT('/api/v4/teams/{team_id}/members/{user_id}/schemeRoles', {
        params,
        body: { scheme_user: true, scheme_admin: !isTeamAdmin },
      }),
    );
    await reload();
  };
  const remove = async (): Promise<void> => {
    await answerOf(api.DELETE('/api/v4/teams/{team_id}/members/{user_id}', { params }));
    await reload();
  };
  return (
    <>
      {membership?.scheme_user && (
        <Confirm
          label={isTeamAdmin ? 'Make a member' : 'Make an administrator'}
          title={
            isTeamAdmin
              ? `Make ${user.username} an ordinary member?`
              : `Make ${user.username} an administrator of the team?`
          }
          isSmall
          onConfirm={setRole}
        >
          <p>
            {isTeamAdmin
              ? 'Only its other administrators can then manage the webhooks and settings of the team.'
              : 'An administrator manages the webhooks, the members and the settings of the team.'}
          </p>
        </Confirm>
      )}
      <Confirm
        label="Remove"
        title={`Remove ${user.username} from the team?`}
        isSmall
        isRisky
        onConfirm={remove}
      >
        <p>The account leaves all channels of the team. Its webhooks here stop posting.</p>
      </Confirm>
    </>
  );
}
