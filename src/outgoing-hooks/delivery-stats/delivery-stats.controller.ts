import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { CheckedByPolicy, FilteredByPolicy, RequirePermission } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryChoice, QueryText } from '../../platform/common/dto/params.js';
import { HookIdParam } from '../dto/write-outgoing-hook.dto.js';
import { HOOK_PERMISSIONS, WHO_MANAGES } from '../outgoing-hooks.policy.js';
import { DeliveryStatsDto, ListHookOutcomesDto, OutcomesOfHooksDto } from './delivery-stats.dto.js';
import { DeliveryStatsService } from './delivery-stats.service.js';
import { OUTCOME_RANGE_NAMES, type OutcomeRange, RANGE_NAMES, type StatsRange } from './counts.js';

const DEFAULT_RANGE = '24h';
const FRESHNESS = 'Attempts are counted within ten seconds.';

/** Delivery statistics. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing')
export class DeliveryStatsController {
  constructor(private readonly stats: DeliveryStatsService) {}

  @Post('stats')
  @FilteredByPolicy(HOOK_PERMISSIONS, `of each webhook ${WHO_MANAGES}`)
  @Operation({
    summary: 'Get the delivery statistics of several outgoing webhooks',
    description: `A chart for each, including deleted ones, in the requested order. Webhooks that are unknown, or whose statistics the caller cannot see, are omitted. ${FRESHNESS}`,
    ok: OutcomesOfHooksDto,
    errors: [501],
  })
  async getStatsOfHooks(
    @CurrentActor() actor: Actor,
    @Body() input: ListHookOutcomesDto,
    @QueryRange(OUTCOME_RANGE_NAMES) range: OutcomeRange = DEFAULT_RANGE,
  ): Promise<OutcomesOfHooksDto> {
    return OutcomesOfHooksDto.from(await this.stats.outcomesOf(actor, input.hook_ids, range));
  }

  @Get('deliveries/stats')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'Get the delivery statistics of all outgoing webhooks',
    description: `With \`endpoint\`, covers only that endpoint. ${FRESHNESS}`,
    ok: DeliveryStatsDto,
    errors: [501],
  })
  async getDeliveryStats(
    @QueryText('endpoint', {
      description: 'Only calls to this endpoint: the origin of callback URLs.',
      example: 'https://ci.example.com',
    })
    endpoint: string | undefined,
    @QueryRange(RANGE_NAMES) range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return DeliveryStatsDto.from(await this.stats.ofAll(endpoint, range));
  }

  @Get(':hook_id/stats')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Operation({
    summary: 'Get the delivery statistics of an outgoing webhook',
    description: `Even if the webhook is deleted. ${FRESHNESS}`,
    ok: DeliveryStatsDto,
    errors: [404, 501],
  })
  async getHookStats(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @QueryRange(RANGE_NAMES) range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return DeliveryStatsDto.from(await this.stats.ofHook(actor, hookId, range));
  }
}

function QueryRange(names: readonly StatsRange[]): ParameterDecorator {
  return QueryChoice('range', names, `Ends now; ${DEFAULT_RANGE} by default.`);
}
