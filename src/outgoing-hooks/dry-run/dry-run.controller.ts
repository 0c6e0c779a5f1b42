import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { HookIdParam } from '../dto/write-outgoing-hook.dto.js';
import { HOOK_PERMISSIONS } from '../outgoing-hooks.policy.js';
import { DryRunDto, TryNewOutgoingHookDto, TryOutgoingHookDto } from './dry-run.dto.js';
import { DryRunService, MAX_TRIED_POSTS } from './dry-run.service.js';

const HOW = `It is tried on the last ${MAX_TRIED_POSTS} messages of one channel, as they read now, by the code that decides for new ones. Nothing is sent, stored or changed.`;

@ApiTags('outgoing webhooks')
@Controller('hooks/outgoing')
export class DryRunController {
  constructor(private readonly service: DryRunService) {}

  @Post('dry_run')
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the team, and the right to read the channel that it is tried on',
  )
  @Operation({
    summary: 'Tell on which messages a new outgoing webhook would fire',
    description: `For a webhook that is about to be made. ${HOW} What the creation refuses of these fields is refused here too.`,
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
  async tryNewOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @Body() input: TryNewOutgoingHookDto,
  ): Promise<DryRunDto> {
    return DryRunDto.from(await this.service.tryNew(actor, input));
  }

  @Post(':hook_id/dry_run')
  @CheckedByPolicy(
    HOOK_PERMISSIONS,
    '`manage_webhooks` on the system, the team or the channel, also where the webhook would move to; for a webhook of somebody else also `manage_others_outgoing_webhooks`; the right to read the private channel that it watches, and the channel that it is tried on',
  )
  @Operation({
    summary: 'Tell on which messages an outgoing webhook would fire after a change',
    description: `Beside those on which it fires now. ${HOW} What a PATCH refuses is refused here too.`,
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
  async tryOutgoingWebhook(
    @CurrentActor() actor: Actor,
    @HookIdParam() hookId: string,
    @Body() input: TryOutgoingHookDto,
  ): Promise<DryRunDto> {
    return DryRunDto.from(await this.service.tryChange(actor, hookId, input));
  }
}
