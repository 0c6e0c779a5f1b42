import { Injectable } from '@nestjs/common';
import { ChannelRecords } from '../messaging/channels/channel-records.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { TeamRecords } from '../messaging/teams/team-records.js';
import { isId } from '../platform/common/ids.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { intersects, requireValidHook } from './outgoing-hook.rules.js';
import {
  channelNotOpen,
  channelOfOtherTeam,
  hookIntersects,
  triggersMissing,
} from './outgoing-hooks.errors.js';
import { OutgoingHooksPolicy, type Place } from './outgoing-hooks.policy.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

/** What new and changed hooks have to be, in the contract's order of checks (docs/contract/outgoing-webhooks.md). */
@Injectable()
export class OutgoingHookChecks {
  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly policy: OutgoingHooksPolicy,
    private readonly channels: ChannelRecords,
    private readonly teams: TeamRecords,
  ) {}

  /** What a new hook may watch. Throws a 403 unless it may, and what the records throw that do not exist. */
  async requireNewPlace({ teamId, channelId }: Place): Promise<void> {
    if (channelId !== '') {
      const channel = await this.channels.get(channelId);
      if (channel.type !== 'O') throw channelNotOpen();
      if (channel.teamId !== teamId) throw channelOfOtherTeam();
    } else if (isId(teamId)) {
      await this.teams.get(teamId); // an invalid id is refused by the rules of the record
    }
  }

  /** What a hook may become. */
  async requireChange(actor: Actor, hook: OutgoingHook, change: Partial<OutgoingHook>): Promise<void> {
    const updated = { ...hook, ...change };
    if (updated.channelId !== '') {
      const channel = await this.channels.get(updated.channelId);
      await this.policy.requireTarget(actor, channel);
      if (channel.teamId !== hook.teamId) throw channelOfOtherTeam();
    }
    if (updated.channelId !== hook.channelId) await this.policy.requireManage(actor, hook, updated);
    requireTriggers(updated);
    await this.requireDistinct(updated, 'update');
    requireValidHook(updated);
  }

  /** No other hook may fire in the same way. */
  async requireDistinct(hook: OutgoingHook, action: 'create' | 'update'): Promise<void> {
    const others = await this.repository.listInPlace(hook);
    if (others.some((other) => intersects(hook, other))) throw hookIntersects(action);
  }
}

/** A hook for a whole team needs trigger words. */
export function requireTriggers({
  channelId,
  triggerWords,
}: Pick<OutgoingHook, 'channelId' | 'triggerWords'>): void {
  if (channelId === '' && triggerWords.length === 0) throw triggersMissing();
}
