import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { textPosition } from '../../platform/database/folded-text.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { SqlCondition } from '../permissions/readable-channels.read-model.js';
import { Channel } from './channel.entity.js';

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
  readonly without?: readonly string[];
}

/**
 * Lists channels by display name, for channel pickers. Each type is an index range, read no further than the
 * page: direct channels, which are the most numerous, are never scanned to find others.
 */
@Injectable()
export class ChannelSearchReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

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

  private matching({ viewer, teamIds = [], types, isArchived, term = '', without = [] }: ChannelFilter) {
    const query = this.channels.where(`c.type IN (${types.map((type) => `'${type}'`).join(', ')})`);
    if (teamIds.length > 0) query.andWhere('c.teamId IN (:...teamIds)', { teamIds });
    if (isArchived !== undefined) query.andWhere(isArchived ? 'c.deleteAt > 0' : 'c.deleteAt = 0');
    if (without.length > 0) query.andWhere('c.name NOT IN (:...without)', { without });
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
}

/** Open channels of the teams and the viewer's own, limited to those the viewer may read. */
function restrict(query: SelectQueryBuilder<Channel>, viewer: ChannelViewer): void {
  const { userId, openTeamIds, readable } = viewer;
  const isOpen = openTeamIds.length > 0 ? " OR (c.type = 'O' AND c.teamId IN (:...openTeamIds))" : '';
  query.andWhere(`(${IS_MEMBER}${isOpen})`, { viewer: userId, openTeamIds });
  if (readable) query.andWhere(readable.sql, readable.parameters);
}
