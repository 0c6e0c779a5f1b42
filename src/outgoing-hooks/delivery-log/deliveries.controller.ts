import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, QueryPerPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/write-outgoing-hook.dto.js';
import { HOOK_PERMISSIONS, WHO_MANAGES } from '../outgoing-hooks.policy.js';
import {
  type DeliveriesQuery,
  QueryDeliveries,
  SentRequestDto,
  TestDeliveryDto,
  TestedDto,
} from './test-delivery.dto.js';
import { DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { DeliveryLogService } from './delivery-log.service.js';
import {
  BY_FILTER,
  BY_IDS,
  KEPT_OF_RETRY,
  RecoverDto,
  RecoveryDto,
  type RetriedDeliveriesDto,
  RETRY_ANSWER,
  retryAnswer,
  RetryDeliveriesDto,
} from './recovery.dto.js';

function DeliveryIdParam(): ParameterDecorator {
  return IdParam('delivery_id', 'The delivery.');
}

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id')
export class DeliveriesController {
  constructor(private readonly log: DeliveryLogService) {}

  @Get('deliveries')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Operation({
    summary: 'List the deliveries of an outgoing webhook, newest first',
    description:
      'A page does not shift when new deliveries come in. Settled ones are kept for `RETENTION_DAYS`, also when the webhook is deleted.',
    ok: DeliveryListDto,
    errors: [404, 501],
  })
  async listDeliveries(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @QueryDeliveries() query: DeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<DeliveryListDto> {
    return DeliveryListDto.from(await this.log.list(actor, hookId, query, limit));
  }

  @Get('deliveries/:delivery_id')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Operation({
    summary: 'Get a delivery with its payload and its attempts',
    description:
      'Also when the webhook is deleted. Payload and replies are empty for callers who may not read the channel of the message, and once the message is deleted.',
    ok: DeliveryDetailDto,
    errors: [404, 501],
  })
  async getDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDetailDto> {
    return DeliveryDetailDto.from(await this.log.get(actor, hookId, deliveryId));
  }

  @Post('deliveries/retry')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Audited('retry_deliveries', 'hook_id', { keep: KEPT_OF_RETRY, many: { name: 'ids', field: 'ids' } })
  @Operation({
    summary: 'Send many deliveries of an outgoing webhook again, now',
    description: `${BY_IDS} ${BY_FILTER} An empty filter selects all that were not delivered.`,
    ok: RETRY_ANSWER,
    errors: [404, 409, 501],
  })
  async retryDeliveriesOfHook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    return retryAnswer(await this.log.retryMany(actor, hookId, input));
  }

  @Post('deliveries/:delivery_id/retry')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Audited('retry_delivery', 'hook_id/delivery_id')
  @Operation({
    summary: 'Send a delivery again, now',
    description:
      'Whatever became of it, unless it is being sent at the moment. It gets the whole schedule again. A reply that was posted already is not posted a second time.',
    ok: DeliveryDto,
    errors: [404, 409, 501],
  })
  async retryDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDto> {
    return DeliveryDto.from(await this.log.retry(actor, hookId, deliveryId));
  }

  @Post('deliveries/:delivery_id/request')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Audited('sign_delivery', 'hook_id/delivery_id')
  @Operation({
    summary: 'Get the call of a delivery, signed now',
    description:
      'Method, address, headers and body as this server would send them at this moment, with the token and signed with the secrets that the webhook has now, to be sent by hand. Nothing is called or stored, and it does not matter whether the webhook is switched off. Receivers that follow Standard Webhooks take the signature for five minutes.',
    ok: SentRequestDto,
    errors: [404, 409, 501],
  })
  signDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<SentRequestDto> {
    return this.log.request(actor, hookId, deliveryId);
  }

  @Post('test')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Audited('test_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Call a callback URL once, and see request and response',
    description:
      'With a payload like a real one, and signed like one. Nothing is stored, and no reply is posted.',
    body: { type: TestDeliveryDto, required: false },
    ok: TestedDto,
    errors: [404, 409, 429, 501],
  })
  testOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: TestDeliveryDto,
  ): Promise<TestedDto> {
    return this.log.test(actor, hookId, input);
  }

  @Post('recover')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Audited('recover_deliveries', 'hook_id')
  @Operation({
    summary: 'Send again what failed, was cancelled, or waits since a time',
    description:
      'What waits for its next attempt is due at once. All of it is sent, but for callback URLs that are given up or gone, at a pace that leaves room for new deliveries; one recovery at a time. `dry_run` tells the exact number and does nothing.',
    ok: RecoveryDto,
    errors: [404, 409, 501],
  })
  async recoverDeliveries(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: RecoverDto,
  ): Promise<RecoveryDto> {
    return RecoveryDto.from(await this.log.recover(actor, hookId, input.since, input.dry_run));
  }

  @Post('recover/:recovery_id/stop')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Audited('stop_recovery', 'hook_id/recovery_id')
  @Operation({
    summary: 'Stop a recovery',
    description:
      'What is due again by now is sent; the rest stays as it is. A recovery that has ended stays as it is.',
    ok: RecoveryDto,
    errors: [404, 501],
  })
  async stopRecovery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @IdParam('recovery_id', 'The recovery.') recoveryId: string,
  ): Promise<RecoveryDto> {
    return RecoveryDto.from(await this.log.stopRecovery(actor, hookId, recoveryId));
  }

  @Get('recover')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
  @Operation({
    summary: 'See how far the recoveries have come, newest first',
    description: 'The last 20.',
    ok: [RecoveryDto],
    errors: [404, 501],
  })
  async listRecoveries(@CurrentActor() actor: Actor, @HookIdParam() hookId: string): Promise<RecoveryDto[]> {
    return (await this.log.listRecoveries(actor, hookId)).map((recovery) => RecoveryDto.from(recovery));
  }
}
