import { Injectable } from '@nestjs/common';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { ownedBy } from '../outgoing-hook.rules.js';

/** Why the messages of a channel do not leave through a hook, as in the API. */
export const PAUSED_REASONS = ['creator_cannot_read', 'setter_cannot_read', 'orphaned'] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

/**
 * Whether messages may leave through a hook (docs/contract/outgoing-webhooks.md#pausing): those of a private channel
 * only while its creator and whoever last set its channel or URLs can read them, those of a public one unless one of
 * them is a guest who cannot, and none of an orphaned hook that DISABLE_ORPHANED_HOOKS stops. Answers from caches.
 */
@Injectable()
export class HookRights {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly permissions: PermissionsService,
    private readonly users: UserRecords,
    private readonly owners: OwnerStates,
  ) {}

  /** Why the hook is paused; undefined if it is not. */
  async pausedReason(hook: OutgoingHook): Promise<PausedReason | undefined> {
    const channel = hook.channelId === '' ? null : await this.channels.find(hook.channelId);
    return channel ? this.refusalIn(channel, hook) : this.refusalAnywhere(hook);
  }

  /** Why the messages of a channel do not leave through the hook; undefined if they may. */
  async refusalIn(
    { id, type }: Pick<Channel, 'id' | 'type'>,
    hook: OutgoingHook,
  ): Promise<PausedReason | undefined> {
    const { creatorId, setBy } = hook;
    if (type === 'O') {
      if (await this.permissions.isGuestOutside(creatorId, id)) return 'creator_cannot_read';
      if (setBy !== creatorId && (await this.permissions.isGuestOutside(setBy, id)))
        return 'setter_cannot_read';
      return this.refusalAnywhere(hook);
    }
    if (!(await this.canRead(creatorId, id))) return 'creator_cannot_read';
    // Local mode has no user and may always.
    const mayLeave = setBy === '' || setBy === creatorId || (await this.canRead(setBy, id));
    if (!mayLeave) return 'setter_cannot_read';
    return (await this.owners.of(ownedBy(hook))) === 'active' ? undefined : 'orphaned';
  }

  private async refusalAnywhere(hook: OutgoingHook): Promise<PausedReason | undefined> {
    return (await this.owners.isStopped(ownedBy(hook))) ? 'orphaned' : undefined;
  }

  /** A deactivated account cannot read anything. */
  private async canRead(userId: string, channelId: string): Promise<boolean> {
    const user = await this.users.find(userId);
    if (!user || user.deleteAt > 0) return false;
    return this.permissions.canReadChannel(await this.permissions.subject(userId), channelId);
  }
}
