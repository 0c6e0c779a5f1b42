import { Injectable } from '@nestjs/common';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { TeamRecords } from '../teams/team-records.js';
import { UserPermission } from '../users/users.policy.js';
import { ChannelMembersRepository, type MemberWithCounters } from './channel-members.repository.js';
import { ChannelRecords } from './channel-records.js';
import { channelMemberNotFound } from './channels.errors.js';
import { ChannelsPolicy } from './channels.policy.js';
import { ChannelListReadModel } from './channel-list.read-model.js';
import { ChannelsRepository } from './channels.repository.js';

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

/** Counts a user's unread messages (docs/contract/messaging.md#unread-messages). */
@Injectable()
export class UnreadService {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly members: ChannelMembersRepository,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly teams: TeamRecords,
  ) {}

  /** By team, excluding `excludedTeamId`. */
  async byTeam(actor: Actor, userId: string, excludedTeamId: string): Promise<TeamUnread[]> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    const teams = (await this.teams.listOfUser(userId)).filter(({ id }) => id !== excludedTeamId);
    const rows = new Map(teams.map(({ id }) => [id, new Array<MemberWithCounters>()]));
    for (const row of await this.members.listWithCounters(userId)) rows.get(row.channel.teamId)?.push(row);
    return teams.map(({ id }) => ({ teamId: id, ...sum(rows.get(id) ?? []) }));
  }

  /** Throws `permissionDenied`, then `teamNotFound`. */
  async inTeam(actor: Actor, userId: string, teamId: string): Promise<TeamUnread> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    await this.teams.get(teamId);
    return { teamId, ...sum(await this.members.listWithCounters(userId, teamId)) };
  }

  /** Throws `permissionDenied`, then `channelNotFound` or `channelMemberNotFound`. */
  async inChannel(actor: Actor, userId: string, channelId: string): Promise<ChannelUnread> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireReadMembers(actor, channelId);
    const channel = await this.channels.getFresh(channelId);
    const member = await this.members.find(channelId, userId);
    if (!member) throw channelMemberNotFound();
    return { teamId: channel.teamId, channelId, ...sum([{ member, channel }]) };
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

/**
 * The three default categories of a channel list (docs/contract/messaging.md#sidebar-categories). They are
 * derived from memberships and `favorite_channel` preferences; custom categories are not stored.
 */
@Injectable()
export class SidebarService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly list: ChannelListReadModel,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
  ) {}

  /** Throws `permissionDenied`. */
  async categories(actor: Actor, userId: string, teamId: string): Promise<SidebarCategory[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    const listed = await this.channels.listOfUser(userId, {
      teamId,
      includeArchived: false,
      archivedSince: 0,
    });
    const favorites = await this.list.favoriteIds(userId);
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
}
