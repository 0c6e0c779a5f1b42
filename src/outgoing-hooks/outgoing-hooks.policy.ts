import { Injectable } from '@nestjs/common';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import { definePermissions, type Permission } from '../platform/access/access.js';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import { permissionDenied } from '../platform/common/errors/common-errors.js';
import { isId } from '../platform/common/ids.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { PermissionsService } from '../messaging/permissions/permissions.service.js';
import { BotRights } from './events/bot-rights.js';
import { channelNotReadable, creatorNotInTeam } from './outgoing-hooks.errors.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import type { HookFilter } from './outgoing-hook-lists.read-model.js';

export const OutgoingHookPermission = definePermissions({
  ManageOthersOutgoingWebhooks: ['manage_others_outgoing_webhooks', 'team_admin'],
});

/** The permissions that outgoing webhook routes may require; the policy decides which apply. */
export const HOOK_PERMISSIONS = [
  CommonPermission.ManageWebhooks,
  OutgoingHookPermission.ManageOthersOutgoingWebhooks,
];

/** Who may manage a webhook, for the API description. */
export const WHO_MANAGES =
  '`manage_webhooks` on the system, the team or the channel; for a webhook of another user also `manage_others_outgoing_webhooks`; for one of a private channel, except to get or delete it, the permission to read the channel; for one of a bot, with the same exception, the permission to manage the bot';

/** The scope of a hook: a channel or, if the channel id is empty, its whole team. */
export type Place = Pick<OutgoingHook, 'teamId' | 'channelId'>;

