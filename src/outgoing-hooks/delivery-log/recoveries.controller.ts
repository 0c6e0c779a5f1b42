import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/hook-id.param.js';
import { HOOK_PERMISSIONS, WHO_MANAGES } from '../outgoing-hooks.permissions.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { RecoverDto, RecoveryDto } from './recovery.dto.js';

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id/recover')
@CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
export class RecoveriesController {
  constructor(private readonly log: DeliveryLogService) {}

  @Post()
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

  @Post(':recovery_id/stop')
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

  @Get()
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
