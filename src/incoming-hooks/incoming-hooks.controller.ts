import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OWNER_STATE_FILTERS, type OwnerStateFilter } from '../messaging/owners/owner-state.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import { IncomingHookPermission } from './incoming-hooks.permissions.js';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, type StatusOkDto } from '../platform/common/dto/operation.js';
import {
  IdParam,
  LAST_OF_PAGE_BEFORE,
  type Page,
  QueryChoice,
  QueryFlag,
  QueryId,
  QueryPage,
} from '../platform/common/dto/params.js';
import { CreateIncomingHookDto } from './dto/create-incoming-hook.dto.js';
import { IncomingHookListDto } from './dto/incoming-hook-list.dto.js';
import { IncomingHookDto } from './dto/incoming-hook.dto.js';
import { UpdateIncomingHookDto } from './dto/update-incoming-hook.dto.js';
import { DOCS, WHO } from './incoming-hooks.docs.js';
import { IncomingHooksService } from './incoming-hooks.service.js';

const HOOKS = [CommonPermission.ManageWebhooks, IncomingHookPermission.ManageOthersIncomingWebhooks];

@ApiTags('incoming webhooks')
@Controller('hooks/incoming')
@CheckedByPolicy(HOOKS, WHO.manages)
export class IncomingHooksController {
  constructor(private readonly hooks: IncomingHooksService) {}

  @Post()
  @CheckedByPolicy(HOOKS, WHO.creates)
  @Audited('create_incoming_webhook', undefined, { isSecret: true })
  @Operation(DOCS.create)
  async createIncomingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(HOOKS, WHO.lists)
  @Operation(DOCS.list)
  async getIncomingWebhooks(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryId('team_id', 'Webhooks of this team only.') teamId: string | undefined,
    @QueryFlag('include_total_count', 'Answer with an object that holds the page and the number of all.')
    withTotal: boolean,
    @QueryChoice(
      'owner_state',
      OWNER_STATE_FILTERS,
      'Webhooks with such an owner only; `orphaned` stands for all but `active`.',
    )
    ownerState: OwnerStateFilter | undefined,
    @QueryId('after', LAST_OF_PAGE_BEFORE) after: string | undefined,
  ): Promise<IncomingHookDto[] | IncomingHookListDto> {
    return IncomingHookListDto.from(
      await this.hooks.list(actor, { teamId, ownerState, after }, page, withTotal),
    );
  }

  @Get(':hook_id')
  @Operation(DOCS.get)
  async getIncomingWebhook(@CurrentActor() actor: Actor, @HookId() id: string): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.get(actor, id));
  }

  @Put(':hook_id')
  @Audited('update_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation(DOCS.update)
  async updateIncomingWebhook(
    @CurrentActor() actor: Actor,
    @HookId() id: string,
    @Body() input: UpdateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.update(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation(DOCS.delete)
  async deleteIncomingWebhook(@CurrentActor() actor: Actor, @HookId() id: string): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }
}

function HookId(): ParameterDecorator {
  return IdParam('hook_id', 'The webhook.');
}
