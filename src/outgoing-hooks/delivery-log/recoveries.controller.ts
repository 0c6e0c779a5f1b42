import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/hook-id.param.js';
import { WHO } from '../outgoing-hooks.docs.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.permissions.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { RecoverDto, RecoveryDto } from './recovery.dto.js';
import { DOCS } from './delivery-log.docs.js';

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id/recover')
@CheckedByPolicy(HOOK_PERMISSIONS, WHO.manages)
export class RecoveriesController {
  constructor(private readonly log: DeliveryLogService) {}

  @Post()
  @Audited('recover_deliveries', 'hook_id')
  @Operation(DOCS.recoverDeliveries)
  async recoverDeliveries(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: RecoverDto,
  ): Promise<RecoveryDto> {
    return RecoveryDto.from(await this.log.recover(actor, hookId, input.since, input.dry_run));
  }

  @Post(':recovery_id/stop')
  @Audited('stop_recovery', 'hook_id/recovery_id')
  @Operation(DOCS.stopRecovery)
  async stopRecovery(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @IdParam('recovery_id', 'The recovery.') recoveryId: string,
  ): Promise<RecoveryDto> {
    return RecoveryDto.from(await this.log.stopRecovery(actor, hookId, recoveryId));
  }

  @Get()
  @Operation(DOCS.listRecoveries)
  async listRecoveries(@CurrentActor() actor: Actor, @HookIdParam() hookId: string): Promise<RecoveryDto[]> {
    return (await this.log.listRecoveries(actor, hookId)).map((recovery) => RecoveryDto.from(recovery));
  }
}
