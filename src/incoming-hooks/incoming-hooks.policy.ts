import { Injectable } from '@nestjs/common';
import { definePermissions, type Permission } from '../platform/access/access.js';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { permissionDenied } from '../platform/common/errors/common-errors.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import { ReadableChannelsReadModel } from '../messaging/permissions/readable-channels.read-model.js';
import { PermissionsService } from '../messaging/permissions/permissions.service.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { HOOK_CHANNEL, type HookFilter } from './incoming-hook-lists.read-model.js';

/** The permissions of incoming webhooks, in addition to `manage_webhooks`. */
export const IncomingHookPermission = definePermissions({
  ManageOthersIncomingWebhooks: ['manage_others_incoming_webhooks', 'team_admin'],
  BypassIncomingWebhookChannelLock: ['bypass_incoming_webhook_channel_lock', 'team_admin'],
});

/** Who may manage a webhook, for the API description. */
export const WHO_MANAGES =
  '`manage_webhooks` on the system, the team or the channel; plus `manage_others_incoming_webhooks` for a webhook of another user, and permission to read the channel if it is private';

type Place = Pick<IncomingHook, 'teamId' | 'channelId'>;

/** Access rules for incoming webhooks (docs/contract/incoming-webhooks.md#permissions). */
@Injectable()
export class IncomingHooksPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly readable: ReadableChannelsReadModel,
  ) {}

  /** May create a hook in a channel; direct and group ones have no team. Local mode relies on the rules. */
  async requireCreate(actor: Actor, channel: Channel): Promise<void> {
    if (actor.kind === 'local') return;
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, { teamId: channel.teamId });
    if (!(await this.permissions.canReadChannel(actor, channel.id))) {
      throw permissionDenied(CommonPermission.ReadChannelContent);
    }
  }

  async requireOwner(actor: Actor, userId: string, teamId: string): Promise<void> {
    if (actor.kind === 'local' || actor.userId === userId) return;
    await this.permissions.require(actor, IncomingHookPermission.ManageOthersIncomingWebhooks, { teamId });
  }

  /** May give hooks of the team to other owners. */
  requireManageOthers(actor: Actor, teamId: string): Promise<void> {
    const { ManageOthersIncomingWebhooks } = IncomingHookPermission;
    return this.permissions.require(actor, ManageOthersIncomingWebhooks, { teamId });
  }

  /** May read, change or delete a hook. `channel` is its current or new channel. */
  async requireManage(actor: Actor, hook: IncomingHook, channel: Channel): Promise<void> {
    const place = { teamId: hook.teamId, channelId: channel.id };
    await this.require(actor, CommonPermission.ManageWebhooks, place);
    if (hook.userId !== actor.userId)
      await this.require(actor, IncomingHookPermission.ManageOthersIncomingWebhooks, place);
    if (channel.type !== 'O' && !(await this.permissions.canReadChannel(actor, channel.id))) {
      throw permissionDenied(CommonPermission.ManageWebhooks);
    }
  }

  /** Whether the actor manages others' hooks in the team and is therefore exempt from the limit per user. */
  managesOthers(actor: Actor, teamId: string): Promise<boolean> {
    return this.permissions.has(actor, IncomingHookPermission.ManageOthersIncomingWebhooks, { teamId });
  }

  /** Whether the hook may still post privately for its owner after the actor has changed it. */
  async keepsMaker(actor: Actor, { userId }: IncomingHook): Promise<boolean> {
    return (
      actor.userId === userId ||
      this.permissions.hasOnSystem(actor, IncomingHookPermission.ManageOthersIncomingWebhooks)
    );
  }

  mayUnlock(actor: Actor, place: Place): Promise<boolean> {
    return this.has(actor, IncomingHookPermission.BypassIncomingWebhookChannelLock, place);
  }

  /**
   * Returns which hooks the actor may list: all or only their own, without those of private channels they
   * cannot read. Throws `permissionDenied`.
   */
  async visible(actor: Actor, teamId: string | undefined): Promise<HookFilter> {
    const scope = teamId === undefined ? 'system' : { teamId };
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, scope);
    const canSeeOthers = await this.permissions.has(
      actor,
      IncomingHookPermission.ManageOthersIncomingWebhooks,
      scope,
    );
    const channels = await this.readable.openOrReadable(actor, teamId, HOOK_CHANNEL);
    return { teamId, userId: canSeeOthers ? undefined : actor.userId, channels };
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
