import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import type { OwnerStateFilter } from '../messaging/owners/owner-state.js';
import { ownerStateCondition } from '../messaging/owners/owner-state.read-model.js';
import type { SqlCondition } from '../messaging/permissions/readable-channels.read-model.js';
import { pageOf } from '../platform/database/page.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { IncomingHook } from './incoming-hook.entity.js';

/** Selects the hooks of a list. */
export interface HookFilter {
  readonly teamId?: string | undefined;
  readonly userId?: string | undefined;
  readonly ownerState?: OwnerStateFilter | undefined;
  /** On HOOK_CHANNEL. */
  readonly channels?: SqlCondition | undefined;
}

/** The column with the channel of a listed hook. */
export const HOOK_CHANNEL = 'h.channel_id';
const OWNER = { ownerId: 'h.user_id', teamId: 'h.team_id' };

/** Pages of incoming webhooks: which ones depends on accounts, channels and memberships. Deleted rows are never returned. */
@Injectable()
export class IncomingHookListsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Oldest first. */
  list(filter: HookFilter, offset: number, limit: number): Promise<IncomingHook[]> {
    if (limit === 0) return Promise.resolve([]);
    return pageOf(this.matching(filter).orderBy('h.createAt').addOrderBy('h.id'), offset, limit).getMany();
  }

  count(filter: HookFilter): Promise<number> {
    return this.matching(filter).getCount();
  }

  /** How many hooks a team has, and how many of them are a person's, with those of the person's bots. */
  async countInTeam(teamId: string, personId: string): Promise<{ inTeam: number; ofPerson: number }> {
    const [row] = await this.unitOfWork.manager.query<
      { in_team: number | string; of_person: number | string }[]
    >(
      `SELECT COUNT(*) AS in_team,
       COUNT(CASE WHEN user_id = ? OR user_id IN (SELECT id FROM users WHERE bot_owner_id = ?) THEN 1 END) AS of_person
       FROM incoming_webhooks WHERE team_id = ? AND delete_at = 0`,
      [personId, personId, teamId],
    );
    return { inTeam: Number(row?.in_team), ofPerson: Number(row?.of_person) };
  }

  private matching({ teamId, userId, ownerState, channels }: HookFilter): SelectQueryBuilder<IncomingHook> {
    const query = this.unitOfWork.manager
      .getRepository(IncomingHook)
      .createQueryBuilder('h')
      .where('h.deleteAt = 0');
    if (teamId !== undefined) query.andWhere('h.teamId = :teamId', { teamId });
    if (userId !== undefined) query.andWhere('h.userId = :userId', { userId });
    if (channels !== undefined) query.andWhere(channels.sql, channels.parameters);
    if (ownerState !== undefined) query.andWhere(ownerStateCondition(ownerState, OWNER));
    return query;
  }
}
