import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { dialect } from '../../platform/config/dialect.js';
import { insertRows } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { TeamMember } from './team-member.entity.js';
import { MAX_TEAMS_OF_USER } from './teams.repository.js';

export interface MemberListOptions {
  readonly byUsername: boolean;
  readonly excludeDeactivated: boolean;
}

@Injectable()
export class TeamMembersRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those who have left are found too. */
  find(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.findOneBy({ teamId, userId });
  }

  /** The committed row, also when the open transaction looked before it was there. */
  findLatest(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.findOne({
      where: { teamId, userId },
      ...(dialect === 'mysql' ? { lock: { mode: 'pessimistic_write' } } : {}),
    });
  }

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

  listByUserIds(teamId: string, userIds: readonly string[]): Promise<TeamMember[]> {
    return this.members.find({
      where: { teamId, userId: In([...userIds]), deleteAt: 0 },
      order: { userId: 'ASC' },
    });
  }

  /** Every membership a user has or had. */
  listOfUser(userId: string): Promise<TeamMember[]> {
    return this.members.find({
      where: { userId },
      order: { createAt: 'ASC', teamId: 'ASC' },
      take: MAX_TEAMS_OF_USER,
    });
  }

  count(teamId: string): Promise<number> {
    return this.members.countBy({ teamId, deleteAt: 0 });
  }

  /** Members whose account is not deactivated. */
  countActive(teamId: string): Promise<number> {
    return this.members
      .createQueryBuilder('m')
      .innerJoin(User, 'u', 'u.id = m.userId AND u.deleteAt = 0')
      .where('m.teamId = :teamId AND m.deleteAt = 0', { teamId })
      .getCount();
  }

  async insert(member: TeamMember): Promise<void> {
    await insertRows(this.unitOfWork.manager, TeamMember, [member]);
  }

  async update(member: TeamMember): Promise<void> {
    await this.members.update({ teamId: member.teamId, userId: member.userId }, member);
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
