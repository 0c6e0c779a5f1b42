import { Injectable } from '@nestjs/common';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from './teams.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { TeamChange } from './team-records.js';
import type { Team } from './team.entity.js';
import { teamCreationRefused, teamListRefused } from './teams.errors.js';
import type { TeamFilter } from './teams.repository.js';
import { parseIdParam } from '../../platform/common/dto/params.js';
import type { PathParams, Scope, ScopeResolver } from '../../platform/access/access.js';

/** Who may see, join and change a team (docs/contract/messaging.md#teams). */
@Injectable()
export class TeamsPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  async requireCreate(actor: Actor): Promise<void> {
    if (!(await this.permissions.hasOnSystem(actor, TeamPermission.CreateTeam))) throw teamCreationRefused();
  }

  /** Whether the caller may make any number of teams. */
  canMakeAnyNumber(actor: Actor): Promise<boolean> {
    return this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem);
  }

  /** Teams the caller may list, with archived ones for administrators; throws `teamListRefused` if none. */
  async requireList(actor: Actor): Promise<TeamFilter> {
    const filter = await this.listable(actor);
    if (!filter) throw teamListRefused();
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
    const permission = team.allowOpenInvite
      ? TeamPermission.ListPublicTeams
      : TeamPermission.ListPrivateTeams;
    return this.permissions.hasOnSystem(actor, permission);
  }

  /** Checked before the team is looked up, so that only its administrators learn whether it exists. */
  async requireManage(actor: Actor, teamId: string): Promise<void> {
    await this.permissions.require(actor, TeamPermission.ManageTeam, { teamId });
  }

  async requirePatch(actor: Actor, teamId: string, change: TeamChange): Promise<void> {
    await this.requireManage(actor, teamId);
    if (change.allowOpenInvite === undefined && change.allowedDomains === undefined) return;
    await this.permissions.require(actor, TeamPermission.InviteUser, { teamId });
  }

  async requirePrivacy(actor: Actor, teamId: string): Promise<void> {
    await this.requireManage(actor, teamId);
    await this.permissions.require(actor, TeamPermission.InviteUser, { teamId });
  }

  /** Whether the caller may join without being added. */
  async requireJoin(actor: Actor, team: Team): Promise<void> {
    const permission = team.allowOpenInvite
      ? TeamPermission.JoinPublicTeams
      : TeamPermission.JoinPrivateTeams;
    await this.permissions.require(actor, permission, 'system');
  }

  async requireAddOthers(actor: Actor, teamId: string): Promise<void> {
    await this.permissions.require(actor, TeamPermission.AddUserToTeam, { teamId });
  }

  async requireRemove(actor: Actor, teamId: string, userId: string): Promise<void> {
    if (actor.userId === userId) return;
    await this.permissions.require(actor, TeamPermission.RemoveUserFromTeam, { teamId });
  }

  async requireManageRoles(actor: Actor, teamId: string): Promise<void> {
    await this.permissions.require(actor, TeamPermission.ManageTeamRoles, { teamId });
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
}

/** Resolves `team_id` in the path. Does not check that the team exists. */
@Injectable()
export class TeamScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { teamId: parseIdParam('team_id', params['team_id']) };
  }
}
