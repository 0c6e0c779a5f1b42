import { Injectable } from '@nestjs/common';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { permissionDenied } from '../platform/common/errors/common-errors.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import type { Permission } from '../platform/access/permission.js';
import { IncomingHookPermission } from './incoming-hooks.permissions.js';
import { ReadableChannelsReadModel } from '../messaging/permissions/readable-channels.read-model.js';
import { VisibleUsers } from '../messaging/users/visible-users.js';
import { PermissionsService } from '../messaging/permissions/permissions.service.js';
import { ownerIsGuestOutside } from './incoming-hooks.errors.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { HOOK_CHANNEL, type HookFilter } from './incoming-hook-lists.read-model.js';

type Place = Pick<IncomingHook, 'teamId' | 'channelId'>;

/** Who may touch which incoming webhook (docs/contract/incoming-webhooks.md#permissions). */
@Injectable()
export class IncomingHooksPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly readable: ReadableChannelsReadModel,
    private readonly visibleUsers: VisibleUsers,
  ) {}

  /** Creating a hook in a channel. Direct and group channels have no team, so it is refused; in local mode by the rules. */
  async requireCreate(actor: Actor, channel: Channel): Promise<void> {
    if (actor.kind === 'local') return;
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, { teamId: channel.teamId });
    if (!(await this.permissions.canReadChannel(actor, channel.id))) {
      throw permissionDenied(CommonPermission.ReadChannelContent);
    }
  }

  /** Creating a hook for another owner, whom the actor may see. */
  async requireOwner(actor: Actor, userId: string, teamId: string): Promise<void> {
    if (actor.kind === 'local' || actor.userId === userId) return;
    await this.permissions.require(actor, IncomingHookPermission.ManageOthersIncomingWebhooks, { teamId });
    await this.visibleUsers.requireAll(actor, [userId]);
  }

  /** A guest owns hooks only in channels that they can read. Throws `ownerIsGuestOutside`. */
  async requireFit(userId: string, channelId: string): Promise<void> {
    if (await this.permissions.isGuestOutside(userId, channelId)) throw ownerIsGuestOutside();
  }

  /** Reading, changing or deleting a hook. `channel` is the one it posts into now, or will. */
  async requireManage(actor: Actor, hook: IncomingHook, channel: Channel): Promise<void> {
    const place = { teamId: hook.teamId, channelId: channel.id };
    await this.require(actor, CommonPermission.ManageWebhooks, place);
    if (hook.userId !== actor.userId)
      await this.require(actor, IncomingHookPermission.ManageOthersIncomingWebhooks, place);
    if (channel.type !== 'O' && !(await this.permissions.canReadChannel(actor, channel.id))) {
      throw permissionDenied(CommonPermission.ManageWebhooks);
    }
  }

  /** Whether the actor manages the hooks of others in the team, and so has no limit of their own. */
  managesOthers(actor: Actor, teamId: string): Promise<boolean> {
    return this.permissions.has(actor, IncomingHookPermission.ManageOthersIncomingWebhooks, { teamId });
  }

  /** Whether the hook may still speak for its owner in private after the actor has changed it. */
  async keepsMaker(actor: Actor, { userId }: IncomingHook): Promise<boolean> {
    return (
      actor.userId === userId ||
      this.permissions.hasOnSystem(actor, IncomingHookPermission.ManageOthersIncomingWebhooks)
    );
  }

  /** Whether the actor may have an unlocked hook in this channel. */
  mayUnlock(actor: Actor, place: Place): Promise<boolean> {
    return this.has(actor, IncomingHookPermission.BypassIncomingWebhookChannelLock, place);
  }

  /**
   * Which hooks the actor may list: all, or only their own, and none of a private channel that they cannot read. Throws
   * `permissionDenied`.
   */
  async visible(actor: Actor, teamId: string | undefined): Promise<HookFilter> {
    const scope = teamId === undefined ? 'system' : { teamId };
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, scope);
    const seesOthers = await this.permissions.has(
      actor,
      IncomingHookPermission.ManageOthersIncomingWebhooks,
      scope,
    );
    const channels = await this.readable.openOrReadable(actor, teamId, HOOK_CHANNEL);
    return { teamId, userId: seesOthers ? undefined : actor.userId, channels };
  }

  private async require(actor: Actor, permission: Permission, place: Place): Promise<void> {
    if (!(await this.has(actor, permission, place))) throw permissionDenied(permission);
  }

  /** System, team and channel roles all count (docs/contract/incoming-webhooks.md#permissions). */
  private async has(actor: Actor, permission: Permission, { teamId, channelId }: Place): Promise<boolean> {
    return (
      (await this.permissions.hasOnTeam(actor, permission, teamId)) ||
      (await this.permissions.hasOnChannel(actor, permission, channelId))
    );
  }
}
