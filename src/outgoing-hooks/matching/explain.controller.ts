import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.permissions.js';
import { ExplainDto } from './explain.dto.js';
import { ExplainService } from './explain.service.js';
import { ExplanationDto } from './explanation.dto.js';

@ApiTags('outgoing webhooks')
@Controller('hooks/outgoing')
@CheckedByPolicy(
  HOOK_PERMISSIONS,
  '`manage_webhooks` on the system, the team or the channel, and the right to read a private channel; webhooks of others are told with `manage_others_outgoing_webhooks` only. An unknown channel is a 404 for those who have `manage_webhooks` on the system, a 403 for others',
)
export class ExplainController {
  constructor(private readonly service: ExplainService) {}

  @Post('explain')
  @Operation({
    summary: 'Tell which webhooks would fire on a message, and for the others why not',
    description:
      'Decided by the same code that decides for real messages. Nothing is sent and nothing stored.',
    ok: ExplanationDto,
    errors: [404, 501],
  })
  async explainOutgoingWebhooks(
    @CurrentActor() actor: Actor,
    @Body() input: ExplainDto,
    @QueryPage() page: Page,
  ): Promise<ExplanationDto> {
    return ExplanationDto.from(await this.service.explain(actor, input, page));
  }
}
