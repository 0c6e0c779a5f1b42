import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { TeamPowers } from '../../messaging/teams/team-powers.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { VisibleUsers } from '../../messaging/users/visible-users.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { ownedBy } from '../incoming-hook.rules.js';
import { IncomingHookPermission } from '../incoming-hooks.permissions.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';

/** Why a hook posts no direct messages, by the name of the error. */
export type DirectRefusal = 'noDirect' | 'sharedAddress';

/**
 * Where a hook may post (docs/contract/incoming-webhooks.md#target). Who made it knows its address, so outside public
 * channels it may do no more than both its owner and its maker; where others see the address, it does not speak for its
 * owner in direct and group channels. Everything is read from caches.
 */
@Injectable()
export class HookReach {
  constructor(
    private readonly settings: IncomingHooksSettings,
    private readonly owners: OwnerStates,
    private readonly powers: TeamPowers,
    private readonly users: UserRecords,
    private readonly permissions: PermissionsService,
    private readonly visible: VisibleUsers,
  ) {}

  /** Whether the hook may post into a channel. */
  async includes(hook: IncomingHook, { id, type }: Pick<Channel, 'id' | 'type'>): Promise<boolean> {
    if (type === 'O')
      return id === hook.channelId || !(await this.permissions.isGuestOutside(hook.userId, id));
    if (!(await this.hasActiveOwner(hook)) || !(await this.canRead(hook.userId, id))) return false;
    if (type !== 'P')
      return (await this.permissions.isChannelMember(hook.userId, id)) && !(await this.directRefusal(hook));
    const isOwn = id === hook.channelId; // whoever set it could read the channel then
    return isOwn || (await this.speaksForOwner(hook)) || this.makerCanRead(hook, id);
  }

  /** Why the hook may not post into direct channels of its owner, also new ones; undefined if it may. */
  async directRefusal(hook: IncomingHook): Promise<DirectRefusal | undefined> {
    if (!(await this.hasActiveOwner(hook)) || !(await this.speaksForOwner(hook))) return 'noDirect';
    return (await this.isShared(hook)) ? 'sharedAddress' : undefined;
  }

  /** Whether the owner may see a user: a guest sees only the people of shared channels. */
  async sees(hook: IncomingHook, userId: string): Promise<boolean> {
    return this.visible.has(await this.permissions.subject(hook.userId), userId);
  }

  private async hasActiveOwner(hook: IncomingHook): Promise<boolean> {
    return (await this.owners.of(ownedBy(hook))) === 'active';
  }

  /** Whether the owner or the system made the hook, or somebody who manages the hooks of everybody. */
  private async speaksForOwner({ userId, makerId }: IncomingHook): Promise<boolean> {
    if (makerId === userId || makerId === '' || makerId === (await this.users.personOf(userId))) return true;
    const { ManageOthersIncomingWebhooks } = IncomingHookPermission;
    const maker = await this.permissions.subject(makerId);
    return (
      (await this.isActive(makerId)) && this.permissions.hasOnSystem(maker, ManageOthersIncomingWebhooks)
    );
  }

  /** Whether a manager of the team sees the address of the hook, who is not trusted with the whole system. */
  private async isShared({ teamId, userId }: IncomingHook): Promise<boolean> {
    const { ManageOthersIncomingWebhooks } = IncomingHookPermission;
    if (this.settings.sharedWebhookDirectMessages) return false;
    return this.powers.hasOther(teamId, await this.users.personOf(userId), ManageOthersIncomingWebhooks);
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
