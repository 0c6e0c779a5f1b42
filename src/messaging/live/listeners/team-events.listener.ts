import { Injectable } from '@nestjs/common';
import { OnEverywhere } from '../../../platform/events/listeners.js';
import { TeamDto } from '../../teams/dto/team.dto.js';
import { TeamMemberDto } from '../../teams/dto/team-member.dto.js';
import {
  TeamDeleted,
  TeamMemberAdded,
  TeamMemberRemoved,
  TeamMemberRolesUpdated,
  TeamRestored,
  TeamUpdated,
} from '../../teams/teams.events.js';
import { TeamChannelsLeft } from '../../channels/channels.events.js';
import { TeamMembersService } from '../../teams/team-members.service.js';
import { TeamRecords } from '../../teams/team-records.js';
import type { LiveData } from '../live-event.js';
import { LiveEventsService } from '../live-events.service.js';

/** Sends events about teams and their members (docs/contract/messaging.md#live-events). */
@Injectable()
export class TeamEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly teams: TeamRecords,
    private readonly members: TeamMembersService,
  ) {}

  @OnEverywhere(TeamUpdated)
  onTeamUpdated({ teamId }: TeamUpdated): void {
    this.publishTeam('update_team', teamId);
  }

  @OnEverywhere(TeamDeleted)
  onTeamDeleted({ teamId }: TeamDeleted): void {
    this.publishTeam('delete_team', teamId);
  }

  @OnEverywhere(TeamRestored)
  onTeamRestored({ teamId }: TeamRestored): void {
    this.publishTeam('restore_team', teamId);
  }

  @OnEverywhere(TeamMemberAdded)
  onTeamMemberAdded({ teamId, userId }: TeamMemberAdded): void {
    this.live.publish({
      event: 'added_to_team',
      broadcast: { userId },
      data: { team_id: teamId, user_id: userId },
    });
  }

  @OnEverywhere(TeamMemberRemoved)
  onTeamMemberRemoved({ teamId, userId }: TeamMemberRemoved): void {
    const data = { team_id: teamId, user_id: userId };
    this.live.publish({ event: 'leave_team', broadcast: { userId }, data });
  }

  /** To the remaining members; guests hear of those who have been in a channel with them. */
  @OnEverywhere(TeamChannelsLeft)
  onTeamChannelsLeft({ teamId, userId, channelIds }: TeamChannelsLeft): void {
    const about = { aboutUserId: userId, subjectChannelIds: new Set(channelIds) };
    this.live.publish({
      event: 'leave_team',
      broadcast: { teamId, omitUsers: [userId], ...about },
      data: { team_id: teamId, user_id: userId },
    });
  }

  @OnEverywhere(TeamMemberRolesUpdated)
  onTeamMemberRolesUpdated({ teamId, userId }: TeamMemberRolesUpdated): void {
    this.live.publish({
      event: 'memberrole_updated',
      broadcast: { userId },
      data: async () => ({
        member: JSON.stringify(TeamMemberDto.from(await this.members.get(teamId, userId))),
      }),
    });
  }

  /** Without the fields that only administrators of the team may see. */
  private publishTeam(event: string, teamId: string): void {
    const data = async (): Promise<LiveData | null> => {
      const team = await this.teams.find(teamId);
      return team && { team: JSON.stringify({ ...TeamDto.from(team), email: '', invite_id: '' }) };
    };
    this.live.publish({ event, broadcast: { teamId }, data });
  }
}
