import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../platform/common/dto/operation.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { Public } from '../../platform/access/access.js';
import { PayloadDto } from '../dto/payload.dto.js';
import { HookPoster } from './hook-poster.js';
import { answerCall, CallOptions, HookIdParam } from './hook-route.js';

@ApiTags('incoming webhooks')
@Controller('hooks')
export class HookExecutionController {
  constructor(private readonly poster: HookPoster) {}

  @Post(':id')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none: the id of the webhook is the secret' })
  @Operation({
    summary: 'Post through an incoming webhook',
    description:
      'Posts the payload into the channel of the webhook, or into the one named in `channel`. Returns `ok` as plain text once the post is stored. If the webhook has a `verifier`, the call must pass it; its `format` may require another body, such as that of a program.',
    body: {
      type: PayloadDto,
      examples: {
        text: { summary: 'A text', value: { text: 'Build 812 is green.' } },
        attachment: {
          summary: 'With an attachment and another name',
          value: {
            text: 'Build 812 is green.',
            username: 'build-bot',
            attachments: [{ color: '#36a64f', title: 'Build 812', text: 'All 1,204 tests passed.' }],
          },
        },
        blocks: {
          summary: 'Slack blocks',
          value: { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Build 812 is *green*.' } }] },
        },
      },
    },
    errors: [403, 404, 422, 501],
  })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data')
  @CallOptions()
  async executeIncomingWebhook(
    @HookIdParam() hookId: string,
    @Req() request: HttpRequest,
    @Res() response: Response,
  ): Promise<void> {
    await answerCall(this.poster, hookId, request, response);
  }
}
