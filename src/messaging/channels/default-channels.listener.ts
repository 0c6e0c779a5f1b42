import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { TeamCreated } from '../teams/events/team-created.event.js';
import { TeamMemberAdded } from '../teams/events/team-member-added.event.js';
import { TeamMemberRemoved } from '../teams/events/team-member-removed.event.js';
import { isGuest } from '../teams/team-memberships.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../users/users.service.js';
import { ChannelMemberships } from './channel-memberships.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelsService, DEFAULT_CHANNELS } from './channels.service.js';

/** Gives each new team its channels and each of its members a place in them, and takes that place away again. */
@Injectable()
export class DefaultChannelsListener {
  constructor(
    private readonly channels: ChannelsService,
    private readonly repository: ChannelsRepository,
    private readonly memberships: ChannelMemberships,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
  ) {}

  @InTransaction(TeamCreated)
  async onTeamCreated({ teamId }: TeamCreated): Promise<void> {
    await this.channels.createDefaults(teamId);
  }

  /** Guests go only where they are put. An administrator of the team is one of its default channels too. */
  @InTransaction(TeamMemberAdded)
  async onTeamMemberAdded({ teamId, userId, actorId }: TeamMemberAdded): Promise<void> {
    const user = await this.users.get(userId);
    if (isGuest(user)) return;
    const membership = await this.teams.findMember(teamId, userId);
    const names = DEFAULT_CHANNELS.map((channel) => channel.name);
    for (const channel of await this.repository.listByNames(teamId, names)) {
      await this.memberships.add(channel, user, actorId, membership?.schemeAdmin);
    }
  }

  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId }: TeamMemberRemoved): Promise<void> {
    await this.memberships.removeFromTeam(teamId, userId);
  }
}
