import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { isVisibleToViewer } from '../users/visible-users.read-model.js';
import type { SchemeRoles } from './member-roles.js';
import { TeamMember } from './team-member.entity.js';

/** How to list the members of a team; without `byUsername`, in the order of user ids. */
export interface MemberListOptions {
  readonly byUsername: boolean;
  readonly excludeDeactivated: boolean;
  /** Only members whom this user may see, who lacks `view_members`. */
  readonly viewerId?: string | undefined;
}

/** How many members a team has; `active` leaves out deactivated accounts. */
export interface MemberCounts {
  readonly members: number;
  readonly active: number;
}

/** The roles of a member, in the team and on the system. */
export interface MemberAccount {
  readonly userId: string;
  readonly systemRoles: string;
  readonly member: SchemeRoles;
}

/** Which active members to list: those after an id, or of them only those with more roles than others. */
export interface ActiveMembers {
  readonly withMoreRoles: boolean;
  readonly afterId: string;
}

/** Lists of members that depend on their accounts: sorting by username and filtering by activation need the join. */
@Injectable()
export class TeamMembersReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list(teamId: string, options: MemberListOptions, offset: number, limit: number): Promise<TeamMember[]> {
    if (limit === 0) return Promise.resolve([]);
    const query = this.members
      .createQueryBuilder('m')
      .where('m.teamId = :teamId AND m.deleteAt = 0', { teamId });
    if (options.byUsername || options.excludeDeactivated) query.innerJoin(User, 'u', 'u.id = m.userId');
    if (options.excludeDeactivated) query.andWhere('u.deleteAt = 0');
    const { viewerId } = options;
    if (viewerId !== undefined) query.andWhere(isVisibleToViewer('m.userId'), { viewerId });
    if (options.byUsername) query.orderBy('u.username');
    return query.addOrderBy('m.userId').offset(offset).limit(limit).getMany();
  }

  /** With a `viewerId`, as in the list. */
  async count(teamId: string, viewerId: string | undefined): Promise<MemberCounts> {
    const query = this.members
      .createQueryBuilder('m')
      .innerJoin(User, 'u', 'u.id = m.userId')
      .where('m.teamId = :teamId AND m.deleteAt = 0', { teamId });
    if (viewerId !== undefined) query.andWhere(isVisibleToViewer('m.userId'), { viewerId });
    const row = await query
      .select('COUNT(*)', 'members')
      .addSelect('COUNT(CASE WHEN u.deleteAt = 0 THEN 1 END)', 'active')
      .getRawOne<Record<keyof MemberCounts, number | string>>();
    return { members: Number(row?.members), active: Number(row?.active) };
  }

  /** Members whose account is active, in the order of user ids. */
  async listActive(
    teamId: string,
    { withMoreRoles, afterId }: ActiveMembers,
    limit: number,
  ): Promise<MemberAccount[]> {
    const more = withMoreRoles ? `AND (m.scheme_admin OR m.explicit_roles <> '')` : '';
    const rows = await this.unitOfWork.manager.query<Record<string, unknown>[]>(
      `SELECT m.user_id, m.explicit_roles, m.scheme_guest, m.scheme_user, m.scheme_admin, u.roles
       FROM team_members m JOIN users u ON u.id = m.user_id AND u.delete_at = 0
       WHERE m.team_id = ? AND m.user_id > ? AND m.delete_at = 0 ${more} ORDER BY m.user_id LIMIT ${limit}`,
      [teamId, afterId],
    );
    return rows.map((row) => ({
      userId: String(row['user_id']),
      systemRoles: String(row['roles']),
      member: {
        explicitRoles: String(row['explicit_roles']),
        schemeGuest: Boolean(row['scheme_guest']),
        schemeUser: Boolean(row['scheme_user']),
        schemeAdmin: Boolean(row['scheme_admin']),
      },
    }));
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
