import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { RequirePermission } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryPerPage } from '../../platform/common/dto/params.js';
import { PlacedDeliveryListDto } from './all-deliveries.dto.js';
import { type AllDeliveriesQuery, QueryAllDeliveries } from './all-deliveries-query.js';
import { AllDeliveriesService } from './all-deliveries.service.js';
import { DOCS } from './delivery-log.docs.js';

/** It stands before the routes of one webhook, which would take `deliveries` for an id. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/deliveries')
export class AllDeliveriesController {
  constructor(private readonly all: AllDeliveriesService) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.listAllDeliveries)
  async listAllDeliveries(
    @QueryAllDeliveries() query: AllDeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<PlacedDeliveryListDto> {
    return PlacedDeliveryListDto.from(await this.all.list(query, limit));
  }
}
