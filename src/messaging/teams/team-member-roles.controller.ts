import { Body, Controller, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { TeamPermission } from './teams.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { MemberRolesDto, SchemeRolesDto, schemeFlagsOf } from './dto/write-team-member.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamIdParam } from './dto/team.params.js';

@ApiTags('teams')
@Controller('teams/:team_id/members/:user_id')
export class TeamMemberRolesController {
  constructor(private readonly members: TeamMembersService) {}

  @Put('roles')
  @CheckedByPolicy(TeamPermission.ManageTeamRoles)
  @Audited('update_team_member_roles', 'team_id/user_id')
  @Operation({ summary: 'Set the roles of a team member', ok: StatusOkDto, errors: [404] })
  async updateTeamMemberRoles(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @UserIdParam() userId: string,
    @Body() body: MemberRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setRoles(actor, teamId, userId, body.roles);
    return STATUS_OK;
  }

  @Put('schemeRoles')
  @CheckedByPolicy(TeamPermission.ManageTeamRoles)
  @Audited('update_team_member_scheme_roles', 'team_id/user_id')
  @Operation({
    summary: 'Set whether a team member is an administrator',
    ok: StatusOkDto,
    errors: [404],
  })
  async updateTeamMemberSchemeRoles(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @UserIdParam() userId: string,
    @Body() body: SchemeRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setSchemeRoles(actor, teamId, userId, schemeFlagsOf(body));
    return STATUS_OK;
  }
}
