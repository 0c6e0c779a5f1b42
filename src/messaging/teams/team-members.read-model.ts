import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { TeamMember } from './team-member.entity.js';

/** Options for listing members of a team; ordered by user id unless `byUsername`. */
export interface MemberListOptions {
  readonly byUsername: boolean;
  readonly excludeDeactivated: boolean;
}

/** A member's team roles and system roles. */
export interface MemberAccount {
  readonly member: TeamMember;
  readonly systemRoles: string;
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
    if (options.byUsername) query.orderBy('u.username');
    return query.addOrderBy('m.userId').offset(offset).limit(limit).getMany();
  }

  /** `active` excludes deactivated accounts. */
  async count(teamId: string): Promise<{ readonly members: number; readonly active: number }> {
    const row = await this.members
      .createQueryBuilder('m')
      .innerJoin(User, 'u', 'u.id = m.userId')
      .where('m.teamId = :teamId AND m.deleteAt = 0', { teamId })
      .select('COUNT(*)', 'members')
      .addSelect('COUNT(CASE WHEN u.deleteAt = 0 THEN 1 END)', 'active')
      .getRawOne<Record<'members' | 'active', number | string>>();
    return { members: Number(row?.members), active: Number(row?.active) };
  }

  /** Members after an id whose account is active, by user id; optionally only those with extra roles. */
  async listActive(
    teamId: string,
    withMoreRoles: boolean,
    afterId: string,
    limit: number,
  ): Promise<MemberAccount[]> {
    const query = this.members
      .createQueryBuilder('m')
      .innerJoin(User, 'u', 'u.id = m.userId AND u.deleteAt = 0')
      .addSelect('u.roles', 'systemRoles')
      .where('m.teamId = :teamId AND m.userId > :afterId AND m.deleteAt = 0', { teamId, afterId });
    if (withMoreRoles)
      query.andWhere("(m.schemeAdmin = :isAdmin OR m.explicitRoles <> '')", { isAdmin: true });
    const { entities, raw } = await query
      .orderBy('m.userId')
      .limit(limit)
      .getRawAndEntities<{ systemRoles: string }>();
    return entities.map((member, index) => ({ member, systemRoles: raw[index]?.systemRoles ?? '' }));
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
