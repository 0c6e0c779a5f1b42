import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { TeamMemberDto, TeamMemberResultDto } from './dto/team-member.dto.js';
import {
  AddTeamMemberDto,
  MemberRolesDto,
  SchemeRolesDto,
  schemeFlagsOf,
  TeamMemberBody,
  TeamMembersBody,
} from './dto/write-team-member.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamScope } from './team.scope.js';
import { DOCS } from './team-members.docs.js';
import { TeamIdParam } from './dto/team.params.js';

const MAX_IDS = 1000;
/** Bodies that a parameter pipe reads; the type keeps the global pipe away from them. */
type Added = Readonly<AddTeamMemberDto>;

@ApiTags('teams')
@ApiExtraModels(TeamMemberDto, TeamMemberResultDto)
@Controller('teams')
export class TeamMembersController {
  constructor(private readonly members: TeamMembersService) {}

  @Post('members/invite')
  @SignedIn()
  @Audited('join_team_by_invite')
  @Operation(DOCS.addUserToTeamFromInvite)
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
  @Operation(DOCS.addTeamMember)
  async addTeamMember(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body(new TeamMemberBody()) body: Added,
  ): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.add(actor, teamId, body));
  }

  @Post(':team_id/members/batch')
  @CheckedByPolicy(TeamPermission.AddUserToTeam)
  @Audited('add_team_members', 'team_id')
  @Operation(DOCS.addTeamMembers)
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

  @Get(':team_id/members')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation(DOCS.getTeamMembers)
  async getTeamMembers(
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
    const members = await this.members.list(teamId, options, page.offset, page.perPage);
    return members.map((member) => TeamMemberDto.from(member));
  }

  @Post(':team_id/members/ids')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation(DOCS.getTeamMembersByIds)
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
  @Operation(DOCS.getTeamMember)
  async getTeamMember(@TeamIdParam() teamId: string, @UserIdParam() userId: string): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.get(teamId, userId));
  }

  @Delete(':team_id/members/:user_id')
  @CheckedByPolicy(TeamPermission.RemoveUserFromTeam, '`remove_user_from_team`; none for oneself')
  @Audited('remove_team_member', 'team_id/user_id')
  @Operation(DOCS.removeTeamMember)
  async removeTeamMember(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @UserIdParam() userId: string,
  ): Promise<StatusOkDto> {
    await this.members.remove(actor, teamId, userId);
    return STATUS_OK;
  }

  @Put(':team_id/members/:user_id/roles')
  @CheckedByPolicy(TeamPermission.ManageTeamRoles)
  @Audited('update_team_member_roles', 'team_id/user_id')
  @Operation(DOCS.updateTeamMemberRoles)
  async updateTeamMemberRoles(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @UserIdParam() userId: string,
    @Body() body: MemberRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setRoles(actor, teamId, userId, body.roles);
    return STATUS_OK;
  }

  @Put(':team_id/members/:user_id/schemeRoles')
  @CheckedByPolicy(TeamPermission.ManageTeamRoles)
  @Audited('update_team_member_scheme_roles', 'team_id/user_id')
  @Operation(DOCS.updateTeamMemberSchemeRoles)
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
