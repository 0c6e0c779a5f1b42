import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { Audited } from '../../platform/audit/audited.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { ExecutedDto } from '../dto/payload.dto.js';
import { IncomingHookPermission, WHO_MANAGES } from '../incoming-hooks.policy.js';
import { KeptRequestDetailDto, KeptRequestDto, RefusingHookDto } from './kept-requests.dto.js';
import { KeptRequestsService } from './kept-requests.service.js';

function HookId(): ParameterDecorator {
  return IdParam('hook_id', 'The webhook.');
}

function RequestId(): ParameterDecorator {
  return IdParam('request_id', 'The id of the request.');
}

@ApiTags('incoming webhooks')
@Controller('hooks/incoming')
@CheckedByPolicy(
  [CommonPermission.ManageWebhooks, IncomingHookPermission.ManageOthersIncomingWebhooks],
  WHO_MANAGES,
)
export class KeptRequestsController {
  constructor(private readonly requests: KeptRequestsService) {}

  @Get(':hook_id/requests')
  @Operation({
    summary: 'List the kept calls of an incoming webhook, newest first',
    description: 'Refused calls, and with `keep_requests` also successful ones: the last 50, for seven days.',
    ok: [KeptRequestDto],
    errors: [404, 501],
  })
  async getIncomingWebhookRequests(
    @CurrentActor() actor: Actor,
    @HookId() hookId: string,
    @QueryPage() page: Page,
  ): Promise<KeptRequestDto[]> {
    return (await this.requests.list(actor, hookId, page)).map((request) => KeptRequestDto.from(request));
  }

  @Get(':hook_id/requests/:request_id')
  @Operation({
    summary: 'Get a kept call with its headers and its body',
    description:
      'Other users than the owner get 403 for a post that they cannot read, and for a refused call that names a channel or cannot be decoded.',
    ok: KeptRequestDetailDto,
    errors: [404, 501],
  })
  async getIncomingWebhookRequest(
    @CurrentActor() actor: Actor,
    @HookId() hookId: string,
    @RequestId() id: string,
  ): Promise<KeptRequestDetailDto> {
    return KeptRequestDetailDto.from(await this.requests.get(actor, hookId, id));
  }

  @Post(':hook_id/requests/:request_id/replay')
  @Audited('replay_incoming_webhook_request', 'hook_id', { isSecret: true })
  @Operation({
    summary: 'Repeat a kept call',
    description:
      'Posts the payload again, with the current settings of the webhook. A refusal is returned like that of the call itself. A call with a truncated body returns 400.',
    ok: ExecutedDto,
    errors: [400, 404, 422, 501],
  })
  async replayIncomingWebhookRequest(
    @CurrentActor() actor: Actor,
    @HookId() hookId: string,
    @RequestId() id: string,
  ): Promise<ExecutedDto> {
    return ExecutedDto.from(await this.requests.replay(actor, hookId, id));
  }

  @Get('refusing')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the incoming webhooks that refused calls in the last 24 hours',
    description: 'Webhooks of all teams, most recent refusal first; at most 60. Only kept calls count.',
    ok: [RefusingHookDto],
    errors: [501],
  })
  async getRefusingIncomingWebhooks(): Promise<RefusingHookDto[]> {
    return (await this.requests.refusing()).map((hook) => RefusingHookDto.from(hook));
  }
}
