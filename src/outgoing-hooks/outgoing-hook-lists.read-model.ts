import { Injectable } from '@nestjs/common';
import type { OwnerStateFilter } from '../messaging/owners/owner-state.js';
import { ownerStateCondition } from '../messaging/owners/owner-state.read-model.js';
import type { Page } from '../platform/common/dto/params.js';
import { InvalidUrlParam } from '../platform/common/errors/common-errors.js';
import { byIndex } from '../platform/database/by-index.js';
import { pageSql } from '../platform/database/page.js';
import { positional, type PositionalSql, selectRows } from '../platform/database/select-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { OutgoingHook } from './outgoing-hook.entity.js';
import { inPlaceOf } from './outgoing-hooks.repository.js';

/** Selects the hooks of a list. */
export interface HookFilter {
  readonly teamId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly creatorId?: string | undefined;
  readonly ownerState?: OwnerStateFilter | undefined;
}

/** Where a hook stands in every list. */
type HookPlace = Pick<OutgoingHook, 'createAt' | 'id'>;

/** The hooks of a new one's team. */
export interface Surroundings {
  readonly inTeam: number;
  /** Those of a person, with those of the person's bots. */
  readonly ofPerson: number;
  /** Whether one watches the same channel, or the whole team too, and calls one of the URLs. */
  readonly hasSimilar: boolean;
}

/** Of a slice of all hooks those that are asked for. */
export interface HookSlice {
  readonly ids: readonly string[];
  /** The last that was looked at; undefined if there are no more. */
  readonly lastId: string | undefined;
}

const OWNER = { ownerId: 'hook.creator_id', teamId: 'hook.team_id' };
const ORDER = 'hook.create_at, hook.id';

/** Lists of outgoing webhooks that depend on accounts, memberships and channels. Deleted rows are never returned. */
@Injectable()
export class OutgoingHookListsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Oldest first. `after` stands for the hooks before the page, which then takes as long at any depth. Throws
   * InvalidUrlParam if the list has no such hook for the caller, and had none that was deleted.
   */
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

  /** What a new hook comes beside; the person is who is behind its creator. */
  async surroundingsOf(hook: OutgoingHook, personId: string): Promise<Surroundings> {
    const inPlace = inPlaceOf(hook);
    const [row] = await this.unitOfWork.manager.query<
      Record<'in_team' | 'of_person' | 'has_similar', number | string>[]
    >(
      `SELECT COUNT(*) AS in_team,
       COUNT(CASE WHEN creator_id = ? OR creator_id IN (SELECT id FROM users WHERE bot_owner_id = ?) THEN 1 END) AS of_person,
       EXISTS (SELECT 1 FROM outgoing_webhooks WHERE ${inPlace.sql}) AS has_similar
       FROM outgoing_webhooks WHERE team_id = ? AND delete_at = 0`,
      [personId, personId, ...inPlace.parameters, hook.teamId],
    );
    return {
      inTeam: Number(row?.in_team),
      ofPerson: Number(row?.of_person),
      hasSimilar: Number(row?.has_similar) === 1,
    };
  }

  /** Of the next hooks in order of id, those that DISABLE_ORPHANED_HOOKS may stop, or has stopped. */
  listOrphanedIds(afterId: string, limit: number): Promise<HookSlice> {
    const isOrphaned = `hook.announced_pause = 'orphaned' OR ${ownerStateCondition('orphaned', OWNER)}`;
    return this.slice(isOrphaned, afterId, limit);
  }

  /**
   * Of the next hooks in order of id, those of a channel that depend on what people can read: in private channels, and of
   * guests.
   */
  listRestrictedIds(afterId: string, limit: number): Promise<HookSlice> {
    const isGuest = (id: string): string =>
      `EXISTS (SELECT 1 FROM users guest WHERE guest.id = ${id} AND guest.roles LIKE '%system_guest%')`;
    const ofGuest = `${isGuest('hook.creator_id')} OR ${isGuest('hook.set_by')}`; // one for both would read all accounts on MariaDB
    const isRestricted = `EXISTS (SELECT 1 FROM channels channel WHERE channel.id = hook.channel_id AND (channel.type <> 'O' OR ${ofGuest}))`;
    return this.slice(isRestricted, afterId, limit);
  }

  /** Of a hook that the list has or had, whatever has become of it and its creator. */
  private async placeOf({ teamId, channelId, creatorId }: HookFilter, id: string): Promise<HookPlace> {
    const conditions = ['hook.id = :id', ...placeConditions({ teamId, channelId, creatorId })].join(' AND ');
    const { sql, parameters } = positional(conditions, { id, teamId, channelId, creatorId });
    const [row] = await this.unitOfWork.manager.query<{ create_at: number | string }[]>(
      `SELECT hook.create_at FROM outgoing_webhooks hook WHERE ${sql}`,
      [...parameters],
    );
    if (!row)
      throw new InvalidUrlParam('after', 'you see no such webhook in this list, not even a deleted one');
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

/** What does not change with the hook's life, or its creator's. */
function placeConditions({ teamId, channelId, creatorId }: HookFilter): string[] {
  return [
    ...(teamId === undefined ? [] : ['hook.team_id = :teamId']),
    ...(channelId === undefined ? [] : ['hook.channel_id = :channelId']),
    ...(creatorId === undefined ? [] : ['hook.creator_id = :creatorId']),
  ];
}

/** The index that has the filter's hooks in order. */
function inOrder({ teamId, channelId, creatorId }: HookFilter): string {
  const ofPlace = channelId !== undefined ? 'of_channel' : teamId === undefined ? 'all' : 'of_team';
  const scope = creatorId === undefined ? ofPlace : 'of_creator';
  return byIndex('outgoing_webhooks hook', `ix_outgoing_webhooks_${scope}`);
}
