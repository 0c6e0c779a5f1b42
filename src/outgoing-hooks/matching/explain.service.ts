import { Injectable } from '@nestjs/common';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import type { Page } from '../../platform/common/dto/params.js';
import { PermissionDenied } from '../../platform/common/errors/common-errors.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { requireValidMessage } from '../../messaging/posts/posts.rules.js';
import { ChannelRefused, OutgoingHooksDisabled } from '../outgoing-hooks.errors.js';
import { OutgoingHooksPolicy } from '../outgoing-hooks.policy.js';
import type { ExplainDto } from './explain.dto.js';
import { type Explanation, TriggerIndex } from './trigger-index.js';

/** One page of explanations, and the number of all that the caller may see. */
export interface ExplanationPage {
  readonly explanations: readonly Explanation[];
  readonly totalCount: number;
  readonly firingCount: number;
}

/** Explains why hooks fire on a message or not, with the code that real posts use. */
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
      throw new PermissionDenied(CommonPermission.ReadChannelContent);
    if (!this.settings.enableOutgoingWebhooks) throw new OutgoingHooksDisabled();
    if (channel.teamId === '') throw ChannelRefused.direct();
    requireValidMessage(message);
    const seesOthers = await this.policy.seesOthers(actor, { channelId: channel.id });
    const visible = (await this.index.explain(channel, message)).filter(
      ({ hook }) => seesOthers || hook.creatorId === actor.userId,
    );
    const firing = visible.filter(({ silentBecause }) => silentBecause === undefined);
    const silent = visible.filter(({ silentBecause }) => silentBecause !== undefined);
    return {
      explanations: [...firing, ...silent].slice(page.offset, page.offset + page.perPage),
      totalCount: visible.length,
      firingCount: firing.length,
    };
  }
}
