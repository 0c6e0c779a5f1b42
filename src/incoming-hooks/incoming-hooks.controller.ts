import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OWNER_STATE_FILTERS, type OwnerStateFilter } from '../messaging/owners/owner-states.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import { IncomingHookPermission, WHO_MANAGES } from './incoming-hooks.policy.js';
import { Audited } from '../platform/audit/audited.js';
import { oneOf, Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import {
  IdParam,
  LAST_OF_PAGE_BEFORE,
  type Page,
  QueryChoice,
  QueryFlag,
  QueryId,
  QueryPage,
} from '../platform/common/dto/params.js';
import {
  CREATE_EXAMPLES,
  CreateIncomingHookDto,
  IncomingHookDto,
  IncomingHookListDto,
  UPDATE_EXAMPLES,
  UpdateIncomingHookDto,
} from './dto/incoming-hook.dto.js';
import { IncomingHooksService } from './incoming-hooks.service.js';

const HOOKS = [CommonPermission.ManageWebhooks, IncomingHookPermission.ManageOthersIncomingWebhooks];

@ApiTags('incoming webhooks')
@Controller('hooks/incoming')
@CheckedByPolicy(HOOKS, WHO_MANAGES)
export class IncomingHooksController {
  constructor(private readonly hooks: IncomingHooksService) {}

  @Post()
  @CheckedByPolicy(
    HOOKS,
    '`manage_webhooks` on the team of the channel, and the right to read the channel; for another owner also `manage_others_incoming_webhooks` on that team',
  )
  @Audited('create_incoming_webhook', undefined, { isSecret: true })
  @Operation({
    summary: 'Create an incoming webhook',
    description:
      'The answer’s `id` makes the address `/hooks/{id}`, to which programs POST payloads. Whoever knows it can post, so keep it secret.',
    body: { type: CreateIncomingHookDto, examples: CREATE_EXAMPLES },
    created: IncomingHookDto,
    errors: [404, 501],
  })
  async createIncomingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(HOOKS, '`manage_webhooks` on the team that `team_id` names, without one on the system')
  @Operation({
    summary: 'List incoming webhooks, oldest first',
    description:
      'Without `manage_others_incoming_webhooks`, the list and the count hold the caller’s own only. Webhooks in private channels that the caller cannot read are left out.',
    ok: oneOf([[IncomingHookDto], IncomingHookListDto], 'The list; with `include_total_count`, the object.'),
    errors: [501],
  })
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
  @Operation({ summary: 'Get an incoming webhook', ok: IncomingHookDto, errors: [404, 501] })
  async getIncomingWebhook(@CurrentActor() actor: Actor, @HookId() id: string): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.get(actor, id));
  }

  @Put(':hook_id')
  @Audited('update_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Replace an incoming webhook',
    description:
      'Replaces channel, names, picture and lock: an optional field that is absent becomes empty, or false. Owner and team stay. Another channel takes the permission on the old and on the new one.',
    body: { type: UpdateIncomingHookDto, examples: UPDATE_EXAMPLES },
    ok: IncomingHookDto,
    errors: [404, 501],
  })
  async updateIncomingWebhook(
    @CurrentActor() actor: Actor,
    @HookId() id: string,
    @Body() input: UpdateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.update(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Delete an incoming webhook',
    description: 'Its address stops working at once.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async deleteIncomingWebhook(@CurrentActor() actor: Actor, @HookId() id: string): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }
}

function HookId(): ParameterDecorator {
  return IdParam('hook_id', 'The webhook.');
}
