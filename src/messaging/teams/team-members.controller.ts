import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';
import { oneOf, Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission, TeamScope } from './teams.policy.js';
import { UserIdParam } from '../users/user-id-param.js';
import {
  AddTeamMemberDto,
  MemberRolesDto,
  schemeFlagsOf,
  SchemeRolesDto,
  TeamMemberBody,
  TeamMemberDto,
  TeamMemberResultDto,
  TeamMembersBody,
} from './dto/team-member.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamDto, TeamIdParam } from './dto/team.dto.js';
import { UserPermission } from '../users/users.policy.js';
import { TeamsService } from './teams.service.js';

const MAX_IDS = 1000;

/** Bodies read by a parameter pipe; the type makes the global pipe skip them. */
type Added = Readonly<AddTeamMemberDto>;

@ApiTags('teams')
@Controller()
export class TeamMembersController {
  constructor(
    private readonly members: TeamMembersService,
    private readonly teams: TeamsService,
  ) {}

  @Get('teams/:team_id/members')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation({ summary: 'List the members of a team', ok: [TeamMemberDto], errors: [404] })
  async getTeamMembers(
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
    @QueryFlag('exclude_deleted_users', 'Exclude deactivated accounts.') excludeDeactivated: boolean,
    @QueryText('sort', {
      description: 'By user id, or by username.',
      schema: { type: 'string', enum: ['', 'Username'] },
    })
    sort = '',
  ): Promise<TeamMemberDto[]> {
    const options = { byUsername: sort.toLowerCase() === 'username', excludeDeactivated };
    const members = await this.members.list(teamId, options, page);
    return members.map((member) => TeamMemberDto.from(member));
  }

  @Post('teams/:team_id/members/ids')
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
    const members = await this.members.listByUserIds(actor, teamId, userIds);
    return members.map((member) => TeamMemberDto.from(member));
  }

  @Get('teams/:team_id/members/:user_id')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation({
    summary: 'Get one member of a team',
    description: 'Former members are included with the time in `delete_at`.',
    ok: TeamMemberDto,
    errors: [404],
  })
  async getTeamMember(@TeamIdParam() teamId: string, @UserIdParam() userId: string): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.get(teamId, userId));
  }

  @Delete('teams/:team_id/members/:user_id')
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

  @Put('teams/:team_id/members/:user_id/roles')
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

  @Put('teams/:team_id/members/:user_id/schemeRoles')
  @CheckedByPolicy(TeamPermission.ManageTeamRoles)
  @Audited('update_team_member_scheme_roles', 'team_id/user_id')
  @Operation({ summary: 'Set whether a team member is an administrator', ok: StatusOkDto, errors: [404] })
  async updateTeamMemberSchemeRoles(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @UserIdParam() userId: string,
    @Body() body: SchemeRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setSchemeRoles(actor, teamId, userId, schemeFlagsOf(body));
    return STATUS_OK;
  }

  @Post('teams/members/invite')
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
    @QueryText('token', 'Not available: the server sends no e-mail.') token = '',
  ): Promise<TeamMemberDto> {
    return TeamMemberDto.from(await this.members.joinByInvite(actor, inviteId, token));
  }

  @Post('teams/:team_id/members')
  @CheckedByPolicy(
    [TeamPermission.JoinPublicTeams, TeamPermission.JoinPrivateTeams, TeamPermission.AddUserToTeam],
    '`add_user_to_team`; for oneself `join_public_teams` if the team is open, else `join_private_teams`',
  )
  @Audited('add_team_member', 'team_id/user_id')
  @Operation({
    summary: 'Add a user to a team',
    description: 'Existing members do not change.',
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

  @Post('teams/:team_id/members/batch')
  @CheckedByPolicy(TeamPermission.AddUserToTeam)
  @Audited('add_team_members', 'team_id', { many: { name: 'user_ids', field: 'user_id' } })
  @Operation({
    summary: 'Add up to 256 users to a team',
    description:
      'All of them or none. With `graceful`, those that can be added, and the reason for each other one.',
    body: { type: [AddTeamMemberDto] },
    created: oneOf([[TeamMemberDto], [TeamMemberResultDto]]),
    errors: [404],
  })
  async addTeamMembers(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body(new TeamMembersBody()) body: readonly Added[],
    @QueryText('graceful', 'Any value except an empty one.') graceful = '',
  ): Promise<TeamMemberDto[] | TeamMemberResultDto[]> {
    return graceful === ''
      ? (await this.members.addAll(actor, teamId, body)).map((member) => TeamMemberDto.from(member))
      : this.members.addPossible(actor, teamId, body);
  }

  @Get('users/:user_id/teams')
  @CheckedByPolicy(
    UserPermission.SysconsoleReadUsers,
    'the user; others with `sysconsole_read_user_management_users`',
  )
  @Operation({
    summary: 'List the teams of a user',
    description: 'Archived teams are omitted.',
    ok: [TeamDto],
  })
  getTeamsForUser(@CurrentActor() actor: Actor, @UserIdParam() userId: string): Promise<TeamDto[]> {
    return this.teams.viewOfUser(actor, userId);
  }

  @Get('users/:user_id/teams/members')
  @CheckedByPolicy(TeamPermission.ReadOtherUsersTeams, 'the user; others with `read_other_users_teams`')
  @Operation({
    summary: 'List the memberships of a user in teams',
    description: 'Includes ended ones, with the time in `delete_at`.',
    ok: [TeamMemberDto],
  })
  async getTeamMembersForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
  ): Promise<TeamMemberDto[]> {
    return (await this.members.listOfUser(actor, userId)).map((member) => TeamMemberDto.from(member));
  }
}
