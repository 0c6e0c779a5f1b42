import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { insertOrFind } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { isGuestRole, splitRoles } from '../permissions/actor.js';
import { UserRecords } from '../users/user-records.js';
import type { User } from '../users/user.entity.js';
import { TeamMemberAdded, TeamMemberRemoved, TeamMemberRolesUpdated } from './teams.events.js';
import type { RoleChange } from './member-roles.js';
import type { TeamMember } from './team-member.entity.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { hasAllowedDomains, isAddressBelieved, isEmailAllowed } from './team.rules.js';
import {
  addedToTooManyTeams,
  emailDomainRefused,
  emailNotConfirmed,
  teamFull,
  teamIsArchived,
  teamMemberNotFound,
  teamNotFound,
  tooManyTeamsOfUser,
} from './teams.errors.js';
import { TeamsSettings } from './teams.settings.js';
import { TeamsRepository } from './teams.repository.js';

/** The maximum number of members in a team. */
const MAX_USERS_PER_TEAM = 1000;

/**
 * Writes team memberships; does not check permissions. Each change locks the team's row, which serializes
 * changes to one team's members, and publishes its event in the same transaction.
 */
@Injectable()
export class TeamMemberRecords {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly users: UserRecords,
    private readonly permissions: PermissionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: TeamsSettings,
  ) {}

  /**
   * Adds a user or restores a former member; `isCreator` makes the user an administrator of the new team.
   * Does nothing for a current member. Throws `teamNotFound`, `emailDomainRefused`, `teamIsArchived`,
   * `emailNotConfirmed`, `teamFull`, `tooManyTeamsOfUser`.
   */
  async join(
    teamId: string,
    user: User,
    actorId: string,
    { isCreator = false, isInvited = false } = {},
  ): Promise<TeamMember> {
    return this.unitOfWork.run(async () => {
      const team = await this.teams.findByIdForUpdate(teamId);
      if (!team) throw teamNotFound();
      const present = await this.users.getForUpdate(user.id);
      if (!isEmailAllowed(present.email, team.allowedDomains)) throw emailDomainRefused();
      const isNowGuest = isGuest(present);
      const known = await this.members.find(teamId, user.id);
      if (known?.deleteAt === 0) return known;
      if (team.deleteAt > 0) throw teamIsArchived();
      const isLetIn = isInvited || actorId !== user.id;
      if (!isCreator && hasAllowedDomains(team.allowedDomains) && !isAddressBelieved(present, isLetIn))
        throw emailNotConfirmed();
      if ((await this.members.count(teamId)) >= MAX_USERS_PER_TEAM) throw teamFull(MAX_USERS_PER_TEAM);
      await this.requireRoom(user.id, actorId);
      const member: TeamMember = {
        teamId,
        userId: user.id,
        explicitRoles: '',
        schemeGuest: isNowGuest,
        schemeUser: !isNowGuest,
        schemeAdmin: isCreator && !isNowGuest,
        createAt: this.clock.now(),
        deleteAt: 0,
      };
      if (known) await this.members.update(member);
      else {
        const existing = await insertOrFind(
          () => this.members.insert(member),
          () => this.members.findLatest(teamId, user.id),
        );
        if (existing) return existing;
      }
      this.permissions.forgetTeamMember(member.userId, teamId);
      await this.events.publish(new TeamMemberAdded(teamId, user.id, actorId));
      return member;
    });
  }

  /** Ends a membership; the row is kept with `deleteAt` set. Throws `teamMemberNotFound`. */
  async leave(teamId: string, userId: string, actorId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.teams.findByIdForUpdate(teamId);
      const member = await this.members.find(teamId, userId);
      if (!member || member.deleteAt > 0) throw teamMemberNotFound();
      await this.members.update({ ...member, deleteAt: this.clock.now() });
      this.permissions.forgetTeamMember(member.userId, teamId);
      await this.events.publish(new TeamMemberRemoved(teamId, userId, actorId));
    });
  }

  /** Replaces a member's roles with the result of `decide`. Throws `teamMemberNotFound`. */
  async changeRoles(teamId: string, userId: string, decide: RoleChange): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.teams.findByIdForUpdate(teamId);
      const member = await this.members.find(teamId, userId);
      if (!member || member.deleteAt > 0) throw teamMemberNotFound();
      const user = await this.users.getForUpdate(userId);
      await this.members.update({ ...member, ...decide(member, isGuest(user)) });
      this.permissions.forgetTeamMember(member.userId, teamId);
      await this.events.publish(new TeamMemberRolesUpdated(teamId, userId));
    });
  }

  /** Updates memberships after an account became a guest or stopped being one, in the same transaction. */
  async followAccount(userId: string, isGuest: boolean): Promise<void> {
    for (const teamId of await this.members.followAccount(userId, isGuest)) {
      this.permissions.forgetTeamMember(userId, teamId);
      await this.events.publish(new TeamMemberRolesUpdated(teamId, userId));
    }
  }

  /**
   * Other users can fill only half of a user's team limit; system administrators are exempt. The account's
   * row must be locked, so that concurrent calls cannot exceed a limit.
   */
  private async requireRoom(userId: string, actorId: string): Promise<void> {
    const { maxTeamsPerUser } = this.settings;
    const count = await this.members.countOfUser(userId);
    if (count >= maxTeamsPerUser) throw tooManyTeamsOfUser(maxTeamsPerUser);
    const maxByOthers = Math.ceil(maxTeamsPerUser / 2);
    if (count >= maxByOthers && actorId !== userId && !(await this.isSystem(actorId)))
      throw addedToTooManyTeams(maxByOthers);
  }

  /** Local mode has no user. */
  private async isSystem(actorId: string): Promise<boolean> {
    if (actorId === '') return true;
    const actor = await this.permissions.subject(actorId);
    return this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem);
  }
}

/** Whether an account is a guest. */
export function isGuest(user: Pick<User, 'roles'>): boolean {
  return isGuestRole(splitRoles(user.roles));
}
