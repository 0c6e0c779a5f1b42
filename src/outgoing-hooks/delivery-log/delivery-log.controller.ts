import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, QueryId, QueryPerPage, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { OutgoingHookPermission } from '../outgoing-hooks.permissions.js';
import { ONE_HOOK } from '../outgoing-hooks.controller.js';
import { DeliveryAttemptDto, DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { RecoverDto, RecoveryDto } from './recovery.dto.js';
import { TestDeliveryDto, TestedDto } from './test-delivery.dto.js';
import { DOCS } from './delivery-log.docs.js';

const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id')
@CheckedByPolicy(
  [CommonPermission.ManageWebhooks, OutgoingHookPermission.ManageOthersOutgoingWebhooks],
  ONE_HOOK,
)
export class DeliveryLogController {
  constructor(private readonly log: DeliveryLogService) {}

  @Get('deliveries')
  @Operation(DOCS.listDeliveries)
  async listDeliveries(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @QueryText('status', 'One or more of pending, in_flight, delivered, failed, cancelled; comma-separated.')
    status: string | undefined,
    @QueryText('since', {
      description: 'Created at or after this time; milliseconds since the epoch.',
      schema: TIME,
    })
    since: string | undefined,
    @QueryText('before', {
      description: 'Created before this time; milliseconds since the epoch.',
      schema: TIME,
    })
    before: string | undefined,
    @QueryId('cursor', 'The `next_cursor` of the page before.') cursor: string | undefined,
    @QueryPerPage() limit: number,
  ): Promise<DeliveryListDto> {
    const found = await this.log.list(actor, hookId, { status, since, before, cursor }, limit + 1);
    const shown = found.slice(0, limit);
    return {
      deliveries: shown.map((delivery) => DeliveryDto.from(delivery, this.log.shownStatus(delivery))),
      next_cursor: found.length > limit ? (shown.at(-1)?.id ?? '') : '',
    };
  }

  @Get('deliveries/:delivery_id')
  @Operation(DOCS.getDelivery)
  async getDelivery(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @IdParam('delivery_id', 'The delivery.') deliveryId: string,
  ): Promise<DeliveryDetailDto> {
    const { delivery, payload, attempts } = await this.log.get(actor, hookId, deliveryId);
    return {
      ...DeliveryDto.from(delivery, this.log.shownStatus(delivery)),
      payload,
      content_type: delivery.contentType,
      attempt_list: attempts.map((attempt) => DeliveryAttemptDto.from(attempt)),
    };
  }

  @Post('deliveries/:delivery_id/retry')
  @Audited('retry_delivery', 'hook_id/delivery_id')
  @Operation(DOCS.retryDelivery)
  async retryDelivery(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @IdParam('delivery_id', 'The delivery.') deliveryId: string,
  ): Promise<DeliveryDto> {
    const delivery = await this.log.retry(actor, hookId, deliveryId);
    return DeliveryDto.from(delivery, this.log.shownStatus(delivery));
  }

  @Post('recover')
  @Audited('recover_deliveries', 'hook_id')
  @Operation(DOCS.recoverDeliveries)
  async recoverDeliveries(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @Body() input: RecoverDto,
  ): Promise<RecoveryDto> {
    const ordered = await this.log.recover(actor, hookId, input.since, input.dry_run);
    return 'id' in ordered ? RecoveryDto.from(ordered) : dryRun(hookId, ordered.since, ordered.total);
  }

  @Get('recover')
  @Operation(DOCS.listRecoveries)
  async listRecoveries(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
  ): Promise<RecoveryDto[]> {
    return (await this.log.listRecoveries(actor, hookId)).map((recovery) => RecoveryDto.from(recovery));
  }

  @Post('test')
  @Audited('test_outgoing_webhook', 'hook_id')
  @Operation(DOCS.testOutgoingWebhook)
  testOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @Body() input: TestDeliveryDto,
  ): Promise<TestedDto> {
    return this.log.test(actor, hookId, input);
  }
}

function dryRun(hookId: string, since: number, total: number): RecoveryDto {
  return {
    id: '',
    hook_id: hookId,
    since,
    total,
    requeued: 0,
    status: 'dry_run',
    create_at: 0,
    finish_at: 0,
  };
}
