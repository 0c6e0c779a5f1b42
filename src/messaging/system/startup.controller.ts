import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryId } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { StartupService } from './startup.service.js';
import { DOCS } from './startup.docs.js';

/** Empty lists that stock clients read while they start, for others than any signed-in user. */
@ApiTags('system')
@Controller()
export class StartupController {
  constructor(private readonly startup: StartupService) {}

  @Get('plugins/webapp')
  @Public({ readsSession: false })
  @Operation(DOCS.getWebappPlugins)
  getWebappPlugins(): never[] {
    return [];
  }

  @Get('commands')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team` on the team')
  @Operation(DOCS.listCommands)
  listCommands(
    @CurrentActor() actor: Actor,
    @QueryId('team_id', { description: 'The team.', required: true }) teamId: string | undefined,
  ): Promise<never[]> {
    return this.startup.listCommands(actor, teamId);
  }
}
