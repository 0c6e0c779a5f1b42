import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryPayloadsRepository } from './delivery-payloads.repository.js';
import { Delivery, type DeliveryStatus, type OpenStatus } from './delivery.entity.js';

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

/**
 * The deliveries table as the dispatcher's queue: due deliveries by lane. Raw SQL where a recursive query jumps from one
 * lane to the next in the index, which TypeORM cannot express.
 */
@Injectable()
export class LanesReadModel {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly payloads: DeliveryPayloadsRepository,
  ) {}

  /** Lists the open deliveries of an ordered lane in creation order, even if the clock was set back. */
  async listInOrder(lane: string, status: DeliveryStatus, limit: number): Promise<Delivery[]> {
    const rows = await this.deliveries.find({
      where: { status, lane },
      order: { nextAttemptAt: 'ASC', seq: 'ASC' }, // same order as `seq`: see DeliveriesService.build
      take: limit,
    });
    return this.payloads.complete(rows);
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
    return this.payloads.complete(rows);
  }

  /** The lane's next flows by name that have deliveries with this status. One index lookup per flow. */
  async flowsAfter(
    lane: string,
    flow: string | undefined,
    status: DeliveryStatus,
    limit: number,
  ): Promise<FlowHead[]> {
    const ofLane = `status = '${status}' AND deliveries.lane = ?`;
    const next = (after: string): string =>
      `SELECT MIN(flow) FROM deliveries WHERE ${ofLane} AND flow ${after}`;
    const first = flow === undefined ? ">= ''" : '> ?';
    const rows = await this.unitOfWork.manager.query<{ flow: string; due_at: number | string }[]>(
      `WITH RECURSIVE flows (n, flow) AS (
         SELECT 1, (${next(first)}) UNION ALL SELECT n + 1, (${next('> flows.flow')}) FROM flows WHERE flow IS NOT NULL AND n < ${limit}
       ) SELECT flow, (SELECT MIN(next_attempt_at) FROM deliveries WHERE ${ofLane} AND deliveries.flow = flows.flow) AS due_at
       FROM flows WHERE flow IS NOT NULL`,
      [lane, ...(flow === undefined ? [] : [flow]), lane, lane],
    );
    return rows.map((row) => ({ flow: row.flow, nextAttemptAt: Number(row.due_at) }));
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

  /** The next lanes by name that have deliveries with this status. One index lookup per lane. */
  async lanesAfter(lane: string, status: DeliveryStatus, limit: number): Promise<LaneHead[]> {
    const next = (after: string): string =>
      `SELECT MIN(lane) FROM deliveries WHERE status = '${status}' AND lane > ${after}`;
    const rows = await this.unitOfWork.manager.query<{ lane: string; due_at: number | string }[]>(
      `WITH RECURSIVE lanes (n, lane) AS (
         SELECT 1, (${next('?')}) UNION ALL SELECT n + 1, (${next('lanes.lane')}) FROM lanes WHERE lane IS NOT NULL AND n < ${limit}
       ) SELECT lane, (SELECT MIN(next_attempt_at) FROM deliveries WHERE status = '${status}' AND deliveries.lane = lanes.lane) AS due_at
       FROM lanes WHERE lane IS NOT NULL`,
      [lane],
    );
    return rows.map((row) => ({ lane: row.lane, nextAttemptAt: Number(row.due_at) }));
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
