import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryId } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { StartupService } from './startup.service.js';
import { DOCS } from './startup.docs.js';

/** Lists that stock clients read while they start. Hookline has none of these things, and says so. */
@ApiTags('system')
@Controller()
export class StartupController {
  constructor(private readonly startup: StartupService) {}

  @Get('emoji')
  @SignedIn()
  @Operation(DOCS.getEmojiList)
  getEmojiList(): never[] {
    return [];
  }

  @Get('plugins/webapp')
  @Public({ readsSession: false })
  @Operation(DOCS.getWebappPlugins)
  getWebappPlugins(): never[] {
    return [];
  }

  @Get('plugins/statuses')
  @SignedIn()
  @Operation(DOCS.getPluginStatuses)
  getPluginStatuses(): never[] {
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
