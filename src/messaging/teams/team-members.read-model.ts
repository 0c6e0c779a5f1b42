import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { isVisibleToViewer } from '../users/visible-users.read-model.js';
import type { SchemeRoles } from './member-roles.js';
import { TeamMember } from './team-member.entity.js';

/** Options for listing members of a team; ordered by user id unless `byUsername`. */
export interface MemberListOptions {
  readonly byUsername: boolean;
  readonly excludeDeactivated: boolean;
  /** Only members visible to this user, who lacks `view_members`. */
  readonly viewerId?: string | undefined;
}

/** The number of members of a team; `active` excludes deactivated accounts. */
export interface MemberCounts {
  readonly members: number;
  readonly active: number;
}

/** A member's team roles and system roles. */
export interface MemberAccount {
  readonly userId: string;
  readonly systemRoles: string;
  readonly member: SchemeRoles;
}

/** Which active members to list: those after an id, optionally only those with extra roles. */
export interface ActiveMembers {
  readonly withMoreRoles: boolean;
  readonly afterId: string;
}

/** Member lists that need a join with accounts, to sort by username or filter by activation. */
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

  /** `viewerId` works as in `list`. */
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

  /** Members whose account is active, ordered by user id. */
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
