import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
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
  PATCH_EXAMPLES,
  PatchIncomingHookDto,
  UPDATE_EXAMPLES,
  UpdateIncomingHookDto,
} from './dto/incoming-hook.dto.js';
import { IncomingHookChangesService } from './incoming-hook-changes.service.js';
import { IncomingHooksService } from './incoming-hooks.service.js';
import { PreviewDto, PreviewIncomingHookDto, PreviewService } from './preview.service.js';
import { PreviousUrlDto, RotateUrlDto } from './url-rotation/previous-url.dto.js';
import { UrlRotationService } from './url-rotation/url-rotation.service.js';

const HOOKS = [CommonPermission.ManageWebhooks, IncomingHookPermission.ManageOthersIncomingWebhooks];

@ApiTags('incoming webhooks')
@Controller('hooks/incoming')
@CheckedByPolicy(HOOKS, WHO_MANAGES)
export class IncomingHooksController {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly changes: IncomingHookChangesService,
    private readonly previews: PreviewService,
    private readonly rotation: UrlRotationService,
  ) {}

  @Post()
  @CheckedByPolicy(
    HOOKS,
    '`manage_webhooks` on the team of the channel, and the permission to read the channel; for another owner also `manage_others_incoming_webhooks` on that team',
  )
  @Audited('create_incoming_webhook', undefined, { isSecret: true })
  @Operation({
    summary: 'Create an incoming webhook',
    description:
      'The returned `id` is part of the URL `/hooks/{id}`, to which programs POST payloads. Anybody who knows it can post, so keep it secret. With a `verifier`, calls must also prove that they come from the sender.',
    body: { type: CreateIncomingHookDto, examples: CREATE_EXAMPLES },
    created: IncomingHookDto,
    errors: [404, 501],
  })
  async createIncomingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.changes.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(HOOKS, '`manage_webhooks` on the team in `team_id`, without one on the system')
  @Operation({
    summary: 'List incoming webhooks, oldest first',
    description:
      'Without `manage_others_incoming_webhooks`, the list and the count contain only webhooks of the caller. Webhooks in private channels that the caller cannot read are omitted.',
    ok: oneOf(
      [[IncomingHookDto], IncomingHookListDto],
      'The list, or the object with `include_total_count`.',
    ),
    errors: [501],
  })
  async getIncomingWebhooks(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryId('team_id', 'Only webhooks of this team.') teamId: string | undefined,
    @QueryFlag('include_total_count', 'Return an object with the page and the total.')
    withTotal: boolean,
    @QueryChoice(
      'owner_state',
      OWNER_STATE_FILTERS,
      'Only webhooks with such an owner; `orphaned` means all but `active`.',
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
      'Replaces channel, names, picture and lock: if one of these is missing, it becomes empty or false. Other missing fields do not change. Owner and team do not change. Another channel requires the permission on the old and the new one.',
    body: { type: UpdateIncomingHookDto, examples: UPDATE_EXAMPLES },
    ok: IncomingHookDto,
    errors: [404, 501],
  })
  async updateIncomingWebhook(
    @CurrentActor() actor: Actor,
    @HookId() id: string,
    @Body() input: UpdateIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.changes.update(actor, id, input));
  }

  @Patch(':hook_id')
  @Audited('patch_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Change any part of an incoming webhook',
    description:
      'Missing fields do not change. Another channel requires the permission on the old and the new one, another owner `manage_others_incoming_webhooks`.',
    body: { type: PatchIncomingHookDto, examples: PATCH_EXAMPLES },
    ok: IncomingHookDto,
    errors: [404, 501],
  })
  async patchIncomingWebhook(
    @CurrentActor() actor: Actor,
    @HookId() id: string,
    @Body() input: PatchIncomingHookDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.changes.patch(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_incoming_webhook', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Delete an incoming webhook',
    description: 'Its URL stops working at once.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async deleteIncomingWebhook(@CurrentActor() actor: Actor, @HookId() id: string): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }

  @Post(':hook_id/rotate_url')
  @HttpCode(200)
  @Audited('rotate_incoming_webhook_url', 'hook_id', {
    isSecret: true,
    keep: ['overlap_seconds', 'new_id_hash'],
  })
  @Operation({
    summary: 'Give an incoming webhook a new URL',
    description:
      'The webhook gets another `id`. The URLs that it had stop working after the overlap, and those that would work longer are cut short. Messages, keys and kept calls stay with the webhook, and so does its Slack path.',
    body: { type: RotateUrlDto },
    ok: IncomingHookDto,
    errors: [404, 501],
  })
  async rotateIncomingWebhookUrl(
    @CurrentActor() actor: Actor,
    @HookId() id: string,
    @Body() input: RotateUrlDto,
  ): Promise<IncomingHookDto> {
    return IncomingHookDto.from(await this.rotation.rotate(actor, id, input.overlap_seconds));
  }

  @Get(':hook_id/previous_urls')
  @Operation({
    summary: 'List the previous URLs of an incoming webhook that still work, newest first',
    description: 'Shows when each was last called, and how often since the rotation.',
    ok: [PreviousUrlDto],
    errors: [404, 501],
  })
  async getPreviousIncomingWebhookUrls(
    @CurrentActor() actor: Actor,
    @HookId() id: string,
  ): Promise<PreviousUrlDto[]> {
    return (await this.rotation.list(actor, id)).map((url) => PreviousUrlDto.from(url));
  }

  @Post(':hook_id/preview')
  @HttpCode(200)
  @Operation({
    summary: 'Show what a call of an incoming webhook would post',
    description:
      'Converts and splits the payload like a call, in the format of the webhook or in another, and posts nothing. Refusals are returned like those of the call.',
    body: {
      type: PreviewIncomingHookDto,
      examples: {
        text: { summary: 'A text', value: { payload: '{"text":"Build 812 is *green*."}' } },
        form: {
          summary: 'A form',
          value: {
            payload: 'payload=%7B%22text%22%3A%22Hello%22%7D',
            content_type: 'application/x-www-form-urlencoded',
          },
        },
        template: {
          summary: 'A template that is not saved yet',
          value: { payload: '{"job":"build"}', format: 'template', template: '{{ body.job }} is green' },
        },
      },
    },
    ok: PreviewDto,
    errors: [404, 422, 501],
  })
  async previewIncomingWebhook(
    @CurrentActor() actor: Actor,
    @HookId() hookId: string,
    @Body() input: PreviewIncomingHookDto,
  ): Promise<PreviewDto> {
    return PreviewDto.from(await this.previews.preview(actor, hookId, input));
  }
}

function HookId(): ParameterDecorator {
  return IdParam('hook_id', 'The webhook.');
}
