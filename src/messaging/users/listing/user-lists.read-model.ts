import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { textPosition } from '../../../platform/database/folded-text.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { User } from '../user.entity.js';
import type { Presence, UserFilter, UserSort } from './list-query.js';

type Query = SelectQueryBuilder<User>;

export const MAX_KNOWN = 10_000;
/** Members of one team or channel are few compared to all accounts, so they are looked up first. */
const MEMBERS_OF_TEAM =
  'SELECT tm.user_id FROM team_members tm WHERE tm.team_id = :inTeam AND tm.delete_at = 0';
const MEMBERS_OF_CHANNEL = 'SELECT cm.user_id FROM channel_members cm WHERE cm.channel_id = :inChannel';
const IN_TEAM = 'SELECT 1 FROM team_members tm WHERE tm.user_id = u.id AND tm.delete_at = 0';
const IN_CHANNEL = 'SELECT 1 FROM channel_members cm WHERE cm.user_id = u.id';
/** Precedes each name and never occurs in a term, so one search finds every name that starts with a term. */
const BREAK = '\n';
const NAMES = `CONCAT_WS('${BREAK}', '', u.username, u.nickname, u.firstName, u.lastName, u.email)`;
/** Lists accounts by memberships and sessions, whose modules depend on users. */
@Injectable()
export class UserListsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async list(
    filter: UserFilter,
    sort: UserSort,
    presence: Presence,
    offset: number,
    limit: number,
  ): Promise<User[]> {
    if (limit === 0) return [];
    const query = this.filtered(filter);
    orderBy(query, sort, filter, presence);
    return query.addOrderBy('u.username', 'ASC').offset(offset).limit(limit).getMany();
  }

  async listKnown(userId: string): Promise<string[]> {
    const rows = await this.unitOfWork.manager.query<{ id: string }[]>(
      `SELECT DISTINCT theirs.user_id AS id FROM channel_members mine
       JOIN channel_members theirs ON theirs.channel_id = mine.channel_id
       WHERE mine.user_id = ? AND theirs.user_id <> ? ORDER BY id LIMIT ?`,
      [userId, userId, MAX_KNOWN],
    );
    return rows.map(({ id }) => id);
  }

  countActive(): Promise<number> {
    return this.filtered({ isActive: true }).getCount();
  }

  private filtered(filter: UserFilter): Query {
    const query = this.unitOfWork.manager.getRepository(User).createQueryBuilder('u');
    const { inTeam, notInTeam, inChannel, notInChannel, isActive } = filter;
    if (inTeam !== undefined) query.andWhere(`u.id IN (${MEMBERS_OF_TEAM})`, { inTeam });
    if (notInTeam !== undefined)
      query.andWhere(`NOT EXISTS (${IN_TEAM} AND tm.team_id = :notInTeam)`, { notInTeam });
    if (inChannel !== undefined) query.andWhere(`u.id IN (${MEMBERS_OF_CHANNEL})`, { inChannel });
    if (notInChannel !== undefined) {
      query.andWhere(`NOT EXISTS (${IN_CHANNEL} AND cm.channel_id = :notInChannel)`, { notInChannel });
    }
    if (filter.isWithoutTeam) query.andWhere(`NOT EXISTS (${IN_TEAM})`);
    if (isActive !== undefined) query.andWhere(isActive ? 'u.deleteAt = 0' : 'u.deleteAt > 0');
    whereRoles(query, filter);
    filter.terms?.forEach((term, index) =>
      query.andWhere(`${textPosition(NAMES, `CONCAT('${BREAK}', :term${index})`)} > 0`, {
        [`term${index}`]: term,
      }),
    );
    return query;
  }
}

function whereRoles(
  query: Query,
  { roles = [], teamRoles = [], channelRoles = [], inTeam, inChannel }: UserFilter,
): void {
  const hasRole = (_: string, index: number): string =>
    `INSTR(CONCAT(' ', u.roles, ' '), CONCAT(' ', :role${index}, ' ')) > 0`;
  if (roles.length > 0) {
    const named = Object.fromEntries(roles.map((role, index) => [`role${index}`, role]));
    query.andWhere(`(${roles.map(hasRole).join(' OR ')})`, named);
  }
  if (inTeam !== undefined && teamRoles.length > 0) {
    query.andWhere(`u.id IN (${MEMBERS_OF_TEAM} AND ${hasScheme('tm', teamRoles)})`);
  }
  if (inChannel !== undefined && channelRoles.length > 0) {
    query.andWhere(`u.id IN (${MEMBERS_OF_CHANNEL} AND ${hasScheme('cm', channelRoles)})`);
  }
}

/** The condition for roles from scheme flags, such as team_admin. */
function hasScheme(alias: string, roles: readonly string[]): string {
  const flags = roles.map((role) => (role.endsWith('_admin') ? 'scheme_admin' : 'scheme_user'));
  return `(${flags.map((flag) => `${alias}.${flag} = 1`).join(' OR ')})`;
}

function orderBy(query: Query, sort: UserSort, { inChannel }: UserFilter, presence: Presence): void {
  if (sort === 'create_at') query.orderBy('u.createAt', 'DESC');
  if (sort === 'last_activity_at') {
    query.addSelect(
      '(SELECT MAX(s.last_activity_at) FROM sessions s WHERE s.user_id = u.id)',
      'last_activity',
    );
    query.orderBy('last_activity', 'DESC');
  }
  if (sort === 'admin' && inChannel !== undefined) {
    const isAdmin = `(SELECT a.scheme_admin FROM channel_members a WHERE a.user_id = u.id AND a.channel_id = :inChannel)`;
    query.addSelect(isAdmin, 'is_channel_admin').orderBy('is_channel_admin', 'DESC');
  }
  if (sort === 'status') {
    const ranks = Object.entries(presence).filter(([, ids]: [string, readonly string[]]) => ids.length > 0);
    if (ranks.length === 0) return;
    const cases = ranks.map(([status], rank) => `WHEN u.id IN (:...${status}) THEN ${rank}`).join(' ');
    query.addSelect(`CASE ${cases} ELSE ${ranks.length} END`, 'status_rank').setParameters({ ...presence });
    query.orderBy('status_rank', 'ASC');
  }
}
