import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import type { Page } from '../../platform/common/dto/params.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Actor, requireUser } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { VisibleUsers } from '../users/visible-users.js';
import { UserRecords } from '../users/user-records.js';
import { type AddTeamMemberDto, memberUserId } from './dto/team-member.dto.js';
import { MemberRoles, type SchemeRoles } from './member-roles.js';
import type { TeamMember } from './team-member.entity.js';
import { type MemberListOptions, TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { isGuest, TeamMemberRecords } from './team-member-records.js';
import {
  guestInviteRefused,
  inviteParameterMissing,
  inviteTokenInvalid,
  teamMemberNotFound,
} from './teams.errors.js';
import { TeamsPolicy } from './teams.policy.js';
import { TeamRecords } from './team-records.js';

/** The result for one user of a batch: the membership, or the error. */
export interface BatchResult {
  readonly userId: string;
  readonly member: TeamMember | null;
  readonly error: AppError | null;
}

/** Team member use cases, checked in the contract's order (docs/contract/messaging.md#team-members). */
@Injectable()
export class TeamMembersService {
  constructor(
    private readonly teams: TeamRecords,
    private readonly members: TeamMembersRepository,
    private readonly lists: TeamMembersReadModel,
    private readonly memberships: TeamMemberRecords,
    private readonly policy: TeamsPolicy,
    private readonly roles: MemberRoles,
    private readonly users: UserRecords,
    private readonly permissions: PermissionsService,
    private readonly visible: VisibleUsers,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditService,
  ) {}

  async add(actor: Actor, teamId: string, wanted: AddTeamMemberDto): Promise<TeamMember> {
    const userId = memberUserId(teamId, wanted);
    if (actor.userId === userId) await this.policy.requireJoin(actor, await this.teams.get(teamId));
    else await this.requireAddOthers(actor, teamId, [userId]);
    await this.teams.get(teamId);
    return this.teams.addMember(actor.userId, teamId, userId);
  }

  async joinByInvite(actor: Actor, inviteId: string, token: string): Promise<TeamMember> {
    if (token !== '') throw inviteTokenInvalid();
    if (inviteId === '') throw inviteParameterMissing();
    const user = await this.users.get(requireUser(actor));
    if (isGuest(user)) throw guestInviteRefused();
    const team = await this.teams.getByInviteId(inviteId);
    this.audit.concerns({ id: user.id });
    return this.memberships.join(team.id, user, user.id, { isInvited: true });
  }

  /** Adds all users or none. */
  async addAll(actor: Actor, teamId: string, wanted: readonly AddTeamMemberDto[]): Promise<TeamMember[]> {
    const userIds = await this.requireAddAll(actor, teamId, wanted);
    return this.unitOfWork.run(async () => {
      const added: TeamMember[] = [];
      for (const userId of userIds) added.push(await this.teams.addMember(actor.userId, teamId, userId));
      return added;
    });
  }

  /** Adds the users that can be added, and returns the errors of the others. */
  async addPossible(
    actor: Actor,
    teamId: string,
    wanted: readonly AddTeamMemberDto[],
  ): Promise<BatchResult[]> {
    const userIds = await this.requireAddAll(actor, teamId, wanted);
    const results: BatchResult[] = [];
    for (const userId of userIds) {
      try {
        results.push({
          userId,
          member: await this.teams.addMember(actor.userId, teamId, userId),
          error: null,
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        results.push({ userId, member: null, error });
      }
    }
    return results;
  }

  /** Lists only members visible to the caller. */
  async list(
    actor: Actor,
    teamId: string,
    options: MemberListOptions,
    { offset, perPage }: Page,
  ): Promise<TeamMember[]> {
    await this.teams.get(teamId);
    const viewerId = await this.visible.restrictionOf(actor);
    return this.lists.list(teamId, { ...options, viewerId }, offset, perPage);
  }

  /** Includes ended memberships. Throws `teamMemberNotFound` for a user who was never in the team. */
  async get(teamId: string, userId: string): Promise<TeamMember> {
    const member = await this.members.find(teamId, userId);
    if (!member) throw teamMemberNotFound();
    return member;
  }

  async listByUserIds(
    actor: Actor,
    teamId: string,
    userIds: readonly string[],
  ): Promise<readonly TeamMember[]> {
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    await this.teams.get(teamId);
    const members = await this.members.listByUserIds(teamId, userIds);
    return this.visible.only(actor, members, ({ userId }) => userId);
  }

  async listOfUser(actor: Actor, userId: string): Promise<TeamMember[]> {
    await this.permissions.requireSelfOr(actor, userId, TeamPermission.ReadOtherUsersTeams);
    return this.members.listOfUser(userId);
  }

  async remove(actor: Actor, teamId: string, userId: string): Promise<void> {
    await this.policy.requireRemove(actor, teamId, userId);
    await this.teams.get(teamId);
    await this.users.get(userId);
    await this.memberships.leave(teamId, userId, actor.userId);
  }

  async setRoles(actor: Actor, teamId: string, userId: string, text: string): Promise<void> {
    this.roles.requireWellFormed(text);
    await this.policy.requireManageRoles(actor, teamId);
    await this.get(teamId, userId);
    const next = await this.roles.parse('team', text);
    await this.memberships.changeRoles(
      teamId,
      userId,
      this.roles.change('team', () => next),
    );
  }

  async setSchemeRoles(
    actor: Actor,
    teamId: string,
    userId: string,
    flags: Omit<SchemeRoles, 'explicitRoles'>,
  ): Promise<void> {
    await this.policy.requireManageRoles(actor, teamId);
    const change = this.roles.change('team', ({ explicitRoles }) => ({ explicitRoles, ...flags }));
    await this.memberships.changeRoles(teamId, userId, change);
  }

  private async requireAddAll(
    actor: Actor,
    teamId: string,
    wanted: readonly AddTeamMemberDto[],
  ): Promise<string[]> {
    await this.teams.get(teamId);
    const userIds = [...new Set(wanted.map((member) => memberUserId(teamId, member)))];
    await this.requireAddOthers(actor, teamId, userIds);
    return userIds;
  }

  private async requireAddOthers(actor: Actor, teamId: string, userIds: readonly string[]): Promise<void> {
    await this.policy.requireAddOthers(actor, teamId);
    await this.visible.requireAll(actor, userIds);
  }
}
