import { Injectable } from '@nestjs/common';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { ChannelRecords } from '../messaging/channels/channel-records.js';
import { permissionDenied } from '../platform/common/errors/common-errors.js';
import { isId } from '../platform/common/ids.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import { isGuestRole } from '../messaging/permissions/guests.js';
import type { Permission } from '../platform/access/permission.js';
import { OutgoingHookPermission } from './outgoing-hooks.permissions.js';
import { PermissionsService } from '../messaging/permissions/permissions.service.js';
import { VisibleUsers } from '../messaging/users/visible-users.js';
import { channelNotReadable, creatorIsGuest, creatorNotInTeam } from './outgoing-hooks.errors.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import type { HookFilter } from './outgoing-hook-lists.read-model.js';

/** What a hook watches: a channel or, with an empty channel id, its whole team. */
export type Place = Pick<OutgoingHook, 'teamId' | 'channelId'>;

/** Who may touch which outgoing webhook (docs/contract/outgoing-webhooks.md#permissions). */
@Injectable()
export class OutgoingHooksPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly channels: ChannelRecords,
    private readonly visibleUsers: VisibleUsers,
  ) {}

  /** Creating a hook in a team. */
  async requireCreate(actor: Actor, teamId: string): Promise<void> {
    if (actor.kind === 'local') return;
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, { teamId });
  }

  /** Creating a hook for another owner. */
  async requireOwner(actor: Actor, userId: string, teamId: string): Promise<void> {
    if (actor.kind === 'local' || actor.userId === userId) return;
    await this.permissions.require(actor, OutgoingHookPermission.ManageOthersOutgoingWebhooks, { teamId });
    await this.visibleUsers.requireAll(actor, [userId]);
  }

  /**
   * The creator of a new hook is in its team, and no guest who could not make it. Throws `creatorNotInTeam`,
   * `creatorIsGuest`; an invalid team is refused elsewhere.
   */
  async requireCreator(creatorId: string, teamId: string): Promise<void> {
    if (!isId(teamId)) return;
    if (!(await this.permissions.isTeamMember(creatorId, teamId))) throw creatorNotInTeam();
    const creator = await this.permissions.subject(creatorId);
    if (!isGuestRole(creator.roles)) return;
    if (!(await this.permissions.hasOnTeam(creator, CommonPermission.ManageWebhooks, teamId)))
      throw creatorIsGuest();
  }

  /** Seeing a hook without its secrets, or deleting it; `place` is where it is now or will be. */
  async requireManage(actor: Actor, hook: OutgoingHook, place: Place = hook): Promise<void> {
    const missing = await this.missingFor(actor, hook, place);
    if (missing) throw permissionDenied(missing);
  }

  /** Everything else with a hook: one of a private channel is for those who can read the channel. */
  async requireUse(actor: Actor, hook: OutgoingHook): Promise<void> {
    await this.requireManage(actor, hook);
    await this.requireReader(actor, hook.channelId);
  }

  /** Whether the actor may do everything with the hook, and so sees its secrets. */
  async mayUse(actor: Actor, hook: OutgoingHook): Promise<boolean> {
    return !(await this.missingFor(actor, hook, hook)) && (await this.isReader(actor, hook.channelId));
  }

  /** Those of the hooks with which the actor may do everything. */
  async usable(actor: Actor, hooks: readonly OutgoingHook[]): Promise<OutgoingHook[]> {
    const mayUse = await Promise.all(hooks.map((hook) => this.mayUse(actor, hook)));
    return hooks.filter((_, row) => mayUse[row]);
  }

  /** Having messages of a channel sent again. Throws `permissionDenied`. */
  async requireReader(actor: Actor, channelId: string): Promise<void> {
    if (!(await this.isReader(actor, channelId))) throw permissionDenied(CommonPermission.ReadChannelContent);
  }

  /** Moving a hook: to a public channel, or to a private one that the caller can read (docs/contract/outgoing-webhooks.md#update). */
  async requireTarget(actor: Actor, channel: Channel): Promise<void> {
    if (channel.type === 'O') return;
    const mayRead = channel.type === 'P' && (await this.permissions.canReadChannel(actor, channel.id));
    if (!mayRead) throw channelNotReadable();
  }

  /** Which hooks the actor may list: all, or only their own. Throws `permissionDenied`. */
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
    const seesOthers = await holds(OutgoingHookPermission.ManageOthersOutgoingWebhooks);
    return {
      ...(channelId !== undefined ? { channelId } : teamId !== undefined ? { teamId } : {}),
      ...(seesOthers ? {} : { creatorId: actor.userId }),
    };
  }

  /** Whether the actor may see hooks of other owners. */
  seesOthers(actor: Actor, scope: { teamId: string } | { channelId: string } | 'system'): Promise<boolean> {
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

  /** Where the hooks of a list are; undefined for the whole server. */
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

  /** Whether the messages of a channel are public, or the actor can read them. True for a whole team (`''`). */
  private async isReader(actor: Actor, channelId: string): Promise<boolean> {
    const channel = channelId === '' ? null : await this.channels.find(channelId);
    return !channel || channel.type === 'O' || this.permissions.canReadChannel(actor, channelId);
  }
}
