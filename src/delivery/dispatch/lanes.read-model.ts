import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import { byIndex } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { isOrderedLane, PULL_URL } from './delivery-kind.js';
import { Delivery, type DeliveryStatus, OPEN_STATUSES, type OpenStatus } from './delivery.entity.js';

/** The earliest open delivery of a lane. */
export interface LaneHead {
  readonly lane: string;
  readonly nextAttemptAt: number;
}

/** The earliest open delivery of a flow. */
export interface FlowHead {
  readonly flow: string;
  readonly nextAttemptAt: number;
}

/** The first delivery of an ordered lane, which has failed and waits for its next attempt. */
export interface LaneBlock {
  readonly id: string;
  /** When it first failed. */
  readonly since: number;
  readonly retryAt: number;
}

/** A delivery that has been due for longer than this is overdue. */
const OVERDUE_MS = 60_000;
/** Maximum number of overdue lanes counted per status, and of lanes examined for them. */
const MAX_OVERDUE = 500;
const MAX_LANES = 5_000;
const COUNTED_AT_ONCE = 1_000;

/** Endpoints with overdue deliveries. */
export interface Overdue {
  readonly endpoints: number;
  /** When the oldest of these deliveries was due; 0 if none. */
  readonly oldestDueAt: number;
}

/**
 * The deliveries table as the dispatcher's queue: due deliveries by lane. Raw SQL where a recursive query jumps from one
 * lane to the next in the index, which TypeORM cannot express.
 */
