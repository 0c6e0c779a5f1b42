import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, QueryPerPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/write-outgoing-hook.dto.js';
import { HOOK_PERMISSIONS, WHO_MANAGES } from '../outgoing-hooks.policy.js';
import { RANGE_NAMES, type StatsRange } from '../delivery-stats/counts.js';
import { DeliveryStatsDto } from '../delivery-stats/delivery-stats.dto.js';
import { DeliveryStatsService } from '../delivery-stats/delivery-stats.service.js';
import {
  DEFAULT_RANGE,
  type DeliveriesQuery,
  FRESHNESS,
  QueryDeliveries,
  QueryRange,
} from './delivery-filters.js';
import { ResendService } from './resend.service.js';
import { TestCallsService } from './test-calls.service.js';
import { SentRequestDto, TestDeliveryDto, TestedDto } from './test-delivery.dto.js';
import { DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { DeliveryLogService } from './delivery-log.service.js';
import {
  AUDIT_OF_RETRY,
  BY_FILTER,
  BY_IDS,
  RecoverDto,
  RecoveryDto,
  type RetriedDeliveriesDto,
  RETRY_ANSWER,
  RetryDeliveriesDto,
} from './recovery.dto.js';

const DeliveryIdParam = (): ParameterDecorator => IdParam('delivery_id', 'The delivery.');

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id')
@CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
export class DeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: ResendService,
    private readonly tests: TestCallsService,
    private readonly stats: DeliveryStatsService,
  ) {}

  @Get('deliveries')
  @Operation({
    summary: 'List the deliveries of an outgoing webhook, newest first',
    description:
      'Pages do not shift when new deliveries arrive. Settled ones are kept for `RETENTION_DAYS`, even if the webhook is deleted.',
    ok: DeliveryListDto,
    errors: [404, 501],
  })
  listDeliveries(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @QueryDeliveries() query: DeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<DeliveryListDto> {
    return this.log.list(actor, hookId, query, limit);
  }

  @Get('deliveries/:delivery_id')
  @Operation({
    summary: 'Get a delivery with its payload and its attempts',
    description:
      'Even if the webhook is deleted. Payload and replies are empty for callers who cannot read the channel of the message, and once the message is deleted.',
    ok: DeliveryDetailDto,
    errors: [404, 501],
  })
  getDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDetailDto> {
    return this.log.get(actor, hookId, deliveryId);
  }

  @Get('stats')
  @Operation({
    summary: 'Get the delivery statistics of an outgoing webhook',
    description: `Even if the webhook is deleted. ${FRESHNESS}`,
    ok: DeliveryStatsDto,
    errors: [404, 501],
  })
  getHookStats(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @QueryRange(RANGE_NAMES) range: StatsRange = DEFAULT_RANGE,
  ): Promise<DeliveryStatsDto> {
    return this.stats.ofHook(actor, hookId, range);
  }

  @Post('deliveries/retry')
  @Audited('retry_deliveries', 'hook_id', AUDIT_OF_RETRY)
  @Operation({
    summary: 'Resend many deliveries of an outgoing webhook now',
    description: `${BY_IDS} ${BY_FILTER} An empty filter selects all that were not delivered.`,
    ok: RETRY_ANSWER,
    errors: [404, 409, 501],
  })
  retryDeliveriesOfHook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    return this.retries.retryChosen(actor, input, { hookId });
  }

  @Post('deliveries/:delivery_id/retry')
  @Audited('retry_delivery', 'hook_id/delivery_id')
  @Operation({
    summary: 'Resend a delivery now',
    description:
      'In any state, unless it is being sent right now. It gets the whole schedule again. A reply that was already posted is not posted again.',
    ok: DeliveryDto,
    errors: [404, 409, 501],
  })
  retryDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.retries.retry(actor, hookId, deliveryId);
  }

  @Post('deliveries/:delivery_id/skip')
  @Audited('skip_delivery', 'hook_id/delivery_id')
  @Operation({
    summary: 'Cancel a delivery that is waiting',
    description:
      'With `ordering`, the next delivery of its channel is sent. A skipped delivery can be resent, and is then sent after those that are waiting.',
    ok: DeliveryDto,
    errors: [404, 409, 501],
  })
  skipDelivery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @DeliveryIdParam() deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.retries.skip(actor, hookId, deliveryId);
  }

  @Post('deliveries/:delivery_id/request')
  @Audited('sign_delivery', 'hook_id/delivery_id')
  @Operation({
    summary: 'Get a newly signed call of a delivery',
    description:
      'Method, URL, headers and body as this server would send them now, with the current token and signed with the current secrets of the webhook, for sending it manually. Nothing is called or stored, and the webhook can be disabled. Receivers that follow Standard Webhooks accept the signature for five minutes.',
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
  @Audited('test_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Call a callback URL once, and return request and response',
    description:
      'With a payload and a signature like those of real calls. Nothing is stored, and no reply is posted.',
    body: { type: TestDeliveryDto, required: false },
    ok: TestedDto,
    errors: [404, 409, 429, 501],
  })
  testOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: TestDeliveryDto,
  ): Promise<TestedDto> {
    return this.tests.test(actor, hookId, input);
  }

  @Post('recover')
  @Audited('recover_deliveries', 'hook_id')
  @Operation({
    summary: 'Resend the deliveries missed since a given time',
    description:
      'Those that failed, were cancelled or are waiting for their next attempt; the latter become due at once. All are sent, except those to disabled or removed callback URLs, at a pace that leaves room for new deliveries; one recovery at a time. `dry_run` returns the exact number and does nothing.',
    ok: RecoveryDto,
    errors: [404, 409, 501],
  })
  recoverDeliveries(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: RecoverDto,
  ): Promise<RecoveryDto> {
    return this.retries.recover(actor, hookId, input);
  }

  @Post('recover/:recovery_id/stop')
  @Audited('stop_recovery', 'hook_id/recovery_id')
  @Operation({
    summary: 'Stop a recovery',
    description:
      'Deliveries that are already due are sent; the rest does not change. A finished recovery does not change.',
    ok: RecoveryDto,
    errors: [404, 501],
  })
  stopRecovery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @IdParam('recovery_id', 'The recovery.') recoveryId: string,
  ): Promise<RecoveryDto> {
    return this.retries.stopRecovery(actor, recoveryId, hookId);
  }

  @Get('recover')
  @Operation({
    summary: 'List the recoveries with their progress, newest first',
    description: 'The last 20.',
    ok: [RecoveryDto],
    errors: [404, 501],
  })
  listRecoveries(@CurrentActor() actor: Actor, @HookIdParam() hookId: string): Promise<RecoveryDto[]> {
    return this.retries.listRecoveries(actor, hookId);
  }
}
