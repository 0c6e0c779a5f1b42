import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import { InvalidBodyParam, permissionDenied } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { isId } from '../../platform/common/ids.js';
import type { Page } from '../../platform/common/dto/params.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Actor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { ChannelPermission } from './channels.permissions.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { requireLocalUser, UserPermission } from '../users/users.policy.js';
import { MemberRoles, type SchemeRoles } from '../teams/member-roles.js';
import { isGuest } from '../teams/team-member-records.js';
import { teamMemberNotFound } from '../teams/teams.errors.js';
import { TeamRecords } from '../teams/team-records.js';
import { VisibleUsers } from '../users/visible-users.js';
import { UserRecords } from '../users/user-records.js';
import type { ChannelMember } from './channel-member.entity.js';
import { ChannelListReadModel, type MemberWithTeam } from './channel-list.read-model.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelMemberRecords } from './channel-member-records.js';
import type { Channel } from './channel.entity.js';
import { changedNotifyProps, DEFAULT_CHANNEL } from './channel.rules.js';
import {
  archivedChannelRefused,
  channelMemberNotFound,
  deactivatedUserRefused,
  leftTeam,
  refusals,
} from './channels.errors.js';
import { type AddRights, ChannelsPolicy } from './channels.policy.js';
import { ChannelRecords } from './channel-records.js';
import type { AddChannelMemberDto, ViewChannelDto } from './dto/channel-member.dto.js';
import { ChannelViewed } from './channels.events.js';

const MAX_ADDED = 1000;
/** The maximum number of memberships in one response, which may not exceed 16 MiB. */
export const MAX_MEMBERSHIPS = 4_500;

/**
 * Channel member use cases, with the checks in the contract's order
 * (docs/contract/messaging.md#channel-members).
 */
