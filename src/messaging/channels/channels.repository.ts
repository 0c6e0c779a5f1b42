import { Injectable } from '@nestjs/common';
import { Brackets, In, type SelectQueryBuilder } from 'typeorm';
import { JsonBudget } from '../../platform/common/json-budget.js';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { insertRows } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';

/** The maximum number of channels in a user's channel list, which the contract does not page. */
export const MAX_CHANNELS_OF_USER = 20_000;

/** The maximum total size of texts in one such list. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const CHANNELS_PER_QUERY = 1_000;

/** More than a team can have. */
const MAX_NAMES_OF_TEAM = 5_000;

/** The fields that identify a channel to users. */
export type ChannelName = Pick<Channel, 'id' | 'type' | 'name' | 'displayName'>;

/** Which channels of a user to list. */
export interface OwnListOptions {
  /** Only channels of this team, and direct and group channels. */
  readonly teamId?: string;
  readonly includeArchived: boolean;
  /** Omits channels archived before this time, in milliseconds since the epoch. */
  readonly archivedSince: number;
}

type ChannelChange = Partial<
  Pick<Channel, 'displayName' | 'name' | 'header' | 'purpose' | 'type' | 'updateAt' | 'deleteAt' | 'shared'>
>;

/** Queries on channels. Lists omit archived channels unless the method says otherwise. */
@Injectable()
export class ChannelsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findById(id: string): Promise<Channel | null> {
    return this.channels.findOneBy({ id });
  }

  /** The latest row, locked until the open transaction ends. All changes to a channel or its members start with this. */
  findByIdForUpdate(id: string): Promise<Channel | null> {
    return this.channels.findOne({ where: { id }, ...FOR_UPDATE });
  }

  /** Includes archived channels, which keep their name. */
  findByName(teamId: string, name: string): Promise<Channel | null> {
    return this.channels.findOneBy({ teamId, name });
  }

  /** Like findByName, but sees rows committed after the open transaction began, and locks the row until it ends. */
  findLatestByName(teamId: string, name: string): Promise<Channel | null> {
    return this.channels.findOne({ where: { teamId, name }, ...FOR_UPDATE });
  }

  listByNames(teamId: string, names: readonly string[]): Promise<Channel[]> {
    return this.channels.find({ where: { teamId, name: In([...names]), deleteAt: 0 }, order: { id: 'ASC' } });
  }

  /** The open and private channels of a team, by name. */
  listNames(teamId: string): Promise<ChannelName[]> {
    return this.channels.find({
      select: { id: true, type: true, name: true, displayName: true },
      where: { teamId, deleteAt: 0 },
      order: { name: 'ASC' },
      take: MAX_NAMES_OF_TEAM,
    });
  }

  listByType(teamId: string, type: 'O' | 'P', offset: number, limit: number): Promise<Channel[]> {
    if (limit === 0) return Promise.resolve([]);
    return this.channels.find({
      where: { teamId, type, deleteAt: 0 },
      order: { displayName: 'ASC', id: 'ASC' },
      skip: offset,
      take: limit,
    });
  }

  listOpenByIds(teamId: string, ids: readonly string[]): Promise<Channel[]> {
    return this.channels.find({
      where: { id: In([...ids]), teamId, type: 'O', deleteAt: 0 },
      order: { displayName: 'ASC', id: 'ASC' },
    });
  }

  /** Header and purpose are empty once the texts of the list reach `MAX_TEXT_BYTES`. */
  listOfUser(userId: string, { teamId, includeArchived, archivedSince }: OwnListOptions): Promise<Channel[]> {
    const query = this.channels
      .createQueryBuilder('c')
      .innerJoin(ChannelMember, 'm', 'm.channelId = c.id')
      .where('m.userId = :userId', { userId });
    if (teamId !== undefined) query.andWhere("(c.teamId = :teamId OR c.teamId = '')", { teamId });
    query.andWhere(
      new Brackets((or) => {
        or.where('c.deleteAt = 0');
        if (includeArchived)
          or.orWhere('c.deleteAt >= :archivedSince', { archivedSince: Math.max(archivedSince, 1) });
      }),
    );
    return this.withinBytes(query.orderBy('c.displayName').addOrderBy('c.id'));
  }

  /** Does not count archived channels. */
  countInTeam(teamId: string): Promise<number> {
    return this.channels.countBy({ teamId, deleteAt: 0 });
  }

  /** Active channels of a team that a user created, including those the user has left. */
  countMadeBy(creatorId: string, teamId: string): Promise<number> {
    return this.channels.countBy({ teamId, creatorId, deleteAt: 0 });
  }

  /** The group channels that a user started; members cannot leave a group channel. */
  countGroupsBegunBy(userId: string): Promise<number> {
    return this.channels
      .createQueryBuilder('c')
      .innerJoin(ChannelMember, 'm', 'm.channelId = c.id AND m.userId = :userId', { userId })
      .where("c.type = 'G' AND c.creatorId = :userId", { userId })
      .getCount();
  }

  /** A user's channels in a team, including direct and group channels, latest post first. */
  listByActivity(
    userId: string,
    teamId: string,
    includeArchived: boolean,
    limit: number,
  ): Promise<Pick<Channel, 'id' | 'name'>[]> {
    return this.unitOfWork.manager.query(
      `SELECT c.id, c.name FROM channel_members m JOIN channels c ON c.id = m.channel_id
       WHERE m.user_id = ? AND c.team_id IN (?, '') ${includeArchived ? '' : 'AND c.delete_at = 0'}
       ORDER BY c.last_post_at DESC, c.id LIMIT ?`,
      [userId, teamId, limit],
    );
  }

  async insert(channels: readonly Channel[]): Promise<void> {
    await insertRows(this.unitOfWork.manager, Channel, channels);
  }

  /** Updates only the given columns, because new posts update the counters concurrently. */
  async update(id: string, change: ChannelChange): Promise<void> {
    await this.channels.update({ id }, change);
  }

  /** Reads in slices, so that texts over the limit are not all in memory at once. */
  private async withinBytes(query: SelectQueryBuilder<Channel>): Promise<Channel[]> {
    const budget = new JsonBudget(MAX_TEXT_BYTES);
    const found: Channel[] = [];
    for (let isMore = true; isMore && found.length < MAX_CHANNELS_OF_USER;) {
      const slice = await query.offset(found.length).limit(CHANNELS_PER_QUERY).getMany();
      for (const channel of slice) {
        const { header, purpose } = channel;
        found.push(budget.take({ header, purpose }) ? channel : { ...channel, header: '', purpose: '' });
      }
      isMore = slice.length === CHANNELS_PER_QUERY;
    }
    return found;
  }

  private get channels() {
    return this.unitOfWork.manager.getRepository(Channel);
  }
}
