import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryFlag, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, FilteredByPolicy, Public, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { TeamNameParam } from './dto/team.params.js';
import { TeamDto, TeamExistsDto, TeamInviteDto, TeamsWithCountDto } from './dto/team.dto.js';
import { SearchTeamsDto } from './dto/write-team.dto.js';
import { TeamsService } from './teams.service.js';
import { DOCS } from './teams.docs.js';

/** Finds teams: by list, by search and by name. */
@ApiTags('teams')
@Controller('teams')
export class TeamLookupController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @CheckedByPolicy(
    [TeamPermission.ListPublicTeams, TeamPermission.ListPrivateTeams],
    '`list_public_teams` for open teams, `list_private_teams` for the others; one of them at least',
  )
  @Operation(DOCS.getAllTeams)
  getAllTeams(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryFlag('include_total_count', 'Answer an object with the total.') withTotal: boolean,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    return this.teams.list(actor, page, withTotal);
  }

  @Post('search')
  @FilteredByPolicy(
    [TeamPermission.ListPublicTeams, TeamPermission.ListPrivateTeams],
    'open teams with `list_public_teams`, others with `list_private_teams`; none of them finds nothing',
  )
  @Operation(DOCS.searchTeams)
  searchTeams(
    @CurrentActor() actor: Actor,
    @Body() body: SearchTeamsDto,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    return this.teams.search(actor, body);
  }

  @Get('invite/:invite_id')
  @Public({ readsSession: false, who: 'anybody who has the invite id' })
  @Operation(DOCS.getTeamInviteInfo)
  getTeamInviteInfo(@IdParam('invite_id', 'The invite id of the team.') id: string): Promise<TeamInviteDto> {
    return this.teams.invitation(id);
  }

  @Get('name/:team_name')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team`; none for open teams')
  @Operation(DOCS.getTeamByName)
  getTeamByName(@CurrentActor() actor: Actor, @TeamNameParam() name: string): Promise<TeamDto> {
    return this.teams.getByName(actor, name);
  }

  @Get('name/:team_name/exists')
  @SignedIn()
  @Operation(DOCS.teamExists)
  teamExists(@CurrentActor() actor: Actor, @TeamNameParam() name: string): Promise<TeamExistsDto> {
    return this.teams.exists(actor, name);
  }
}
