import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryId } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { StartupService } from './startup.service.js';

const EMPTY_LIST = { schema: { type: 'array', items: { type: 'object' }, example: [] } } as const;

/** Lists that stock clients read while they start. Hookline has none of these things, and says so. */
@ApiTags('system')
@Controller()
export class StartupController {
  constructor(private readonly startup: StartupService) {}

  @Get('emoji')
  @SignedIn()
  @ApiBearerAuth()
  @Operation({
    summary: 'List custom emoji: there are none',
    permission: 'any signed-in user',
    errors: [401],
  })
  @ApiOkResponse(EMPTY_LIST)
  getEmojiList(): never[] {
    return [];
  }

  @Get('plugins/webapp')
  @Public({ readsSession: false })
  @Operation({ summary: 'List plugins of the web client: there are none', permission: 'anybody', errors: [] })
  @ApiOkResponse(EMPTY_LIST)
  getWebappPlugins(): never[] {
    return [];
  }

  @Get('plugins/statuses')
  @SignedIn()
  @ApiBearerAuth()
  @Operation({
    summary: 'List states of plugins: there are none',
    permission: 'any signed-in user',
    errors: [401],
  })
  @ApiOkResponse(EMPTY_LIST)
  getPluginStatuses(): never[] {
    return [];
  }

  @Get('commands')
  @ApiBearerAuth()
  @CheckedByPolicy(Permission.ViewTeam)
  @Operation({
    summary: 'List slash commands of a team: there are none',
    permission: '`view_team` on the team',
    errors: [400, 401, 403],
  })
  @ApiOkResponse(EMPTY_LIST)
  listCommands(
    @CurrentActor() actor: Actor,
    @QueryId('team_id', { description: 'The team.', required: true }) teamId: string | undefined,
  ): Promise<never[]> {
    return this.startup.listCommands(actor, teamId);
  }
}
