import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { textPosition } from '../../platform/database/folded-text.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { SqlCondition } from '../permissions/readable-channels.read-model.js';
import { Team } from '../teams/team.entity.js';
import { Preference } from '../users/preference.entity.js';
import { User } from '../users/user.entity.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';

/** The maximum number of time zones listed for one channel. */
export const MAX_TIMEZONES = 1_000;

/** A membership and the team of its channel; null for direct and group channels. */
export interface MemberWithTeam {
  readonly member: ChannelMember;
  readonly team: Pick<Team, 'displayName' | 'name' | 'updateAt'> | null;
}

const IS_MEMBER = 'c.id IN (SELECT own.channel_id FROM channel_members own WHERE own.user_id = :viewer)';

/** Who views the channels; undefined sees all of them. */
export interface ChannelViewer {
  readonly userId: string;
  /** The teams whose open channels are listed even if the viewer is not in them. */
  readonly openTeamIds: readonly string[];
  /** The channels whose content the viewer may read; undefined means all. */
  readonly readable: SqlCondition | undefined;
}

/** Which channels to list; the conditions are combined with AND. */
export interface ChannelFilter {
  readonly viewer?: ChannelViewer | undefined;
  readonly teamIds?: readonly string[];
  readonly types: readonly ('O' | 'P' | 'G')[];
  /** Undefined includes both archived and active channels. */
  readonly isArchived?: boolean | undefined;
  /** A case-insensitive part of a name, display name or purpose. */
  readonly term?: string;
  /** URL names to leave out. */
  readonly except?: readonly string[];
}

/** Searches channels, and reads what other modules store about them and their members. */
@Injectable()
export class ChannelsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The user's favorite channels, which clients store as preferences in the category `favorite_channel`. */
  async favoriteIds(userId: string): Promise<ReadonlySet<string>> {
    const where = { userId, category: 'favorite_channel', value: 'true' };
    const found = await this.unitOfWork.manager.getRepository(Preference).findBy(where);
    return new Set(found.map(({ name }) => name));
  }

  /** A user's memberships in the channels of all teams and in direct and group channels, by channel id. */
  async memberships(userId: string, offset: number, limit: number): Promise<MemberWithTeam[]> {
    if (limit === 0) return [];
    const { entities, raw } = await this.members
      .innerJoin(Channel, 'c', 'c.id = m.channelId')
      .leftJoin(Team, 't', 't.id = c.teamId')
      .addSelect('t.displayName', 'displayName')
      .addSelect('t.name', 'name')
      .addSelect('t.updateAt', 'updateAt')
      .where('m.userId = :userId', { userId })
      .orderBy('m.channelId')
      .offset(offset)
      .limit(limit)
      .getRawAndEntities<{ displayName: string; name: string | null; updateAt: number | string }>();
    return entities.map((member, index) => {
      const row = raw[index];
      if (!row || row.name === null) return { member, team: null };
      const { displayName, name, updateAt } = row;
      return { member, team: { displayName, name, updateAt: Number(updateAt) } };
    });
  }

  /** Distinct time zones of a channel's members, either chosen by them or detected by their clients. */
  async timezones(channelId: string): Promise<string[]> {
    const rows = await this.members
      .innerJoin(User, 'u', 'u.id = m.userId AND u.deleteAt = 0')
      .select('DISTINCT u.timezone', 'timezone')
      .where('m.channelId = :channelId', { channelId })
      .limit(MAX_TIMEZONES)
      .getRawMany<{ timezone: string }>();
    const names = rows.map(({ timezone }) => zoneIn(JSON.parse(timezone) as Record<string, string>));
    return [...new Set(names)].filter((name) => name !== '').sort();
  }

  /** Plain SQL, because the entity of posts belongs to a module above this one. */
  async countPinned(channelId: string): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ pinned: number | string }[]>(
      // `is_pinned = 1` must match the condition of the partial index.
      "SELECT COUNT(*) AS pinned FROM posts WHERE channel_id = ? AND is_pinned = 1 AND delete_at = 0 AND original_id = ''",
      [channelId],
    );
    return Number(row?.pinned ?? 0);
  }

  /**
   * By display name. Each type is an index range, read no further than the page: direct channels, which are the most
   * numerous, are never scanned to find others.
   */
  async list(filter: ChannelFilter, offset: number, limit: number): Promise<Channel[]> {
    if (limit === 0) return [];
    const parts = filter.types.map((type) =>
      this.matching({ ...filter, types: [type] })
        .select('c.id', 'id')
        .addSelect('c.displayName', 'display_name')
        .orderBy('c.displayName')
        .addOrderBy('c.id')
        .limit(offset + limit),
    );
    const rows = parts.map((part, index) => `SELECT * FROM (${part.getQuery()}) AS of_type${index}`);
    const page = `SELECT id FROM (${rows.join(' UNION ALL ')}) AS page_rows ORDER BY display_name, id LIMIT ${limit} OFFSET ${offset}`;
    return this.channels
      .innerJoin(`(${page})`, 'page', 'page.id = c.id')
      .setParameters(parts[0]?.getParameters() ?? {})
      .orderBy('c.displayName')
      .addOrderBy('c.id')
      .getMany();
  }

  count(filter: ChannelFilter): Promise<number> {
    return this.matching(filter).getCount();
  }

  private matching({ viewer, teamIds = [], types, isArchived, term = '', except = [] }: ChannelFilter) {
    const query = this.channels.where(`c.type IN (${types.map((type) => `'${type}'`).join(', ')})`);
    if (teamIds.length > 0) query.andWhere('c.teamId IN (:...teamIds)', { teamIds });
    if (isArchived !== undefined) query.andWhere(isArchived ? 'c.deleteAt > 0' : 'c.deleteAt = 0');
    if (except.length > 0) query.andWhere('c.name NOT IN (:...except)', { except });
    if (term !== '') {
      const columns = ['c.name', 'c.displayName', 'c.purpose'];
      query.andWhere(`(${columns.map((column) => `${textPosition(column, ':term')} > 0`).join(' OR ')})`, {
        term,
      });
    }
    if (viewer) restrict(query, viewer);
    return query;
  }

  private get channels() {
    return this.unitOfWork.manager.getRepository(Channel).createQueryBuilder('c');
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(ChannelMember).createQueryBuilder('m');
  }
}

function zoneIn({ useAutomaticTimezone, automaticTimezone, manualTimezone }: Record<string, string>): string {
  return (useAutomaticTimezone === 'true' ? automaticTimezone : manualTimezone) ?? '';
}

/** Open channels of the teams and the viewer's own, limited to those the viewer may read. */
function restrict(query: SelectQueryBuilder<Channel>, viewer: ChannelViewer): void {
  const { userId, openTeamIds, readable } = viewer;
  const isOpen = openTeamIds.length > 0 ? " OR (c.type = 'O' AND c.teamId IN (:...openTeamIds))" : '';
  query.andWhere(`(${IS_MEMBER}${isOpen})`, { viewer: userId, openTeamIds });
  if (readable) query.andWhere(readable.sql, readable.parameters);
}
