import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/hook-id.param.js';
import { WHO } from '../outgoing-hooks.docs.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.permissions.js';
import { DOCS } from './dry-run.docs.js';
import { DryRunDto } from './dry-run.dto.js';
import { DryRunService } from './dry-run.service.js';
import { TryNewOutgoingHookDto } from './try-new-outgoing-hook.dto.js';
import { TryOutgoingHookDto } from './try-outgoing-hook.dto.js';

@ApiTags('outgoing webhooks')
@Controller('hooks/outgoing')
export class DryRunController {
  constructor(private readonly service: DryRunService) {}

  @Post('dry_run')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO.triesNew)
  @Operation(DOCS.tryNewOutgoingWebhook)
  async tryNewOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: TryNewOutgoingHookDto,
  ): Promise<DryRunDto> {
    return DryRunDto.from(await this.service.tryNew(actor, input));
  }

  @Post(':hook_id/dry_run')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO.tries)
  @Operation(DOCS.tryOutgoingWebhook)
  async tryOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: TryOutgoingHookDto,
  ): Promise<DryRunDto> {
    return DryRunDto.from(await this.service.tryChange(actor, hookId, input));
  }
}
