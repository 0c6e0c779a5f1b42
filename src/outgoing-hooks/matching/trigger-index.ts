import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { OutgoingHookCache } from '../outgoing-hook-cache.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { HookRights, type PausedReason } from '../pausing/hook-rights.js';
import { type Firing, TeamTriggers, watches } from './team-triggers.js';

/** Why a hook does not fire on a message, as in the API. */
export type SilentReason =
  | 'other_channel'
  | 'archived_channel'
  | 'private_channel'
  | PausedReason
  | 'no_trigger_matches'
  | 'disabled'
  | 'message_limit';

/** Whether a hook fires on a message: it does unless `silentBecause` is set. */
export interface Explanation {
  readonly hook: OutgoingHook;
  /** The trigger word that matches, if any; empty if the hook has none. */
  readonly word: string | undefined;
  readonly silentBecause: SilentReason | undefined;
  /** It fires, but not at all its callback URLs, because the message triggers too many calls. */
  readonly isCut?: boolean;
}

/** Finds the hooks that fire on a post, including disabled ones (docs/contract/outgoing-webhooks.md#triggers). */
@Injectable()
export class TriggerIndex {
  private readonly built = new WeakMap<readonly OutgoingHook[], TeamTriggers>();

  constructor(
    private readonly hooks: OutgoingHookCache,
    private readonly rights: HookRights,
    private readonly channels: ChannelRecords,
  ) {}

  /** The hooks that fire on a message, oldest first. Without a query for most posts, on which none does. */
  async firing(channel: Channel, message: string): Promise<Firing[]> {
    const hooks = this.hooks.peekOfTeam(channel.teamId) ?? (await this.hooksFor(channel));
    const firings: Firing[] = [];
    for (const firing of this.triggersOf(hooks).firing(channel.id, message))
      if ((await this.silentReason(channel, firing.hook)) === undefined) firings.push(firing);
    return firings;
  }

  /** All hooks of the team, each with whether it fires and why not. */
  async explain(channel: Channel, message: string): Promise<Explanation[]> {
    const hooks = await this.hooksFor(channel);
    const words = new Map(
      this.triggersOf(hooks)
        .firing(channel.id, message)
        .map(({ hook, word }) => [hook, word]),
    );
    return Promise.all(
      hooks.map(async (hook): Promise<Explanation> => {
        const word = words.get(hook);
        const silentBecause =
          (await this.silentReason(channel, hook)) ??
          (word === undefined ? 'no_trigger_matches' : hook.disabledAt > 0 ? 'disabled' : undefined);
        return { hook, word, silentBecause };
      }),
    );
  }

  /** Why a hook fires on no message in this channel, if so. */
  private async silentReason(channel: Channel, hook: OutgoingHook): Promise<SilentReason | undefined> {
    if (!watches(hook, channel.id)) return 'other_channel';
    if (await this.channels.isArchived(channel)) return 'archived_channel';
    if (channel.type !== 'O' && hook.channelId === '') return 'private_channel';
    return this.rights.refusalIn(channel, hook);
  }

  /** Direct and group channels have no team, and so no hooks. */
  private async hooksFor({ teamId }: Channel): Promise<readonly OutgoingHook[]> {
    return teamId === '' ? [] : this.hooks.listOfTeam(teamId);
  }

  private triggersOf(hooks: readonly OutgoingHook[]): TeamTriggers {
    let triggers = this.built.get(hooks);
    if (!triggers) this.built.set(hooks, (triggers = new TeamTriggers(hooks)));
    return triggers;
  }
}
