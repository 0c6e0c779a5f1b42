import { Injectable } from '@nestjs/common';
import {
  definePermissions,
  type PathParams,
  type Permission,
  type Scope,
  type ScopeResolver,
} from '../../platform/access/access.js';
import { parseIdParam } from '../../platform/common/dto/params.js';
import { isId } from '../../platform/common/ids.js';
import { DatabaseCache } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { type Actor, splitRoles } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { RoleUpdated } from '../permissions/permissions.events.js';
import { effectiveRoles, PermissionsService } from '../permissions/permissions.service.js';
import { RolesService } from '../permissions/roles.service.js';
import { UserActivationChanged, UserRolesUpdated } from '../users/users.events.js';
import { type MemberAccount, TeamMembersReadModel } from './team-members.read-model.js';
import type { Team } from './team.entity.js';
import * as errors from './teams.errors.js';
import { TeamMemberAdded, TeamMemberRemoved, TeamMemberRolesUpdated } from './teams.events.js';
import type { TeamFilter } from './teams.repository.js';
import type { TeamChange } from './teams.service.js';
import { TeamsSettings } from './teams.settings.js';

/** Permissions for teams and their members. */
export const TeamPermission = definePermissions({
  ReadOtherUsersTeams: ['read_other_users_teams'],
  ListPublicTeams: ['list_public_teams', 'system_user'],
  ListPrivateTeams: ['list_private_teams'],
  JoinPublicTeams: ['join_public_teams', 'system_user'],
  JoinPrivateTeams: ['join_private_teams'],
  CreateTeam: ['create_team', 'system_user'],
  ManageTeam: ['manage_team', 'team_admin'],
  ManageTeamRoles: ['manage_team_roles', 'team_admin'],
  ImportTeam: ['import_team', 'team_admin'],
  InviteUser: ['invite_user', 'team_user'],
  AddUserToTeam: ['add_user_to_team', 'team_user'],
  RemoveUserFromTeam: ['remove_user_from_team', 'team_admin'],
});

const MAX_HOLDERS_BYTES = 4 * 1024 * 1024;
const MEMBERS_PER_QUERY = 200;

/** Who may see, join and change a team (docs/contract/messaging.md#teams). */
@Injectable()
export class TeamsPolicy {
  /** By team and permission, at most two holders: enough to tell whether another user is a holder. */
  private readonly holders: DatabaseCache<readonly string[]>;

  constructor(
    private readonly permissions: PermissionsService,
    private readonly roles: RolesService,
    private readonly members: TeamMembersReadModel,
    private readonly settings: TeamsSettings,
    unitOfWork: UnitOfWork,
  ) {
    this.holders = new DatabaseCache(unitOfWork, {
      name: 'team_powers',
      maxBytes: MAX_HOLDERS_BYTES,
      keys: { has: (key) => isId(teamOf(key)), otherwise: [] },
      groups: { team: (_holders, key, teamId) => teamOf(key) === teamId },
    });
  }

  async requireCreate(actor: Actor): Promise<void> {
    if (!(await this.permissions.hasOnSystem(actor, TeamPermission.CreateTeam)))
      throw errors.teamCreationRefused();
  }

