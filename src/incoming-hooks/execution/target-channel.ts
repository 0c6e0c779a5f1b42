import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { directName } from '../../messaging/channels/channel.rules.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { failures } from './execution.errors.js';
import { HookReach } from './hook-reach.js';
import { closeNames, wantedTarget } from './wanted-target.js';

/** How many close names are tried before none is suggested. */
const MAX_SUGGESTIONS = 20;

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
    const { kind, name } = wantedTarget(wanted);
    if (kind === 'several') throw failures.severalTargets();
    if (kind === 'user') return this.partner(hook, name.toLowerCase());
    const channel = kind === 'own' ? await this.own(hook) : await this.named(hook, name);
    const isOwn = channel.id === hook.channelId;
    if (hook.channelLocked && !isOwn) throw failures.locked();
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    if (isOwn && !(await this.reach.includes(hook, channel))) throw failures.notReadable();
    return channel;
  }

  /** Whether `resolve` would create a direct channel. */
  async isNewDirect(hook: IncomingHook, wanted: string): Promise<boolean> {
    const { kind, name } = wantedTarget(wanted);
    if (kind !== 'user' || hook.channelLocked || (await this.reach.directRefusal(hook))) return false;
    const user = await this.users.findByUsername(name.toLowerCase());
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
    const named =
      (await this.channels.findByName(hook.teamId, name.toLowerCase())) ??
      (await this.identified(hook, name));
    if (!named || (named.id !== hook.channelId && !(await this.reach.includes(hook, named))))
      throw failures.unknownChannel(await this.suggestion(hook, name));
    return named;
  }

  /** The channel with this id, of the team of the hook or of none. */
  private async identified({ teamId }: IncomingHook, id: string): Promise<Channel | null> {
    const channel = (await this.channels.find(id)) ?? (await this.channels.find(id.toLowerCase()));
    const isNear = channel?.teamId === teamId || channel?.teamId === '';
    return isNear && channel.deleteAt === 0 ? channel : null;
  }

  /** The closest name of a channel that the hook may post into. */
  private async suggestion(hook: IncomingHook, name: string): Promise<string | undefined> {
    const close = closeNames(name, await this.channels.listNames(hook.teamId));
    for (const channel of close.slice(0, MAX_SUGGESTIONS)) {
      if (hook.channelLocked && channel.id !== hook.channelId) continue;
      if (await this.reach.includes(hook, channel)) return channel.name;
    }
    return undefined;
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
