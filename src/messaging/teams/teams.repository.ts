import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { dialect } from '../../platform/config/dialect.js';
import { insertRows } from '../../platform/database/rows.js';
import { textPosition } from '../../platform/database/folded-text.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';

/** What a list of one user's teams holds at most; the contract does not page it. */
export const MAX_TEAMS_OF_USER = 10_000;

/** Which teams a list is about: all of them, or only open ones, or only closed ones. */
export interface TeamFilter {
  readonly isOpen?: boolean;
  /** Part of a name or display name, whatever its case. */
  readonly term?: string;
}

@Injectable()
export class TeamsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findById(id: string): Promise<Team | null> {
    return this.teams.findOneBy({ id });
  }

  /** The row as it is now, held until the open transaction ends. Everything that changes a team or its members begins here. */
  findByIdForUpdate(id: string): Promise<Team | null> {
    return this.teams.findOne({
      where: { id },
      ...(dialect === 'mysql' ? { lock: { mode: 'pessimistic_write' } } : {}), // the embedded database has one writer anyway
    });
  }

  /** Others who lock the same team wait until the open transaction ends. */
  async lock(id: string): Promise<void> {
    await this.unitOfWork.manager.query('UPDATE teams SET update_at = update_at WHERE id = ?', [id]);
  }

  findByName(name: string): Promise<Team | null> {
    return this.teams.findOneBy({ name });
  }

  /** A team that is not archived. */
  findByInviteId(inviteId: string): Promise<Team | null> {
    return this.teams.findOneBy({ inviteId, deleteAt: 0 });
  }

  list(filter: TeamFilter, offset: number, limit: number): Promise<Team[]> {
    if (limit === 0) return Promise.resolve([]);
    return this.matching(filter)
      .orderBy('t.displayName')
      .addOrderBy('t.id')
      .offset(offset)
      .limit(limit)
      .getMany();
  }

  count(filter: TeamFilter): Promise<number> {
    return this.matching(filter).getCount();
  }

  /** The teams a user is in, archived ones left out. */
  listOfUser(userId: string): Promise<Team[]> {
    return this.teams
      .createQueryBuilder('t')
      .innerJoin(TeamMember, 'm', 'm.teamId = t.id AND m.userId = :userId AND m.deleteAt = 0', { userId })
      .where('t.deleteAt = 0')
      .orderBy('t.displayName')
      .addOrderBy('t.id')
      .limit(MAX_TEAMS_OF_USER)
      .getMany();
  }

  async insert(team: Team): Promise<void> {
    await insertRows(this.unitOfWork.manager, Team, [team]);
  }

  async update(team: Team): Promise<void> {
    await this.teams.update({ id: team.id }, team);
  }

  private matching({ isOpen, term }: TeamFilter): SelectQueryBuilder<Team> {
    const query = this.teams.createQueryBuilder('t').where('t.deleteAt = 0');
    if (isOpen !== undefined) query.andWhere('t.allowOpenInvite = :isOpen', { isOpen });
    if (term) {
      const holds = (column: string): string => `${textPosition(column, ':term')} > 0`;
      query.andWhere(`(${holds('t.name')} OR ${holds('t.displayName')})`, { term });
    }
    return query;
  }

  private get teams() {
    return this.unitOfWork.manager.getRepository(Team);
  }
}
