import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { TeamMemberDto } from './dto/team-member.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamScope } from './team.scope.js';
import { TeamIdParam } from './dto/team.params.js';

const MAX_IDS = 1000;

@ApiTags('teams')
@Controller('teams')
export class TeamMembersController {
  constructor(private readonly members: TeamMembersService) {}

  @Get(':team_id/members')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation({ summary: 'List the members of a team', ok: [TeamMemberDto], errors: [404] })
  async getTeamMembers(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
    @QueryFlag('exclude_deleted_users', 'Leave deactivated accounts out.') excludeDeactivated: boolean,
    @QueryText('sort', {
      description: 'By user id, or by user name.',
      schema: { type: 'string', enum: ['', 'Username'] },
    })
    sort = '',
  ): Promise<TeamMemberDto[]> {
    const options = { byUsername: sort.toLowerCase() === 'username', excludeDeactivated };
    const members = await this.members.list(actor, teamId, options, page);
    return members.map((member) => TeamMemberDto.from(member));
  }

  @Post(':team_id/members/ids')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Get several members of a team',
    description: 'Users who are not in the team are skipped.',
    ok: [TeamMemberDto],
    errors: [404],
  })
  async getTeamMembersByIds(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @StringListBody('user_ids', MAX_IDS, 'q7kdzcm5wtd5jfzn8u5fxpbkjo') userIds: string[],
  ): Promise<TeamMemberDto[]> {
    return (await this.members.listByUserIds(actor, teamId, userIds)).map((member) =>
      TeamMemberDto.from(member),
    );
  }

  @Get(':team_id/members/:user_id')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation({
    summary: 'Get one member of a team',
    description: 'Those who left are shown with the time in `delete_at`.',
    ok: TeamMemberDto,
    errors: [404],
  })
  async getTeamMember(@TeamIdParam() teamId: string, @UserIdParam() userId: string): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.get(teamId, userId));
  }

  @Delete(':team_id/members/:user_id')
  @CheckedByPolicy(TeamPermission.RemoveUserFromTeam, '`remove_user_from_team`; none for oneself')
  @Audited('remove_team_member', 'team_id/user_id')
  @Operation({
    summary: 'Remove a user from a team',
    description: 'The user leaves every channel of the team.',
    ok: StatusOkDto,
    errors: [404],
  })
  async removeTeamMember(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @UserIdParam() userId: string,
  ): Promise<StatusOkDto> {
    await this.members.remove(actor, teamId, userId);
    return STATUS_OK;
  }
}
