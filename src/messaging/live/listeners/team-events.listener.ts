import { RoleUpdated } from '../../permissions/permissions.events.js';
import { RoleDto } from '../../permissions/role.dto.js';
import { RolesService } from '../../permissions/roles.service.js';
import { Injectable } from '@nestjs/common';
import { On, OnEverywhere } from '../../../platform/events/listeners.js';
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
import { TeamsService } from '../../teams/teams.service.js';
import type { Broadcast, LiveData } from '../live-event.js';
import { LiveEventsService } from '../live-events.service.js';
import { UserDto, type UserView } from '../../users/dto/user.dto.js';
import { UsersService } from '../../users/users.service.js';
import {
  PreferencesChanged,
  UserActivationChanged,
  UserCreated,
  UserRolesUpdated,
  UserStatusChanged,
  UserUpdated,
} from '../../users/users.events.js';

/** Sends events about teams and their members (docs/contract/messaging.md#live-events). */
@Injectable()
export class TeamEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly teams: TeamsService,
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
    this.live.send('added_to_team', { userId }, { team_id: teamId, user_id: userId });
  }

  @OnEverywhere(TeamMemberRemoved)
  onTeamMemberRemoved({ teamId, userId }: TeamMemberRemoved): void {
    const data = { team_id: teamId, user_id: userId };
    this.live.send('leave_team', { userId }, data);
  }

  /** Sent to the remaining members. */
  @OnEverywhere(TeamChannelsLeft)
  onTeamChannelsLeft({ teamId, userId }: TeamChannelsLeft): void {
    this.live.send('leave_team', { teamId, omitUsers: [userId] }, { team_id: teamId, user_id: userId });
  }

  @OnEverywhere(TeamMemberRolesUpdated)
  onTeamMemberRolesUpdated({ teamId, userId }: TeamMemberRolesUpdated): void {
    this.live.send('memberrole_updated', { userId }, async () => ({
      member: JSON.stringify(TeamMemberDto.from(await this.members.get(teamId, userId))),
    }));
  }

  /** Without the fields that only administrators of the team may see. */
  private publishTeam(event: string, teamId: string): void {
    const data = async (): Promise<LiveData | null> => {
      const team = await this.teams.find(teamId);
      return team && { team: JSON.stringify({ ...TeamDto.from(team), email: '', invite_id: '' }) };
    };
    this.live.send(event, { teamId }, data);
  }
}

/** Sends events about accounts and roles (docs/contract/messaging.md#live-events): each receiver gets the fields they may see. */
@Injectable()
export class UserEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly users: UsersService,
    private readonly roles: RolesService,
  ) {}

  @OnEverywhere(UserCreated)
  onUserCreated({ userId }: UserCreated): void {
    this.live.send('new_user', {}, { user_id: userId });
  }

  @OnEverywhere(UserUpdated)
  onUserUpdated({ userId }: UserUpdated): void {
    this.publishUser(userId, 'admin', { omitUsers: [userId], split: 'admins' });
    this.publishUser(userId, 'other', { omitUsers: [userId], split: 'others' });
    this.publishUser(userId, 'self', { userId });
  }

  @OnEverywhere(UserRolesUpdated)
  onUserRolesUpdated({ userId, roles }: UserRolesUpdated): void {
    this.live.send('user_role_updated', { userId }, { user_id: userId, roles });
  }

  @OnEverywhere(UserActivationChanged)
  onUserActivationChanged(): void {
    this.live.send('user_activation_status_change', {}, {});
  }

  @On(UserStatusChanged)
  onUserStatusChanged({ userId, status }: UserStatusChanged): void {
    this.live.send('status_change', { userId }, { user_id: userId, status });
  }

  @OnEverywhere(PreferencesChanged)
  onPreferencesChanged({ userId, preferences, isDeletion }: PreferencesChanged): void {
    this.live.send(isDeletion ? 'preferences_deleted' : 'preferences_changed', { userId }, () => ({
      preferences: JSON.stringify(
        preferences.map(({ category, name, value }) => ({ user_id: userId, category, name, value })),
      ),
    }));
  }

  @OnEverywhere(RoleUpdated)
  onRoleUpdated({ roleId }: RoleUpdated): void {
    this.live.send('role_updated', {}, async () => ({
      role: JSON.stringify(RoleDto.from(await this.roles.get(roleId))),
    }));
  }

  private publishUser(userId: string, view: UserView, broadcast: Broadcast): void {
    const data = async (): Promise<LiveData | null> => {
      const user = await this.users.find(userId);
      return user && { user: UserDto.from(user, view) };
    };
    this.live.send('user_updated', broadcast, data);
  }
}
