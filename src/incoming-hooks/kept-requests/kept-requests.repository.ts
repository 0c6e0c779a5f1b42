import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import type { Page } from '../../platform/common/dto/params.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { IncomingHook } from '../incoming-hook.entity.js';
import { KeptRequest } from './kept-request.entity.js';

export const MAX_KEPT_PER_HOOK = 50;
const MAX_KEPT_IN_ALL = 2_000;

const TABLE = 'incoming_webhook_requests';
/** Stores nothing if the webhook was deleted in the meantime. Its URL may have been rotated. */
const INSERT = `INSERT INTO ${TABLE}
  (id, hook_id, create_at, status, error_id, message, body_size, is_cut, not_understood, content)
  SELECT ?, id, ?, ?, ?, ?, ?, ?, ?, ? FROM incoming_webhooks
  WHERE id = COALESCE((SELECT hook_id FROM incoming_webhook_previous_urls WHERE id = ?), ?) AND delete_at = 0`;
/** MySQL can read the table it deletes from only via a derived table, and OFFSET requires LIMIT. */
const SHRINK_HOOK = `DELETE FROM ${TABLE} WHERE hook_id = ? AND id IN (SELECT id FROM (SELECT id FROM ${TABLE} WHERE hook_id = ?
  ORDER BY create_at DESC, id DESC LIMIT 1000000 OFFSET ${MAX_KEPT_PER_HOOK}) AS older)`;
/**
 * Allots places round-robin by webhook maker, then by each maker's webhooks, newest calls first. The heaviest
 * users lose calls first, so a flood cannot displace the calls of others. Raw SQL: the query builder has no windows.
 */
const BEYOND_ALL = `SELECT id FROM (SELECT id, create_at,
    ROW_NUMBER() OVER (PARTITION BY maker_id ORDER BY turn_of_hook, create_at DESC, id) AS turn FROM (
    SELECT calls.id, calls.create_at, hooks.maker_id,
      ROW_NUMBER() OVER (PARTITION BY calls.hook_id ORDER BY calls.create_at DESC, calls.id DESC) AS turn_of_hook
    FROM ${TABLE} calls LEFT JOIN incoming_webhooks hooks ON hooks.id = calls.hook_id) AS of_hooks) AS of_makers
  ORDER BY turn, create_at DESC, id LIMIT 10000 OFFSET ${MAX_KEPT_IN_ALL}`;

export interface RefusingHook {
  readonly hookId: string;
  readonly teamId: string;
  readonly displayName: string;
  readonly count: number;
  readonly last: Pick<KeptRequest, 'createAt' | 'status' | 'message'>;
}

/** Queries on kept calls. */
@Injectable()
export class KeptRequestsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns the statements that store calls and drop their webhooks' oldest ones beyond the limit. */
  save(requests: readonly KeptRequest[]): Statement[] {
    const hookIds = [...new Set(requests.map(({ hookId }) => hookId))];
    return [
      ...requests.map((request) => ({ sql: INSERT, parameters: parametersOf(request) })),
      ...hookIds.map((hookId) => ({ sql: SHRINK_HOOK, parameters: [hookId, hookId] })),
    ];
  }

  async shrinkAll(): Promise<void> {
    if ((await this.requests.count()) <= MAX_KEPT_IN_ALL) return;
    const beyond = await this.unitOfWork.manager.query<Pick<KeptRequest, 'id'>[]>(BEYOND_ALL);
    await this.unitOfWork.run(() => this.requests.delete({ id: In(beyond.map(({ id }) => id)) }));
  }

  /** Newest first, without content. */
  list(hookId: string, { offset, perPage }: Page): Promise<KeptRequest[]> {
    if (perPage === 0) return Promise.resolve([]);
    return this.requests.find({
      select: {
        ...{ id: true, hookId: true, createAt: true, status: true, errorId: true, message: true },
        ...{ bodySize: true, isCut: true, notUnderstood: true },
      },
      where: { hookId },
      order: { createAt: 'DESC', id: 'DESC' },
      skip: offset,
      take: perPage,
    });
  }

  /** Returns the webhooks that rejected calls since that time, latest rejection first. */
  async refusing(since: number, limit: number): Promise<RefusingHook[]> {
    const rows = await this.requests
      .createQueryBuilder('call')
      .innerJoin(IncomingHook, 'hook', 'hook.id = call.hookId')
      .select(['hook.id AS hookId', 'hook.teamId AS teamId', 'hook.displayName AS displayName'])
      .addSelect(['COUNT(*) AS refused', 'MAX(call.createAt) AS lastAt'])
      .where('call.createAt >= :since AND call.status >= 400', { since })
      .groupBy('hook.id, hook.teamId, hook.displayName')
      .orderBy('lastAt', 'DESC')
      .addOrderBy('hookId')
      .limit(limit)
      .getRawMany<Omit<RefusingHook, 'count' | 'last'> & Record<'refused' | 'lastAt', number | string>>();
    if (rows.length === 0) return [];
    const calls = await this.requests.find({
      select: { hookId: true, createAt: true, status: true, message: true },
      where: rows.map(({ hookId, lastAt }) => ({ hookId, createAt: Number(lastAt) })),
    });
    const lastOf = new Map(calls.filter(({ status }) => status >= 400).map((call) => [call.hookId, call]));
    return rows.flatMap(({ hookId, teamId, displayName, refused }) => {
      const last = lastOf.get(hookId);
      return last ? [{ hookId, teamId, displayName, count: Number(refused), last }] : [];
    });
  }

  find(hookId: string, id: string): Promise<KeptRequest | null> {
    return this.requests.findOneBy({ hookId, id });
  }

  /** Gives the calls of a webhook to its new ID. */
  async moveTo(newId: string, hookId: string): Promise<void> {
    await this.requests.update({ hookId }, { hookId: newId });
  }

  async deleteOfHook(hookId: string): Promise<void> {
    await this.requests.delete({ hookId });
  }

  /** Deletes up to `limit` of the oldest calls before `time`. Returns the number deleted. */
  async deleteBefore(time: number, limit: number): Promise<number> {
    const old = await this.requests.find({
      select: { id: true },
      where: { createAt: LessThan(time) },
      order: { createAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    if (old.length > 0) await this.requests.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }

  private get requests() {
    return this.unitOfWork.manager.getRepository(KeptRequest);
  }
}

function parametersOf(request: KeptRequest): unknown[] {
  const { id, hookId, createAt, status, errorId, message, bodySize, isCut, notUnderstood, content } = request;
  const row = [id, createAt, status, errorId, message, bodySize, isCut, notUnderstood];
  return [...row, JSON.stringify(content), hookId, hookId];
}
