import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryFlag, QueryPage } from '../../platform/common/dto/params.js';
import {
  CheckedByPolicy,
  FilteredByPolicy,
  RequirePermission,
  SignedIn,
} from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { TeamNameParam } from './dto/team-name.param.js';
import { TeamDto, TeamExistsDto, TeamStatsDto, TeamsWithCountDto } from './dto/team.dto.js';
import {
  CreateTeamDto,
  PatchTeamDto,
  SearchTeamsDto,
  TeamPrivacyDto,
  UpdateTeamDto,
} from './dto/write-team.dto.js';
import { TeamRequests } from './team-requests.js';
import { TeamScope } from './team.scope.js';

const LIST_OR_PAGE = {
  schema: {
    oneOf: [
      { type: 'array', items: { $ref: getSchemaPath(TeamDto) } },
      { $ref: getSchemaPath(TeamsWithCountDto) },
    ],
  },
};

@ApiTags('teams')
@ApiBearerAuth()
@ApiExtraModels(TeamDto, TeamsWithCountDto)
@Controller('teams')
export class TeamsController {
  constructor(private readonly teams: TeamRequests) {}

  @Post()
  @CheckedByPolicy(Permission.CreateTeam)
  @Audited('create_team')
  @Operation({
    summary: 'Create a team',
    description:
      'Comes with the channels `town-square` and `off-topic`; the creator is their and its administrator.',
    permission: '`create_team`',
    errors: [400, 401, 403, 413],
  })
  @ApiCreatedResponse({ type: TeamDto })
  createTeam(@CurrentActor() actor: Actor, @Body() body: CreateTeamDto): Promise<TeamDto> {
    return this.teams.create(actor, body);
  }

  @Get()
  @CheckedByPolicy([Permission.ListPublicTeams, Permission.ListPrivateTeams])
  @Operation({
    summary: 'List teams by display name',
    description: 'Archived teams are left out.',
    permission:
      '`list_public_teams` for open teams, `list_private_teams` for the others; one of them at least',
    errors: [401, 403],
  })
  @ApiOkResponse(LIST_OR_PAGE)
  getAllTeams(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryFlag('include_total_count', 'Answer an object with the total.') withTotal: boolean,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    return this.teams.list(actor, page, withTotal);
  }

  @Post('search')
  @HttpCode(200)
  @FilteredByPolicy([Permission.ListPublicTeams, Permission.ListPrivateTeams])
  @Operation({
    summary: 'Find teams by a part of their name',
    description: 'With both `page` and `per_page` the answer is an object with the total.',
    permission:
      'open teams with `list_public_teams`, others with `list_private_teams`; none of them finds nothing',
    errors: [400, 401, 413],
  })
  @ApiOkResponse(LIST_OR_PAGE)
  searchTeams(
    @CurrentActor() actor: Actor,
    @Body() body: SearchTeamsDto,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    return this.teams.search(actor, body);
  }

  @Get('name/:team_name')
  @CheckedByPolicy(Permission.ViewTeam)
  @Operation({
    summary: 'Get a team by its name',
    permission: '`view_team`; none for open teams',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: TeamDto })
  getTeamByName(@CurrentActor() actor: Actor, @TeamNameParam('team_name') name: string): Promise<TeamDto> {
    return this.teams.getByName(actor, name);
  }

  @Get('name/:team_name/exists')
  @SignedIn()
  @Operation({
    summary: 'Say whether a team of that name exists',
    description: 'Says no also for teams that the caller must not know of.',
    permission: 'any signed-in user',
    errors: [400, 401],
  })
  @ApiOkResponse({ type: TeamExistsDto })
  teamExists(@CurrentActor() actor: Actor, @TeamNameParam('team_name') name: string): Promise<TeamExistsDto> {
    return this.teams.exists(actor, name);
  }

