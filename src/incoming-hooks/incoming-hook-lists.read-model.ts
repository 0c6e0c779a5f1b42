import { Injectable } from '@nestjs/common';
import type { OwnerStateFilter } from '../messaging/owners/owner-states.js';
import { ownerStateCondition } from '../messaging/owners/owner-state.read-model.js';
import type { SqlCondition } from '../messaging/permissions/readable-channels.read-model.js';
import type { Page } from '../platform/common/dto/params.js';
import { InvalidUrlParam } from '../platform/common/errors/common-errors.js';
import { byIndex, pageSql } from '../platform/database/insert-or-find.js';
import { positional, type PositionalSql, selectRows } from '../platform/database/select-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { IncomingHook } from './incoming-hook.entity.js';

export interface HookFilter {
  readonly teamId?: string | undefined;
  readonly userId?: string | undefined;
  readonly ownerState?: OwnerStateFilter | undefined;
  readonly channels?: SqlCondition | undefined;
}

type HookPlace = Pick<IncomingHook, 'createAt' | 'id'>;

export const HOOK_CHANNEL = 'h.channel_id';
const ORDER = 'h.create_at, h.id';
const OWNER = { ownerId: 'h.user_id', teamId: 'h.team_id' };

/** Reads pages of incoming webhooks, filtered by account, channel and membership. Skips deleted rows. */
@Injectable()
export class IncomingHookListsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Sorted oldest first. `after` is the hook before the page and makes deep pages fast. Throws
   * InvalidUrlParam if the caller's list has, and had, no such hook.
   */
  async list(
    filter: HookFilter,
    { offset, perPage }: Page,
    after: string | undefined,
  ): Promise<IncomingHook[]> {
    const place = after === undefined ? undefined : await this.placeOf(filter, after);
    if (perPage === 0) return [];
    const page = place
      ? pageSql(inOrder(filter), matching(filter, place), ORDER, 0, perPage)
      : pageSql('incoming_webhooks h', matching(filter), ORDER, offset, perPage);
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

  /** Counts the hooks of a team, and those of a user including the user's bots. */
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

  /** Returns the position of a current or former hook of the list, regardless of its state and owner. */
  private async placeOf({ teamId, userId, channels }: HookFilter, id: string): Promise<HookPlace> {
    const conditions = ['h.id = :id', ...placeConditions({ teamId, userId, channels })].join(' AND ');
    const { sql, parameters } = positional(conditions, { id, teamId, userId, ...channels?.parameters });
    const [row] = await this.unitOfWork.manager.query<{ create_at: number | string }[]>(
      `SELECT h.create_at FROM incoming_webhooks h WHERE ${sql}`,
      [...parameters],
    );
    if (!row)
      throw new InvalidUrlParam(
        'after',
        'you cannot see this webhook in the list, not even as a deleted one',
      );
    return { createAt: Number(row.create_at), id };
  }
}

function matching(filter: HookFilter, after?: HookPlace): PositionalSql {
  const { teamId, userId, ownerState, channels } = filter;
  const conditions = ['h.delete_at = 0', ...placeConditions(filter)];
  if (ownerState !== undefined) conditions.push(ownerStateCondition(ownerState, OWNER));
  if (after) conditions.push('h.create_at >= :createAt AND (h.create_at > :createAt OR h.id > :id)');
  return positional(`WHERE ${conditions.join(' AND ')}`, {
    ...{ teamId, userId, ...after },
    ...channels?.parameters,
  });
}

/** Conditions that do not change when the hook is deleted or its owner's state changes. */
function placeConditions({ teamId, userId, channels }: HookFilter): string[] {
  return [
    ...(teamId === undefined ? [] : ['h.team_id = :teamId']),
    ...(userId === undefined ? [] : ['h.user_id = :userId']),
    ...(channels === undefined ? [] : [channels.sql]),
  ];
}

function inOrder({ teamId, userId }: HookFilter): string {
  const scope = userId !== undefined ? 'of_user' : teamId === undefined ? 'all' : 'of_team';
  return byIndex('incoming_webhooks h', `ix_incoming_webhooks_${scope}`);
}
