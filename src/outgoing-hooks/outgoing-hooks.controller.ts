import { Body, Controller, Delete, Get, Patch, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import {
  LAST_OF_PAGE_BEFORE,
  type Page,
  QueryChoice,
  QueryId,
  QueryPage,
} from '../platform/common/dto/params.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { OWNER_STATE_FILTERS, type OwnerStateFilter } from '../messaging/owners/owner-state.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { CreateOutgoingHookDto } from './dto/create-outgoing-hook.dto.js';
import { HookIdParam } from './dto/hook-id.param.js';
import { OutgoingHookDto, RegeneratedHookDto } from './dto/outgoing-hook.dto.js';
import { PatchOutgoingHookDto } from './dto/patch-outgoing-hook.dto.js';
import { UpdateOutgoingHookDto } from './dto/update-outgoing-hook.dto.js';
import { InternalAddressWarnings } from './internal-address-warnings.js';
import { OutgoingHookViews } from './outgoing-hook-views.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';
import { DOCS, WHO } from './outgoing-hooks.docs.js';
import { HOOK_PERMISSIONS } from './outgoing-hooks.permissions.js';

@ApiTags('outgoing webhooks')
@Controller('hooks/outgoing')
@CheckedByPolicy(HOOK_PERMISSIONS, WHO.manages)
export class OutgoingHooksController {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly views: OutgoingHookViews,
  ) {}

  @Post()
  @Audited('create_outgoing_webhook')
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO.creates)
  @UseInterceptors(InternalAddressWarnings)
  @Operation(DOCS.createOutgoingWebhook)
  async createOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateOutgoingHookDto,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(HOOK_PERMISSIONS, WHO.lists)
  @Operation(DOCS.getOutgoingWebhooks)
  async getOutgoingWebhooks(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryId('team_id', 'Webhooks of this team only.') teamId: string | undefined,
    @QueryId(
      'channel_id',
      'Webhooks that watch this channel only; those that watch the whole team are not among them.',
    )
    channelId: string | undefined,
    @QueryChoice(
      'owner_state',
      OWNER_STATE_FILTERS,
      'Webhooks with such a creator only; `orphaned` stands for all but `active`.',
    )
    ownerState: OwnerStateFilter | undefined,
    @QueryId('after', LAST_OF_PAGE_BEFORE) after: string | undefined,
  ): Promise<OutgoingHookDto[]> {
    const hooks = await this.hooks.list(actor, { teamId, channelId, ownerState, after }, page);
    return this.views.showAll(actor, hooks);
  }

  @Get(':hook_id')
  @Operation(DOCS.getOutgoingWebhook)
  async getOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.get(actor, id));
  }

  @Put(':hook_id')
  @Audited('update_outgoing_webhook', 'hook_id')
  @UseInterceptors(InternalAddressWarnings)
  @Operation(DOCS.updateOutgoingWebhook)
  async updateOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
    @Body() input: UpdateOutgoingHookDto,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.update(actor, id, input));
  }

  @Patch(':hook_id')
  @Audited('patch_outgoing_webhook', 'hook_id')
  @UseInterceptors(InternalAddressWarnings)
  @Operation(DOCS.patchOutgoingWebhook)
  async patchOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
    @Body() input: PatchOutgoingHookDto,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.patch(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_outgoing_webhook', 'hook_id')
  @Operation(DOCS.deleteOutgoingWebhook)
  async deleteOutgoingWebhook(@CurrentActor() actor: Actor, @HookIdParam() id: string): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }

  @Post(':hook_id/regen_token')
  @Audited('regenerate_outgoing_webhook_token', 'hook_id')
  @Operation(DOCS.regenOutgoingHookToken)
  async regenOutgoingHookToken(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
  ): Promise<RegeneratedHookDto> {
    return { ...(await this.views.show(actor, await this.hooks.regenerate(actor, id))), ...STATUS_OK };
  }

  @Post(':hook_id/enable')
  @Audited('enable_outgoing_webhook', 'hook_id')
  @Operation(DOCS.enableOutgoingWebhook)
  async enableOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.enable(actor, id));
  }
}
