import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { textPosition } from '../../../platform/database/folded-text.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { SqlCondition } from '../../permissions/readable-channels.read-model.js';
import { Channel } from '../channel.entity.js';

const IS_MEMBER =
  'EXISTS (SELECT 1 FROM channel_members own WHERE own.channel_id = c.id AND own.user_id = :viewer)';

/** Whose eyes see the channels: undefined sees all of them. */
export interface ChannelViewer {
  readonly userId: string;
  /** The teams whose open channels are listed even if the viewer is not in them. */
  readonly openTeamIds: readonly string[];
  /** The channels whose content the viewer may read; undefined: all. */
  readonly readable: SqlCondition | undefined;
}

/** Which channels to list; all given conditions must hold. */
export interface ChannelFilter {
  readonly viewer?: ChannelViewer | undefined;
  readonly teamIds?: readonly string[];
  readonly types: readonly ('O' | 'P' | 'G')[];
  /** Undefined: archived channels and others. */
  readonly isArchived?: boolean | undefined;
  /** Part of a name, display name or purpose, in any case. */
  readonly term?: string;
  /** URL names to leave out. */
  readonly without?: readonly string[];
}

/** Finds channels for people who choose one, by display name. */
@Injectable()
export class ChannelSearchReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async list(filter: ChannelFilter, offset: number, limit: number): Promise<Channel[]> {
    if (limit === 0) return [];
    const query = this.matching(filter);
    return query.orderBy('c.displayName').addOrderBy('c.id').offset(offset).limit(limit).getMany();
  }

  count(filter: ChannelFilter): Promise<number> {
    return this.matching(filter).getCount();
  }

  private matching({ viewer, teamIds = [], types, isArchived, term = '', without = [] }: ChannelFilter) {
    const query = this.unitOfWork.manager.getRepository(Channel).createQueryBuilder('c');
    query.where('c.type IN (:...types)', { types });
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
}

/** Open channels of the teams, and the viewer's own, as far as they may be read. */
function restrict(query: SelectQueryBuilder<Channel>, viewer: ChannelViewer): void {
  const { userId, openTeamIds, readable } = viewer;
  const isOpen = openTeamIds.length > 0 ? " OR (c.type = 'O' AND c.teamId IN (:...openTeamIds))" : '';
  query.andWhere(`(${IS_MEMBER}${isOpen})`, { viewer: userId, openTeamIds });
  if (readable) query.andWhere(readable.sql, readable.parameters);
}
