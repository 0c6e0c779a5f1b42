import { Injectable } from '@nestjs/common';
import { distance } from 'fastest-levenshtein';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { directName } from '../../messaging/channels/channel.rules.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import { DirectChannelsService } from '../../messaging/channels/direct-channels.service.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { TeamsPolicy } from '../../messaging/teams/teams.policy.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHookPermission } from '../incoming-hooks.policy.js';
import { ownedBy } from '../incoming-hooks.repository.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import { failures } from './execution.errors.js';

/** The target named in a payload (docs/contract/incoming-webhooks.md#target). */
interface RequestedTarget {
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
export function wantedTarget(channel: string): RequestedTarget {
  const text = channel.slice(0, MAX_LENGTH).normalize('NFKC').trim();
  if (text === '') return { kind: 'own', name: '' };
  const targets = text.split(/[,;]|(?<=\s)(?=[@#~])/).filter((part) => part.trim() !== '');
  const [only = text, ...others] = targets;
  if (others.length > 0) return { kind: 'several', name: text };
  const [, prefix = '', name = ''] = /^([@#~]?)(.*)$/s.exec(only.trim()) ?? [];
  return { kind: prefix === '@' ? 'user' : 'channel', name: name.trim() };
}

/** Returns the channels with a name or display name close to `wanted`, closest first. */
export function similarChannels<T extends Pick<Channel, 'name' | 'displayName'>>(
  wanted: string,
  channels: readonly T[],
): T[] {
  const name = wanted.toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.floor(name.length / LETTERS_PER_ERROR));
  return channels
    .map((channel) => ({
      channel,
      edits: Math.min(distance(name, channel.displayName.toLowerCase()), distance(name, channel.name)),
    }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .map(({ channel }) => channel);
}

const MAX_SUGGESTIONS = 20;

/**
 * Finds a payload's channel if the hook may post there (docs/contract/incoming-webhooks.md#target). The maker knows
 * the hook's URL, so outside public channels both owner and maker need access; if others can see the URL, the hook may
 * not post to the owner's direct and group channels. All data is cached.
 */
@Injectable()
export class TargetChannel {
  constructor(
    private readonly channels: ChannelsService,
    private readonly direct: DirectChannelsService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly settings: IncomingHooksSettings,
    private readonly owners: OwnerStates,
    private readonly teamsPolicy: TeamsPolicy,
    private readonly permissions: PermissionsService,
  ) {}

  /** Returns the channel named by `wanted`, or the hook's own if empty. Throws ExecutionFailed. */
  async resolve(hook: IncomingHook, wanted: string): Promise<Channel> {
    const target = await this.target(hook, wanted);
    return typeof target === 'string'
      ? this.direct.getOrCreate(hook.userId, target, { byWebhook: true })
      : target;
  }

  /** Like `resolve`, but returns null instead of creating a direct channel. Throws ExecutionFailed. */
  async existing(hook: IncomingHook, wanted: string): Promise<Channel | null> {
    const target = await this.target(hook, wanted);
    return typeof target === 'string'
      ? this.channels.findByName('', directName(hook.userId, target))
      : target;
  }

  /** Returns the channel of a message of the hook, which may have moved since. Throws ExecutionFailed. */
  async ofMessage(hook: IncomingHook, channelId: string): Promise<Channel> {
    if (await this.teams.isArchived(hook.teamId)) throw failures.archived();
    const channel = await this.channels.find(channelId);
    if (!channel) throw failures.channelGone();
    if (channel.deleteAt > 0) throw failures.archived();
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    if (!(await this.canPostTo(hook, channel))) throw failures.notReadable();
    return channel;
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
    if (isOwn && !(await this.canPostTo(hook, channel))) throw failures.notReadable();
    return channel;
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
      (await this.channels.findByName(hook.teamId, name.toLowerCase())) ?? (await this.findById(hook, name));
    if (!named || (named.id !== hook.channelId && !(await this.canPostTo(hook, named))))
      throw failures.unknownChannel(await this.suggestion(hook, name));
    return named;
  }

  private async findById({ teamId }: IncomingHook, id: string): Promise<Channel | null> {
    const channel = (await this.channels.find(id)) ?? (await this.channels.find(id.toLowerCase()));
    const isInTeamOrTeamless = channel?.teamId === teamId || channel?.teamId === '';
    return isInTeamOrTeamless && channel.deleteAt === 0 ? channel : null;
  }

  private async suggestion(hook: IncomingHook, name: string): Promise<string | undefined> {
    const close = similarChannels(name, await this.channels.listNames(hook.teamId));
    for (const channel of close.slice(0, MAX_SUGGESTIONS)) {
      if (hook.channelLocked && channel.id !== hook.channelId) continue;
      if (await this.canPostTo(hook, channel)) return channel.name;
    }
    return undefined;
  }

  /** Throws before a direct channel is created. */
  private async partner(hook: IncomingHook, username: string): Promise<string> {
    const user = await this.users.findByUsername(username);
    if (!user) throw failures.unknownUser();
    if (hook.channelLocked) throw failures.locked();
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    const refusal = await this.directRefusal(hook);
    if (refusal) throw failures[refusal]();
    return user.id;
  }

  private async canPostTo(hook: IncomingHook, { id, type }: Pick<Channel, 'id' | 'type'>): Promise<boolean> {
    if (type === 'O') return true;
    if (!(await this.hasActiveOwner(hook)) || !(await this.canRead(hook.userId, id))) return false;
    if (type !== 'P')
      return (await this.permissions.isChannelMember(hook.userId, id)) && !(await this.directRefusal(hook));
    const isOwn = id === hook.channelId; // the user who set this channel could read it
    return isOwn || (await this.speaksForOwner(hook)) || this.makerCanRead(hook, id);
  }

  /** Why the hook may not post to its owner's existing or new direct channels; undefined if it may. */
  private async directRefusal(hook: IncomingHook): Promise<'noDirect' | 'sharedAddress' | undefined> {
    if (!(await this.hasActiveOwner(hook)) || !(await this.speaksForOwner(hook))) return 'noDirect';
    return (await this.isShared(hook)) ? 'sharedAddress' : undefined;
  }

  private async hasActiveOwner(hook: IncomingHook): Promise<boolean> {
    return (await this.owners.of(ownedBy(hook))) === 'active';
  }

  /** Whether the hook was made by its owner, by the system, or by someone who manages everyone's hooks. */
  private async speaksForOwner({ userId, makerId }: IncomingHook): Promise<boolean> {
    if (makerId === userId || makerId === '' || makerId === (await this.users.personOf(userId))) return true;
    const { ManageOthersIncomingWebhooks } = IncomingHookPermission;
    const maker = await this.permissions.subject(makerId);
    return (
      (await this.isActive(makerId)) && this.permissions.hasOnSystem(maker, ManageOthersIncomingWebhooks)
    );
  }

  /** Whether another manager of the team, who lacks the system permission, can see the hook's URL. */
  private async isShared({ teamId, userId }: IncomingHook): Promise<boolean> {
    const { ManageOthersIncomingWebhooks } = IncomingHookPermission;
    if (this.settings.sharedWebhookDirectMessages) return false;
    return this.teamsPolicy.isHeldByOther(
      teamId,
      await this.users.personOf(userId),
      ManageOthersIncomingWebhooks,
    );
  }

  private async makerCanRead({ makerId }: IncomingHook, channelId: string): Promise<boolean> {
    return (await this.isActive(makerId)) && this.canRead(makerId, channelId);
  }

  private async canRead(userId: string, channelId: string): Promise<boolean> {
    return this.permissions.canReadChannel(await this.permissions.subject(userId), channelId);
  }

  private async isActive(userId: string): Promise<boolean> {
    return (await this.users.find(userId))?.deleteAt === 0;
  }
}
