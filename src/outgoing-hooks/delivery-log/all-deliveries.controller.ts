import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { RequirePermission } from '../../platform/access/access.js';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryPerPage } from '../../platform/common/dto/params.js';
import { PlacedDeliveryListDto } from './all-deliveries.dto.js';
import { type AllDeliveriesQuery, QueryAllDeliveries } from './all-deliveries-query.js';
import { AllDeliveriesService } from './all-deliveries.service.js';
import { DOCS } from './delivery-log.docs.js';
import { RetriesService } from './retries.service.js';
import { RetriedDeliveriesDto, RetryDeliveriesDto } from './retry-deliveries.dto.js';

/** It stands before the routes of one webhook, which would take `deliveries` for an id. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/deliveries')
export class AllDeliveriesController {
  constructor(
    private readonly all: AllDeliveriesService,
    private readonly retries: RetriesService,
  ) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.listAllDeliveries)
  async listAllDeliveries(
    @QueryAllDeliveries() query: AllDeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<PlacedDeliveryListDto> {
    return PlacedDeliveryListDto.from(await this.all.list(query, limit));
  }

  @Post('retry')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('retry_deliveries', undefined, { keep: ['retried_count', 'refused_count'] })
  @Operation(DOCS.retryDeliveries)
  async retryDeliveries(
    @CurrentActor() actor: Actor,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto> {
    return RetriedDeliveriesDto.from(await this.retries.retryMany(actor, input.ids));
  }
}
