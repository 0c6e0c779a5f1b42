import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { IdParam, type Page, QueryId, QueryPage } from '../platform/common/dto/params.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { Permission } from '../messaging/permissions/permission.js';
import { OutgoingHookPermission } from './outgoing-hooks.permissions.js';
import { CreateOutgoingHookDto } from './dto/create-outgoing-hook.dto.js';
import { OutgoingHookDto, RegeneratedHookDto } from './dto/outgoing-hook.dto.js';
import { PatchOutgoingHookDto } from './dto/patch-outgoing-hook.dto.js';
import { UpdateOutgoingHookDto } from './dto/update-outgoing-hook.dto.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { CREATE_EXAMPLES, PATCH_EXAMPLES, UPDATE_EXAMPLES } from './outgoing-hooks.examples.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';

export const ONE_HOOK =
  '`manage_webhooks` on the system, the team or the channel; for a webhook of somebody else also `manage_others_outgoing_webhooks`';

@ApiTags('outgoing webhooks')
@ApiBearerAuth()
@Controller('hooks/outgoing')
@CheckedByPolicy([Permission.ManageWebhooks, OutgoingHookPermission.ManageOthersOutgoingWebhooks])
export class OutgoingHooksController {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly secrets: OutgoingHookSecrets,
  ) {}

  @Post()
  @Audited('create_outgoing_webhook')
  @Operation({
    summary: 'Create an outgoing webhook',
    description:
      'Each message of the team, or of one channel, that contains a trigger word is sent to the callback URLs.',
    permission:
      '`manage_webhooks` on the team; for another owner also `manage_others_outgoing_webhooks` on that team',
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiBody({ type: CreateOutgoingHookDto, examples: CREATE_EXAMPLES })
  @ApiCreatedResponse({ type: OutgoingHookDto })
  async createOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateOutgoingHookDto,
  ): Promise<OutgoingHookDto> {
    return this.show(await this.hooks.create(actor, input));
  }

  @Get()
  @Operation({
    summary: 'List outgoing webhooks, oldest first',
    description:
      'Without `manage_others_outgoing_webhooks` the list holds the caller’s own only. `channel_id` wins over `team_id`.',
    permission:
      '`manage_webhooks` on the channel or team that is named, without one on the system. An unknown channel is a 404 for those who have it on the system, a 403 for others',
    errors: [400, 401, 403, 404, 501],
  })
  @ApiOkResponse({ type: [OutgoingHookDto] })
  async getOutgoingWebhooks(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryId('team_id', 'Webhooks of this team only.') teamId: string | undefined,
    @QueryId(
      'channel_id',
      'Webhooks that watch this channel only; those that watch the whole team are not among them.',
    )
    channelId: string | undefined,
  ): Promise<OutgoingHookDto[]> {
    return (await this.hooks.list(actor, teamId, channelId, page)).map((hook) => this.show(hook));
  }

  @Get(':hook_id')
  @Operation({ summary: 'Get an outgoing webhook', permission: ONE_HOOK, errors: [400, 401, 403, 404, 501] })
  @ApiOkResponse({ type: OutgoingHookDto })
  async getOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') id: string,
  ): Promise<OutgoingHookDto> {
    return this.show(await this.hooks.get(actor, id));
  }

  @Put(':hook_id')
  @Audited('update_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Change channel and names of an outgoing webhook',
    description:
      'Trigger words, callback URLs, format and mode may be sent back as they are stored; a change of one of them is refused with a 400 that names it, because PATCH is the call for that. Another channel takes the permission on the old and on the new one.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiBody({ type: UpdateOutgoingHookDto, examples: UPDATE_EXAMPLES })
  @ApiOkResponse({ type: OutgoingHookDto })
  async updateOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') id: string,
    @Body() input: UpdateOutgoingHookDto,
  ): Promise<OutgoingHookDto> {
    return this.show(await this.hooks.update(actor, id, input));
  }

  @Patch(':hook_id')
  @Audited('patch_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Change any part of an outgoing webhook',
    description:
      'What is absent stays. Owner, team and token cannot be changed here. What waits for a callback URL that is removed is cancelled. The webhook is switched off when all its URLs are given up, and on again when it gets another one.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiBody({ type: PatchOutgoingHookDto, examples: PATCH_EXAMPLES })
  @ApiOkResponse({ type: OutgoingHookDto })
  async patchOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') id: string,
    @Body() input: PatchOutgoingHookDto,
  ): Promise<OutgoingHookDto> {
    return this.show(await this.hooks.patch(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Delete an outgoing webhook',
    description: 'Deliveries that are waiting are cancelled.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async deleteOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') id: string,
  ): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }

  @Post(':hook_id/regen_token')
  @HttpCode(200)
  @Audited('regenerate_outgoing_webhook_token', 'hook_id')
  @Operation({
    summary: 'Give an outgoing webhook a new token and a new signing secret',
    description:
      'The old token is gone at once, also for deliveries that are waiting. The old signing secret goes on signing beside the new one for `SIGNING_OVERLAP`.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiOkResponse({ type: RegeneratedHookDto })
  async regenOutgoingHookToken(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') id: string,
  ): Promise<RegeneratedHookDto> {
    return { ...this.show(await this.hooks.regenerate(actor, id)), ...STATUS_OK };
  }

  @Post(':hook_id/enable')
  @HttpCode(200)
  @Audited('enable_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Switch an outgoing webhook on again',
    description:
      'It is switched off when its callback URLs answer 410 or fail for `OUTGOING_DISABLE_AFTER`. What it missed can be sent again with `recover`.',
    permission: ONE_HOOK,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiOkResponse({ type: OutgoingHookDto })
  async enableOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') id: string,
  ): Promise<OutgoingHookDto> {
    return this.show(await this.hooks.enable(actor, id));
  }

  private show(hook: OutgoingHook): OutgoingHookDto {
    return OutgoingHookDto.from(hook, this.secrets.open(hook));
  }
}
