import { Injectable } from '@nestjs/common';
import { Brackets, In, type SelectQueryBuilder } from 'typeorm';
import { JsonBudget } from '../../platform/common/json-budget.js';
import { DatabaseCache, idKeys, shortKeys } from '../../platform/database/database-cache.js';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';
import { isChannelName, isDirectName } from './channel.rules.js';
import { channelNotFound } from './channels.errors.js';

/** The maximum number of channels in a user's channel list, which the contract does not page. */
export const MAX_CHANNELS_OF_USER = 20_000;

/** The maximum total size of texts in one such list. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const CHANNELS_PER_QUERY = 1_000;

/** More than a team can have. */
const MAX_NAMES_OF_TEAM = 5_000;

const MAX_CHANNEL_BYTES = 16 * 1024 * 1024;
const MAX_NAME_BYTES = 4 * 1024 * 1024;
/** A team id, a space and a name. */
const MAX_NAME_KEY_LENGTH = 26 + 1 + 64;
const MAX_TEAM_NAMES_BYTES = 8 * 1024 * 1024;

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

/** The columns that change; new posts update the counters concurrently. */
export type ChannelColumns = Partial<
  Pick<Channel, 'displayName' | 'name' | 'header' | 'purpose' | 'type' | 'updateAt' | 'deleteAt' | 'shared'>
>;

/**
 * Queries on channels. Lists omit archived channels unless the method says otherwise. Cached counters are stale,
 * because new posts do not invalidate them.
 */
@Injectable()
export class ChannelsRepository {
  private readonly byId: DatabaseCache<Channel | null>;
  private readonly idsByName: DatabaseCache<string | null>;
  private readonly namesOfTeams: DatabaseCache<readonly ChannelName[]>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly permissions: PermissionsService,
  ) {
    this.byId = new DatabaseCache(unitOfWork, {
      name: 'channels',
      maxBytes: MAX_CHANNEL_BYTES,
      keys: idKeys(null),
      keepsMisses: true,
    });
    this.idsByName = new DatabaseCache(unitOfWork, {
      name: 'channel_names',
      maxBytes: MAX_NAME_BYTES,
      keys: shortKeys(MAX_NAME_KEY_LENGTH, null),
      keepsMisses: true,
    });
    this.namesOfTeams = new DatabaseCache(unitOfWork, {
      name: 'channel_names_of_teams',
      maxBytes: MAX_TEAM_NAMES_BYTES,
      keys: idKeys([]),
    });
  }

  /** Cached; includes archived channels. */
  find(id: string): Promise<Channel | null> {
    return this.byId.get(id, () => this.channels.findOneBy({ id }));
  }

  /** Like find; throws `channelNotFound`. */
  async get(id: string): Promise<Channel> {
    return existing(await this.find(id));
  }

  /** Not cached, so the counters are up to date. Throws `channelNotFound`. */
  async getFresh(id: string): Promise<Channel> {
    return existing(await this.channels.findOneBy({ id }));
  }

  /**
   * The latest row, locked until the open transaction ends. All changes to a channel or its members start with this.
   * Throws `channelNotFound`.
   */
  async getForUpdate(id: string): Promise<Channel> {
    return existing(await this.channels.findOne({ where: { id }, ...FOR_UPDATE }));
  }

  /** Locks the row, if there is one, until the open transaction ends. */
  async lock(id: string): Promise<void> {
    await this.channels.findOne({ select: { id: true }, where: { id }, ...FOR_UPDATE });
  }

  /** Cached; omits archived channels. Direct and group channels are found with any team id. */
  async findByName(teamId: string, name: string): Promise<Channel | null> {
    if (!isChannelName(name)) return null;
    const channel = await this.findActive(teamId, name);
    return channel ?? (teamId !== '' && isDirectName(name) ? this.findActive('', name) : null);
  }

  /** Not cached; includes archived channels, which keep their name. */
  findAnyByName(teamId: string, name: string): Promise<Channel | null> {
    return this.channels.findOneBy({ teamId, name });
  }

  /** Like findAnyByName, but sees rows committed after the open transaction began, and locks the row until it ends. */
  findLatestByName(teamId: string, name: string): Promise<Channel | null> {
    return this.channels.findOne({ where: { teamId, name }, ...FOR_UPDATE });
  }

  listByNames(teamId: string, names: readonly string[]): Promise<Channel[]> {
    return this.channels.find({ where: { teamId, name: In([...names]), deleteAt: 0 }, order: { id: 'ASC' } });
  }

  /** The open and private channels of a team, by name. Cached. */
  listNames(teamId: string): Promise<readonly ChannelName[]> {
    return this.namesOfTeams.get(teamId, () =>
      this.channels.find({
        select: { id: true, type: true, name: true, displayName: true },
        where: { teamId, deleteAt: 0 },
        order: { name: 'ASC' },
        take: MAX_NAMES_OF_TEAM,
      }),
    );
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
  countGroupsStartedBy(userId: string): Promise<number> {
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
    const query = this.channels
      .createQueryBuilder('c')
      .select(['c.id', 'c.name'])
      .innerJoin(ChannelMember, 'm', 'm.channelId = c.id')
      .where("m.userId = :userId AND c.teamId IN (:teamId, '')", { userId, teamId });
    if (!includeArchived) query.andWhere('c.deleteAt = 0');
    return query.orderBy('c.lastPostAt', 'DESC').addOrderBy('c.id').limit(limit).getMany();
  }

  async insert(channels: readonly Channel[]): Promise<void> {
    await this.channels.insert([...channels]);
    for (const channel of channels) this.forget(channel, channel.name);
  }

  async update(before: Channel, change: ChannelColumns): Promise<void> {
    await this.channels.update({ id: before.id }, change);
    this.forget(before, before.name, change.name ?? before.name);
  }

  private forget({ id, teamId }: Channel, ...names: readonly string[]): void {
    this.byId.forget(id);
    if (teamId !== '') this.namesOfTeams.forget(teamId);
    for (const name of names) this.idsByName.forget(keyOf(teamId, name));
    this.permissions.forgetChannel(id);
  }

  private async findActive(teamId: string, name: string): Promise<Channel | null> {
    const id = await this.idsByName.get(keyOf(teamId, name), async () => {
      return (await this.findAnyByName(teamId, name))?.id ?? null;
    });
    const channel = id === null ? null : await this.find(id);
    return channel?.name === name && channel.deleteAt === 0 ? channel : null;
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

const keyOf = (teamId: string, name: string): string => `${teamId} ${name}`;

function existing(channel: Channel | null): Channel {
  if (!channel) throw channelNotFound();
  return channel;
}
