import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { editDistance } from '../../platform/common/dto/unknown-fields.js';
import { directName } from '../../messaging/channels/channel.rules.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { failures } from './execution.errors.js';
import { HookReach } from './hook-reach.js';

/** The target named in a payload (docs/contract/incoming-webhooks.md#target). */
interface WantedTarget {
  readonly kind: 'own' | 'user' | 'channel' | 'several';
  /** Without the prefix. Keeps the case, since IDs may have uppercase letters. */
  readonly name: string;
}

/** Longer than any name with its prefix. */
const MAX_LENGTH = 200;
const MAX_DISTANCE = 3;
/** One error is allowed per this many letters. */
const LETTERS_PER_ERROR = 3;

/** Parses `channel` leniently: allows surrounding spaces, full-width characters, `#` and `~`. */
export function wantedTarget(channel: string): WantedTarget {
  const text = channel.slice(0, MAX_LENGTH).normalize('NFKC').trim();
  if (text === '') return { kind: 'own', name: '' };
  const targets = text.split(/[,;]|(?<=\s)(?=[@#~])/).filter((part) => part.trim() !== '');
  const [only = text, ...others] = targets;
  if (others.length > 0) return { kind: 'several', name: text };
  const [, prefix = '', name = ''] = /^([@#~]?)(.*)$/s.exec(only.trim()) ?? [];
  return { kind: prefix === '@' ? 'user' : 'channel', name: name.trim() };
}

/** Returns the channels with a name or display name close to `wanted`, closest first. */
export function closeNames<T extends Pick<Channel, 'name' | 'displayName'>>(
  wanted: string,
  channels: readonly T[],
): T[] {
  const name = wanted.toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.floor(name.length / LETTERS_PER_ERROR));
  return channels
    .map((channel) => {
      const titled = editDistance(name, channel.displayName.toLowerCase(), limit);
      return { channel, distance: Math.min(titled, editDistance(name, channel.name, limit)) };
    })
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .map(({ channel }) => channel);
}

/** Maximum number of close names to try for a suggestion. */
const MAX_SUGGESTIONS = 20;

/** Finds a payload's channel if the hook may post there (docs/contract/incoming-webhooks.md#target). */
@Injectable()
export class TargetChannel {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly reach: HookReach,
  ) {}

  /** Returns the channel named by `wanted`, or the hook's own if empty. Throws ExecutionFailed. */
  async resolve(hook: IncomingHook, wanted: string): Promise<Channel> {
    const target = await this.target(hook, wanted);
    return typeof target === 'string' ? this.channels.getOrCreateDirect(hook.userId, target) : target;
  }

  /** Like `resolve`, but returns null instead of creating a direct channel. Throws ExecutionFailed. */
  async existing(hook: IncomingHook, wanted: string): Promise<Channel | null> {
    const target = await this.target(hook, wanted);
    return typeof target === 'string'
      ? this.channels.findByName('', directName(hook.userId, target))
      : target;
  }

  /** Returns a channel, or the ID of the other user for a direct channel. */
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

  /** Reports unreachable channels as unknown, so that names cannot be probed. */
  private async named(hook: IncomingHook, name: string): Promise<Channel> {
    const named =
      (await this.channels.findByName(hook.teamId, name.toLowerCase())) ??
      (await this.identified(hook, name));
    if (!named || (named.id !== hook.channelId && !(await this.reach.includes(hook, named))))
      throw failures.unknownChannel(await this.suggestion(hook, name));
    return named;
  }

  /** Returns the channel with this ID if it is in the hook's team or in no team. */
  private async identified({ teamId }: IncomingHook, id: string): Promise<Channel | null> {
    const channel = (await this.channels.find(id)) ?? (await this.channels.find(id.toLowerCase()));
    const isNear = channel?.teamId === teamId || channel?.teamId === '';
    return isNear && channel.deleteAt === 0 ? channel : null;
  }

  /** Returns the closest name of a channel the hook may post to. */
  private async suggestion(hook: IncomingHook, name: string): Promise<string | undefined> {
    const close = closeNames(name, await this.channels.listNames(hook.teamId));
    for (const channel of close.slice(0, MAX_SUGGESTIONS)) {
      if (hook.channelLocked && channel.id !== hook.channelId) continue;
      if (await this.reach.includes(hook, channel)) return channel.name;
    }
    return undefined;
  }

  /** Throws before a direct channel is created. */
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
