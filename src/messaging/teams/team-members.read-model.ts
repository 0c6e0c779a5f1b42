import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { TeamMember } from './team-member.entity.js';

/** How to list the members of a team; without `byUsername`, in the order of user ids. */
export interface MemberListOptions {
  readonly byUsername: boolean;
  readonly excludeDeactivated: boolean;
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
    if (options.byUsername) query.orderBy('u.username');
    return query.addOrderBy('m.userId').offset(offset).limit(limit).getMany();
  }

  /** Members whose account is not deactivated. */
  countActive(teamId: string): Promise<number> {
    return this.members
      .createQueryBuilder('m')
      .innerJoin(User, 'u', 'u.id = m.userId AND u.deleteAt = 0')
      .where('m.teamId = :teamId AND m.deleteAt = 0', { teamId })
      .getCount();
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
