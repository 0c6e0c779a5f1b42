import { Injectable } from '@nestjs/common';
import type { Permission } from '../../platform/access/access.js';
import { isId } from '../../platform/common/ids.js';
import { DatabaseCache } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { allowedByAccount, splitRoles } from '../permissions/actor.js';
import { RoleUpdated } from '../permissions/permissions.events.js';
import { effectiveRoles } from '../permissions/permissions.service.js';
import { RolesService } from '../permissions/roles.service.js';
import { UserActivationChanged, UserRolesUpdated } from '../users/users.events.js';
import { type MemberAccount, TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMemberAdded, TeamMemberRemoved, TeamMemberRolesUpdated } from './teams.events.js';

const MAX_BYTES = 4 * 1024 * 1024;
const ORDINARY_ROLES = ['team_user', 'team_guest'];
const MEMBERS_PER_QUERY = 200;

interface TeamChange {
  readonly teamId: string;
}

/** Finds users who hold a permission through their team roles only, not through system roles. */
@Injectable()
export class TeamPowers {
  /** By team and permission, at most two holders: enough to tell whether another user is a holder. */
  private readonly holders: DatabaseCache<readonly string[]>;

  constructor(
    private readonly members: TeamMembersReadModel,
    private readonly roles: RolesService,
    unitOfWork: UnitOfWork,
  ) {
    this.holders = new DatabaseCache(unitOfWork, {
      name: 'team_powers',
      maxBytes: MAX_BYTES,
      keys: { has: (key) => isId(teamOf(key)), otherwise: [] },
      groups: { team: (_holders, key, teamId) => teamOf(key) === teamId },
    });
  }

  /** Whether an active member other than the user has the permission through the team alone. Cached. */
  async hasOther(teamId: string, userId: string, permission: Permission): Promise<boolean> {
    const load = (): Promise<readonly string[]> => this.findTwo(teamId, permission);
    const holders = await this.holders.get(`${teamId} ${permission}`, load);
    return holders.some((id) => id !== userId);
  }

  @InTransaction(TeamMemberAdded)
  @InTransaction(TeamMemberRemoved)
  @InTransaction(TeamMemberRolesUpdated)
  onMember({ teamId }: TeamChange): Promise<void> {
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
    const ofAll = await this.roles.anyGrants(ORDINARY_ROLES, permission);
    const found: string[] = [];
    for (let afterId = ''; found.length < 2;) {
      const page = await this.members.listActive(
        teamId,
        { withMoreRoles: !ofAll, afterId },
        MEMBERS_PER_QUERY,
      );
      for (const member of page) if (await this.holds(member, permission)) found.push(member.userId);
      if (page.length < MEMBERS_PER_QUERY) break;
      afterId = page.at(-1)?.userId ?? '';
    }
    return found.slice(0, 2);
  }

  private async holds({ systemRoles, member }: MemberAccount, permission: Permission): Promise<boolean> {
    const onSystem = splitRoles(systemRoles);
    const inTeam = allowedByAccount('team', onSystem, effectiveRoles('team', member));
    return (
      (await this.roles.anyGrants(inTeam, permission)) && !(await this.roles.anyGrants(onSystem, permission))
    );
  }
}

const teamOf = (key: string): string => key.slice(0, key.indexOf(' '));
