import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Team } from '../teams/team.entity.js';
import { Preference } from '../users/preference.entity.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';

/** A membership and the team of its channel; null for direct and group channels. */
export interface MemberWithTeam {
  readonly member: ChannelMember;
  readonly team: Pick<Team, 'displayName' | 'name' | 'updateAt'> | null;
}

/** Reads the data that clients need to render a user's channel list. */
@Injectable()
export class ChannelListReadModel {
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
    const { entities, raw } = await this.unitOfWork.manager
      .getRepository(ChannelMember)
      .createQueryBuilder('m')
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
}