  /** How many teams the caller may make. */
  async maxOwnTeams(actor: Actor): Promise<number> {
    const isManager = await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem);
    return isManager ? Infinity : this.settings.maxTeamsPerUser;
  }

  /** Teams the caller may list, with archived ones for administrators; throws `teamListRefused` if none. */
  async requireList(actor: Actor): Promise<TeamFilter> {
    const filter = await this.listable(actor);
    if (!filter) throw errors.teamListRefused();
    const includeArchived = await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem);
    return { ...filter, includeArchived };
  }

  /** Which teams the caller may list, or null for none. */
  async listable(actor: Actor): Promise<TeamFilter | null> {
    const open = await this.permissions.hasOnSystem(actor, TeamPermission.ListPublicTeams);
    const closed = await this.permissions.hasOnSystem(actor, TeamPermission.ListPrivateTeams);
    if (open && closed) return {};
    if (!open && !closed) return null;
    return { isOpen: open };
  }

  /** Members may see their team. An open team is visible to everyone who may list open teams. */
  async requireView(actor: Actor, team: Team): Promise<void> {
    if (team.allowOpenInvite && (await this.permissions.hasOnSystem(actor, TeamPermission.ListPublicTeams)))
      return;
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId: team.id });
  }

  /** Like requireView, but an open team is visible to everyone. */
  async requireViewByName(actor: Actor, team: Team): Promise<void> {
    if (!team.allowOpenInvite)
      await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId: team.id });
  }

  /** Whether the caller may know that the team exists. */
  async canKnow(actor: Actor, team: Team): Promise<boolean> {
    if (actor.kind === 'user' && (await this.permissions.isTeamMember(actor.userId, team.id))) return true;
    const { ListPublicTeams, ListPrivateTeams } = TeamPermission;
    return this.permissions.hasOnSystem(actor, team.allowOpenInvite ? ListPublicTeams : ListPrivateTeams);
  }

  async requirePatch(actor: Actor, teamId: string, change: TeamChange): Promise<void> {
    await this.permissions.require(actor, TeamPermission.ManageTeam, { teamId });
    if (change.allowOpenInvite === undefined && change.allowedDomains === undefined) return;
    await this.permissions.require(actor, TeamPermission.InviteUser, { teamId });
  }

  /** Whether the caller may join without being added. */
  async requireJoin(actor: Actor, team: Team): Promise<void> {
    const { JoinPublicTeams, JoinPrivateTeams } = TeamPermission;
    await this.permissions.require(
      actor,
      team.allowOpenInvite ? JoinPublicTeams : JoinPrivateTeams,
      'system',
    );
  }

  /** Other users can fill only half of a user's team limit; system administrators and local mode are exempt. */
  async requireRoom(actorId: string, userId: string, teamCount: number): Promise<void> {
    const { maxTeamsPerUser } = this.settings;
    if (teamCount >= maxTeamsPerUser) throw errors.tooManyTeamsOfUser(maxTeamsPerUser);
    const maxByOthers = Math.ceil(maxTeamsPerUser / 2);
    if (teamCount < maxByOthers || actorId === userId || actorId === '') return;
    const actor = await this.permissions.subject(actorId);
    if (!(await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem)))
      throw errors.addedToTooManyTeams(maxByOthers);
  }

  async requireRemove(actor: Actor, teamId: string, userId: string): Promise<void> {
    if (actor.userId === userId) return;
    await this.permissions.require(actor, TeamPermission.RemoveUserFromTeam, { teamId });
  }

  /** The team as the caller may see it: without the address or the invite id unless permitted. */
  async masked(actor: Actor, team: Team): Promise<Team> {
    const scope = { teamId: team.id };
    return {
      ...team,
      email: (await this.permissions.has(actor, TeamPermission.ManageTeam, scope)) ? team.email : '',
      inviteId: (await this.permissions.has(actor, TeamPermission.InviteUser, scope)) ? team.inviteId : '',
    };
  }

  /** Whether an active member other than the user has the permission through the team alone. Cached. */
  async isHeldByOther(teamId: string, userId: string, permission: Permission): Promise<boolean> {
    const load = (): Promise<readonly string[]> => this.findTwo(teamId, permission);
    const holders = await this.holders.get(`${teamId} ${permission}`, load);
    return holders.some((id) => id !== userId);
  }

  @InTransaction(TeamMemberAdded)
  @InTransaction(TeamMemberRemoved)
  @InTransaction(TeamMemberRolesUpdated)
  onMember({ teamId }: { readonly teamId: string }): Promise<void> {
    this.holders.forgetGroup('team', teamId);
    return Promise.resolve();
  }

  @InTransaction(UserActivationChanged)
  @InTransaction(UserRolesUpdated)
  @InTransaction(RoleUpdated)
  onAccountOrRole(): Promise<void> {
    this.holders.clear();
    return Promise.resolve();
  }

  /** Reads only members with extra roles, unless the ordinary roles grant the permission. */
  private async findTwo(teamId: string, permission: Permission): Promise<readonly string[]> {
    const ofAll = await this.roles.anyGrants(['team_user'], permission);
    const found: string[] = [];
    for (let afterId = ''; found.length < 2;) {
      const page = await this.members.listActive(teamId, !ofAll, afterId, MEMBERS_PER_QUERY);
      for (const member of page) if (await this.holds(member, permission)) found.push(member.member.userId);
      if (page.length < MEMBERS_PER_QUERY) break;
      afterId = page.at(-1)?.member.userId ?? '';
    }
    return found.slice(0, 2);
  }

  private async holds({ systemRoles, member }: MemberAccount, permission: Permission): Promise<boolean> {
    const onSystem = splitRoles(systemRoles);
    const inTeam = effectiveRoles('team', member);
    return (
      (await this.roles.anyGrants(inTeam, permission)) && !(await this.roles.anyGrants(onSystem, permission))
    );
  }
}

const teamOf = (key: string): string => key.slice(0, key.indexOf(' '));

/** Resolves `team_id` in the path. Does not check that the team exists. */
@Injectable()
export class TeamScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { teamId: parseIdParam('team_id', params['team_id']) };
  }
}
