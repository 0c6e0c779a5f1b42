import { Injectable } from '@nestjs/common';
import type { OwnerStateFilter } from '../messaging/owners/owner-state.js';
import { ownerStateCondition } from '../messaging/owners/owner-state.read-model.js';
import type { SqlCondition } from '../messaging/permissions/readable-channels.read-model.js';
import { pageSql } from '../platform/database/page.js';
import { positional, type PositionalSql, selectRows } from '../platform/database/select-rows.js';
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
    const page = pageSql('incoming_webhooks h', matching(filter), 'h.create_at, h.id', offset, limit);
    return selectRows(this.unitOfWork.manager, IncomingHook, page.sql, page.parameters);
  }

  async count(filter: HookFilter): Promise<number> {
    const { sql, parameters } = matching(filter);
    const [row] = await this.unitOfWork.manager.query<{ hooks: number | string }[]>(
      `SELECT COUNT(*) AS hooks FROM incoming_webhooks h ${sql}`,
      [...parameters],
    );
    return Number(row?.hooks);
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
}

function matching({ teamId, userId, ownerState, channels }: HookFilter): PositionalSql {
  const conditions = ['h.delete_at = 0'];
  if (teamId !== undefined) conditions.push('h.team_id = :teamId');
  if (userId !== undefined) conditions.push('h.user_id = :userId');
  if (channels !== undefined) conditions.push(channels.sql);
  if (ownerState !== undefined) conditions.push(ownerStateCondition(ownerState, OWNER));
  return positional(`WHERE ${conditions.join(' AND ')}`, { teamId, userId, ...channels?.parameters });
}
