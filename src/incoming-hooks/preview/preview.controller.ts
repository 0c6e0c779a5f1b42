import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam } from '../../platform/common/dto/params.js';
import { IncomingHookPermission, WHO_MANAGES } from '../incoming-hooks.policy.js';
import { PreviewDto, PreviewIncomingHookDto, PreviewService } from './preview.service.js';

@ApiTags('incoming webhooks')
@Controller('hooks/incoming/:hook_id/preview')
@CheckedByPolicy(
  [CommonPermission.ManageWebhooks, IncomingHookPermission.ManageOthersIncomingWebhooks],
  WHO_MANAGES,
)
export class PreviewController {
  constructor(private readonly service: PreviewService) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Show what a call of an incoming webhook would post',
    description:
      'Converts and splits the payload as a call does, and posts nothing. What a call would be refused with is answered as the call itself would be.',
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
      },
    },
    ok: PreviewDto,
    errors: [404, 501],
  })
  async previewIncomingWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('hook_id', 'The webhook.') hookId: string,
    @Body() input: PreviewIncomingHookDto,
  ): Promise<PreviewDto> {
    return PreviewDto.from(await this.service.preview(actor, hookId, input));
  }
}
