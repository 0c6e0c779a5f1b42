import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { FilteredByPolicy, RequirePermission } from '../../platform/access/access.js';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import {
  IdParam,
  type Page,
  QueryChoice,
  QueryPage,
  QueryPerPage,
  QueryText,
} from '../../platform/common/dto/params.js';
import { EndpointDetailDto, EndpointListDto } from '../endpoints/endpoint.dto.js';
import {
  OUTCOME_RANGE_NAMES,
  type OutcomeRange,
  RANGE_NAMES,
  type StatsRange,
} from '../delivery-stats/counts.js';
import {
  DeliveryStatsDto,
  ListHookOutcomesDto,
  OutcomesOfHooksDto,
} from '../delivery-stats/delivery-stats.dto.js';
import { DeliveryStatsService } from '../delivery-stats/delivery-stats.service.js';
import { ENDPOINT_STATES, type EndpointState } from '../endpoints/endpoint-index.js';
import { EndpointsService } from '../endpoints/endpoints.service.js';
import { HOOK_PERMISSIONS, WHO_MANAGES } from '../outgoing-hooks.policy.js';
import { PlacedDeliveryListDto } from './delivery.dto.js';
import {
  type AllDeliveriesQuery,
  DEFAULT_RANGE,
  FRESHNESS,
  QueryAllDeliveries,
  QueryRange,
} from './delivery-filters.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { ResendService } from './resend.service.js';
import {
  AUDIT_OF_RETRY,
  BY_FILTER,
  BY_IDS,
  RecoveryDto,
  type RetriedDeliveriesDto,
  RETRY_ANSWER,
  RetryDeliveriesDto,
} from './recovery.dto.js';

/**
 * The deliveries of all webhooks, their statistics and endpoints. Must be registered before the routes of a single
 * webhook, which would match `deliveries` as an id.
 */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing')
@RequirePermission(CommonPermission.ManageSystem)
export class AllDeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: ResendService,
    private readonly stats: DeliveryStatsService,
    private readonly endpoints: EndpointsService,
  ) {}

  @Get('deliveries')
  @Operation({
    summary: 'List the deliveries of all outgoing webhooks, newest first',
    description:
      'For system administrators. All filters can be combined. The id, status, time and webhook have an index. With `endpoint`, `error` or `http_status` a call reads at most 5,000 deliveries, so a page can be short or even empty while `next_cursor` tells where to continue.',
    ok: PlacedDeliveryListDto,
    errors: [404, 501],
  })
  listAllDeliveries(
    @QueryAllDeliveries() query: AllDeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<PlacedDeliveryListDto> {
    return this.log.listAll(query, limit);
  }

  @Post('stats')
  @FilteredByPolicy(HOOK_PERMISSIONS, `of each webhook ${WHO_MANAGES}`)
  @Operation({
    summary: 'Get the delivery statistics of several outgoing webhooks',
    description: `A chart for each, including deleted ones, in the requested order. Webhooks that are unknown, or whose statistics the caller cannot see, are omitted. ${FRESHNESS}`,
    ok: OutcomesOfHooksDto,
    errors: [501],
  })
  getStatsOfHooks(
    @CurrentActor() actor: Actor,
    @Body() input: ListHookOutcomesDto,
    @QueryRange(OUTCOME_RANGE_NAMES) range: OutcomeRange = DEFAULT_RANGE,
  ): Promise<OutcomesOfHooksDto> {
    return this.stats.outcomesOf(actor, input.hook_ids, range);
  }

  @Get('deliveries/stats')
  @Operation({
    summary: 'Get the delivery statistics of all outgoing webhooks',
    description: `With \`endpoint\`, covers only that endpoint. ${FRESHNESS}`,
    ok: DeliveryStatsDto,
    errors: [501],
  })
  getDeliveryStats(
    @QueryText('endpoint', {
      description: 'Only calls to this endpoint: the origin of callback URLs.',
      example: 'https://ci.example.com',
    })
    endpoint: string | undefined,
    @QueryRange(RANGE_NAMES) range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return this.stats.ofAll(endpoint, range);
  }

  @Post('deliveries/retry')
  @Audited('retry_deliveries', undefined, AUDIT_OF_RETRY)
  @Operation({
    summary: 'Resend many deliveries now',
    description: `For system administrators: deliveries of any webhooks. ${BY_IDS} ${BY_FILTER}`,
    ok: RETRY_ANSWER,
    errors: [404, 409, 501],
  })
  retryDeliveries(
    @CurrentActor() actor: Actor,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    return this.retries.retryChosen(actor, input);
  }

  @Get('deliveries/recoveries')
  @Operation({
    summary: 'List the recoveries over all webhooks with their progress, newest first',
    description: 'The last 20.',
    ok: [RecoveryDto],
  })
  listAllRecoveries(@CurrentActor() actor: Actor): Promise<RecoveryDto[]> {
    return this.retries.listRecoveries(actor);
  }

  @Post('deliveries/recoveries/:recovery_id/stop')
  @Audited('stop_recovery', 'recovery_id')
  @Operation({
    summary: 'Stop a recovery over all webhooks',
    description: 'Deliveries that are already due are sent; the rest does not change.',
    ok: RecoveryDto,
    errors: [404],
  })
  stopAllRecovery(
    @CurrentActor() actor: Actor,
    @IdParam('recovery_id', 'The recovery.') recoveryId: string,
  ): Promise<RecoveryDto> {
    return this.retries.stopRecovery(actor, recoveryId);
  }

  @Get('endpoints')
  @Operation({
    summary: 'List the endpoints that outgoing webhooks call',
    description:
      'For system administrators. Disabled ones are first, then failing ones. An endpoint is scheme, host and port of callback URLs.',
    ok: EndpointListDto,
    errors: [501],
  })
  listEndpoints(
    @QueryChoice('state', ENDPOINT_STATES, 'Only endpoints in this state.') state: EndpointState | undefined,
    @QueryText('term', { description: 'Only endpoints whose name contains this.', example: 'example.com' })
    term: string | undefined,
    @QueryPage() page: Page,
  ): Promise<EndpointListDto> {
    return this.endpoints.list(state, term, page);
  }

  @Get('endpoints/details')
  @Operation({
    summary: 'Get an endpoint with its webhooks and its call limit',
    description:
      'Even if no webhook calls it any more. Changes of the limit are stored once a second, and kept for a day.',
    ok: EndpointDetailDto,
    errors: [501],
  })
  getEndpoint(
    @QueryText('endpoint', {
      description: 'The origin of callback URLs.',
      schema: { format: 'uri' },
      example: 'https://ci.example.com',
    })
    endpoint: string | undefined,
  ): Promise<EndpointDetailDto> {
    return this.endpoints.get(endpoint);
  }

  @Post('endpoints/deliveries/retry')
  @Audited('retry_deliveries', undefined, AUDIT_OF_RETRY)
  @Operation({
    summary: 'Resend many deliveries to an endpoint now',
    description: `For system administrators. ${BY_IDS} ${BY_FILTER} The filter must contain the \`endpoint\`.`,
    ok: RETRY_ANSWER,
    errors: [404, 409, 501],
  })
  retryDeliveriesToEndpoint(
    @CurrentActor() actor: Actor,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    return this.retries.retryChosen(actor, input, { isOfEndpoint: true });
  }
}
