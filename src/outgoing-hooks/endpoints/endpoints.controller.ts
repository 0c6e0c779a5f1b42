import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { RequirePermission } from '../../platform/access/access.js';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryChoice, QueryPage, QueryText } from '../../platform/common/dto/params.js';
import {
  BY_FILTER,
  BY_IDS,
  KEPT_OF_RETRY,
  type RecoveryDto,
  type RetriedDeliveriesDto,
  RETRY_ANSWER,
  retryAnswer,
  RetryDeliveriesDto,
} from '../delivery-log/recovery.dto.js';
import { RetriesService } from '../delivery-log/retries.service.js';
import { EndpointDetailDto, EndpointListDto } from './endpoint.dto.js';
import { ENDPOINT_STATES, type EndpointState } from './endpoint-index.js';
import { EndpointsService } from './endpoints.service.js';

/** Must be registered before the routes of a single webhook, which would match `endpoints` as an id. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/endpoints')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly retries: RetriesService,
  ) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the endpoints that outgoing webhooks call',
    description:
      'For administrators of the system. Those that are given up come first, then those that fail. An endpoint is scheme, host and port of callback URLs.',
    ok: EndpointListDto,
    errors: [501],
  })
  async listEndpoints(
    @QueryChoice('state', ENDPOINT_STATES, 'Endpoints in this state only.') state: EndpointState | undefined,
    @QueryText('term', { description: 'Endpoints whose name contains this only.', example: 'example.com' })
    term: string | undefined,
    @QueryPage() page: Page,
  ): Promise<EndpointListDto> {
    return EndpointListDto.from(await this.endpoints.list({ state, term }, page));
  }

  @Get('details')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'Get an endpoint with its webhooks and the limit of its calls',
    description:
      'Also one that no webhook calls any more. What became of the limit is noted once a second, and kept for a day.',
    ok: EndpointDetailDto,
    errors: [501],
  })
  async getEndpoint(
    @QueryText('endpoint', {
      description: 'The origin of callback URLs.',
      schema: { format: 'uri' },
      example: 'https://ci.example.com',
    })
    endpoint: string | undefined,
  ): Promise<EndpointDetailDto> {
    return EndpointDetailDto.fromDetail(await this.endpoints.get(endpoint));
  }

  @Post('deliveries/retry')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('retry_deliveries', undefined, { keep: KEPT_OF_RETRY, many: { name: 'ids', field: 'ids' } })
  @Operation({
    summary: 'Send many deliveries to an endpoint again, now',
    description: `For administrators of the system. ${BY_IDS} ${BY_FILTER} The filter must name the \`endpoint\`.`,
    ok: RETRY_ANSWER,
    errors: [404, 409, 501],
  })
  async retryDeliveriesToEndpoint(
    @CurrentActor() actor: Actor,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    return retryAnswer(await this.retries.retryWanted(actor, input, { isOfEndpoint: true }));
  }
}
