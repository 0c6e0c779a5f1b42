import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SharedChannel, SharedChannelRemote } from './shared-channel.entity.js';

export interface ShareFilter {
  readonly remoteId: string;
  readonly excludeHome: boolean;
  readonly excludeRemote: boolean;
  readonly excludeConfirmed: boolean;
  readonly excludeUnconfirmed: boolean;
  readonly includeDeleted: boolean;
}

/** The rows of shared channels and of their shares. */
@Injectable()
export class SharedChannelsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findChannel(channelId: string): Promise<SharedChannel | null> {
    return this.channels.findOneBy({ channelId });
  }

  listOfTeam(teamId: string, offset: number, limit: number): Promise<SharedChannel[]> {
    if (limit === 0) return Promise.resolve([]);
    return this.channels.find({
      where: { teamId },
      order: { displayName: 'ASC', channelId: 'ASC' },
      skip: offset,
      take: limit,
    });
  }

  async insertChannel(channel: SharedChannel): Promise<void> {
    await this.channels.insert(channel);
  }

  async updateChannel(channelId: string, change: Partial<SharedChannel>): Promise<void> {
    await this.channels.update({ channelId }, change);
  }

  /** Includes deleted shares. */
  findShare(channelId: string, remoteId: string): Promise<SharedChannelRemote | null> {
    return this.shares.findOneBy({ channelId, remoteId });
  }

  listShares(filter: ShareFilter, offset: number, limit: number): Promise<SharedChannelRemote[]> {
    if (limit === 0) return Promise.resolve([]);
    const query = this.shares
      .createQueryBuilder('share')
      .where('share.remoteId = :remoteId', { remoteId: filter.remoteId })
      .orderBy('share.createAt', 'ASC')
      .addOrderBy('share.id', 'ASC')
      .skip(offset)
      .take(limit);
    if (!filter.includeDeleted) query.andWhere('share.deleteAt = 0');
    if (filter.excludeConfirmed) query.andWhere('share.isInviteConfirmed = :no', { no: false });
    if (filter.excludeUnconfirmed) query.andWhere('share.isInviteConfirmed = :yes', { yes: true });
    const homes = (): string =>
      query
        .subQuery()
        .select('channel.channelId')
        .from(SharedChannel, 'channel')
        .where('channel.home = :home')
        .getQuery();
    if (filter.excludeHome) query.andWhere(`share.channelId NOT IN ${homes()}`, { home: true });
    if (filter.excludeRemote) query.andWhere(`share.channelId IN ${homes()}`, { home: true });
    return query.getMany();
  }

  /** Includes deleted shares. */
  sharesOf(channelId: string): Promise<SharedChannelRemote[]> {
    return this.shares.findBy({ channelId });
  }

  listLive(): Promise<SharedChannelRemote[]> {
    return this.shares.findBy({ deleteAt: 0 });
  }

  listBehind(): Promise<SharedChannelRemote[]> {
    return this.shares.findBy({ deleteAt: 0, isBehind: true });
  }

  /** Marks a share as no longer behind. Returns whether it was. */
  async takeBehind(id: string): Promise<boolean> {
    const { affected } = await this.shares.update({ id, isBehind: true }, { isBehind: false });
    return affected === 1;
  }

  async saveShare(share: SharedChannelRemote): Promise<void> {
    await this.shares.save(share);
  }

  async updateShare(id: string, change: Partial<SharedChannelRemote>): Promise<void> {
    await this.shares.update({ id }, change);
  }

  /** The ids of the channels shared over a connection, in the order in which they must be locked. */
  async channelsSharedWith(remoteId: string): Promise<string[]> {
    const shares = await this.shares.find({ where: { remoteId, deleteAt: 0 }, order: { channelId: 'ASC' } });
    return shares.map(({ channelId }) => channelId);
  }

  /** Deletes the shared channel if it has no share left. Returns whether it did. */
  async deleteUnshared(channelId: string): Promise<boolean> {
    if (await this.shares.existsBy({ channelId, deleteAt: 0 })) return false;
    await this.channels.delete({ channelId });
    return true;
  }

  private get channels() {
    return this.unitOfWork.manager.getRepository(SharedChannel);
  }

  private get shares() {
    return this.unitOfWork.manager.getRepository(SharedChannelRemote);
  }
}
