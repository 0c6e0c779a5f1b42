import { type OperationOptions, StatusOkDto, oneOf } from '../../platform/common/dto/operation.js';
import { TeamMemberDto, TeamMemberResultDto } from './dto/team-member.dto.js';
import { AddTeamMemberDto } from './dto/write-team-member.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  addUserToTeamFromInvite: {
    summary: 'Join the team that an invite id belongs to',
    created: TeamMemberDto,
    errors: [403, 404],
  },
  addTeamMember: {
    summary: 'Add a user to a team',
    description: 'A user who is in the team already stays as is.',
    body: { type: AddTeamMemberDto },
    created: TeamMemberDto,
    errors: [404],
  },
  addTeamMembers: {
    summary: 'Add up to 256 users to a team',
    description:
      'All of them or none. With `graceful` those that can be, with the reason for each of the others.',
    body: { type: [AddTeamMemberDto] },
    created: oneOf([[TeamMemberDto], [TeamMemberResultDto]]),
    errors: [404],
  },
  getTeamMembers: { summary: 'List the members of a team', ok: [TeamMemberDto], errors: [404] },
  getTeamMembersByIds: {
    summary: 'Get several members of a team',
    description: 'Users who are not in the team are skipped.',
    ok: [TeamMemberDto],
    errors: [404],
  },
  getTeamMember: {
    summary: 'Get one member of a team',
    description: 'Those who left are shown with the time in `delete_at`.',
    ok: TeamMemberDto,
    errors: [404],
  },
  removeTeamMember: {
    summary: 'Remove a user from a team',
    description: 'The user leaves every channel of the team.',
    ok: StatusOkDto,
    errors: [404],
  },
  updateTeamMemberRoles: { summary: 'Set the roles of a team member', ok: StatusOkDto, errors: [404] },
  updateTeamMemberSchemeRoles: {
    summary: 'Set whether a team member is an administrator',
    ok: StatusOkDto,
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
