import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { TeamCreated, TeamMemberAdded, TeamMemberRemoved } from '../teams/teams.events.js';
import { TeamMembersService } from '../teams/team-members.service.js';
import { UsersService } from '../users/users.service.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelsService, DEFAULT_CHANNELS } from './channels.service.js';

/** Creates a new team's default channels, adds members to them, and removes members who leave the team. */
@Injectable()
export class DefaultChannelsListener {
  constructor(
    private readonly channels: ChannelsService,
    private readonly repository: ChannelsRepository,
    private readonly memberships: ChannelMembersService,
    private readonly teams: TeamMembersService,
    private readonly users: UsersService,
  ) {}

  @InTransaction(TeamCreated)
  async onTeamCreated({ teamId }: TeamCreated): Promise<void> {
    await this.channels.createDefaults(teamId);
  }

  /** A team administrator also administers the default channels. */
  @InTransaction(TeamMemberAdded)
  async onTeamMemberAdded({ teamId, userId, actorId }: TeamMemberAdded): Promise<void> {
    const user = await this.users.get(userId);
    const membership = await this.teams.find(teamId, userId);
    const names = DEFAULT_CHANNELS.map((channel) => channel.name);
    for (const channel of await this.repository.listByNames(teamId, names)) {
      await this.memberships.join(channel, user, actorId, { isAdmin: membership?.schemeAdmin ?? false });
    }
  }

  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId }: TeamMemberRemoved): Promise<void> {
    await this.memberships.removeFromTeam(teamId, userId);
  }
}
