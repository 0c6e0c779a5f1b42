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
import { ChannelsPolicy } from './channels.policy.js';
import { ChannelsReadModel, type MemberWithTeam } from './channels.read-model.js';
import { ChannelsRepository, type OwnListOptions } from './channels.repository.js';
import type { ViewChannelDto } from './dto/channel-member.dto.js';

/** The maximum number of memberships in one response, which may not exceed 16 MiB. */
export const MAX_MEMBERSHIPS = 4_500;

/** Counts of unread messages and mentions; roots are messages that are not replies. */
export interface Unread {
  readonly messages: number;
  readonly roots: number;
  readonly mentions: number;
  readonly mentionsInRoots: number;
}

/** The unread messages of a user in the channels of a team. */
export interface TeamUnread extends Unread {
  readonly teamId: string;
}

/** The unread messages of a user in a channel; `teamId` is empty for direct and group channels. */
export interface ChannelUnread extends TeamUnread {
  readonly channelId: string;
}

const NOTHING: Unread = { messages: 0, roots: 0, mentions: 0, mentionsInRoots: 0 };

const KINDS = [
  { type: 'favorites', displayName: 'Favorites', sortOrder: 0, sorting: '' },
  { type: 'channels', displayName: 'Channels', sortOrder: 10, sorting: '' },
  { type: 'direct_messages', displayName: 'Direct Messages', sortOrder: 20, sorting: 'recent' },
] as const;

type Kind = (typeof KINDS)[number];

/** A category of a user's channel list in one team. */
export type SidebarCategory = Kind & {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string;
  readonly channelIds: readonly string[];
};

/** A user's channels, what they have read in them, and how clients list them. */
@Injectable()
export class UserChannelsService {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly readModel: ChannelsReadModel,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly teams: TeamsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
  ) {}

  /** A user's channels in a team, including direct and group ones. Throws `noChannelsFound`. */
  async listOfUserInTeam(
    actor: Actor,
    userId: string,
    teamId: string,
    includeArchived: boolean,
    since: string,
  ): Promise<Channel[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    return this.listOwn(userId, { teamId, includeArchived, archivedSince: archivedSince(since) });
  }

  /** A user's channels in all teams. Throws `noChannelsFound`. */
  async listOfUser(
    actor: Actor,
    userId: string,
    includeArchived: boolean,
    since: string,
  ): Promise<Channel[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    return this.listOwn(userId, { includeArchived, archivedSince: archivedSince(since) });
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
  async unreadByTeam(actor: Actor, userId: string, excludedTeamId: string): Promise<TeamUnread[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    const teams = (await this.teams.listOfUser(userId)).filter(({ id }) => id !== excludedTeamId);
    const rows = new Map(teams.map(({ id }) => [id, new Array<MemberWithCounters>()]));
    for (const row of await this.members.listWithCounters(userId)) rows.get(row.channel.teamId)?.push(row);
    return teams.map(({ id }) => ({ teamId: id, ...sum(rows.get(id) ?? []) }));
  }

  /** Throws `permissionDenied`, then `teamNotFound`. */
  async unreadInTeam(actor: Actor, userId: string, teamId: string): Promise<TeamUnread> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    await this.teams.get(teamId);
    return { teamId, ...sum(await this.members.listWithCounters(userId, teamId)) };
  }

  /** Throws `permissionDenied`, then `channelNotFound` or `channelMemberNotFound`. */
  async unreadInChannel(actor: Actor, userId: string, channelId: string): Promise<ChannelUnread> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireReadMembers(actor, channelId);
    const channel = await this.repository.getFresh(channelId);
    const member = await this.members.find(channelId, userId);
    if (!member) throw channelMemberNotFound();
    return { teamId: channel.teamId, channelId, ...sum([{ member, channel }]) };
  }

  /**
   * The three default categories of a channel list (docs/contract/messaging.md#sidebar-categories). They are derived
   * from memberships and `favorite_channel` preferences; custom categories are not stored. Throws `permissionDenied`.
   */
  async categories(actor: Actor, userId: string, teamId: string): Promise<SidebarCategory[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    const listed = await this.repository.listOfUser(userId, {
      teamId,
      includeArchived: false,
      archivedSince: 0,
    });
    const favorites = await this.readModel.favoriteIds(userId);
    const idsOf: Record<Kind['type'], string[]> = { favorites: [], channels: [], direct_messages: [] };
    for (const { id, teamId: channelTeamId } of listed)
      idsOf[favorites.has(id) ? 'favorites' : channelTeamId === '' ? 'direct_messages' : 'channels'].push(id);
    return KINDS.map((kind) => ({
      ...kind,
      id: `${kind.type}_${userId}_${teamId}`,
      userId,
      teamId,
      channelIds: idsOf[kind.type],
    }));
  }

  private async listOwn(userId: string, options: OwnListOptions): Promise<Channel[]> {
    const channels = await this.repository.listOfUser(userId, options);
    if (channels.length === 0) throw noChannelsFound();
    return channels;
  }

  private async markViewed(channelId: string, userId: string): Promise<number | null> {
    const member = await this.members.find(channelId, userId);
    const channel = member && (await this.repository.find(channelId));
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

/** In muted channels only mentions count. */
function sum(rows: readonly MemberWithCounters[]): Unread {
  return rows.reduce((total, { member, channel }) => {
    const isMuted = member.notifyProps['mark_unread'] === 'mention';
    return {
      messages: total.messages + (isMuted ? 0 : Math.max(channel.totalMsgCount - member.msgCount, 0)),
      roots: total.roots + (isMuted ? 0 : Math.max(channel.totalMsgCountRoot - member.msgCountRoot, 0)),
      mentions: total.mentions + member.mentionCount,
      mentionsInRoots: total.mentionsInRoots + member.mentionCountRoot,
    };
  }, NOTHING);
}

/** Parses `last_delete_at`: 0 unless it is a number. Throws InvalidUrlParam if it is negative. */
function archivedSince(text: string): number {
  const since = /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
  if (since < 0) throw new InvalidUrlParam('last_delete_at', 'it must not be negative');
  return since;
}
