import { Body, Controller, Delete, Get, Patch, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import {
  LAST_OF_PAGE_BEFORE,
  type Page,
  QueryChoice,
  QueryFlag,
  QueryId,
  QueryPage,
} from '../platform/common/dto/params.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { OWNER_STATE_FILTERS, type OwnerStateFilter } from '../messaging/owners/owner-states.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import {
  CREATE_EXAMPLES,
  CreateOutgoingHookDto,
  HookIdParam,
  PATCH_EXAMPLES,
  PatchOutgoingHookDto,
  UPDATE_EXAMPLES,
  UpdateOutgoingHookDto,
} from './dto/write-outgoing-hook.dto.js';
import { HookHealthDto } from './dto/hook-health.dto.js';
import { OutgoingHookDto, RegeneratedHookDto, SavedOutgoingHookDto } from './dto/outgoing-hook.dto.js';
import { InternalAddressWarnings } from './callback-url-warnings.js';
import { OutgoingHookViews } from './outgoing-hook-views.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';
import { HOOK_PERMISSIONS, WHO_MANAGES } from './outgoing-hooks.policy.js';

@ApiTags('outgoing webhooks')
@Controller('hooks/outgoing')
@CheckedByPolicy(HOOK_PERMISSIONS, WHO_MANAGES)
export class OutgoingHooksController {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly views: OutgoingHookViews,
  ) {}

  @Post()
  @Audited('create_outgoing_webhook')
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the team; for another owner also `manage_others_outgoing_webhooks` on that team',
  )
  @UseInterceptors(InternalAddressWarnings)
  @Operation({
    summary: 'Create an outgoing webhook',
    description:
      'Each message of the team, or of one channel, that contains a trigger word is sent to the callback URLs. The creator must be a member of the team.',
    body: { type: CreateOutgoingHookDto, examples: CREATE_EXAMPLES },
    created: SavedOutgoingHookDto,
    errors: [404, 501],
  })
  async createOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: CreateOutgoingHookDto,
  ): Promise<SavedOutgoingHookDto> {
    return this.views.show(actor, await this.hooks.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the given channel or team, without one on the system. An unknown channel is a 404 for callers who have it on the system, a 403 for others',
  )
  @Operation({
    summary: 'List outgoing webhooks, oldest first',
    description:
      'Without `manage_others_outgoing_webhooks` the list contains only webhooks of the caller. `channel_id` overrides `team_id`. Those of a private channel that the caller cannot read, or of a bot that the caller cannot manage, are listed without their secrets.',
    ok: [OutgoingHookDto],
    errors: [404, 501],
  })
  async getOutgoingWebhooks(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryId('team_id', 'Only webhooks of this team.') teamId: string | undefined,
    @QueryId('channel_id', 'Only webhooks of this channel, without those of the whole team.')
    channelId: string | undefined,
    @QueryChoice(
      'owner_state',
      OWNER_STATE_FILTERS,
      'Only webhooks with such a creator; `orphaned` means all but `active`.',
    )
    ownerState: OwnerStateFilter | undefined,
    @QueryId('after', LAST_OF_PAGE_BEFORE) after: string | undefined,
  ): Promise<OutgoingHookDto[]> {
    const hooks = await this.hooks.list(actor, { teamId, channelId, ownerState, after }, page);
    return this.views.showAll(actor, hooks);
  }

  @Get(':hook_id')
  @Operation({
    summary: 'Get an outgoing webhook',
    description: 'Without its secrets for callers who cannot read its private channel or manage its bot.',
    ok: OutgoingHookDto,
    errors: [404, 501],
  })
  async getOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.get(actor, id));
  }

  @Get(':hook_id/health')
  @Operation({
    summary: 'Check the health of an outgoing webhook',
    description: 'For monitors: small, and without secrets.',
    ok: HookHealthDto,
    errors: [404, 424, 501],
  })
  async getOutgoingWebhookHealth(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
    @QueryFlag('strict', 'Return 424 if the webhook is failing, disabled or paused.') isStrict: boolean,
  ): Promise<HookHealthDto> {
    return this.views.health(actor, await this.hooks.get(actor, id), isStrict);
  }

  @Put(':hook_id')
  @Audited('update_outgoing_webhook', 'hook_id')
  @UseInterceptors(InternalAddressWarnings)
  @Operation({
    summary: 'Change channel and names of an outgoing webhook',
    description:
      'Trigger words, callback URLs, format and mode can be sent back as stored; a change of one of them is refused with a 400 that names it, because PATCH is the call for that. Another channel requires the permission on the old and the new one.',
    body: { type: UpdateOutgoingHookDto, examples: UPDATE_EXAMPLES },
    ok: SavedOutgoingHookDto,
    errors: [404, 501],
  })
  async updateOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
    @Body() input: UpdateOutgoingHookDto,
  ): Promise<SavedOutgoingHookDto> {
    return this.views.show(actor, await this.hooks.update(actor, id, input));
  }

  @Patch(':hook_id')
  @Audited('patch_outgoing_webhook', 'hook_id')
  @UseInterceptors(InternalAddressWarnings)
  @Operation({
    summary: 'Change any part of an outgoing webhook',
    description:
      'Missing fields do not change. Owner, team and token cannot be changed here. Waiting deliveries to a removed callback URL are cancelled. The webhook is disabled when all its URLs are disabled, and enabled when it gets another one.',
    body: { type: PatchOutgoingHookDto, examples: PATCH_EXAMPLES },
    ok: SavedOutgoingHookDto,
    errors: [404, 501],
  })
  async patchOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
    @Body() input: PatchOutgoingHookDto,
  ): Promise<SavedOutgoingHookDto> {
    return this.views.show(actor, await this.hooks.patch(actor, id, input));
  }

  @Delete(':hook_id')
  @Audited('delete_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Delete an outgoing webhook',
    description: 'Waiting deliveries are cancelled.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async deleteOutgoingWebhook(@CurrentActor() actor: Actor, @HookIdParam() id: string): Promise<StatusOkDto> {
    await this.hooks.delete(actor, id);
    return STATUS_OK;
  }

  @Post(':hook_id/regen_token')
  @Audited('regenerate_outgoing_webhook_token', 'hook_id')
  @Operation({
    summary: 'Generate a new token and a new signing secret for an outgoing webhook',
    description:
      'The old token becomes invalid immediately, including for waiting deliveries. The old signing secret is used in addition to the new one for `SIGNING_OVERLAP`.',
    ok: RegeneratedHookDto,
    errors: [404, 501],
  })
  async regenOutgoingHookToken(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
  ): Promise<RegeneratedHookDto> {
    return { ...(await this.views.show(actor, await this.hooks.regenerate(actor, id))), ...STATUS_OK };
  }

  @Post(':hook_id/enable')
  @Audited('enable_outgoing_webhook', 'hook_id')
  @Operation({
    summary: 'Enable an outgoing webhook again',
    description:
      'It is disabled when its callback URLs respond with 410 or fail for `OUTGOING_DISABLE_AFTER`. Missed deliveries can be resent with `recover`.',
    ok: OutgoingHookDto,
    errors: [404, 501],
  })
  async enableOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() id: string,
  ): Promise<OutgoingHookDto> {
    return this.views.show(actor, await this.hooks.enable(actor, id));
  }
}
