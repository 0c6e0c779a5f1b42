import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryChoice, QueryText } from '../../platform/common/dto/params.js';
import { HookIdParam } from '../dto/hook-id.param.js';
import { WHO } from '../outgoing-hooks.docs.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.permissions.js';
import { DeliveryStatsDto } from './delivery-stats.dto.js';
import { DeliveryStatsService } from './delivery-stats.service.js';
import { RANGE_NAMES, type StatsRange } from './steps.js';

const DEFAULT_RANGE = '24h';
const FRESHNESS = 'Attempts are counted within ten seconds.';

/** How deliveries went. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing')
export class DeliveryStatsController {
  constructor(private readonly stats: DeliveryStatsService) {}

  @Get('deliveries/stats')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'See how the calls of all outgoing webhooks went',
    description: `Or, with \`endpoint\`, those to one endpoint. ${FRESHNESS}`,
    ok: DeliveryStatsDto,
  })
  async getDeliveryStats(
    @QueryText('endpoint', {
      description: 'Calls to this endpoint only: the origin of callback URLs.',
      example: 'https://ci.example.com',
    })
    endpoint: string | undefined,
    @QueryRange() range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return DeliveryStatsDto.from(await this.stats.ofAll(endpoint, range));
  }

  @Get(':hook_id/stats')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO.manages)
  @Operation({
    summary: 'See how the calls of an outgoing webhook went',
    description: `Also when the webhook is deleted. ${FRESHNESS}`,
    ok: DeliveryStatsDto,
    errors: [404, 501],
  })
  async getHookStats(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @QueryRange() range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return DeliveryStatsDto.from(await this.stats.ofHook(actor, hookId, range));
  }
}

function QueryRange(): ParameterDecorator {
  return QueryChoice('range', RANGE_NAMES, `Up to now; ${DEFAULT_RANGE} by default.`);
}
