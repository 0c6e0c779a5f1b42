import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, QueryPerPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/hook-id.param.js';
import { WHO } from '../outgoing-hooks.docs.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.permissions.js';
import { type DeliveriesQuery, QueryDeliveries } from './deliveries-query.js';
import { DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { SentRequestDto, TestDeliveryDto, TestedDto } from './test-delivery.dto.js';
import { DOCS } from './delivery-log.docs.js';

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id')
@CheckedByPolicy(HOOK_PERMISSIONS, WHO.manages)
export class DeliveriesController {
  constructor(private readonly log: DeliveryLogService) {}

  @Get('deliveries')
  @Operation(DOCS.listDeliveries)
  async listDeliveries(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @QueryDeliveries() query: DeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<DeliveryListDto> {
    return DeliveryListDto.from(await this.log.list(actor, hookId, query, limit));
  }

  @Get('deliveries/:delivery_id')
  @Operation(DOCS.getDelivery)
  async getDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDetailDto> {
    return DeliveryDetailDto.from(await this.log.get(actor, hookId, deliveryId));
  }

  @Post('deliveries/:delivery_id/retry')
  @Audited('retry_delivery', 'hook_id/delivery_id')
  @Operation(DOCS.retryDelivery)
  async retryDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDto> {
    return DeliveryDto.from(await this.log.retry(actor, hookId, deliveryId));
  }

  @Post('deliveries/:delivery_id/request')
  @Audited('sign_delivery', 'hook_id/delivery_id')
  @Operation(DOCS.signDelivery)
  signDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<SentRequestDto> {
    return this.log.request(actor, hookId, deliveryId);
  }

  @Post('test')
  @Audited('test_outgoing_webhook', 'hook_id')
  @Operation(DOCS.testOutgoingWebhook)
  testOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: TestDeliveryDto,
  ): Promise<TestedDto> {
    return this.log.test(actor, hookId, input);
  }
}

function DeliveryIdParam(): ParameterDecorator {
  return IdParam('delivery_id', 'The delivery.');
}
