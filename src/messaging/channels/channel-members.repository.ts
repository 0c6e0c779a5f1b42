import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';
import { MAX_CHANNELS_OF_USER } from './channels.repository.js';

/** A membership and its channel, whose counters are up to date. */
export interface MemberWithCounters {
  readonly member: ChannelMember;
  readonly channel: Channel;
}

/** Queries on channel memberships. */
@Injectable()
export class ChannelMembersRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(channelId: string, userId: string): Promise<ChannelMember | null> {
    return this.members.findOneBy({ channelId, userId });
  }

  /** Like find, but sees rows committed after the open transaction began, and locks the row until it ends. */
  findLatest(channelId: string, userId: string): Promise<ChannelMember | null> {
    return this.members.findOne({ where: { channelId, userId }, ...FOR_UPDATE });
  }

  list(channelId: string, skip: number, take: number): Promise<ChannelMember[]> {
    if (take === 0) return Promise.resolve([]);
    return this.members.find({ where: { channelId }, order: { userId: 'ASC' }, skip, take });
  }

  listByUserIds(channelId: string, userIds: readonly string[]): Promise<ChannelMember[]> {
    return this.members.find({ where: { channelId, userId: In([...userIds]) }, order: { userId: 'ASC' } });
  }

  /** A user's memberships in the channels of a team and in direct and group channels. */
  listOfUser(userId: string, teamId: string): Promise<ChannelMember[]> {
    return this.members
      .createQueryBuilder('m')
      .innerJoin(Channel, 'c', 'c.id = m.channelId')
      .where("m.userId = :userId AND (c.teamId = :teamId OR c.teamId = '')", { userId, teamId })
      .orderBy('m.channelId')
      .limit(MAX_CHANNELS_OF_USER)
      .getMany();
  }

  /** A user's memberships in active channels of all teams or of one team. */
  async listWithCounters(userId: string, teamId?: string): Promise<MemberWithCounters[]> {
    const members = await this.members.find({ where: { userId }, take: MAX_CHANNELS_OF_USER });
    const channels = await this.unitOfWork.manager
      .getRepository(Channel)
      .createQueryBuilder('c')
      .innerJoin(ChannelMember, 'm', 'm.channelId = c.id AND m.userId = :userId', { userId })
      .where(`c.deleteAt = 0 AND c.teamId ${teamId === undefined ? "<> ''" : '= :teamId'}`, { teamId })
      .limit(MAX_CHANNELS_OF_USER)
      .getMany();
    const byId = new Map(channels.map((channel) => [channel.id, channel]));
    return members.flatMap((member) => {
      const channel = byId.get(member.channelId);
      return channel ? [{ member, channel }] : [];
    });
  }

  /** The channels of a team that a user is a member of; includes archived ones. */
  async channelIdsOfUser(userId: string, teamId: string): Promise<string[]> {
    const members = await this.members
      .createQueryBuilder('m')
      .select(['m.channelId', 'm.userId'])
      .innerJoin(Channel, 'c', 'c.id = m.channelId')
      .where('m.userId = :userId AND c.teamId = :teamId', { userId, teamId })
      .orderBy('m.channelId')
      .getMany();
    return members.map(({ channelId }) => channelId);
  }

  /** Includes archived channels. */
  countOfUser(userId: string): Promise<number> {
    return this.members.countBy({ userId });
  }

  /**
   * Direct and group channels of a user that someone else started: all, only groups, or only those started by
   * webhooks, which have no creator.
   */
  countStartedByOthers(userId: string, kind: 'all' | 'group' | 'webhook'): Promise<number> {
    const query = this.members
      .createQueryBuilder('m')
      .innerJoin(Channel, 'c', 'c.id = m.channelId')
      .where("m.userId = :userId AND c.teamId = '' AND c.creatorId <> :userId", { userId });
    if (kind === 'group') query.andWhere("c.type = 'G'");
    if (kind === 'webhook') query.andWhere("c.creatorId = ''");
    return query.getCount();
  }

  count(channelId: string): Promise<number> {
    return this.members.countBy({ channelId });
  }

  async insert(members: readonly ChannelMember[]): Promise<void> {
    await this.members.insert([...members]);
  }

  async update(channelId: string, userId: string, change: Partial<ChannelMember>): Promise<void> {
    await this.members.update({ channelId, userId }, change);
  }

  async delete(channelIds: readonly string[], userId: string): Promise<void> {
    if (channelIds.length > 0) await this.members.delete({ channelId: In([...channelIds]), userId });
  }

  private get members() {
    return this.unitOfWork.manager.getRepository(ChannelMember);
  }
}
