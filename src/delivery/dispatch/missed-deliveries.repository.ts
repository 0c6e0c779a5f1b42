import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { deliveryPage } from './delivery-page.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';
import { FINAL_REASONS } from './final-reasons.js';

const MISSED: readonly DeliveryStatus[] = ['failed', 'cancelled'];

/** Selects what a recovery sends again: failed and cancelled deliveries of an owner, but not those that are never. */
export interface MissedFilter {
  readonly ownerId: string;
  readonly sinceSeq: number;
  readonly beforeSeq: number;
  /** Only deliveries to these. */
  readonly urls: readonly string[];
}

/** A part of what may have been missed, in the order of creation. */
export interface MissedSlice {
  readonly missed: readonly Pick<Delivery, 'id' | 'seq' | 'lane'>[];
  /** The last that was looked at; undefined if there are no more. */
  readonly lastSeq: number | undefined;
}

/** The queries for deliveries that a recovery sends again. */
@Injectable()
export class MissedDeliveriesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** What was missed among the next deliveries that may have been, of which so many are looked at. */
  async list(filter: MissedFilter, limit: number): Promise<MissedSlice> {
    const rows = await this.candidates(filter, limit)
      .select(['delivery.id', 'delivery.seq', 'delivery.lane', 'delivery.url', 'delivery.reason'])
      .getMany();
    const final: readonly string[] = FINAL_REASONS;
    return {
      missed: rows.filter(({ url, reason }) => filter.urls.includes(url) && !final.includes(reason)),
      lastSeq: rows.length === limit ? rows.at(-1)?.seq : undefined,
    };
  }

  /** As `list`, but only counts. `lastSeq` is also that of the last part; what is before `filter.sinceSeq` if that is empty. */
  async count(
    filter: MissedFilter,
    limit: number,
  ): Promise<{ readonly count: number; readonly lastSeq: number; readonly isLast: boolean }> {
    const row = await this.candidates(filter, limit)
      .select('COUNT(*)', 'seen')
      .addSelect('MAX(delivery.seq)', 'lastSeq')
      .addSelect(
        'SUM(CASE WHEN delivery.reason NOT IN (:...finalReasons) AND delivery.url IN (:...urls) THEN 1 ELSE 0 END)',
        'missed',
      )
      .setParameters({ finalReasons: FINAL_REASONS, urls: filter.urls })
      .orderBy()
      .getRawOne<Record<'seen' | 'lastSeq' | 'missed', number | string | null>>();
    return {
      count: Number(row?.missed ?? 0),
      lastSeq: Number(row?.lastSeq ?? filter.sinceSeq - 1),
      isLast: Number(row?.seen ?? 0) < limit,
    };
  }

  /** The next deliveries that may have been missed. */
  private candidates(filter: MissedFilter, limit: number) {
    const { sql, parameters } = deliveryPage({ ...filter, statuses: MISSED }, 'ASC', limit);
    return this.unitOfWork.manager
      .getRepository(Delivery)
      .createQueryBuilder('delivery')
      .innerJoin(`(${sql})`, 'page', 'page.id = delivery.id')
      .setParameters(parameters)
      .orderBy('delivery.seq', 'ASC');
  }
}
