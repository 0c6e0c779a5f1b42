import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, QueryId, QueryPerPage, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { Permission } from '../../messaging/permissions/permission.js';
import { OutgoingHookPermission } from '../outgoing-hooks.permissions.js';
import { ONE_HOOK } from '../outgoing-hooks.controller.js';
import { DeliveryAttemptDto, DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { RecoverDto, RecoveryDto } from './recovery.dto.js';
import { TestDeliveryDto, TestedDto } from './test-delivery.dto.js';

const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

@ApiTags('deliveries of outgoing webhooks')
@ApiBearerAuth()
@Controller('hooks/outgoing/:hook_id')
@CheckedByPolicy([Permission.ManageWebhooks, OutgoingHookPermission.ManageOthersOutgoingWebhooks])
export class DeliveryLogController {
  constructor(private readonly log: DeliveryLogService) {}

  @Get('deliveries')
  @Operation({
    summary: 'List the deliveries of an outgoing webhook, newest first',
    description:
      'A page does not shift when new deliveries come in. Settled ones are kept for `RETENTION_DAYS`, also when the webhook is deleted.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 501],
  })
  @ApiOkResponse({ type: DeliveryListDto })
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
  @Operation({
    summary: 'Get a delivery with its payload and its attempts',
    description:
      'Also when the webhook is deleted. Payload and replies are empty for callers who may not read the channel of the message.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 501],
  })
  @ApiOkResponse({ type: DeliveryDetailDto })
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
  @HttpCode(200)
  @Audited('retry_delivery', 'hook_id/delivery_id')
  @Operation({
    summary: 'Send a delivery again, now',
    description:
      'Whatever became of it, unless it is being sent at the moment. It gets the whole schedule again. A reply that was posted already is not posted a second time.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 409, 413, 501],
  })
  @ApiOkResponse({ type: DeliveryDto })
  async retryDelivery(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @IdParam('delivery_id', 'The delivery.') deliveryId: string,
  ): Promise<DeliveryDto> {
    const delivery = await this.log.retry(actor, hookId, deliveryId);
    return DeliveryDto.from(delivery, this.log.shownStatus(delivery));
  }

  @Post('recover')
  @HttpCode(200)
  @Audited('recover_deliveries', 'hook_id')
  @Operation({
    summary: 'Send again what failed or was cancelled since a time',
    description:
      'All of it, but for callback URLs that are given up or gone, at a pace that leaves room for new deliveries; one recovery at a time. `dry_run` tells the exact number and does nothing.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 409, 413, 501],
  })
  @ApiOkResponse({ type: RecoveryDto })
  async recoverDeliveries(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @Body() input: RecoverDto,
  ): Promise<RecoveryDto> {
    const ordered = await this.log.recover(actor, hookId, input.since, input.dry_run);
    return 'id' in ordered ? RecoveryDto.from(ordered) : dryRun(hookId, ordered.since, ordered.total);
  }

  @Get('recover')
  @Operation({
    summary: 'See how far the recoveries have come, newest first',
    description: 'The last 20.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 501],
  })
  @ApiOkResponse({ type: [RecoveryDto] })
  async listRecoveries(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
  ): Promise<RecoveryDto[]> {
    return (await this.log.listRecoveries(actor, hookId)).map((recovery) => RecoveryDto.from(recovery));
  }

  @Post('test')
  @HttpCode(200)
  @Audited('test_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Call a callback URL once, and see request and response',
    description:
      'With a payload like a real one, and signed like one. Nothing is stored, and no reply is posted.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiBody({ type: TestDeliveryDto, required: false })
  @ApiOkResponse({ type: TestedDto })
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
