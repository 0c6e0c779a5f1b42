import { oneOf, type OperationOptions, StatusOkDto } from '../../platform/common/dto/operation.js';
import { TeamDto, TeamExistsDto, TeamInviteDto, TeamStatsDto, TeamsWithCountDto } from './dto/team.dto.js';

const LIST_OR_PAGE = oneOf([[TeamDto], TeamsWithCountDto]);

/** What the API description says of the operations. */
export const DOCS = {
  createTeam: {
    summary: 'Create a team',
    description:
      'Comes with the channels `town-square` and `off-topic`; the creator is their and its administrator.',
    created: TeamDto,
  },
  getAllTeams: {
    summary: 'List teams by display name',
    description: 'Archived teams are listed for holders of `manage_system` only.',
    ok: LIST_OR_PAGE,
  },
  searchTeams: {
    summary: 'Find teams by a part of their name',
    description: 'With both `page` and `per_page` the answer is an object with the total.',
    ok: LIST_OR_PAGE,
  },
  getTeamByName: { summary: 'Get a team by its name', ok: TeamDto, errors: [404] },
  teamExists: {
    summary: 'Say whether a team of that name exists',
    description: 'Says no also for teams that the caller must not know of.',
    ok: TeamExistsDto,
  },
  getTeamInviteInfo: {
    summary: 'Say to which team an invite id leads',
    description: 'For sign-up pages: nobody needs to be signed in. Only for teams of type `O`.',
    ok: TeamInviteDto,
    errors: [403, 404],
  },
  getTeam: { summary: 'Get a team', ok: TeamDto, errors: [404] },
  updateTeam: {
    summary: 'Change a team',
    description: 'Takes the display name, description, company, allowed domains and whether anyone may join.',
    ok: TeamDto,
    errors: [404],
  },
  patchTeam: {
    summary: 'Change single fields of a team',
    description: 'Setting `allow_open_invite` to false gives the team a new invite id.',
    ok: TeamDto,
    errors: [404],
  },
  updateTeamPrivacy: {
    summary: 'Open a team to everybody, or close it',
    description: 'Closing it gives the team a new invite id.',
    ok: TeamDto,
    errors: [404],
  },
  regenerateTeamInviteId: { summary: 'Give a team a new invite id', ok: TeamDto, errors: [404] },
  deleteTeam: {
    summary: 'Archive a team',
    description: 'Nothing is erased; `permanent=true` is refused with 401.',
    ok: StatusOkDto,
    errors: [404],
  },
  restoreTeam: { summary: 'Bring an archived team back', ok: TeamDto, errors: [404] },
  getTeamStats: { summary: 'Count the members of a team', ok: TeamStatsDto, errors: [404] },
} satisfies Record<string, OperationOptions>;
