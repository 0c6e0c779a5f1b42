import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { DatabaseCache, idKeys } from '../../platform/database/database-cache.js';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { textPosition } from '../../platform/database/folded-text.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { teamInviteNotFound, teamNotFound } from './teams.errors.js';
import { isId } from '../../platform/common/ids.js';

/** The maximum number of teams in a user's team list, which the contract does not page. */
export const MAX_TEAMS_OF_USER = 10_000;
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

/** Which teams to list. Without `isOpen`, lists open and closed teams. */
export interface TeamFilter {
  readonly isOpen?: boolean;
  /** A case-insensitive part of a name or display name. */
  readonly term?: string;
  readonly includeArchived?: boolean;
}

/** Queries on teams. Lists omit archived teams unless the filter includes them. */
@Injectable()
export class TeamsRepository {
  private readonly byId: DatabaseCache<Team | null>;

  constructor(private readonly unitOfWork: UnitOfWork) {
    this.byId = new DatabaseCache(unitOfWork, {
      name: 'teams',
      maxBytes: MAX_CACHED_BYTES,
      keys: idKeys(null),
      keepsMisses: true,
    });
  }

  /** Cached; includes archived teams. */
  find(id: string): Promise<Team | null> {
    return this.byId.get(id, () => this.teams.findOneBy({ id }));
  }

  /** Like find; throws `teamNotFound`. */
  async get(id: string): Promise<Team> {
    const team = await this.find(id);
    if (!team) throw teamNotFound();
    return team;
  }

  /** The latest row, locked until the open transaction ends. Throws `teamNotFound`. */
  async getForUpdate(id: string): Promise<Team> {
    const team = await this.teams.findOne({ where: { id }, ...FOR_UPDATE });
    if (!team) throw teamNotFound();
    return team;
  }

  /** Locks the row, if there is one, until the open transaction ends. */
  async lock(id: string): Promise<void> {
    await this.teams.findOne({ select: { id: true }, where: { id }, ...FOR_UPDATE });
  }

  findByName(name: string): Promise<Team | null> {
    return this.teams.findOneBy({ name });
  }

  /** A team that is not archived. Throws `teamInviteNotFound`. */
  async getByInviteId(inviteId: string): Promise<Team> {
    const team = isId(inviteId) ? await this.teams.findOneBy({ inviteId, deleteAt: 0 }) : null;
    if (!team) throw teamInviteNotFound();
    return team;
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

  /** Includes archived teams. */
  countMadeBy(creatorId: string): Promise<number> {
    return this.teams.countBy({ creatorId });
  }

  /** The teams that a user is a member of. */
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
    await this.teams.insert(team);
    this.byId.forget(team.id);
  }

  async update(team: Team): Promise<void> {
    await this.teams.update({ id: team.id }, team);
    this.byId.forget(team.id);
  }

  private matching({ isOpen, term, includeArchived }: TeamFilter): SelectQueryBuilder<Team> {
    const query = this.teams.createQueryBuilder('t').where(includeArchived ? '1 = 1' : 't.deleteAt = 0');
    if (isOpen !== undefined) query.andWhere('t.allowOpenInvite = :isOpen', { isOpen });
    if (term) {
      const contains = (column: string): string => `${textPosition(column, ':term')} > 0`;
      query.andWhere(`(${contains('t.name')} OR ${contains('t.displayName')})`, { term });
    }
    return query;
  }

  private get teams() {
    return this.unitOfWork.manager.getRepository(Team);
  }
}
