import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import type { Page } from '../../platform/common/dto/params.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { insertOrFind } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { type Actor, requireUser } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { UsersService } from '../users/users.service.js';
import type { User } from '../users/user.entity.js';
import { UserSignedUp } from '../users/users.events.js';
import { requireLocalUser } from '../users/users.policy.js';
import { type AddTeamMemberDto, memberUserId, TeamMemberResultDto } from './dto/team-member.dto.js';
import { MemberRoles, type SchemeFlags, type SchemeRoles } from './member-roles.js';
import type { TeamMember } from './team-member.entity.js';
import { type MemberListOptions, TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { hasAllowedDomains, isAddressTrusted, isEmailAllowed } from './team.rules.js';
import * as errors from './teams.errors.js';
import { TeamMemberAdded, TeamMemberRemoved, TeamMemberRolesUpdated } from './teams.events.js';
import { TeamPermission, TeamsPolicy } from './teams.policy.js';
import { TeamsRepository } from './teams.repository.js';

/** The maximum number of members in a team. */
const MAX_USERS_PER_TEAM = 1000;

/**
 * Team member use cases, checked in the contract's order (docs/contract/messaging.md#team-members). Each change locks
 * the team's row, which serializes changes to one team's members, and publishes its event in the same transaction.
 */
@Injectable()
export class TeamMembersService implements OnModuleInit {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly lists: TeamMembersReadModel,
    private readonly policy: TeamsPolicy,
    private readonly roles: MemberRoles,
    private readonly users: UsersService,
    private readonly permissions: PermissionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.users.requireInvite = async (inviteId) => void (await this.teams.getByInviteId(inviteId));
  }

  async add(actor: Actor, teamId: string, wanted: AddTeamMemberDto): Promise<TeamMember> {
    const userId = memberUserId(teamId, wanted);
    if (actor.userId === userId) await this.policy.requireJoin(actor, await this.teams.get(teamId));
    else await this.permissions.require(actor, TeamPermission.AddUserToTeam, { teamId });
    await this.teams.get(teamId);
    return this.addUser(actor.userId, teamId, userId);
  }

  async joinByInvite(actor: Actor, inviteId: string, token: string): Promise<TeamMember> {
    if (token !== '') throw errors.inviteTokenInvalid();
    if (inviteId === '') throw errors.inviteParameterMissing();
    const user = await this.users.get(requireUser(actor));
    const team = await this.teams.getByInviteId(inviteId);
    this.audit.concerns({ id: user.id });
    return this.join(team.id, user, user.id, { isInvited: true });
  }

  /** Adds all users or none. */
  async addAll(actor: Actor, teamId: string, wanted: readonly AddTeamMemberDto[]): Promise<TeamMember[]> {
    const userIds = await this.requireAddAll(actor, teamId, wanted);
    return this.unitOfWork.run(async () => {
      const added: TeamMember[] = [];
      for (const userId of userIds) added.push(await this.addUser(actor.userId, teamId, userId));
      return added;
    });
  }

  /** Adds the users that can be added, and returns the errors of the others. */
  async addPossible(
    actor: Actor,
    teamId: string,
    wanted: readonly AddTeamMemberDto[],
  ): Promise<TeamMemberResultDto[]> {
    const results: TeamMemberResultDto[] = [];
    for (const userId of await this.requireAddAll(actor, teamId, wanted)) {
      try {
        const member = await this.addUser(actor.userId, teamId, userId);
        results.push(TeamMemberResultDto.from(userId, member, null));
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        results.push(TeamMemberResultDto.from(userId, null, error));
      }
    }
    return results;
  }

  async list(teamId: string, options: MemberListOptions, { offset, perPage }: Page): Promise<TeamMember[]> {
    await this.teams.get(teamId);
    return this.lists.list(teamId, options, offset, perPage);
  }

  /** The membership of a user, or null; includes ended ones. */
  find(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.find(teamId, userId);
  }

  /** Like find, and locks the row until the open unit of work ends. */
  findForUpdate(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.findLatest(teamId, userId);
  }

  /** Includes ended memberships. Throws `teamMemberNotFound` for a user who was never in the team. */
  async get(teamId: string, userId: string): Promise<TeamMember> {
    const member = await this.members.find(teamId, userId);
    if (!member) throw errors.teamMemberNotFound();
    return member;
  }

  async listByUserIds(
    actor: Actor,
    teamId: string,
    userIds: readonly string[],
  ): Promise<readonly TeamMember[]> {
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    await this.teams.get(teamId);
    return this.members.listByUserIds(teamId, userIds);
  }

  async listOfUser(actor: Actor, userId: string): Promise<TeamMember[]> {
    await this.permissions.requireSelfOr(actor, userId, TeamPermission.ReadOtherUsersTeams);
    return this.members.listOfUser(userId);
  }

  /** Ends a membership; the row is kept with `deleteAt` set. Throws `teamMemberNotFound`. */
  async remove(actor: Actor, teamId: string, userId: string): Promise<void> {
    await this.policy.requireRemove(actor, teamId, userId);
    await this.teams.get(teamId);
    await this.users.get(userId);
    const event = new TeamMemberRemoved(teamId, userId, actor.userId);
    await this.change(teamId, userId, event, () => ({ deleteAt: this.clock.now() }));
  }

  async setRoles(actor: Actor, teamId: string, userId: string, text: string): Promise<void> {
    this.roles.requireWellFormed(text);
    await this.permissions.require(actor, TeamPermission.ManageTeamRoles, { teamId });
    await this.get(teamId, userId);
    const next = await this.roles.parse('team', text);
    await this.changeRoles(teamId, userId, () => next);
  }

  async setSchemeRoles(actor: Actor, teamId: string, userId: string, flags: SchemeFlags): Promise<void> {
    await this.permissions.require(actor, TeamPermission.ManageTeamRoles, { teamId });
    await this.changeRoles(teamId, userId, ({ explicitRoles }) => ({ explicitRoles, ...flags }));
  }

  /**
   * Adds a user or restores a former member; `isCreator` makes the user an administrator of the new team, `isInvited`
   * means that the user has the invite id. Does nothing for a current member. Throws `teamNotFound`,
   * `emailDomainRefused`, `teamIsArchived`, `emailNotConfirmed`, `teamFull`, `tooManyTeamsOfUser`.
   */
  async join(
    teamId: string,
    user: User,
    actorId: string,
    { isCreator = false, isInvited = false } = {},
  ): Promise<TeamMember> {
    return this.unitOfWork.run(async () => {
      const team = await this.teams.getForUpdate(teamId);
      const present = await this.users.getForUpdate(user.id);
      if (!isEmailAllowed(present.email, team.allowedDomains)) throw errors.emailDomainRefused();
      const known = await this.members.find(teamId, user.id);
      if (known?.deleteAt === 0) return known;
      if (team.deleteAt > 0) throw errors.teamIsArchived();
      const isAdmitted = isInvited || actorId !== user.id;
      if (!isCreator && hasAllowedDomains(team.allowedDomains) && !isAddressTrusted(present, isAdmitted))
        throw errors.emailNotConfirmed();
      if ((await this.members.count(teamId)) >= MAX_USERS_PER_TEAM) throw errors.teamFull(MAX_USERS_PER_TEAM);
      await this.policy.requireRoom(actorId, user.id, await this.members.countOfUser(user.id));
      const member: TeamMember = {
        teamId,
        userId: user.id,
        explicitRoles: '',
        schemeGuest: false,
        schemeUser: true,
        schemeAdmin: isCreator,
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
      this.permissions.forgetTeamMember(user.id, teamId);
      await this.events.publish(new TeamMemberAdded(teamId, user.id, actorId));
      return member;
    });
  }

  /** Adds an account that signed up with an invite id to the team. Without a valid invite, the sign-up fails too. */
  @InTransaction(UserSignedUp)
  async onUserSignedUp({ userId, inviteId }: UserSignedUp): Promise<void> {
    const team = await this.teams.getByInviteId(inviteId);
    await this.addUser(userId, team.id, userId, true);
  }

  private async addUser(
    actorId: string,
    teamId: string,
    userId: string,
    isInvited = false,
  ): Promise<TeamMember> {
    const user = await this.users.get(userId);
    requireLocalUser(user);
    return this.join(teamId, user, actorId, { isInvited });
  }

  private async requireAddAll(
    actor: Actor,
    teamId: string,
    wanted: readonly AddTeamMemberDto[],
  ): Promise<string[]> {
    await this.teams.get(teamId);
    const userIds = [...new Set(wanted.map((member) => memberUserId(teamId, member)))];
    await this.permissions.require(actor, TeamPermission.AddUserToTeam, { teamId });
    return userIds;
  }

  private changeRoles(
    teamId: string,
    userId: string,
    next: (present: SchemeRoles) => SchemeRoles,
  ): Promise<void> {
    const event = new TeamMemberRolesUpdated(teamId, userId);
    return this.change(teamId, userId, event, (member) => this.roles.allowed('team', next(member)));
  }

  /** Throws `teamMemberNotFound`. */
  private async change(
    teamId: string,
    userId: string,
    event: DomainEvent,
    decide: (member: TeamMember) => Partial<TeamMember>,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.teams.lock(teamId);
      const member = await this.members.find(teamId, userId);
      if (!member || member.deleteAt > 0) throw errors.teamMemberNotFound();
      await this.members.update({ ...member, ...decide(member) });
      this.permissions.forgetTeamMember(userId, teamId);
      await this.events.publish(event);
    });
  }
}
