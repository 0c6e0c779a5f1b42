import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { oneOf, Operation } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryFlag, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, FilteredByPolicy, Public, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { TeamNameParam } from './dto/team.params.js';
import { TeamDto, TeamExistsDto, TeamInviteDto, TeamsWithCountDto } from './dto/team.dto.js';
import { SearchTeamsDto } from './dto/write-team.dto.js';
import { TeamsService } from './teams.service.js';

const LIST_OR_PAGE = oneOf([[TeamDto], TeamsWithCountDto]);

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
  @Operation({
    summary: 'List teams by display name',
    description: 'Archived teams are listed for holders of `manage_system` only.',
    ok: LIST_OR_PAGE,
  })
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
  @Operation({
    summary: 'Find teams by a part of their name',
    description: 'With both `page` and `per_page` the answer is an object with the total.',
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
    summary: 'Say to which team an invite id leads',
    description: 'For sign-up pages: nobody needs to be signed in. Only for teams of type `O`.',
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
    return this.teams.getByName(actor, name);
  }

  @Get('name/:team_name/exists')
  @SignedIn()
  @Operation({
    summary: 'Say whether a team of that name exists',
    description: 'Says no also for teams that the caller must not know of.',
    ok: TeamExistsDto,
  })
  teamExists(@CurrentActor() actor: Actor, @TeamNameParam() name: string): Promise<TeamExistsDto> {
    return this.teams.exists(actor, name);
  }
}
