import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryId } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { StartupService } from './startup.service.js';

const EMPTY_LIST = { schema: { type: 'array', items: { type: 'object' }, example: [] } } as const;

/** Lists that stock clients read while they start. */
@ApiTags('system')
@Controller()
export class StartupController {
  constructor(private readonly startup: StartupService) {}

  @Get('plugins/webapp')
  @Public({ readsSession: false })
  @Operation({ summary: 'List plugins of the web client: there are none', ok: EMPTY_LIST })
  getWebappPlugins(): never[] {
    return [];
  }

  @Get('system/timezones')
  @SignedIn()
  @Operation({
    summary: 'List the time zones that users can choose',
    ok: { schema: { type: 'array', items: { type: 'string', maxLength: 256 }, example: ['Europe/London'] } },
  })
  getSupportedTimezone(): string[] {
    return Intl.supportedValuesOf('timeZone');
  }

  @Get('commands')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team` on the team')
  @Operation({ summary: 'List slash commands of a team: there are none', ok: EMPTY_LIST })
  listCommands(
    @CurrentActor() actor: Actor,
    @QueryId('team_id', { description: 'The team.', required: true }) teamId: string | undefined,
  ): Promise<never[]> {
    return this.startup.listCommands(actor, teamId);
  }
}
