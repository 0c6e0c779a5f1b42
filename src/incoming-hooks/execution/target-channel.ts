import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { directName } from '../../messaging/channels/channel.rules.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { failures } from './execution.errors.js';
import { HookReach } from './hook-reach.js';

/** Finds the channel for a payload, if the hook may post there (docs/contract/incoming-webhooks.md#target). */
@Injectable()
export class TargetChannel {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly reach: HookReach,
  ) {}

  /** The channel that `wanted` names; the hook's own if it is empty. Throws ExecutionFailed. */
  async resolve(hook: IncomingHook, wanted: string): Promise<Channel> {
    const target = await this.target(hook, wanted);
    return typeof target === 'string' ? this.channels.getOrCreateDirect(hook.userId, target) : target;
  }

  /** What `resolve` gives; null if it would make a direct channel. Throws ExecutionFailed. */
  async existing(hook: IncomingHook, wanted: string): Promise<Channel | null> {
    const target = await this.target(hook, wanted);
    return typeof target === 'string'
      ? this.channels.findByName('', directName(hook.userId, target))
      : target;
  }

  /** A channel, or for a direct one the id of the other account. */
  private async target(hook: IncomingHook, wanted: string): Promise<Channel | string> {
    if (await this.teams.isArchived(hook.teamId)) throw failures.archived();
    if (wanted.startsWith('@')) return this.partner(hook, wanted.slice(1));
    const channel = wanted === '' ? await this.own(hook) : await this.named(hook, wanted.replace(/^#/, ''));
    const isOwn = channel.id === hook.channelId;
    if (hook.channelLocked && !isOwn) throw failures.locked();
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    if (isOwn && !(await this.reach.includes(hook, channel))) throw failures.notReadable();
    return channel;
  }

  /** Whether `resolve` would create a direct channel. */
  async isNewDirect(hook: IncomingHook, wanted: string): Promise<boolean> {
    if (!wanted.startsWith('@') || hook.channelLocked || (await this.reach.directRefusal(hook))) return false;
    const user = await this.users.findByUsername(wanted.slice(1));
    return user !== null && !(await this.channels.findByName('', directName(hook.userId, user.id)));
  }

  private async own(hook: IncomingHook): Promise<Channel> {
    const own = await this.channels.find(hook.channelId);
    if (!own) throw failures.channelGone();
    if (own.deleteAt > 0) throw failures.archived();
    return own;
  }

  /** One that the hook cannot reach is not told from one that does not exist, so that names cannot be probed. */
  private async named(hook: IncomingHook, name: string): Promise<Channel> {
    const named = await this.channels.findByName(hook.teamId, name);
    if (!named || (named.id !== hook.channelId && !(await this.reach.includes(hook, named))))
      throw failures.unknownChannel();
    return named;
  }

  /** Refuses before the direct channel is created. */
  private async partner(hook: IncomingHook, username: string): Promise<string> {
    const user = await this.users.findByUsername(username);
    if (!user || !(await this.reach.sees(hook, user.id))) throw failures.unknownUser();
    if (hook.channelLocked) throw failures.locked();
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    const refusal = await this.reach.directRefusal(hook);
    if (refusal) throw failures[refusal]();
    return user.id;
  }
}
