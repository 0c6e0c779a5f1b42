import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { ownedBy } from '../outgoing-hook.rules.js';

/** Why a hook does not send the messages of a channel, as in the API. */
export const CHANNEL_PAUSED_REASONS = ['creator_cannot_read', 'setter_cannot_read', 'orphaned'] as const;
export type ChannelPausedReason = (typeof CHANNEL_PAUSED_REASONS)[number];

/** Why a hook does not receive some of its events, as in the API. */
export const PAUSED_REASONS = [
  ...CHANNEL_PAUSED_REASONS,
  'bot_disabled',
  'bot_cannot_read',
  'creator_not_permitted',
  'setter_not_permitted',
] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

/** Decides, from caches, whether a hook may send messages (docs/contract/outgoing-webhooks.md#pausing). */
@Injectable()
export class HookRights {
  constructor(
    private readonly channels: ChannelsService,
    private readonly permissions: PermissionsService,
    private readonly users: UsersService,
    private readonly owners: OwnerStates,
  ) {}

  /** Why the hook may not send messages of the channels that it watches. */
  async refusal(hook: OutgoingHook): Promise<ChannelPausedReason | undefined> {
    const channel = hook.channelId === '' ? null : await this.channels.find(hook.channelId);
    return channel ? this.refusalIn(channel, hook) : this.refusalAnywhere(hook);
  }

  /** Why the hook may not send messages of a channel; undefined if it may. */
  async refusalIn(
    { id, type }: Pick<Channel, 'id' | 'type'>,
    hook: OutgoingHook,
  ): Promise<ChannelPausedReason | undefined> {
    const { creatorId, setBy } = hook;
    if (type === 'O') return this.refusalAnywhere(hook);
    if (!(await this.canRead(creatorId, id))) return 'creator_cannot_read';
    // Local mode has no user and is always allowed.
    const mayLeave = setBy === '' || setBy === creatorId || (await this.canRead(setBy, id));
    if (!mayLeave) return 'setter_cannot_read';
    return (await this.owners.of(ownedBy(hook))) === 'active' ? undefined : 'orphaned';
  }

  async refusalAnywhere(hook: OutgoingHook): Promise<ChannelPausedReason | undefined> {
    return (await this.owners.isStopped(ownedBy(hook))) ? 'orphaned' : undefined;
  }

  /** A deactivated account cannot read anything. */
  private async canRead(userId: string, channelId: string): Promise<boolean> {
    const user = await this.users.find(userId);
    if (!user || user.deleteAt > 0) return false;
    return this.permissions.canReadChannel(await this.permissions.subject(userId), channelId);
  }
}
