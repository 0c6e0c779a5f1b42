import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { TeamPermission } from './teams.permissions.js';
import { UserPermission } from '../users/users.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { TeamMemberDto } from './dto/team-member.dto.js';
import { TeamDto } from './dto/team.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamsService } from './teams.service.js';

@ApiTags('teams')
@Controller('users/:user_id/teams')
export class UserTeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: TeamMembersService,
  ) {}

  @Get()
  @CheckedByPolicy(
    UserPermission.SysconsoleReadUsers,
    'the user; others with `sysconsole_read_user_management_users`',
  )
  @Operation({
    summary: 'List the teams of a user',
    description: 'Archived teams are left out.',
    ok: [TeamDto],
  })
  getTeamsForUser(@CurrentActor() actor: Actor, @UserIdParam() userId: string): Promise<TeamDto[]> {
    return this.teams.listOfUser(actor, userId);
  }

  @Get('members')
  @CheckedByPolicy(TeamPermission.ReadOtherUsersTeams, 'the user; others with `read_other_users_teams`')
  @Operation({
    summary: 'List the memberships of a user in teams',
    description: 'Ended ones are listed too, with the time in `delete_at`.',
    ok: [TeamMemberDto],
  })
  async getTeamMembersForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
  ): Promise<TeamMemberDto[]> {
    return (await this.members.listOfUser(actor, userId)).map((member) => TeamMemberDto.from(member));
  }
}
