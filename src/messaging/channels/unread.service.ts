import { Injectable } from '@nestjs/common';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { TeamRecords } from '../teams/team-records.js';
import { UserPermission } from '../users/users.permissions.js';
import { ChannelMembersRepository, type MemberWithCounters } from './channel-members.repository.js';
import { ChannelRecords } from './channel-records.js';
import { channelMemberNotFound } from './channels.errors.js';
import { ChannelsPolicy } from './channels.policy.js';

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

/** Counts what a user has not read (docs/contract/messaging.md#unread-messages). */
@Injectable()
export class UnreadService {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly members: ChannelMembersRepository,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly teams: TeamRecords,
  ) {}

  /** By team, without `excludedTeamId`. */
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
