import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { TeamsPolicy } from '../../messaging/teams/teams.policy.js';
import { UsersService } from '../../messaging/users/users.service.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { ownedBy } from '../incoming-hook.rules.js';
import { IncomingHookPermission } from '../incoming-hooks.policy.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';

/** Why a hook may not post direct messages, as an error name. */
export type DirectRefusal = 'noDirect' | 'sharedAddress';

/**
 * Decides where a hook may post (docs/contract/incoming-webhooks.md#target). The maker knows the hook's URL,
 * so outside public channels both owner and maker need access; if others can see the URL, the hook may not
 * post to the owner's direct and group channels. All data is cached.
 */
@Injectable()
export class HookReach {
  constructor(
    private readonly settings: IncomingHooksSettings,
    private readonly owners: OwnerStates,
    private readonly teams: TeamsPolicy,
    private readonly users: UsersService,
    private readonly permissions: PermissionsService,
  ) {}

  /** Whether the hook may post to a channel. */
  async includes(hook: IncomingHook, { id, type }: Pick<Channel, 'id' | 'type'>): Promise<boolean> {
    if (type === 'O') return true;
    if (!(await this.hasActiveOwner(hook)) || !(await this.canRead(hook.userId, id))) return false;
    if (type !== 'P')
      return (await this.permissions.isChannelMember(hook.userId, id)) && !(await this.directRefusal(hook));
    const isOwn = id === hook.channelId; // the user who set this channel could read it
    return isOwn || (await this.speaksForOwner(hook)) || this.makerCanRead(hook, id);
  }

  /** Why the hook may not post to its owner's existing or new direct channels; undefined if it may. */
  async directRefusal(hook: IncomingHook): Promise<DirectRefusal | undefined> {
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
    return this.teams.isHeldByOther(teamId, await this.users.personOf(userId), ManageOthersIncomingWebhooks);
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
