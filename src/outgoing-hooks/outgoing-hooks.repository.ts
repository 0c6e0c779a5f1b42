import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { FOR_UPDATE } from '../platform/database/transactions.js';
import { selectRows } from '../platform/database/select-rows.js';
import type { Statement } from '../platform/database/statement.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { OutgoingHook } from './outgoing-hook.entity.js';

const MAX_IDS = 500;

/** The condition for hooks that have the same scope as another hook and call one of its URLs. */
export function inPlaceOf({ teamId, channelId, callbackUrls }: OutgoingHook): Statement {
  // Search for the JSON-encoded URLs first, so that rows without any of them are not even parsed.
  const calls = callbackUrls.map(() => 'INSTR(callback_urls, ?) > 0').join(' OR ') || '1 = 0';
  return {
    sql: `team_id = ? AND channel_id = ? AND delete_at = 0 AND (${calls})`,
    parameters: [teamId, channelId, ...callbackUrls.map((url) => JSON.stringify(url))],
  };
}

type CalledRow = Record<
  'id' | 'team_id' | 'display_name' | 'callback_urls' | 'disabled_urls' | 'failing_urls' | 'disabled_reason',
  string
> &
  Record<'create_at' | 'last_failure_at', number | string>;

/** The fields of a hook shown in lists of other records. */
export type HookName = Pick<OutgoingHook, 'id' | 'displayName' | 'teamId'>;

/** The fields of a hook that its endpoints depend on. */
export type CalledHook = Pick<
  OutgoingHook,
  | 'id'
  | 'createAt'
  | 'teamId'
  | 'displayName'
  | 'callbackUrls'
  | 'disabledUrls'
  | 'failingUrls'
  | 'disabledReason'
  | 'lastFailureAt'
>;

/** Queries for outgoing webhooks. Deleted rows are kept; only `…EvenDeleted` and `listNames` return them. */
@Injectable()
export class OutgoingHooksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<OutgoingHook | null> {
    return this.hooks.findOneBy({ id, deleteAt: 0 });
  }

  findEvenDeleted(id: string): Promise<OutgoingHook | null> {
    return this.hooks.findOneBy({ id });
  }

  /** At most 500. */
  async listEvenDeleted(ids: readonly string[]): Promise<OutgoingHook[]> {
    return ids.length === 0 ? [] : this.hooks.findBy({ id: In([...ids]) });
  }

  /** Includes deleted hooks. */
  async listNames(ids: readonly string[]): Promise<HookName[]> {
    if (ids.length === 0) return [];
    return this.hooks.find({
      select: { id: true, displayName: true, teamId: true },
      where: { id: In([...ids]) },
    });
  }

  /** The hooks of a team after `after`, oldest first. */
  listOfTeam(teamId: string, after: OutgoingHook | undefined, limit: number): Promise<OutgoingHook[]> {
    const query = this.hooks
      .createQueryBuilder('hook')
      .where('hook.teamId = :teamId AND hook.deleteAt = 0', { teamId })
      .orderBy('hook.createAt', 'ASC')
      .addOrderBy('hook.id', 'ASC')
      .limit(limit);
    if (after)
      query.andWhere('hook.createAt >= :createAt AND (hook.createAt > :createAt OR hook.id > :id)', {
        createAt: after.createAt,
        id: after.id,
      });
    return query.getMany();
  }

  /** The hooks of all teams after `after`, oldest first. Reads all hooks, so it skips entity hydration. */
  async listCalled(
    after: Pick<OutgoingHook, 'id' | 'createAt'> | undefined,
    limit: number,
  ): Promise<CalledHook[]> {
    const { createAt, id } = after ?? { createAt: -1, id: '' };
    const rows = await this.unitOfWork.manager.query<CalledRow[]>(
      `SELECT id, create_at, team_id, display_name, callback_urls, disabled_urls, failing_urls, disabled_reason,
         last_failure_at FROM outgoing_webhooks
       WHERE delete_at = 0 AND create_at >= ? AND (create_at > ? OR id > ?) ORDER BY create_at, id LIMIT ?`,
      [createAt, createAt, id, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      createAt: Number(row.create_at),
      teamId: row.team_id,
      displayName: row.display_name,
      callbackUrls: JSON.parse(row.callback_urls) as string[],
      disabledUrls: JSON.parse(row.disabled_urls) as string[],
      failingUrls: JSON.parse(row.failing_urls) as Record<string, number>,
      disabledReason: row.disabled_reason,
      lastFailureAt: Number(row.last_failure_at),
    }));
  }

  async listByIds(ids: readonly string[]): Promise<OutgoingHook[]> {
    const hooks: OutgoingHook[] = [];
    for (let start = 0; start < ids.length; start += MAX_IDS)
      hooks.push(...(await this.hooks.findBy({ id: In(ids.slice(start, start + MAX_IDS)), deleteAt: 0 })));
    return hooks;
  }

  /** The hooks that have the same scope and call one of the URLs. */
  listInPlace(hook: OutgoingHook): Promise<OutgoingHook[]> {
    if (hook.callbackUrls.length === 0) return Promise.resolve([]);
    const { sql, parameters } = inPlaceOf(hook);
    return selectRows(this.unitOfWork.manager, OutgoingHook, `outgoing_webhooks WHERE ${sql}`, parameters);
  }

  /** The hooks that a user created or last set. */
  listOfPerson(userId: string): Promise<OutgoingHook[]> {
    return this.hooks.findBy([
      { creatorId: userId, deleteAt: 0 },
      { setBy: userId, deleteAt: 0 },
    ]);
  }

  async insert(hook: OutgoingHook): Promise<void> {
    await this.hooks.insert(hook);
  }

  /** False if the hook was deleted. */
  async update(id: string, change: Partial<OutgoingHook>): Promise<boolean> {
    const { affected } = await this.hooks.update({ id, deleteAt: 0 }, change);
    return affected === 1;
  }

  /** Locks the rows until the transaction ends, so that no hook can move to another channel. */
  listInChannelForUpdate(channelId: string): Promise<OutgoingHook[]> {
    return this.hooks.find({
      where: { channelId, deleteAt: 0 },
      ...FOR_UPDATE,
    });
  }

  private get hooks() {
    return this.unitOfWork.manager.getRepository(OutgoingHook);
  }
}
