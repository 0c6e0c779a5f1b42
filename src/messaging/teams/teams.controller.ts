import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { oneOf, Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryFlag, QueryPage } from '../../platform/common/dto/params.js';
import {
  CheckedByPolicy,
  FilteredByPolicy,
  Public,
  RequirePermission,
  SignedIn,
} from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission, TeamScope } from './teams.policy.js';
import {
  CreateTeamDto,
  PatchTeamDto,
  SearchTeamsDto,
  TeamDto,
  TeamExistsDto,
  TeamIdParam,
  TeamInviteDto,
  TeamNameParam,
  TeamPrivacyDto,
  TeamStatsDto,
  TeamsWithCountDto,
  UpdateTeamDto,
} from './dto/team.dto.js';
import { TeamsService } from './teams.service.js';

const WHO_PATCHES = '`manage_team`; also `invite_user` to change `allow_open_invite` or `allowed_domains`';

const LIST_OR_PAGE = oneOf([[TeamDto], TeamsWithCountDto]);

@ApiTags('teams')
@Controller('teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Post()
  @CheckedByPolicy(TeamPermission.CreateTeam)
  @Audited('create_team')
  @Operation({
    summary: 'Create a team',
    description:
      'Includes the channels `town-square` and `off-topic`; the creator becomes the administrator of all three.',
    created: TeamDto,
  })
  createTeam(@CurrentActor() actor: Actor, @Body() body: CreateTeamDto): Promise<TeamDto> {
    return this.teams.create(actor, body);
  }

  @Get(':team_id')
  @CheckedByPolicy(
    [CommonPermission.ViewTeam, TeamPermission.ListPublicTeams],
    '`view_team`, or `list_public_teams` for an open team',
  )
  @Operation({ summary: 'Get a team', ok: TeamDto, errors: [404] })
  getTeam(@CurrentActor() actor: Actor, @TeamIdParam() id: string): Promise<TeamDto> {
    return this.teams.view(actor, id);
  }

  @Put(':team_id')
  @CheckedByPolicy([TeamPermission.ManageTeam, TeamPermission.InviteUser], WHO_PATCHES)
  @Audited('update_team', 'team_id')
  @Operation({
    summary: 'Change a team',
    description:
      'Changes the display name, description, company, allowed domains and whether anyone can join.',
    ok: TeamDto,
    errors: [404],
  })
  updateTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() id: string,
    @Body() body: UpdateTeamDto,
  ): Promise<TeamDto> {
    return this.teams.update(actor, id, body);
  }

  @Put(':team_id/patch')
  @CheckedByPolicy([TeamPermission.ManageTeam, TeamPermission.InviteUser], WHO_PATCHES)
  @Audited('patch_team', 'team_id')
  @Operation({
    summary: 'Change single fields of a team',
    description: 'Setting `allow_open_invite` to false gives the team a new invite id.',
    ok: TeamDto,
    errors: [404],
  })
  patchTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() id: string,
    @Body() body: PatchTeamDto,
  ): Promise<TeamDto> {
    return this.teams.patch(actor, id, body);
  }

  @Delete(':team_id')
  @RequirePermission(TeamPermission.ManageTeam, TeamScope)
  @Audited('delete_team', 'team_id')
  @Operation({
    summary: 'Archive a team',
    description: 'No data is deleted; `permanent=true` is refused with 401.',
    ok: StatusOkDto,
    errors: [404],
  })
  async deleteTeam(
    @TeamIdParam() id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.teams.archive(id, isPermanent);
    return STATUS_OK;
  }

  @Post(':team_id/restore')
  @RequirePermission(TeamPermission.ManageTeam, TeamScope)
  @Audited('restore_team', 'team_id')
  @Operation({ summary: 'Restore an archived team', ok: TeamDto, errors: [404] })
  restoreTeam(@CurrentActor() actor: Actor, @TeamIdParam() id: string): Promise<TeamDto> {
    return this.teams.restore(actor, id);
  }

  @Get()
  @CheckedByPolicy(
    [TeamPermission.ListPublicTeams, TeamPermission.ListPrivateTeams],
    '`list_public_teams` for open teams, `list_private_teams` for others; at least one of them',
  )
  @Operation({
    summary: 'List teams by display name',
    description: 'Archived teams are listed only for holders of `manage_system`.',
    ok: LIST_OR_PAGE,
  })
  getAllTeams(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryFlag('include_total_count', 'Return an object with the total.') withTotal: boolean,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    return this.teams.list(actor, page, withTotal);
  }

  @Post('search')
  @FilteredByPolicy(
    [TeamPermission.ListPublicTeams, TeamPermission.ListPrivateTeams],
    'open teams with `list_public_teams`, others with `list_private_teams`; without either, finds nothing',
  )
  @Operation({
    summary: 'Find teams by a part of their name',
    description: 'With both `page` and `per_page` it returns an object with the total.',
    ok: LIST_OR_PAGE,
  })
  searchTeams(
    @CurrentActor() actor: Actor,
    @Body() body: SearchTeamsDto,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    return this.teams.search(actor, body);
  }

  @Get('invite/:invite_id')
  @Public({ readsSession: false, who: 'anybody who has the invite id' })
  @Operation({
    summary: 'Get the team of an invite id',
    description: 'For sign-up pages, without a session. Only for teams of type `O`.',
    ok: TeamInviteDto,
    errors: [403, 404],
  })
  getTeamInviteInfo(@IdParam('invite_id', 'The invite id of the team.') id: string): Promise<TeamInviteDto> {
    return this.teams.invitation(id);
  }

  @Get('name/:team_name')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team`; none for open teams')
  @Operation({ summary: 'Get a team by its name', ok: TeamDto, errors: [404] })
  getTeamByName(@CurrentActor() actor: Actor, @TeamNameParam() name: string): Promise<TeamDto> {
    return this.teams.viewByName(actor, name);
  }

  @Get('name/:team_name/exists')
  @SignedIn()
  @Operation({
    summary: 'Check whether a team with that name exists',
    description: 'Returns false for teams that the caller cannot see.',
    ok: TeamExistsDto,
  })
  teamExists(@CurrentActor() actor: Actor, @TeamNameParam() name: string): Promise<TeamExistsDto> {
    return this.teams.exists(actor, name);
  }

  @Get(':team_id/stats')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation({ summary: 'Count the members of a team', ok: TeamStatsDto, errors: [404] })
  getTeamStats(@TeamIdParam() id: string): Promise<TeamStatsDto> {
    return this.teams.stats(id);
  }

  @Put(':team_id/privacy')
  @CheckedByPolicy([TeamPermission.ManageTeam, TeamPermission.InviteUser], '`manage_team` and `invite_user`')
  @Audited('update_team_privacy', 'team_id')
  @Operation({
    summary: 'Make a team open or invite-only',
    description: 'Closing it gives the team a new invite id.',
    ok: TeamDto,
    errors: [404],
  })
  updateTeamPrivacy(
    @CurrentActor() actor: Actor,
    @TeamIdParam() id: string,
    @Body() body: TeamPrivacyDto,
  ): Promise<TeamDto> {
    return this.teams.setPrivacy(actor, id, body);
  }

  @Post(':team_id/regenerate_invite_id')
  @RequirePermission(TeamPermission.InviteUser, TeamScope)
  @Audited('regenerate_team_invite_id', 'team_id')
  @Operation({ summary: 'Renew the invite id of a team', ok: TeamDto, errors: [404] })
  regenerateTeamInviteId(@CurrentActor() actor: Actor, @TeamIdParam() id: string): Promise<TeamDto> {
    return this.teams.regenerateInviteId(actor, id);
  }
}
