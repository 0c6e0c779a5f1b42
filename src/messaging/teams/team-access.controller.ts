import { Body, Controller, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { TeamPermission } from './teams.permissions.js';
import { TeamIdParam } from './dto/team.params.js';
import { TeamDto } from './dto/team.dto.js';
import { TeamPrivacyDto } from './dto/write-team.dto.js';
import { TeamsService } from './teams.service.js';
import { TeamScope } from './team.scope.js';

/** Who may join a team. */
@ApiTags('teams')
@Controller('teams')
export class TeamAccessController {
  constructor(private readonly teams: TeamsService) {}

  @Put(':team_id/privacy')
  @CheckedByPolicy([TeamPermission.ManageTeam, TeamPermission.InviteUser], '`manage_team` and `invite_user`')
  @Audited('update_team_privacy', 'team_id')
  @Operation({
    summary: 'Open a team to everybody, or close it',
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
  @Operation({ summary: 'Give a team a new invite id', ok: TeamDto, errors: [404] })
  regenerateTeamInviteId(@CurrentActor() actor: Actor, @TeamIdParam() id: string): Promise<TeamDto> {
    return this.teams.regenerateInviteId(actor, id);
  }
}
