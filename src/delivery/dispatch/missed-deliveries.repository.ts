import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { deliveryPage, type PageScope } from './delivery-page.js';
import type { RecoveryFilter } from './delivery-recovery.entity.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';
import { FINAL_REASONS } from './final-reasons.js';

/** The stored statuses of what a recovery sends again. */
export const MISSED: readonly DeliveryStatus[] = ['retrying', 'failed', 'cancelled'];

/** Selects what a recovery sends again: deliveries in these statuses, but not those that never are. */
export interface MissedFilter extends Pick<RecoveryFilter, 'lane' | 'error' | 'codes'> {
  readonly scope: PageScope;
  readonly statuses: readonly DeliveryStatus[];
  readonly sinceSeq: number;
  readonly beforeSeq: number;
}

/** What a recovery must know of a delivery. */
export type Missed = Pick<Delivery, 'id' | 'seq' | 'ownerId' | 'status' | 'lane' | 'url'>;

/** A part of what may have been missed, in the order of creation. */
export interface MissedSlice {
  readonly missed: readonly Missed[];
  /** The last that was looked at; undefined if there are no more. */
  readonly lastSeq: number | undefined;
}

/** How many deliveries to one URL were missed, and how many of them wait for their next attempt. */
export interface MissedCount {
  readonly ownerId: string;
  readonly url: string;
  readonly missed: number;
  readonly waiting: number;
}

/** Whether a delivery is not to be sent again. */
function isLeftOut({ lane, error, codes }: MissedFilter): string {
  return [
    'delivery.reason IN (:...finalReasons)',
    ...(lane === undefined ? [] : ['delivery.lane <> :onlyLane']),
    ...(error === undefined ? [] : ['delivery.lastError <> :onlyError']),
    ...(codes === undefined ? [] : ['delivery.lastCode NOT BETWEEN :firstCode AND :lastCode']),
  ].join(' OR ');
}

/** The queries for deliveries that a recovery sends again. */
@Injectable()
export class MissedDeliveriesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** What was missed among the next deliveries that may have been, of which so many are looked at. */
  async list(filter: MissedFilter, limit: number): Promise<MissedSlice> {
    const rows = await this.candidates(filter, limit)
      .select('delivery.id', 'id')
      .addSelect('delivery.seq', 'seq')
      .addSelect('delivery.ownerId', 'ownerId')
      .addSelect('delivery.status', 'status')
      .addSelect('delivery.lane', 'lane')
      .addSelect('delivery.url', 'url')
      .addSelect(`CASE WHEN ${isLeftOut(filter)} THEN 0 ELSE 1 END`, 'isMissed')
      .orderBy('delivery.seq', 'ASC')
      .getRawMany<Missed & { readonly isMissed: number | string }>();
    const missed = rows.map(({ isMissed, ...row }) => ({ ...row, seq: Number(row.seq), isMissed }));
    return {
      missed: missed.filter(({ isMissed }) => Number(isMissed) === 1),
      lastSeq: rows.length === limit ? missed.at(-1)?.seq : undefined,
    };
  }

  /** As `list`, but only counts. `lastSeq` is also that of the last part; what is before `filter.sinceSeq` if that is empty. */
  async count(
    filter: MissedFilter,
    limit: number,
  ): Promise<{ readonly counts: MissedCount[]; readonly lastSeq: number; readonly isLast: boolean }> {
    const rows = await this.candidates(filter, limit)
      .select('delivery.ownerId', 'ownerId')
      .addSelect('delivery.url', 'url')
      .addSelect('COUNT(*)', 'seen')
      .addSelect('MAX(delivery.seq)', 'lastSeq')
      .addSelect(`SUM(CASE WHEN ${isLeftOut(filter)} THEN 0 ELSE 1 END)`, 'missed')
      .addSelect(
        `SUM(CASE WHEN ${isLeftOut(filter)} OR delivery.status NOT IN ('pending','retrying') THEN 0 ELSE 1 END)`,
        'waiting',
      )
      .groupBy('delivery.ownerId')
      .addGroupBy('delivery.url')
      .getRawMany<Record<'ownerId' | 'url' | 'seen' | 'lastSeq' | 'missed' | 'waiting', string>>();
    return {
      counts: rows.map(({ ownerId, url, missed, waiting }) => ({
        ...{ ownerId, url, missed: Number(missed), waiting: Number(waiting) },
      })),
      lastSeq: Math.max(filter.sinceSeq - 1, ...rows.map(({ lastSeq }) => Number(lastSeq))),
      isLast: rows.reduce((sum, { seen }) => sum + Number(seen), 0) < limit,
    };
  }

  /** The owners and lanes of the oldest deliveries that wait for their first attempt, so many of each owner at most. */
  async listPending(
    ownerIds: readonly string[],
    limit: number,
  ): Promise<readonly Pick<Delivery, 'ownerId' | 'lane'>[]> {
    if (ownerIds.length === 0) return [];
    const parts = ownerIds.map(
      (_, index) =>
        `SELECT * FROM (SELECT owner_id AS ownerId, lane FROM deliveries
           WHERE owner_id = ? AND status = 'pending' ORDER BY seq LIMIT ${limit}) AS pending${index}`,
    );
    return this.unitOfWork.manager.query<Pick<Delivery, 'ownerId' | 'lane'>[]>(parts.join(' UNION ALL '), [
      ...ownerIds,
    ]);
  }

  /** The next deliveries that may have been missed. */
  private candidates(filter: MissedFilter, limit: number) {
    const { scope, statuses, sinceSeq, beforeSeq, lane, error, codes } = filter;
    const { sql, parameters } = deliveryPage({ ...scope, statuses, sinceSeq, beforeSeq }, 'ASC', limit);
    const only = { onlyLane: lane, onlyError: error, firstCode: codes?.[0], lastCode: codes?.[1] };
    return this.unitOfWork.manager
      .getRepository(Delivery)
      .createQueryBuilder('delivery')
      .innerJoin(`(${sql})`, 'page', 'page.id = delivery.id')
      .setParameters({ ...parameters, ...only, finalReasons: FINAL_REASONS });
  }
}
