import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryFlag, QueryId, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public, RequirePermission, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import type { AdminConfig, ClientConfig } from './client-config.js';
import { applyPingStatus, LicenseDto, PingDto, SettingsInForceDto } from './system.dto.js';
import { SystemService } from './system.service.js';

const EMPTY_LIST = { schema: { type: 'array', items: { type: 'object' }, example: [] } } as const;

@ApiTags('system')
@Controller()
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get('system/ping')
  @Public({ readsSession: false })
  @Operation({
    summary: 'Check whether the server responds',
    description:
      'With `get_server_status` it also checks the database and the data folder, and returns the results in headers ' +
      'of the same names. An unhealthy server returns the same body with status 500, or 200 with `use_rest_semantics`.',
    ok: PingDto,
  })
  @ApiResponse({ status: 500, description: 'A part of the server is unhealthy.', type: PingDto })
  async getPing(
    @QueryFlag('get_server_status', 'Check the database and the data folder too.') withStatus: boolean,
    @QueryFlag('use_rest_semantics', 'Return 200 even if something is unhealthy.') hasRestSemantics: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PingDto> {
    return applyPingStatus(response, await this.system.ping(withStatus), hasRestSemantics);
  }

  @Get('config/client')
  @Public()
  @Operation({
    summary: 'Get the settings for clients',
    description: 'A flat map of strings: a short one without a session, a longer one for signed-in callers.',
  })
  @ApiQuery({
    name: 'format',
    required: false,
    type: String,
    description: 'Ignored; old clients send `old`.',
    example: 'old',
  })
  @ApiOkResponse({
    schema: {
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { Version: '11.6.0', SiteName: 'Hookline', EnableIncomingWebhooks: 'true' },
    },
  })
  getClientConfig(@CurrentActor() actor: Actor): ClientConfig {
    return this.system.clientConfig(actor);
  }

  @Get('config')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'Get the settings by section, read only',
    description: 'In the format of stock administration tools. Settings are changed in the environment.',
    ok: {
      schema: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: true },
        example: { ServiceSettings: { SiteURL: 'http://localhost:8065', EnableIncomingWebhooks: true } },
      },
    },
  })
  getConfig(): AdminConfig {
    return this.system.adminConfig();
  }

  @Get('system/settings')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the effective settings and their sources',
    description:
      'For the process that responds, which is named: others may have been started with other settings. Secrets, and URLs with secrets, are only shown as set.',
    ok: SettingsInForceDto,
  })
  getSettings(): SettingsInForceDto {
    return this.system.settingsInForce();
  }

  @Get('license/client')
  @Public({ readsSession: false })
  @Operation({ summary: 'Get the licence (always none)', ok: LicenseDto })
  getClientLicense(
    @QueryText('format', { description: 'Must be `old`.', example: 'old', required: true })
    format: string | undefined,
  ): LicenseDto {
    return this.system.clientLicense(format);
  }

  @Get('plugins/webapp')
  @Public({ readsSession: false })
  @Operation({ summary: 'List plugins of the web client (always empty)', ok: EMPTY_LIST })
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
  @Operation({ summary: 'List slash commands of a team (always empty)', ok: EMPTY_LIST })
  listCommands(
    @CurrentActor() actor: Actor,
    @QueryId('team_id', { description: 'The team.', required: true }) teamId: string | undefined,
  ): Promise<never[]> {
    return this.system.listCommands(actor, teamId);
  }
}