@Injectable()
export class LanesReadModel {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: DeliveriesRepository,
  ) {}

  /** Lists the open deliveries of an ordered lane in creation order, even if the clock was set back. */
  async listInOrder(lane: string, status: DeliveryStatus, limit: number): Promise<Delivery[]> {
    const rows = await this.deliveries.find({
      where: { status, lane },
      order: { nextAttemptAt: 'ASC', seq: 'ASC' }, // same order as `seq`: see DeliveriesService.build
      take: limit,
    });
    return this.table.complete(rows);
  }

  /** Lists the due deliveries of a lane or of one of its flows, earliest first. */
  async listDue(
    where: { readonly lane: string; readonly flow?: string },
    status: DeliveryStatus,
    now: number,
    limit: number,
  ): Promise<Delivery[]> {
    const rows = await this.deliveries.find({
      where: { status, ...where, nextAttemptAt: LessThanOrEqual(now) },
      order: { nextAttemptAt: 'ASC', seq: 'ASC' },
      take: limit,
    });
    return this.table.complete(rows);
  }

  /** The lane's next flows by name that have deliveries with this status. */
  async flowsAfter(
    lane: string,
    after: string | undefined,
    status: DeliveryStatus,
    limit: number,
  ): Promise<FlowHead[]> {
    const where = `status = '${status}' AND deliveries.lane = ?`;
    const heads = await this.heads('flow', where, [lane], after, limit);
    return heads.map(([flow, nextAttemptAt]) => ({ flow, nextAttemptAt }));
  }

  /** Returns when the next delivery of a lane becomes due. */
  async nextDueAt(lane: string, status: DeliveryStatus, now: number): Promise<number | undefined> {
    const next = await this.deliveries.findOne({
      select: { id: true, nextAttemptAt: true },
      where: { status, lane, nextAttemptAt: MoreThan(now) },
      order: { nextAttemptAt: 'ASC' },
    });
    return next?.nextAttemptAt;
  }

  /** The next lanes by name that have deliveries with this status, without those to pull, which are last by name. */
  async lanesAfter(after: string, status: DeliveryStatus, limit: number): Promise<LaneHead[]> {
    const where = `status = '${status}' AND lane < '${PULL_URL}'`;
    const heads = await this.heads('lane', where, [], after, limit);
    return heads.map(([lane, nextAttemptAt]) => ({ lane, nextAttemptAt }));
  }

  /** Like `lanesAfter`, but only the lanes to pull. */
  async pullLanesAfter(after: string, status: DeliveryStatus, limit: number): Promise<LaneHead[]> {
    const heads = await this.heads(
      'lane',
      `status = '${status}' AND lane >= '${PULL_URL}'`,
      [],
      after,
      limit,
    );
    return heads.map(([lane, nextAttemptAt]) => ({ lane, nextAttemptAt }));
  }

  /** When the first open delivery of each lane is due. One index lookup per lane and status. */
  async firstDue(lanes: readonly string[]): Promise<LaneHead[]> {
    const first = (status: string): string =>
      `(SELECT next_attempt_at FROM deliveries WHERE status = '${status}' AND deliveries.lane = wanted.lane
        ORDER BY next_attempt_at LIMIT 1)`;
    const rows = await this.unitOfWork.manager.query<
      Record<'lane' | 'pending_at' | 'retry_at', string | null>[]
    >(
      `SELECT wanted.lane AS lane, ${first('pending')} AS pending_at, ${first('retrying')} AS retry_at
       FROM (${lanes.map(() => 'SELECT ? AS lane').join(' UNION ALL ')}) AS wanted`,
      [...lanes],
    );
    return rows.flatMap(({ lane, pending_at, retry_at }) => {
      const nextAttemptAt = Math.min(Number(pending_at ?? Infinity), Number(retry_at ?? Infinity));
      return lane === null || nextAttemptAt === Infinity ? [] : [{ lane, nextAttemptAt }];
    });
  }

  /** The ordered lanes among these that are blocked, and by what. */
  async blockedLanes(lanes: readonly string[]): Promise<ReadonlyMap<string, LaneBlock>> {
    const names = [...new Set(lanes)];
    if (names.length === 0) return new Map();
    const rows = await this.unitOfWork.manager.query<
      { id: string; lane: string; since: number | string | null; retry_at: number | string }[]
    >(
      `SELECT first.id AS id, first.lane AS lane, first.retry_at AS retry_at, failed.start_at AS since
       FROM (${names.map(() => 'SELECT ? AS lane').join(' UNION ALL ')}) AS wanted
       JOIN deliveries first ON first.id = (SELECT deliveries.id FROM deliveries
         WHERE deliveries.status = 'pending' AND deliveries.lane = wanted.lane
         ORDER BY deliveries.next_attempt_at, deliveries.seq LIMIT 1)
       LEFT JOIN delivery_attempts failed
         ON failed.delivery_id = first.id AND failed.number = first.attempts - first.step + 1
       WHERE first.retry_at > 0`,
      names,
    );
    return new Map(
      rows.map(({ id, lane, since, retry_at: at }) => [
        lane,
        { id, since: Number(since ?? 0), retryAt: Number(at) },
      ]),
    );
  }

  /** Finds overdue deliveries of all processes among the first lanes with open deliveries. */
  async findOverdue(now: number): Promise<Overdue> {
    const overdue = new Map<string, number>();
    for (const status of OPEN_STATUSES)
      for (const { lane, nextAttemptAt } of await this.listOverdue(status, now - OVERDUE_MS))
        overdue.set(lane, Math.min(nextAttemptAt, overdue.get(lane) ?? nextAttemptAt));
    return { endpoints: overdue.size, oldestDueAt: overdue.size === 0 ? 0 : Math.min(...overdue.values()) };
  }

  /** Counts open deliveries, in slices so that other work continues. */
  async countOpen(): Promise<number> {
    let total = 0;
    for (let after = 0; ;) {
      const [slice] = await this.unitOfWork.manager.query<Record<'count' | 'last', number | string | null>[]>(
        `SELECT COUNT(*) AS count, MAX(seq) AS last FROM (SELECT seq FROM ${byIndex('deliveries', 'ix_deliveries_finished')}
           WHERE finish_at = 0 AND seq > ? ORDER BY seq LIMIT ${COUNTED_AT_ONCE}) AS slice`,
        [after],
      );
      const count = Number(slice?.count ?? 0);
      total += count;
      if (count < COUNTED_AT_ONCE) return total;
      after = Number(slice?.last);
      await setImmediate();
    }
  }

  /** The next values of a column, and the first due time of each. One index lookup per value. */
  private async heads(
    column: 'lane' | 'flow',
    where: string,
    values: readonly string[],
    after: string | undefined,
    limit: number,
  ): Promise<[name: string, nextAttemptAt: number][]> {
    const next = (range: string): string =>
      `SELECT MIN(${column}) FROM deliveries WHERE ${where} AND ${column} ${range}`;
    const first = after === undefined ? ">= ''" : '> ?';
    const rows = await this.unitOfWork.manager.query<{ name: string; due_at: number | string }[]>(
      `WITH RECURSIVE heads (n, name) AS (
         SELECT 1, (${next(first)}) UNION ALL SELECT n + 1, (${next('> heads.name')}) FROM heads WHERE name IS NOT NULL AND n < ${limit}
       ) SELECT name, (SELECT MIN(next_attempt_at) FROM deliveries WHERE ${where} AND deliveries.${column} = heads.name) AS due_at
       FROM heads WHERE name IS NOT NULL`,
      [...values, ...(after === undefined ? [] : [after]), ...values, ...values],
    );
    return rows.map((row) => [row.name, Number(row.due_at)]);
  }

  private async listOverdue(status: OpenStatus, before: number): Promise<LaneHead[]> {
    const found: LaneHead[] = [];
    let scanned = 0;
    for await (const heads of lanePages(this, status)) {
      found.push(
        ...heads.filter(({ lane, nextAttemptAt }) => nextAttemptAt < before && !isOrderedLane(lane)),
      );
      scanned += heads.length;
      if (found.length >= MAX_OVERDUE || scanned >= MAX_LANES) break;
    }
    return found;
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}

/** Number of lanes found by one statement. */
const PAGE = 100;

/** Pages through all lanes that have deliveries with this status. */
export async function* lanePages(
  lanes: Pick<LanesReadModel, 'lanesAfter'>,
  status: OpenStatus,
): AsyncGenerator<LaneHead[], void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const heads: LaneHead[] = await lanes.lanesAfter(after, status, PAGE);
    yield heads;
    after = heads.length === PAGE ? heads.at(-1)?.lane : undefined;
  }
}
