import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { RequirePermission } from '../../platform/access/access.js';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, QueryPerPage } from '../../platform/common/dto/params.js';
import { type AllDeliveriesQuery, PlacedDeliveryListDto, QueryAllDeliveries } from './all-deliveries.dto.js';
import { AllDeliveriesService } from './all-deliveries.service.js';
import { RetriesService } from './retries.service.js';
import {
  BY_FILTER,
  BY_IDS,
  KEPT_OF_RETRY,
  RecoveryDto,
  type RetriedDeliveriesDto,
  RETRY_ANSWER,
  retryAnswer,
  RetryDeliveriesDto,
} from './recovery.dto.js';

/** Must be registered before the routes of a single webhook, which would match `deliveries` as an id. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/deliveries')
export class AllDeliveriesController {
  constructor(
    private readonly all: AllDeliveriesService,
    private readonly retries: RetriesService,
  ) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the deliveries of all outgoing webhooks, newest first',
    description:
      'For administrators of the system. All filters can be combined. The id, status, time and webhook have an index. With `endpoint`, `error` or `http_status` a call looks at 5,000 deliveries at most, so that a page may be short, or even empty, while `next_cursor` says where to go on.',
    ok: PlacedDeliveryListDto,
    errors: [404, 501],
  })
  async listAllDeliveries(
    @QueryAllDeliveries() query: AllDeliveriesQuery,
    @QueryPerPage() limit: number,
  ): Promise<PlacedDeliveryListDto> {
    return PlacedDeliveryListDto.from(await this.all.list(query, limit));
  }

  @Post('retry')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('retry_deliveries', undefined, {
    keep: KEPT_OF_RETRY,
    many: { name: 'ids', field: 'ids' },
  })
  @Operation({
    summary: 'Send many deliveries again, now',
    description: `For administrators of the system: deliveries of any webhooks. ${BY_IDS} ${BY_FILTER}`,
    ok: RETRY_ANSWER,
    errors: [404, 409, 501],
  })
  async retryDeliveries(
    @CurrentActor() actor: Actor,
    @Body() input: RetryDeliveriesDto,
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    return retryAnswer(await this.retries.retryWanted(actor, input));
  }

  @Get('recoveries')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'See how far the recoveries over all webhooks have come, newest first',
    description: 'The last 20.',
    ok: [RecoveryDto],
  })
  async listAllRecoveries(): Promise<RecoveryDto[]> {
    return (await this.retries.listRecoveries()).map((recovery) => RecoveryDto.from(recovery));
  }

  @Post('recoveries/:recovery_id/stop')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('stop_recovery', 'recovery_id')
  @Operation({
    summary: 'Stop a recovery over all webhooks',
    description: 'What is due again by now is sent; the rest stays as it is.',
    ok: RecoveryDto,
    errors: [404],
  })
  async stopAllRecovery(@IdParam('recovery_id', 'The recovery.') recoveryId: string): Promise<RecoveryDto> {
    return RecoveryDto.from(await this.retries.stopRecovery(recoveryId));
  }
}
