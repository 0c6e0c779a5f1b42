import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import type { Page } from '../../platform/common/dto/params.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { KeptRequest } from './kept-request.entity.js';

/** How many calls are kept of each webhook, and in all. */
export const MAX_KEPT_PER_HOOK = 50;
const MAX_KEPT_IN_ALL = 2_000;

const TABLE = 'incoming_webhook_requests';
/** Nothing is kept of a webhook that was deleted meanwhile. */
const INSERT = `INSERT INTO ${TABLE}
  (id, hook_id, create_at, status, error_id, message, body_size, is_cut, not_understood, content)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM incoming_webhooks WHERE id = ? AND delete_at = 0`;
/** MySQL reads the table that it deletes from only through a derived one, and takes no OFFSET without a LIMIT. */
const SHRINK_HOOK = `DELETE FROM ${TABLE} WHERE hook_id = ? AND id IN (SELECT id FROM (SELECT id FROM ${TABLE} WHERE hook_id = ?
  ORDER BY create_at DESC, id DESC LIMIT 1000000 OFFSET ${MAX_KEPT_PER_HOOK}) AS older)`;
/**
 * Places go in turn to those who made webhooks, and to each one's webhooks in turn, newest calls first: so whoever has most
 * makes room, and nobody's flood takes the places of others.
 */
const BEYOND_ALL = `SELECT id FROM (SELECT id, create_at,
    ROW_NUMBER() OVER (PARTITION BY maker_id ORDER BY turn_of_hook, create_at DESC, id) AS turn FROM (
    SELECT calls.id, calls.create_at, hooks.maker_id,
      ROW_NUMBER() OVER (PARTITION BY calls.hook_id ORDER BY calls.create_at DESC, calls.id DESC) AS turn_of_hook
    FROM ${TABLE} calls LEFT JOIN incoming_webhooks hooks ON hooks.id = calls.hook_id) AS of_hooks) AS of_makers
  ORDER BY turn, create_at DESC, id LIMIT 10000 OFFSET ${MAX_KEPT_IN_ALL}`;

/** The queries on kept calls. */
@Injectable()
export class KeptRequestsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The statements that store calls and drop the oldest of their webhooks beyond the limit. */
  save(requests: readonly KeptRequest[]): Statement[] {
    const hookIds = [...new Set(requests.map(({ hookId }) => hookId))];
    return [
      ...requests.map((request) => ({ sql: INSERT, parameters: parametersOf(request) })),
      ...hookIds.map((hookId) => ({ sql: SHRINK_HOOK, parameters: [hookId, hookId] })),
    ];
  }

  /** Drops what is beyond the limit of all calls together. */
  async shrinkAll(): Promise<void> {
    if ((await this.requests.count()) <= MAX_KEPT_IN_ALL) return;
    const beyond = await this.unitOfWork.manager.query<Pick<KeptRequest, 'id'>[]>(BEYOND_ALL);
    await this.unitOfWork.run(() => this.requests.delete({ id: In(beyond.map(({ id }) => id)) }));
  }

  /** Newest first, without their content. */
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

  find(hookId: string, id: string): Promise<KeptRequest | null> {
    return this.requests.findOneBy({ hookId, id });
  }

  async deleteOfHook(hookId: string): Promise<void> {
    await this.requests.delete({ hookId });
  }

  /** Deletes up to `limit` of the oldest from before `time`. Returns how many. */
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
  const row = [id, hookId, createAt, status, errorId, message, bodySize, isCut, notUnderstood];
  return [...row, JSON.stringify(content), hookId];
}
