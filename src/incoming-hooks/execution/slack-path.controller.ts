import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../platform/common/dto/operation.js';
import { PathParam } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { Public } from '../../platform/access/access.js';
import { PayloadDto } from '../dto/payload.dto.js';
import { IncomingHooksRepository } from '../incoming-hooks.repository.js';
import { HookPoster } from './hook-poster.js';
import { answerCall, CallOptions } from './hook-route.js';

/** Accepts the calls of senders that only take URLs of Slack (docs/contract/incoming-webhooks.md#slack-paths). */
@ApiTags('incoming webhooks')
@Controller('services')
export class SlackPathController {
  constructor(
    private readonly hooks: IncomingHooksRepository,
    private readonly poster: HookPoster,
  ) {}

  @Post(':team/:app/:secret')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none: the path is the secret' })
  @Operation({
    summary: 'Post through an incoming webhook at its Slack path',
    description:
      'The same as `POST /hooks/{id}`, for the webhook whose `slack_path` is `{team}/{app}/{secret}`.',
    body: {
      type: PayloadDto,
      examples: { text: { summary: 'A text', value: { text: 'Build 812 is green.' } } },
    },
    errors: [403, 404, 422, 501],
  })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data')
  @CallOptions()
  async executeSlackPath(
    @PathPart('team', 'Begins with T.') team: string,
    @PathPart('app', 'Begins with B.') app: string,
    @PathPart('secret', 'The secret part.') secret: string,
    @Req() request: HttpRequest,
    @Res() response: Response,
  ): Promise<void> {
    const hook = await this.hooks.findByAlias(`${team}/${app}/${secret}`);
    await answerCall(this.poster, hook?.id ?? '', request, response);
  }
}

function PathPart(name: string, description: string): ParameterDecorator {
  return PathParam(name, description, (value) => value);
}
