import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { insertRows } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { fitsAccount, ROLES_OF_FORMER_GUEST, ROLES_OF_GUEST } from './member-roles.js';
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
    return this.members.findOne({
      where: { teamId, userId },
      ...FOR_UPDATE,
    });
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
    await insertRows(this.unitOfWork.manager, TeamMember, [member]);
  }

  async update(member: TeamMember): Promise<void> {
    await this.members.update({ teamId: member.teamId, userId: member.userId }, member);
  }

  /**
   * Replaces the roles in a user's memberships, including ended ones, with guest roles, or guest roles with
   * ordinary ones. Returns the teams of the changed active memberships.
   */
  async followAccount(userId: string, isGuest: boolean): Promise<string[]> {
    const rows = await this.members.find({ where: { userId }, order: { teamId: 'ASC' }, ...FOR_UPDATE });
    const misfits = rows.filter((member) => !fitsAccount(member, isGuest));
    if (misfits.length > 0 && isGuest) await this.members.update({ userId }, ROLES_OF_GUEST);
    if (misfits.length > 0 && !isGuest)
      await this.members.update({ userId, schemeGuest: true }, ROLES_OF_FORMER_GUEST);
    return misfits.filter(({ deleteAt }) => deleteAt === 0).map(({ teamId }) => teamId);
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(TeamMember);
  }
}
