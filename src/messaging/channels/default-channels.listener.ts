import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import {
  TeamCreated,
  TeamMemberAdded,
  TeamMemberRemoved,
  TeamMemberRolesUpdated,
} from '../teams/teams.events.js';
import { isGuest } from '../teams/team-member-records.js';
import { TeamRecords } from '../teams/team-records.js';
import { UserRecords } from '../users/user-records.js';
import { DEFAULT_CHANNEL } from './channel.rules.js';
import { ChannelMemberRecords } from './channel-member-records.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelRecords, DEFAULT_CHANNELS } from './channel-records.js';
import { isGuestRole, splitRoles } from '../permissions/actor.js';
import { UserRolesUpdated } from '../users/users.events.js';

/** Creates a new team's default channels, adds members to them, and removes members who leave the team. */
@Injectable()
export class DefaultChannelsListener {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly repository: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly memberships: ChannelMemberRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
  ) {}

  @InTransaction(TeamCreated)
  async onTeamCreated({ teamId }: TeamCreated): Promise<void> {
    await this.channels.createDefaults(teamId);
  }

  /** Guests are not added. A team administrator also administers the default channels. */
  @InTransaction(TeamMemberAdded)
  async onTeamMemberAdded({ teamId, userId, actorId }: TeamMemberAdded): Promise<void> {
    const user = await this.users.get(userId);
    if (isGuest(user)) return;
    const membership = await this.teams.findMember(teamId, userId);
    const names = DEFAULT_CHANNELS.map((channel) => channel.name);
    for (const channel of await this.repository.listByNames(teamId, names)) {
      await this.memberships.add(channel, user, actorId, { isAdmin: membership?.schemeAdmin ?? false });
    }
  }

  /** All ordinary members of a team are in its default channel, including former guests. */
  @InTransaction(TeamMemberRolesUpdated)
  async onTeamMemberRolesUpdated({ teamId, userId }: TeamMemberRolesUpdated): Promise<void> {
    const user = await this.users.get(userId);
    if (isGuest(user)) return;
    const channel = await this.channels.findByName(teamId, DEFAULT_CHANNEL);
    if (channel && !(await this.members.find(channel.id, userId)))
      await this.memberships.add(channel, user, userId);
  }

  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId }: TeamMemberRemoved): Promise<void> {
    await this.memberships.removeFromTeam(teamId, userId);
  }
}

/** Updates channel memberships when an account becomes a guest or stops being one. */
@Injectable()
export class ChannelMemberAccountListener {
  constructor(private readonly memberships: ChannelMemberRecords) {}

  @InTransaction(UserRolesUpdated)
  async onUserRolesUpdated({ userId, roles }: UserRolesUpdated): Promise<void> {
    await this.memberships.followAccount(userId, isGuestRole(splitRoles(roles)));
  }
}
