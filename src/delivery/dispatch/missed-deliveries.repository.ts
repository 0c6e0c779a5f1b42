import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { deliveryPage, type PageScope } from './delivery-page.js';
import { Delivery, type DeliveryStatus, type RecoveryFilter } from './delivery.entity.js';
import { FINAL_REASONS } from './final-reasons.js';

/** The stored statuses that a recovery resends. */
export const MISSED: readonly DeliveryStatus[] = ['retrying', 'failed', 'cancelled'];

/** Selects what a recovery resends: deliveries with these statuses, except final ones. */
export interface MissedFilter extends Pick<RecoveryFilter, 'lane' | 'error' | 'codes'> {
  readonly scope: PageScope;
  readonly statuses: readonly DeliveryStatus[];
  readonly sinceSeq: number;
  readonly beforeSeq: number;
}

/** The fields of a delivery that a recovery needs. */
export type Missed = Pick<Delivery, 'id' | 'seq' | 'ownerId' | 'status' | 'lane' | 'url'>;

/** A slice of possibly missed deliveries, in creation order. */
export interface MissedSlice {
  readonly missed: readonly Missed[];
  /** The last one examined; undefined if there are no more. */
  readonly lastSeq: number | undefined;
}

/** Number of missed deliveries to one URL, and how many of them wait for their next attempt. */
export interface MissedCount {
  readonly ownerId: string;
  readonly url: string;
  readonly missed: number;
  readonly waiting: number;
}

/** SQL condition for deliveries that are not resent. */
function isLeftOut({ lane, error, codes }: MissedFilter): string {
  return [
    'delivery.reason IN (:...finalReasons)',
    ...(lane === undefined ? [] : ['delivery.lane <> :onlyLane']),
    ...(error === undefined ? [] : ['delivery.lastError <> :onlyError']),
    ...(codes === undefined ? [] : ['delivery.lastCode NOT BETWEEN :firstCode AND :lastCode']),
  ].join(' OR ');
}

/** The queries for deliveries that a recovery resends. */
@Injectable()
export class MissedDeliveriesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Examines the next `limit` candidates and returns those that were missed. */
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

  /** Like `list`, but only counts. `lastSeq` is always set: `filter.sinceSeq - 1` if nothing was found. */
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

  /** Owners and lanes of the oldest `pending` deliveries, up to `limit` per owner. */
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

  /** Selects the next deliveries that may have been missed. */
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