@Injectable()
export class ChannelMembersService {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly members: ChannelMembersRepository,
    private readonly memberships: ChannelMemberRecords,
    private readonly channelList: ChannelListReadModel,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly visible: VisibleUsers,
    private readonly roles: MemberRoles,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
  ) {}

  /** Adds the users that can be added; throws the last error if none can. */
  async add(actor: Actor, channelId: string, body: AddChannelMemberDto): Promise<ChannelMember[]> {
    const userIds = wantedUsers(body);
    const channel = await this.channels.get(channelId);
    if (channel.teamId === '') throw refusals.addToDirect();
    const rights = await this.policy.addRights(actor, channel);
    if (rights.others) await this.visible.requireAll(actor, userIds);
    const added: ChannelMember[] = [];
    let failure: AppError | undefined;
    for (const userId of userIds) {
      try {
        added.push(await this.addOne(actor, channel, userId, rights));
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        failure = error;
      }
    }
    if (failure && added.length === 0) throw failure;
    return added;
  }

  /** Lists only members visible to the caller. */
  async list(actor: Actor, channelId: string, { offset, perPage }: Page): Promise<ChannelMember[]> {
    return this.members.list(channelId, offset, perPage, await this.visible.restrictionOf(actor));
  }

  find(channelId: string, userId: string): Promise<ChannelMember | null> {
    return this.members.find(channelId, userId);
  }

  /** Throws `channelMemberNotFound`. */
  async get(channelId: string, userId: string): Promise<ChannelMember> {
    const member = await this.find(channelId, userId);
    if (!member) throw channelMemberNotFound();
    return member;
  }

  async listByUserIds(
    actor: Actor,
    channelId: string,
    userIds: readonly string[],
  ): Promise<readonly ChannelMember[]> {
    await this.policy.requireReadMembers(actor, channelId);
    const members = await this.members.listByUserIds(channelId, userIds);
    return this.visible.only(actor, members, ({ userId }) => userId);
  }

  /** A user's memberships in one team, including direct and group channels. */
  async listOfUser(actor: Actor, userId: string, teamId: string): Promise<ChannelMember[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    return this.members.listOfUser(userId, teamId);
  }

  /** Memberships in all teams and in direct and group channels; without a page, the first MAX_MEMBERSHIPS. */
  async listOfUserInAllTeams(
    actor: Actor,
    userId: string,
    page: Page | undefined,
  ): Promise<MemberWithTeam[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    return this.channelList.memberships(userId, page?.offset ?? 0, page?.perPage ?? MAX_MEMBERSHIPS);
  }

  async remove(actor: Actor, channelId: string, userId: string): Promise<void> {
    const channel = await this.channels.get(channelId);
    const user = await this.users.get(userId);
    if (channel.teamId === '') throw refusals.removeFromDirect();
    await this.policy.requireRemove(actor, channel, userId);
    if (channel.name === DEFAULT_CHANNEL && !isGuest(user)) throw refusals.leaveDefault();
    await this.memberships.remove(channel, userId, actor.userId);
  }

  async setRoles(actor: Actor, channelId: string, userId: string, text: string): Promise<void> {
    this.roles.requireWellFormed(text);
    await this.policy.requireManageRoles(actor, channelId);
    await this.get(channelId, userId);
    const next = await this.roles.parse('channel', text);
    await this.memberships.changeRoles(
      channelId,
      userId,
      this.roles.change('channel', () => next),
    );
  }

  async setSchemeRoles(
    actor: Actor,
    channelId: string,
    userId: string,
    flags: Omit<SchemeRoles, 'explicitRoles'>,
  ): Promise<void> {
    await this.policy.requireManageRoles(actor, channelId);
    const change = this.roles.change('channel', ({ explicitRoles }) => ({ explicitRoles, ...flags }));
    await this.memberships.changeRoles(channelId, userId, change);
  }

  async setNotifyProps(
    actor: Actor,
    channelId: string,
    userId: string,
    props: Record<string, string>,
  ): Promise<void> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.memberships.changeNotifyProps(channelId, userId, (present) =>
      changedNotifyProps(present, props),
    );
  }

  /** Marks channels as read, skipping those the user is not in. Returns the view times by channel id. */
  async view(actor: Actor, userId: string, body: ViewChannelDto): Promise<Record<string, number>> {
    const { channel_id: channelId, prev_channel_id: previousId } = body;
    if (channelId !== '' && !isId(channelId)) throw new InvalidBodyParam('channel_view.channel_id');
    if (previousId !== '' && !isId(previousId)) throw new InvalidBodyParam('channel_view.prev_channel_id');
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    const wanted = [...new Set([channelId, previousId])].filter((id) => id !== '');
    return this.unitOfWork.run(async () => {
      const times: Record<string, number> = {};
      for (const id of wanted) {
        const viewedAt = await this.markViewed(id, userId);
        if (viewedAt !== null) times[id] = viewedAt;
      }
      if (Object.keys(times).length > 0) await this.events.publish(new ChannelViewed(userId, times));
      return times;
    });
  }

  private async addOne(
    actor: Actor,
    channel: Channel,
    userId: string,
    rights: AddRights,
  ): Promise<ChannelMember> {
    const known = await this.members.find(channel.id, userId);
    const isSelf = actor.userId === userId;
    if (known && isSelf) return known;
    if (isSelf && !rights.self) throw permissionDenied(ChannelPermission.JoinPublicChannels);
    if (!isSelf && !rights.others) throw permissionDenied(ChannelPermission.ManagePublicChannelMembers);
    if (known) return known;
    const user = await this.users.get(userId);
    requireLocalUser(user);
    if (user.deleteAt > 0) throw deactivatedUserRefused();
    const isByOther = !isSelf && !(await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem));
    if (await this.channels.isArchived(channel)) throw archivedChannelRefused();
    return this.unitOfWork.run(async () => {
      const teamMember = await this.teams.findMemberForUpdate(channel.teamId, userId);
      if (!teamMember) throw teamMemberNotFound();
      if (teamMember.deleteAt > 0) throw leftTeam();
      return this.memberships.add(channel, user, actor.userId, { isByOther });
    });
  }

  private async markViewed(channelId: string, userId: string): Promise<number | null> {
    const member = await this.members.find(channelId, userId);
    const channel = member && (await this.channels.find(channelId));
    if (!channel) return null;
    await this.members.update(channelId, userId, {
      msgCount: channel.totalMsgCount,
      msgCountRoot: channel.totalMsgCountRoot,
      mentionCount: 0,
      mentionCountRoot: 0,
      lastViewedAt: Math.max(member.lastViewedAt, channel.lastPostAt),
      lastUpdateAt: Math.max(member.lastUpdateAt, channel.lastPostAt),
    });
    return Math.max(member.lastViewedAt, channel.lastPostAt);
  }
}

/** The user ids in the body, without duplicates. Throws InvalidBodyParam. */
function wantedUsers({ user_id, user_ids, post_root_id }: AddChannelMemberDto): string[] {
  const ids = user_ids ?? (user_id === undefined ? [] : [user_id]);
  const name = user_ids ? 'user_ids' : 'user_id or user_ids';
  if (ids.length === 0 || ids.length > MAX_ADDED)
    throw new InvalidBodyParam(name, `it must name 1 to ${MAX_ADDED} users`);
  if (!ids.every(isId)) throw new InvalidBodyParam(name, 'ids have 26 letters and digits');
  if (post_root_id !== '' && !isId(post_root_id))
    throw new InvalidBodyParam('post_root_id', 'it must be 26 letters and digits');
  return [...new Set(ids)];
}
