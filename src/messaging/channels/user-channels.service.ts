import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/common/dto/params.js';
import { InvalidBodyParam, InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EventBus } from '../../platform/events/event-bus.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { UserPermission } from '../users/users.policy.js';
import type { ChannelMember } from './channel-member.entity.js';
import { ChannelMembersRepository, type MemberWithCounters } from './channel-members.repository.js';
import type { Channel } from './channel.entity.js';
import { channelMemberNotFound, noChannelsFound } from './channels.errors.js';
import { ChannelViewed } from './channels.events.js';
import { ChannelsReadModel, type MemberWithTeam } from './channels.read-model.js';
import { ChannelsRepository, type OwnListOptions } from './channels.repository.js';
import {
  type ChannelCategoryDto,
  type ChannelUnreadDto,
  TeamUnreadDto,
  type UnreadCounts,
  type ViewChannelDto,
} from './dto/channel-member.dto.js';

/** The maximum number of memberships in one response, which may not exceed 16 MiB. */
export const MAX_MEMBERSHIPS = 4_500;

/** The categories of every channel list, in order. */
const CATEGORIES = [
  { type: 'favorites', display_name: 'Favorites', sort_order: 0, sorting: '' },
  { type: 'channels', display_name: 'Channels', sort_order: 10, sorting: '' },
  { type: 'direct_messages', display_name: 'Direct Messages', sort_order: 20, sorting: 'recent' },
] as const;

/** A user's channels, what they have read in them, and how clients list them. */
@Injectable()
export class UserChannelsService {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly readModel: ChannelsReadModel,
    private readonly permissions: PermissionsService,
    private readonly teams: TeamsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
  ) {}

  /**
   * A user's channels in all teams, or in one and direct and group ones. `since`: the parameter `last_delete_at`.
   * Throws `noChannelsFound`.
   */
  async listOfUser(
    actor: Actor,
    userId: string,
    { since, ...options }: Omit<OwnListOptions, 'archivedSince'> & { readonly since: string },
  ): Promise<Channel[]> {
    const { teamId } = options;
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    if (teamId !== undefined) await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    const archivedSince = parseSince(since);
    const channels = await this.repository.listOfUser(userId, { ...options, archivedSince });
    if (channels.length === 0) throw noChannelsFound();
    return channels;
  }

  /** A user's memberships in one team, including direct and group channels. */
  async membershipsInTeam(actor: Actor, userId: string, teamId: string): Promise<ChannelMember[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    return this.members.listOfUser(userId, teamId);
  }

  /** Memberships in all teams and in direct and group channels; without a page, the first MAX_MEMBERSHIPS. */
  async memberships(actor: Actor, userId: string, page: Page | undefined): Promise<MemberWithTeam[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    return this.readModel.memberships(userId, page?.offset ?? 0, page?.perPage ?? MAX_MEMBERSHIPS);
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

  /** By team, excluding `excludedTeamId`. */
  async unreadByTeam(actor: Actor, userId: string, excludedTeamId: string): Promise<TeamUnreadDto[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    const teams = (await this.teams.listOfUser(userId)).filter(({ id }) => id !== excludedTeamId);
    const rows = new Map(teams.map(({ id }) => [id, new Array<MemberWithCounters>()]));
    for (const row of await this.members.listWithCounters(userId)) rows.get(row.channel.teamId)?.push(row);
    return teams.map(({ id }) => TeamUnreadDto.from(id, sum(rows.get(id) ?? [])));
  }

  /** Throws `permissionDenied`, then `teamNotFound`. */
  async unreadInTeam(actor: Actor, userId: string, teamId: string): Promise<TeamUnreadDto> {
    await this.requireInTeam(actor, userId, teamId);
    await this.teams.get(teamId);
    return TeamUnreadDto.from(teamId, sum(await this.members.listWithCounters(userId, teamId)));
  }

  /** Throws `permissionDenied`, then `channelNotFound` or `channelMemberNotFound`. */
  async unreadInChannel(actor: Actor, userId: string, channelId: string): Promise<ChannelUnreadDto> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.permissions.require(actor, CommonPermission.ReadChannel, { channelId });
    const channel = await this.repository.getFresh(channelId);
    const member = await this.members.find(channelId, userId);
    if (!member) throw channelMemberNotFound();
    const counts = sum([{ member, channel }]);
    return { team_id: channel.teamId, channel_id: channelId, urgent_mention_count: 0, ...counts };
  }

  /**
   * The three default categories of a channel list (docs/contract/messaging.md#sidebar-categories). They are derived
   * from memberships and `favorite_channel` preferences; custom categories are not stored. Throws `permissionDenied`.
   */
  async categories(actor: Actor, userId: string, teamId: string): Promise<ChannelCategoryDto[]> {
    await this.requireInTeam(actor, userId, teamId);
    const options = { teamId, includeArchived: false, archivedSince: 0 };
    const channels = await this.repository.listOfUser(userId, options);
    const favorites = await this.readModel.favoriteIds(userId);
    const typeOf = (channel: Channel): string => {
      if (favorites.has(channel.id)) return 'favorites';
      return channel.teamId === '' ? 'direct_messages' : 'channels';
    };
    return CATEGORIES.map((category) => ({
      ...category,
      id: `${category.type}_${userId}_${teamId}`,
      user_id: userId,
      team_id: teamId,
      muted: false,
      collapsed: false,
      channel_ids: channels.filter((one) => typeOf(one) === category.type).map(({ id }) => id),
    }));
  }

  private async requireInTeam(actor: Actor, userId: string, teamId: string): Promise<void> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
  }

  private async markViewed(channelId: string, userId: string): Promise<number | null> {
    const member = await this.members.find(channelId, userId);
    const channel = member && (await this.repository.find(channelId));
    if (!channel) return null;
    const viewedAt = Math.max(member.lastViewedAt, channel.lastPostAt);
    await this.members.update(channelId, userId, {
      msgCount: channel.totalMsgCount,
      msgCountRoot: channel.totalMsgCountRoot,
      mentionCount: 0,
      mentionCountRoot: 0,
      lastViewedAt: viewedAt,
      lastUpdateAt: Math.max(member.lastUpdateAt, channel.lastPostAt),
    });
    return viewedAt;
  }
}

/** In muted channels only mentions count. */
function sum(rows: readonly MemberWithCounters[]): UnreadCounts {
  const counts = { msg_count: 0, msg_count_root: 0, mention_count: 0, mention_count_root: 0 };
  for (const { member, channel } of rows) {
    counts.mention_count += member.mentionCount;
    counts.mention_count_root += member.mentionCountRoot;
    if (member.notifyProps['mark_unread'] === 'mention') continue;
    counts.msg_count += Math.max(channel.totalMsgCount - member.msgCount, 0);
    counts.msg_count_root += Math.max(channel.totalMsgCountRoot - member.msgCountRoot, 0);
  }
  return counts;
}

/** Parses `last_delete_at`: 0 unless it is a number. Throws InvalidUrlParam if it is negative. */
function parseSince(text: string): number {
  const since = /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
  if (since < 0) throw new InvalidUrlParam('last_delete_at', 'it must not be negative');
  return since;
}
