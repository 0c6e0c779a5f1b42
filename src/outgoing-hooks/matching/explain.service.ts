import { Body, Controller, Injectable, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { type Page, QueryPage } from '../../platform/common/dto/params.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { type Actor, CurrentActor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { requireValidMessage } from '../../messaging/posts/posts.rules.js';
import { directChannelRefused, outgoingHooksDisabled } from '../outgoing-hooks.errors.js';
import { HOOK_PERMISSIONS, OutgoingHooksPolicy } from '../outgoing-hooks.policy.js';
import { limitCalls } from '../delivery/triggered-deliveries.js';
import { ExplainDto, ExplanationDto } from './explain.dto.js';
import type { Firing } from './team-triggers.js';
import { type Explanation, TriggerIndex } from './trigger-index.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';

/** One page of explanations, and the total number visible to the caller. */
export interface ExplanationPage {
  readonly explanations: readonly Explanation[];
  readonly totalCount: number;
  readonly firingCount: number;
}

/** Explains why hooks fire on a message or not, using the same code as real posts. */
@Injectable()
export class ExplainService {
  constructor(
    private readonly index: TriggerIndex,
    private readonly channels: ChannelRecords,
    private readonly permissions: PermissionsService,
    private readonly policy: OutgoingHooksPolicy,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  /** Hooks that fire come first, then the others; each oldest first. */
  async explain(actor: Actor, input: ExplainDto, page: Page): Promise<ExplanationPage> {
    const { message, channel_id: channelId } = input;
    if (await this.policy.mayKnowChannels(actor)) await this.channels.get(channelId);
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, { channelId });
    const channel = await this.channels.get(channelId);
    if (channel.type !== 'O' && !(await this.permissions.canReadChannel(actor, channel.id)))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    if (!this.settings.enableOutgoingWebhooks) throw outgoingHooksDisabled();
    if (channel.teamId === '') throw directChannelRefused();
    requireValidMessage(message);
    const seesOthers = await this.policy.seesOthers(actor, { channelId: channel.id });
    const { hooks, matching } = await this.index.explain(channel, message);
    const visible = seesOthers ? hooks.all : hooks.of(actor.userId);
    const explained = this.limited(matching, message).filter(
      ({ hook }) => seesOthers || hook.creatorId === actor.userId,
    );
    const firing = explained.filter(({ silentBecause }) => silentBecause === undefined);
    const shown = firing.slice(page.offset, page.offset + page.perPage);
    const silent = visible.pageWithout(
      firing.map(({ hook }) => hook),
      Math.max(0, page.offset - firing.length),
      page.perPage - shown.length,
    );
    const totalCount = visible.size;
    const known = new Map(explained.map((explanation) => [explanation.hook.id, explanation]));
    for (const hook of silent)
      shown.push(known.get(hook.id) ?? (await this.index.explainSilent(channel, hook)));
    return { explanations: shown, totalCount, firingCount: firing.length };
  }

  /** Marks the hooks whose calls are left out because the message triggers too many. */
  private limited(explanations: readonly Explanation[], message: string): readonly Explanation[] {
    const { calls, leftOut } = limitCalls(explanations.flatMap(firingOf), message, this.settings);
    if (leftOut.length === 0) return explanations;
    const called = new Set(calls.map(({ hook }) => hook));
    const cut = new Set(leftOut.map(({ hook }) => hook));
    return explanations.map((explanation) => {
      if (!cut.has(explanation.hook)) return explanation;
      if (called.has(explanation.hook)) return { ...explanation, isCut: true };
      return { ...explanation, silentBecause: 'message_limit' };
    });
  }
}

/** Disabled hooks count too: their deliveries are stored as cancelled. */
function firingOf({ hook, word, silentBecause }: Explanation): Firing[] {
  const isFiring = silentBecause === undefined || silentBecause === 'disabled';
  return isFiring && word !== undefined ? [{ hook, word }] : [];
}

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
