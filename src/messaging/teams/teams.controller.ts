import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { TeamIdParam } from './dto/team.params.js';
import { TeamDto, TeamStatsDto } from './dto/team.dto.js';
import { CreateTeamDto, PatchTeamDto, UpdateTeamDto } from './dto/write-team.dto.js';
import { TeamsService } from './teams.service.js';
import { TeamScope } from './team.scope.js';

const WHO_PATCHES = '`manage_team`; also `invite_user` to change `allow_open_invite` or `allowed_domains`';

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
      'Comes with the channels `town-square` and `off-topic`; the creator is their and its administrator.',
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
    return this.teams.get(actor, id);
  }

  @Put(':team_id')
  @CheckedByPolicy([TeamPermission.ManageTeam, TeamPermission.InviteUser], WHO_PATCHES)
  @Audited('update_team', 'team_id')
  @Operation({
    summary: 'Change a team',
    description: 'Takes the display name, description, company, allowed domains and whether anyone may join.',
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
    description: 'Nothing is erased; `permanent=true` is refused with 401.',
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
  @Operation({ summary: 'Bring an archived team back', ok: TeamDto, errors: [404] })
  restoreTeam(@CurrentActor() actor: Actor, @TeamIdParam() id: string): Promise<TeamDto> {
    return this.teams.restore(actor, id);
  }

  @Get(':team_id/stats')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope)
  @Operation({ summary: 'Count the members of a team', ok: TeamStatsDto, errors: [404] })
  getTeamStats(@CurrentActor() actor: Actor, @TeamIdParam() id: string): Promise<TeamStatsDto> {
    return this.teams.stats(actor, id);
  }
}
