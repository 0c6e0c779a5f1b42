import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Audited } from '../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import {
  ApiIdParam,
  ApiPaged,
  IdParam,
  type Page,
  QueryFlag,
  QueryId,
  QueryPage,
} from '../platform/common/dto/params.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { Permission } from '../platform/access/permission.js';
import { CreateIncomingHookDto } from './dto/create-incoming-hook.dto.js';
import { IncomingHookListDto } from './dto/incoming-hook-list.dto.js';
import { IncomingHookDto } from './dto/incoming-hook.dto.js';
import { UpdateIncomingHookDto } from './dto/update-incoming-hook.dto.js';
import { CREATE_EXAMPLES, UPDATE_EXAMPLES } from './incoming-hooks.examples.js';
import { IncomingHooksService } from './incoming-hooks.service.js';

const ONE_HOOK =
  '`manage_webhooks` on the system, the team or the channel; for a webhook of somebody else also `manage_others_incoming_webhooks`; for a private channel also the right to read it';

@ApiTags('incoming webhooks')
@ApiBearerAuth()
@Controller('hooks/incoming')
@CheckedByPolicy([Permission.ManageWebhooks, Permission.ManageOthersIncomingWebhooks])
export class IncomingHooksController {
  constructor(private readonly hooks: IncomingHooksService) {}

  @Post()
  @Audited('create_incoming_webhook', undefined, { isSecret: true })
  @Operation({
    summary: 'Create an incoming webhook',
    description:
      'The answer’s `id` makes the address `/hooks/{id}`, to which programs POST payloads. Whoever knows it can post, so keep it secret.',
    permission:
      '`manage_webhooks` on the team of the channel, and the right to read the channel; for another owner also `manage_others_incoming_webhooks` on that team',
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiBody({ type: CreateIncomingHookDto, examples: CREATE_EXAMPLES })
  @ApiCreatedResponse({ type: IncomingHookDto })
  async createIncomingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.create(actor, input));
  }

  @Get()
  @Operation({
    summary: 'List incoming webhooks, oldest first',
    description:
      'Without `manage_others_incoming_webhooks`, the list and the count hold the caller’s own only.',
    permission: '`manage_webhooks` on the team that `team_id` names, without one on the system',
    errors: [400, 401, 403, 501],
  })
  @ApiPaged()
  @ApiQuery({
    name: 'team_id',
    required: false,
    schema: { type: 'string' },
    description: 'Webhooks of this team only.',
  })
  @ApiQuery({
    name: 'include_total_count',
    required: false,
    schema: { type: 'boolean', default: false },
    description: 'Answer with an object that holds the page and the number of all.',
  })
  @ApiExtraModels(IncomingHookDto, IncomingHookListDto)
  @ApiOkResponse({
    description: 'The list; with `include_total_count`, the object.',
    schema: {
      oneOf: [
        { type: 'array', items: { $ref: getSchemaPath(IncomingHookDto) } },
        { $ref: getSchemaPath(IncomingHookListDto) },
      ],
    },
  })
  async getIncomingWebhooks(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryId('team_id') teamId: string | undefined,
    @QueryFlag('include_total_count') withTotal: boolean,
  ): Promise<IncomingHookDto[] | IncomingHookListDto> {
    return IncomingHookListDto.from(await this.hooks.list(actor, teamId, page, withTotal));
  }

  @Get(':hook_id')
  @Operation({ summary: 'Get an incoming webhook', permission: ONE_HOOK, errors: [400, 401, 403, 404, 501] })
  @ApiIdParam('hook_id', 'The webhook.')
  @ApiOkResponse({ type: IncomingHookDto })
  async getIncomingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id') id: string,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.get(actor, id));
  }

  @Put(':hook_id')
  @Audited('update_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Replace an incoming webhook',
    description:
      'Replaces channel, names, picture and lock: an optional field that is absent becomes empty, or false. Owner and team stay. Another channel takes the permission on the old and on the new one.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiIdParam('hook_id', 'The webhook.')
  @ApiBody({ type: UpdateIncomingHookDto, examples: UPDATE_EXAMPLES })
  @ApiOkResponse({ type: IncomingHookDto })
  async updateIncomingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id') id: string,
    @Body() input: UpdateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.hooks.update(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Delete an incoming webhook',
    description: 'Its address stops working at once.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 501],
  })
  @ApiIdParam('hook_id', 'The webhook.')
  @ApiOkResponse({ type: StatusOkDto })
  async deleteIncomingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id') id: string,
  ): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }
}
