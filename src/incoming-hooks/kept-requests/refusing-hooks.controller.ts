import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { RequirePermission } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { RefusingHookDto } from './dto/refusing-hook.dto.js';
import { KeptRequestsService } from './kept-requests.service.js';

/** It stands before the routes of one webhook, which would take `refusing` for an id. */
@ApiTags('incoming webhooks')
@Controller('hooks/incoming/refusing')
export class RefusingHooksController {
  constructor(private readonly requests: KeptRequestsService) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the incoming webhooks that refused calls in the last 24 hours',
    description:
      'Those of all teams, whose last refusal is newest first; 60 at most. Only calls that are kept count.',
    ok: [RefusingHookDto],
  })
  async getRefusingIncomingWebhooks(): Promise<RefusingHookDto[]> {
    return (await this.requests.refusing()).map((hook) => RefusingHookDto.from(hook));
  }
}
