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
import { DeliveryStatsService, HookOutcomesService } from './delivery-stats.service.js';
import { OUTCOME_RANGE_NAMES, type OutcomeRange, RANGE_NAMES, type StatsRange } from './counts.js';

const DEFAULT_RANGE = '24h';
const FRESHNESS = 'Attempts are counted within ten seconds.';

/** Delivery statistics. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing')
export class DeliveryStatsController {
  constructor(
    private readonly stats: DeliveryStatsService,
    private readonly outcomes: HookOutcomesService,
  ) {}

  @Post('stats')
  @FilteredByPolicy(HOOK_PERMISSIONS, `of each webhook ${WHO_MANAGES}`)
  @Operation({
    summary: 'See how the calls of several outgoing webhooks went',
    description: `A chart of each, also of deleted ones, in the order asked for. Webhooks that are unknown, or whose statistics the caller may not see, are left out. ${FRESHNESS}`,
    ok: OutcomesOfHooksDto,
    errors: [501],
  })
  async getStatsOfHooks(
    @CurrentActor() actor: Actor,
    @Body() input: ListHookOutcomesDto,
    @QueryRange(OUTCOME_RANGE_NAMES) range: OutcomeRange = DEFAULT_RANGE,
  ): Promise<OutcomesOfHooksDto> {
    return OutcomesOfHooksDto.from(await this.outcomes.list(actor, input.hook_ids, range));
  }

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
    @QueryRange(RANGE_NAMES) range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return DeliveryStatsDto.from(await this.stats.ofAll(endpoint, range));
  }

  @Get(':hook_id/stats')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Operation({
    summary: 'See how the calls of an outgoing webhook went',
    description: `Also when the webhook is deleted. ${FRESHNESS}`,
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
  return QueryChoice('range', names, `Up to now; ${DEFAULT_RANGE} by default.`);
}