/** Access rules for outgoing webhooks (docs/contract/outgoing-webhooks.md#permissions). */
@Injectable()
export class OutgoingHooksPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly channels: ChannelsService,
    private readonly bots: BotRights,
  ) {}

  async requireCreate(actor: Actor, teamId: string): Promise<void> {
    if (actor.kind === 'local') return;
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, { teamId });
  }

  async requireOwner(actor: Actor, userId: string, teamId: string): Promise<void> {
    if (actor.kind === 'local' || actor.userId === userId) return;
    await this.permissions.require(actor, OutgoingHookPermission.ManageOthersOutgoingWebhooks, { teamId });
  }

  /** The creator of a new hook must be a member of its team. An invalid team is rejected elsewhere. */
  async requireCreator(creatorId: string, teamId: string): Promise<void> {
    if (isId(teamId) && !(await this.permissions.isTeamMember(creatorId, teamId))) throw creatorNotInTeam();
  }

  /** Required to view a hook without its secrets or delete it; `place` is its current or future scope. */
  async requireManage(actor: Actor, hook: OutgoingHook, place: Place = hook): Promise<void> {
    const missing = await this.missingFor(actor, hook, place);
    if (missing) throw permissionDenied(missing);
  }

  /**
   * Required for all other actions on a hook: the actor must be able to read its private channel and to manage its bot,
   * because its token and its deliveries contain what these receive.
   */
  async requireUse(actor: Actor, hook: OutgoingHook): Promise<void> {
    await this.requireManage(actor, hook);
    await this.requireReader(actor, hook.channelId);
    if (!(await this.mayUseBot(actor, hook))) throw permissionDenied(CommonPermission.ManageWebhooks);
  }

  /** Whether the actor has full access to the hook, including its secrets. */
  async mayUse(actor: Actor, hook: OutgoingHook): Promise<boolean> {
    return (
      (await this.mayManage(actor, hook)) &&
      (await this.isReader(actor, hook.channelId)) &&
      (await this.mayUseBot(actor, hook))
    );
  }

  async mayManage(actor: Actor, hook: OutgoingHook): Promise<boolean> {
    return !(await this.missingFor(actor, hook, hook));
  }

  /** Whether the actor may manage any webhooks in this place. */
  mayManageSome(actor: Actor, place: Place): Promise<boolean> {
    return this.has(actor, CommonPermission.ManageWebhooks, place);
  }

  async usable(actor: Actor, hooks: readonly OutgoingHook[]): Promise<OutgoingHook[]> {
    const mayUse = await Promise.all(hooks.map((hook) => this.mayUse(actor, hook)));
    return hooks.filter((_, row) => mayUse[row]);
  }

  /** Required to resend messages of a channel. Throws `permissionDenied`. */
  async requireReader(actor: Actor, channelId: string): Promise<void> {
    if (!(await this.isReader(actor, channelId))) throw permissionDenied(CommonPermission.ReadChannelContent);
  }

  /** Hooks move only to public or readable channels (docs/contract/outgoing-webhooks.md#update). */
  async requireTarget(actor: Actor, channel: Channel): Promise<void> {
    if (channel.type === 'O') return;
    const mayRead = channel.type === 'P' && (await this.permissions.canReadChannel(actor, channel.id));
    if (!mayRead) throw channelNotReadable();
  }

  /** Whether the actor may list all hooks, or only their own. Throws `permissionDenied`. */
  async visible(
    actor: Actor,
    teamId: string | undefined,
    channelId: string | undefined,
  ): Promise<HookFilter> {
    const { ManageWebhooks } = CommonPermission;
    const place = await this.placeOf(teamId, channelId);
    const holds = (permission: Permission): Promise<boolean> =>
      place ? this.has(actor, permission, place) : this.permissions.hasOnSystem(actor, permission);
    if (!(await holds(ManageWebhooks))) throw permissionDenied(ManageWebhooks);
    const canSeeOthers = await holds(OutgoingHookPermission.ManageOthersOutgoingWebhooks);
    return {
      ...(channelId !== undefined ? { channelId } : teamId !== undefined ? { teamId } : {}),
      ...(canSeeOthers ? {} : { creatorId: actor.userId }),
    };
  }

  canSeeOthers(actor: Actor, scope: { teamId: string } | { channelId: string } | 'system'): Promise<boolean> {
    return this.permissions.has(actor, OutgoingHookPermission.ManageOthersOutgoingWebhooks, scope);
  }

  /** Whether the actor may learn that a channel does not exist; others get a 403. */
  mayKnowChannels(actor: Actor): Promise<boolean> {
    return this.permissions.has(actor, CommonPermission.ManageWebhooks, 'system');
  }

  private async missingFor(
    actor: Actor,
    { creatorId }: OutgoingHook,
    place: Place,
  ): Promise<Permission | undefined> {
    const { ManageWebhooks } = CommonPermission;
    const { ManageOthersOutgoingWebhooks } = OutgoingHookPermission;
    if (!(await this.has(actor, ManageWebhooks, place))) return ManageWebhooks;
    if (creatorId === actor.userId || (await this.has(actor, ManageOthersOutgoingWebhooks, place)))
      return undefined;
    return ManageOthersOutgoingWebhooks;
  }

  private async placeOf(
    teamId: string | undefined,
    channelId: string | undefined,
  ): Promise<Place | undefined> {
    if (channelId === undefined) return teamId === undefined ? undefined : { teamId, channelId: '' };
    return { teamId: (await this.channels.find(channelId))?.teamId ?? '', channelId };
  }

  /** System, team and channel roles all count (docs/contract/outgoing-webhooks.md#permissions). */
  private async has(actor: Actor, permission: Permission, { teamId, channelId }: Place): Promise<boolean> {
    return (
      (await this.permissions.hasOnTeam(actor, permission, teamId)) ||
      (await this.permissions.hasOnChannel(actor, permission, channelId))
    );
  }

  private async mayUseBot(actor: Actor, { botUserId }: OutgoingHook): Promise<boolean> {
    return botUserId === '' || this.bots.mayManageEvenDisabled(actor, botUserId);
  }

  /** Whether a channel is public or the actor can read it. True for team-wide hooks (`''`). */
  private async isReader(actor: Actor, channelId: string): Promise<boolean> {
    const channel = channelId === '' ? null : await this.channels.find(channelId);
    return !channel || channel.type === 'O' || this.permissions.canReadChannel(actor, channelId);
  }
}