  @Get(':team_id')
  @CheckedByPolicy([Permission.ViewTeam, Permission.ListPublicTeams])
  @Operation({
    summary: 'Get a team',
    permission: '`view_team`, or `list_public_teams` for an open team',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: TeamDto })
  getTeam(@CurrentActor() actor: Actor, @IdParam('team_id', 'The team.') id: string): Promise<TeamDto> {
    return this.teams.get(actor, id);
  }

  @Put(':team_id')
  @CheckedByPolicy(Permission.ManageTeam)
  @Audited('update_team', 'team_id')
  @Operation({
    summary: 'Change a team',
    description: 'Takes the display name, description, company, allowed domains and whether anyone may join.',
    permission: '`manage_team`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: TeamDto })
  updateTeam(
    @CurrentActor() actor: Actor,
    @IdParam('team_id', 'The team.') id: string,
    @Body() body: UpdateTeamDto,
  ): Promise<TeamDto> {
    return this.teams.update(actor, id, body);
  }

  @Put(':team_id/patch')
  @CheckedByPolicy([Permission.ManageTeam, Permission.InviteUser])
  @Audited('patch_team', 'team_id')
  @Operation({
    summary: 'Change single fields of a team',
    description: 'Setting `allow_open_invite` to false gives the team a new invite id.',
    permission: '`manage_team`; also `invite_user` to change `allow_open_invite` or `allowed_domains`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: TeamDto })
  patchTeam(
    @CurrentActor() actor: Actor,
    @IdParam('team_id', 'The team.') id: string,
    @Body() body: PatchTeamDto,
  ): Promise<TeamDto> {
    return this.teams.patch(actor, id, body);
  }

  @Put(':team_id/privacy')
  @CheckedByPolicy([Permission.ManageTeam, Permission.InviteUser])
  @Audited('update_team_privacy', 'team_id')
  @Operation({
    summary: 'Open a team to everybody, or close it',
    description: 'Closing it gives the team a new invite id.',
    permission: '`manage_team` and `invite_user`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: TeamDto })
  updateTeamPrivacy(
    @CurrentActor() actor: Actor,
    @IdParam('team_id', 'The team.') id: string,
    @Body() body: TeamPrivacyDto,
  ): Promise<TeamDto> {
    return this.teams.setPrivacy(actor, id, body);
  }

  @Post(':team_id/regenerate_invite_id')
  @HttpCode(200)
  @RequirePermission(Permission.InviteUser, TeamScope)
  @Audited('regenerate_team_invite_id', 'team_id')
  @Operation({
    summary: 'Give a team a new invite id',
    permission: '`invite_user`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: TeamDto })
  regenerateTeamInviteId(
    @CurrentActor() actor: Actor,
    @IdParam('team_id', 'The team.') id: string,
  ): Promise<TeamDto> {
    return this.teams.regenerateInviteId(actor, id);
  }

  @Delete(':team_id')
  @RequirePermission(Permission.ManageTeam, TeamScope)
  @Audited('delete_team', 'team_id')
  @Operation({
    summary: 'Archive a team',
    description: 'Nothing is erased; `permanent=true` is refused with 401.',
    permission: '`manage_team`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async deleteTeam(
    @IdParam('team_id', 'The team.') id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.teams.archive(id, isPermanent);
    return STATUS_OK;
  }

  @Post(':team_id/restore')
  @HttpCode(200)
  @RequirePermission(Permission.ManageTeam, TeamScope)
  @Audited('restore_team', 'team_id')
  @Operation({
    summary: 'Bring an archived team back',
    permission: '`manage_team`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: TeamDto })
  restoreTeam(@CurrentActor() actor: Actor, @IdParam('team_id', 'The team.') id: string): Promise<TeamDto> {
    return this.teams.restore(actor, id);
  }

  @Get(':team_id/stats')
  @RequirePermission(Permission.ViewTeam, TeamScope)
  @Operation({
    summary: 'Count the members of a team',
    permission: '`view_team`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: TeamStatsDto })
  getTeamStats(@IdParam('team_id', 'The team.') id: string): Promise<TeamStatsDto> {
    return this.teams.stats(id);
  }
}
