import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../../platform/common/dto/params.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/write-outgoing-hook.dto.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.policy.js';
import {
  DryRunDto,
  ExplainDto,
  ExplanationDto,
  TryNewOutgoingHookDto,
  TryOutgoingHookDto,
} from './dry-run.dto.js';
import { DryRunService, MAX_TRIED_POSTS } from './dry-run.service.js';

const HOW = `Tests the last ${MAX_TRIED_POSTS} messages of one channel, in their current form, with the same code as for new ones. Nothing is sent, stored or changed.`;

@ApiTags('outgoing webhooks')
@Controller('hooks/outgoing')
export class DryRunController {
  constructor(private readonly service: DryRunService) {}

  @Post('explain')
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the system, the team or the channel, and the permission to read a private channel; webhooks of others are shown only with `manage_others_outgoing_webhooks`. An unknown channel is a 404 for callers with `manage_webhooks` on the system, a 403 for others',
  )
  @Operation({
    summary: 'Show which webhooks would fire for a message, and why the others would not',
    description: 'With the same code as for real messages. Nothing is sent or stored.',
    ok: ExplanationDto,
    errors: [404, 501],
  })
  explainOutgoingWebhooks(
    @CurrentActor() actor: Actor,
    @Body() input: ExplainDto,
    @QueryPage() page: Page,
  ): Promise<ExplanationDto> {
    return this.service.explain(actor, input, page);
  }

  @Post('dry_run')
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the team, and the permission to read the tested channel',
  )
  @Operation({
    summary: 'Show which messages a new outgoing webhook would fire for',
    description: `For a webhook that is not created yet. ${HOW} Fields that the creation refuses are refused here too.`,
    body: {
      type: TryNewOutgoingHookDto,
      examples: {
        short: {
          summary: 'In one channel',
          value: {
            team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
            channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
            trigger_words: ['!deploy'],
          },
        },
      },
    },
    ok: DryRunDto,
    errors: [404, 501],
  })
  tryNewOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: TryNewOutgoingHookDto,
  ): Promise<DryRunDto> {
    return this.service.tryNew(actor, input);
  }

  @Post(':hook_id/dry_run')
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the system, the team or the channel, also for the new channel; for a webhook of another user also `manage_others_outgoing_webhooks`; the permission to read its private channel and the tested channel',
  )
  @Operation({
    summary: 'Show which messages an outgoing webhook would fire for after a change',
    description: `Also shows those that it fires for now. ${HOW} Changes that PATCH refuses are refused here too.`,
    body: {
      type: TryOutgoingHookDto,
      examples: {
        words: { summary: 'Other trigger words', value: { trigger_words: ['!deploy', '!rollback'] } },
        start: {
          summary: 'One of a whole team, at the start of messages only',
          value: { trigger_when: 1, in_channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy' },
        },
      },
    },
    ok: DryRunDto,
    errors: [404, 501],
  })
  tryOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: TryOutgoingHookDto,
  ): Promise<DryRunDto> {
    return this.service.tryChange(actor, hookId, input);
  }
}
