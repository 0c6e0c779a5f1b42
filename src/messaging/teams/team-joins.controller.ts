import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { oneOf, Operation } from '../../platform/common/dto/operation.js';
import { QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { TeamPermission } from './teams.permissions.js';
import { TeamMemberDto, TeamMemberResultDto } from './dto/team-member.dto.js';
import { AddTeamMemberDto, TeamMemberBody, TeamMembersBody } from './dto/write-team-member.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamIdParam } from './dto/team.params.js';

/** Bodies that a parameter pipe reads; the type keeps the global pipe away from them. */
type Added = Readonly<AddTeamMemberDto>;

/** The ways into a team. */
@ApiTags('teams')
@Controller('teams')
export class TeamJoinsController {
  constructor(private readonly members: TeamMembersService) {}

  @Post('members/invite')
  @SignedIn()
  @Audited('join_team_by_invite')
  @Operation({
    summary: 'Join the team that an invite id belongs to',
    created: TeamMemberDto,
    errors: [403, 404],
  })
  async addUserToTeamFromInvite(
    @CurrentActor() actor: Actor,
    @QueryText('invite_id', 'The invite id of the team.') inviteId = '',
    @QueryText('token', 'Not available: no invitations are mailed.') token = '',
  ): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.joinByInvite(actor, inviteId, token));
  }

  @Post(':team_id/members')
  @CheckedByPolicy(
    [TeamPermission.JoinPublicTeams, TeamPermission.JoinPrivateTeams, TeamPermission.AddUserToTeam],
    '`add_user_to_team`; for oneself `join_public_teams` if the team is open, else `join_private_teams`',
  )
  @Audited('add_team_member', 'team_id/user_id')
  @Operation({
    summary: 'Add a user to a team',
    description: 'A user who is in the team already stays as is.',
    body: { type: AddTeamMemberDto },
    created: TeamMemberDto,
    errors: [404],
  })
  async addTeamMember(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body(new TeamMemberBody()) body: Added,
  ): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.add(actor, teamId, body));
  }

  @Post(':team_id/members/batch')
  @CheckedByPolicy(TeamPermission.AddUserToTeam)
  @Audited('add_team_members', 'team_id', { many: { name: 'user_ids', field: 'user_id' } })
  @Operation({
    summary: 'Add up to 256 users to a team',
    description:
      'All of them or none. With `graceful` those that can be, with the reason for each of the others.',
    body: { type: [AddTeamMemberDto] },
    created: oneOf([[TeamMemberDto], [TeamMemberResultDto]]),
    errors: [404],
  })
  async addTeamMembers(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body(new TeamMembersBody()) body: readonly Added[],
    @QueryText('graceful', 'Any value but the empty one.') graceful = '',
  ): Promise<TeamMemberDto[] | TeamMemberResultDto[]> {
    return graceful === ''
      ? (await this.members.addAll(actor, teamId, body)).map((member) => TeamMemberDto.from(member))
      : (await this.members.addPossible(actor, teamId, body)).map((result) =>
          TeamMemberResultDto.from(result),
        );
  }
}
