import { Injectable } from '@nestjs/common';
import type { Channel } from '../../channels/channel.entity.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { type Firing, TeamTriggers, watches } from './team-triggers.js';

/** Why a hook does not fire on a message; stable words for programs. */
export type Silence =
  'other_channel' | 'direct_channel' | 'private_channel' | 'creator_cannot_read' | 'no_trigger_matches';

/** What a hook would do with a message: the word it fires with, or why it stays silent. */
export type Explanation =
  | { readonly hook: OutgoingHook; readonly word: string; readonly silence: undefined }
  | { readonly hook: OutgoingHook; readonly word: undefined; readonly silence: Silence };

/** Which hooks fire on a post (spec/webhooks.md 14.2; design section 8, D3 and D8). Those that are off are among them. */
@Injectable()
export class TriggerIndex {
  private readonly built = new WeakMap<readonly OutgoingHook[], TeamTriggers>();

  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly permissions: PermissionsService,
  ) {}

  /** True when it is certain, without asking the database, that nothing fires: most posts end here. */
  isSilent(channel: Channel, message: string): boolean {
    const hooks = this.hooks.peekOfTeam(channel.teamId);
    return hooks !== undefined && this.triggersOf(hooks).firing(channel.id, message).length === 0;
  }

  async firing(channel: Channel, message: string): Promise<Firing[]> {
    const hooks = await this.hooks.listOfTeam(channel.teamId);
    const firings: Firing[] = [];
    for (const firing of this.triggersOf(hooks).firing(channel.id, message))
      if ((await this.silenceIn(channel, firing.hook)) === undefined) firings.push(firing);
    return firings;
  }

  /** The same for people: all hooks of the team, those that stay silent with the reason. */
  async explain(channel: Channel, message: string): Promise<Explanation[]> {
    const hooks = await this.hooks.listOfTeam(channel.teamId);
    const words = new Map(
      this.triggersOf(hooks)
        .firing(channel.id, message)
        .map(({ hook, word }) => [hook, word]),
    );
    return Promise.all(
      hooks.map(async (hook): Promise<Explanation> => {
        const word = words.get(hook);
        const silence =
          (await this.silenceIn(channel, hook)) ?? (word === undefined ? 'no_trigger_matches' : undefined);
        return word !== undefined && silence === undefined
          ? { hook, word, silence }
          : { hook, word: undefined, silence: silence ?? 'no_trigger_matches' };
      }),
    );
  }

  /** Why a hook is deaf to this channel, whatever is said there. */
  private async silenceIn(channel: Channel, hook: OutgoingHook): Promise<Silence | undefined> {
    if (channel.teamId === '') return 'direct_channel';
    if (!watches(hook, channel.id)) return 'other_channel';
    if (channel.type === 'O') return undefined;
    if (hook.channelId === '') return 'private_channel';
    const creator = await this.permissions.subject(hook.creatorId);
    return (await this.permissions.canReadChannel(creator, channel.id)) ? undefined : 'creator_cannot_read';
  }

  private triggersOf(hooks: readonly OutgoingHook[]): TeamTriggers {
    let triggers = this.built.get(hooks);
    if (!triggers) this.built.set(hooks, (triggers = new TeamTriggers(hooks)));
    return triggers;
  }
}
