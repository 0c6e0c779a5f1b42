import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
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

/** Reads what other modules store about channels and their members: teams, preferences, time zones, posts. */
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
    const names = rows.map(({ timezone }) => nameIn(JSON.parse(timezone) as Record<string, string>));
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

  private get members() {
    return this.unitOfWork.manager.getRepository(ChannelMember).createQueryBuilder('m');
  }
}

function nameIn({ useAutomaticTimezone, automaticTimezone, manualTimezone }: Record<string, string>): string {
  return (useAutomaticTimezone === 'true' ? automaticTimezone : manualTimezone) ?? '';
}
