import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TeamMember } from './team-member.entity.js';
import { MAX_TEAMS_OF_USER } from './teams.repository.js';

/** Queries on team memberships. Omits ended memberships unless a method says otherwise. */
@Injectable()
export class TeamMembersRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Includes ended memberships. */
  find(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.findOneBy({ teamId, userId });
  }

  /** Like find, but sees rows committed after the open transaction began, and locks the row until it ends. */
  findLatest(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.findOne({ where: { teamId, userId }, ...FOR_UPDATE });
  }

  listByUserIds(teamId: string, userIds: readonly string[]): Promise<TeamMember[]> {
    return this.members.find({
      where: { teamId, userId: In([...userIds]), deleteAt: 0 },
      order: { userId: 'ASC' },
    });
  }

  /** Oldest first; includes ended memberships. */
  listOfUser(userId: string): Promise<TeamMember[]> {
    return this.members.find({
      where: { userId },
      order: { createAt: 'ASC', teamId: 'ASC' },
      take: MAX_TEAMS_OF_USER,
    });
  }

  countOfUser(userId: string): Promise<number> {
    return this.members.countBy({ userId, deleteAt: 0 });
  }

  count(teamId: string): Promise<number> {
    return this.members.countBy({ teamId, deleteAt: 0 });
  }

  async insert(member: TeamMember): Promise<void> {
    await this.members.insert(member);
  }

  async update(member: TeamMember): Promise<void> {
    await this.members.update({ teamId: member.teamId, userId: member.userId }, member);
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
