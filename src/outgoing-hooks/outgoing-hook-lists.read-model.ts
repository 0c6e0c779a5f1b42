import { Injectable } from '@nestjs/common';
import type { OwnerStateFilter } from '../messaging/owners/owner-states.js';
import { ownerStateCondition } from '../messaging/owners/owner-state.read-model.js';
import type { Page } from '../platform/common/dto/params.js';
import { InvalidUrlParam } from '../platform/common/errors/common-errors.js';
import { byIndex, pageSql } from '../platform/database/insert-or-find.js';
import { positional, type PositionalSql, selectRows } from '../platform/database/select-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { OutgoingHook } from './outgoing-hook.entity.js';

export interface HookFilter {
  readonly teamId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly creatorId?: string | undefined;
  readonly ownerState?: OwnerStateFilter | undefined;
}

type HookPlace = Pick<OutgoingHook, 'createAt' | 'id'>;

export interface HookSlice {
  readonly ids: readonly string[];
  /** The last hook scanned; undefined at the end. */
  readonly lastId: string | undefined;
}

const OWNER = { ownerId: 'hook.creator_id', teamId: 'hook.team_id' };
const ORDER = 'hook.create_at, hook.id';

/** Lists of outgoing webhooks that depend on accounts, memberships and channels. Excludes deleted rows. */
@Injectable()
export class OutgoingHookListsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Oldest first. Throws InvalidUrlParam if `after` never was in this list for the caller. */
  async list(
    filter: HookFilter,
    { offset, perPage }: Page,
    after: string | undefined,
  ): Promise<OutgoingHook[]> {
    const place = after === undefined ? undefined : await this.placeOf(filter, after);
    if (perPage === 0) return [];
    const page = place
      ? pageSql(inOrder(filter), matching(filter, place), ORDER, 0, perPage)
      : pageSql('outgoing_webhooks hook', matching(filter), ORDER, offset, perPage);
    return selectRows(this.unitOfWork.manager, OutgoingHook, page.sql, page.parameters);
  }

  async countInTeam(teamId: string, personId: string): Promise<{ inTeam: number; ofPerson: number }> {
    const [row] = await this.unitOfWork.manager.query<Record<'in_team' | 'of_person', number | string>[]>(
      `SELECT COUNT(*) AS in_team,
       COUNT(CASE WHEN creator_id = ? OR creator_id IN (SELECT id FROM users WHERE bot_owner_id = ?) THEN 1 END) AS of_person
       FROM outgoing_webhooks WHERE team_id = ? AND delete_at = 0`,
      [personId, personId, teamId],
    );
    return { inTeam: Number(row?.in_team), ofPerson: Number(row?.of_person) };
  }

  /** Scans the next hooks by id for those that DISABLE_ORPHANED_HOOKS may stop or has stopped. */
  listOrphanedIds(afterId: string, limit: number): Promise<HookSlice> {
    const isOrphaned = `hook.announced_pause = 'orphaned' OR ${ownerStateCondition('orphaned', OWNER)}`;
    return this.slice(isOrphaned, afterId, limit);
  }

  /** Scans the next hooks by id for those that depend on roles: in private channels, of bots, and of operator events. */
  listRestrictedIds(afterId: string, limit: number): Promise<HookSlice> {
    const isRestricted = `hook.bot_user_id <> '' OR hook.events LIKE '%webhook.%' OR hook.events LIKE '%connection.%'
       OR EXISTS (SELECT 1 FROM channels channel WHERE channel.id = hook.channel_id AND channel.type <> 'O')`;
    return this.slice(isRestricted, afterId, limit);
  }

  /** Also finds hooks that have left the list, regardless of the state of the hook and its creator. */
  private async placeOf({ teamId, channelId, creatorId }: HookFilter, id: string): Promise<HookPlace> {
    const conditions = ['hook.id = :id', ...placeConditions({ teamId, channelId, creatorId })].join(' AND ');
    const { sql, parameters } = positional(conditions, { id, teamId, channelId, creatorId });
    const [row] = await this.unitOfWork.manager.query<{ create_at: number | string }[]>(
      `SELECT hook.create_at FROM outgoing_webhooks hook WHERE ${sql}`,
      [...parameters],
    );
    if (!row)
      throw new InvalidUrlParam(
        'after',
        'you cannot see this webhook in the list, not even as a deleted one',
      );
    return { createAt: Number(row.create_at), id };
  }

  private async slice(condition: string, afterId: string, limit: number): Promise<HookSlice> {
    const rows = await this.unitOfWork.manager.query<{ id: string; is_meant: number | string }[]>(
      `SELECT hook.id, CASE WHEN hook.delete_at = 0 AND (${condition}) THEN 1 ELSE 0 END AS is_meant
       FROM outgoing_webhooks hook WHERE hook.id > ? ORDER BY hook.id LIMIT ?`,
      [afterId, limit],
    );
    return {
      ids: rows.filter((row) => Number(row.is_meant) === 1).map(({ id }) => id),
      lastId: rows.length === limit ? rows.at(-1)?.id : undefined,
    };
  }
}

function matching(filter: HookFilter, after?: HookPlace): PositionalSql {
  const { teamId, channelId, creatorId, ownerState } = filter;
  const conditions = ['hook.delete_at = 0', ...placeConditions(filter)];
  if (ownerState !== undefined) conditions.push(ownerStateCondition(ownerState, OWNER));
  if (after) conditions.push('hook.create_at >= :createAt AND (hook.create_at > :createAt OR hook.id > :id)');
  return positional(`WHERE ${conditions.join(' AND ')}`, { teamId, channelId, creatorId, ...after });
}

/** Conditions that do not depend on the state of the hook or its creator. */
function placeConditions({ teamId, channelId, creatorId }: HookFilter): string[] {
  return [
    ...(teamId === undefined ? [] : ['hook.team_id = :teamId']),
    ...(channelId === undefined ? [] : ['hook.channel_id = :channelId']),
    ...(creatorId === undefined ? [] : ['hook.creator_id = :creatorId']),
  ];
}

function inOrder({ teamId, channelId, creatorId }: HookFilter): string {
  const ofPlace = channelId !== undefined ? 'of_channel' : teamId === undefined ? 'all' : 'of_team';
  const scope = creatorId === undefined ? ofPlace : 'of_creator';
  return byIndex('outgoing_webhooks hook', `ix_outgoing_webhooks_${scope}`);
}
