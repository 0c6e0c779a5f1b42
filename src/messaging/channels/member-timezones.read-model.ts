import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';

/** The maximum number of time zones listed for one channel. */
export const MAX_TIMEZONES = 1_000;

/** Lists the time zones of the members of a channel. */
@Injectable()
export class MemberTimezonesReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Distinct time zones, either chosen by members or detected by their clients. */
  async list(channelId: string): Promise<string[]> {
    const rows = await this.unitOfWork.manager.query<{ timezone: string }[]>(
      `SELECT DISTINCT u.timezone AS timezone FROM channel_members m INNER JOIN users u ON u.id = m.user_id
       WHERE m.channel_id = ? AND u.delete_at = 0 LIMIT ?`,
      [channelId, MAX_TIMEZONES],
    );
    const names = rows.map(({ timezone }) => nameIn(JSON.parse(timezone) as Record<string, string>));
    return [...new Set(names)].filter((name) => name !== '').sort();
  }
}

function nameIn({ useAutomaticTimezone, automaticTimezone, manualTimezone }: Record<string, string>): string {
  return (useAutomaticTimezone === 'true' ? automaticTimezone : manualTimezone) ?? '';
}
