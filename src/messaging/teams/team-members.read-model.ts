import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { isVisibleToViewer } from '../users/visible-users.read-model.js';
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
    const members = await query.getCount();
    return { members, active: await query.andWhere('u.deleteAt = 0').getCount() };
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
