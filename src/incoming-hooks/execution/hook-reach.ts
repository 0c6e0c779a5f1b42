import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { ownedBy } from '../incoming-hook.rules.js';

/** Where a hook may post: everything is read from caches (docs/contract/incoming-webhooks.md#target). */
@Injectable()
export class HookReach {
  constructor(
    private readonly owners: OwnerStates,
    private readonly permissions: PermissionsService,
  ) {}

  /** Whether the hook may post into a channel. */
  async includes(hook: IncomingHook, { id, type }: Channel): Promise<boolean> {
    if (type === 'O') return true;
    if (!(await this.hasActiveOwner(hook))) return false;
    const owner = await this.permissions.subject(hook.userId);
    if (!(await this.permissions.canReadChannel(owner, id))) return false;
    return type === 'P' || this.permissions.isChannelMember(hook.userId, id);
  }

  /** Whether the hook may post into direct channels of its owner, also new ones. */
  includesDirect(hook: IncomingHook): Promise<boolean> {
    return this.hasActiveOwner(hook);
  }

  private async hasActiveOwner(hook: IncomingHook): Promise<boolean> {
    return (await this.owners.of(ownedBy(hook))) === 'active';
  }
}
