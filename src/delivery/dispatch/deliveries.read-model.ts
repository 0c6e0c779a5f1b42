import { Injectable } from '@nestjs/common';
import { In, MoreThanOrEqual } from 'typeorm';
import { sequenceFrom } from '../../platform/common/sequence.js';
import { byIndex } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  Delivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  isOpen,
  type RecoveryFilter,
} from './delivery.entity.js';
import { FINAL_REASONS } from './delivery.errors.js';

/** Selects deliveries of an owner, or of all owners of a kind. */
export type PageFilter = PageScope & {
  /** Empty means all. */
  readonly statuses: readonly DeliveryStatus[];
  /** Only this delivery. */
  readonly id?: string;
  /** Restricts open deliveries to these. */
  readonly openIds?: readonly string[];
  /** Exempts `retrying` deliveries from `openIds`. */
  readonly anyRetrying?: boolean;
  /** Excludes these open deliveries. */
  readonly exceptIds?: readonly string[];
  readonly sinceSeq?: number;
  /** The page cursor. */
  readonly beforeSeq?: number;
  /** Restricts these statuses to a lane that has few deliveries in them, regardless of scope. */
  readonly rare?: { readonly lane: string; readonly statuses: readonly DeliveryStatus[] };
};

export type PageScope = { readonly ownerId: string } | { readonly kind: string };

/**
 * Selects the ids of a page of deliveries in `seq` order. Each status is a separate index range, read no
 * further than the page; settled deliveries are never read to find open ones.
 */
function deliveryPage(filter: PageFilter, order: 'ASC' | 'DESC', limit: number) {
  const { id, statuses, openIds, anyRetrying, exceptIds, sinceSeq, beforeSeq, rare } = filter;
  const scope = 'ownerId' in filter ? { ownerId: filter.ownerId } : { kind: filter.kind };
  const ofScope = 'ownerId' in scope ? 'owner_id = :ownerId' : 'kind = :kind';
  const range = [
    ...(id === undefined ? [] : ['id = :id']),
    ...(sinceSeq === undefined ? [] : ['seq >= :sinceSeq']),
    ...(beforeSeq === undefined ? [] : ['seq < :beforeSeq']),
  ];
  const open = [
    ...(openIds ? [openIds.length > 0 ? 'id IN (:...openIds)' : '1 = 0'] : []),
    ...(exceptIds && exceptIds.length > 0 ? ['id NOT IN (:...exceptIds)'] : []),
  ];
  const wanted = new Set(statuses.length > 0 ? statuses : DELIVERY_STATUSES);
  const parts = [...wanted].map((status, index) => {
    const isRare = rare?.statuses.includes(status);
    const isNarrowed = isOpen(status) && !(anyRetrying && status === 'retrying');
    const conditions = [
      `status = '${status}'`,
      isRare ? 'lane = :lane' : ofScope,
      ...range,
      ...(isNarrowed ? open : []),
    ];
    const rows = `SELECT id, seq FROM deliveries WHERE ${conditions.join(' AND ')}`;
    // Ordering few rows would make the database scan the whole range for them.
    const areFew = isRare || id !== undefined || (isNarrowed && openIds);
    return `SELECT * FROM (${areFew ? rows : `${rows} ORDER BY seq ${order} LIMIT ${limit}`}) AS s${index}`;
  });
  const sql = `SELECT id, seq FROM (${parts.join(' UNION ALL ')}) AS page_rows ORDER BY seq ${order} LIMIT ${limit}`;
  return { sql, parameters: { ...scope, id, lane: rare?.lane, openIds, exceptIds, sinceSeq, beforeSeq } };
}

const CANDIDATE = {
  id: true,
  seq: true,
  kind: true,
  ownerId: true,
  lane: true,
  lastCode: true,
  lastError: true,
} as const;

/** The fields of a delivery that a search filters by. */
export type Candidate = Pick<Delivery, keyof typeof CANDIDATE>;

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
interface MissedSlice {
  readonly missed: readonly Missed[];
  /** The last one examined; undefined if there are no more. */
  readonly lastSeq: number | undefined;
}

/** Number of missed deliveries to one URL, and how many of them wait for their next attempt. */
interface MissedCount extends Pick<Delivery, 'ownerId' | 'url'> {
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

/**
 * Lists and counts of deliveries. Raw SQL, because TypeORM has neither UNION ALL nor index hints: each status is read
 * from its own index range, no further than the page.
 */
@Injectable()
export class DeliveriesReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Lists deliveries newest first, without the shared parts of their bodies. */
  list(filter: PageFilter, limit: number): Promise<Delivery[]> {
    return this.page(filter, 'DESC', limit).getMany();
  }

  /** Lists the next deliveries that may match, newest first. */
  listCandidates(filter: PageFilter, limit: number): Promise<Candidate[]> {
    const fields = Object.keys(CANDIDATE).map((name) => `delivery.${name}`);
    return this.page(filter, 'DESC', limit).select(fields).getMany();
  }

  /** Returns the statuses in which a lane has at most `limit` deliveries. Counting stops beyond the limit. */
  async listRareStatuses(
    lane: string,
    statuses: readonly DeliveryStatus[],
    limit: number,
  ): Promise<DeliveryStatus[]> {
    const counts = statuses.map(
      (status) => `SELECT '${status}' AS status, COUNT(*) AS count FROM
         (SELECT status FROM deliveries WHERE status = '${status}' AND lane = ? LIMIT ${limit + 1}) AS some_rows`,
    );
    const rows = await this.unitOfWork.manager.query<{ status: DeliveryStatus; count: number | string }[]>(
      counts.join(' UNION ALL '),
      statuses.map(() => lane),
    );
    return rows.filter(({ count }) => Number(count) <= limit).map(({ status }) => status);
  }

  /** The newest deliveries of a kind that were created at or after the given time. */
  listCreated(kind: string, since: number, limit: number): Promise<Pick<Delivery, 'id' | 'createAt'>[]> {
    const page = { kind, statuses: [], sinceSeq: sequenceFrom(since) };
    return this.page(page, 'DESC', limit).select(['delivery.id', 'delivery.createAt']).getMany();
  }

  /** Among the latest deliveries settled at or after the given time, returns those of a kind. */
  async listSettledIds(kind: string, since: number, limit: number): Promise<string[]> {
    const rows = await this.deliveries.find({
      select: { id: true, kind: true },
      where: { finishAt: MoreThanOrEqual(since) },
      order: { finishAt: 'DESC', seq: 'DESC' },
      take: limit,
    });
    return rows.filter((row) => row.kind === kind).map(({ id }) => id);
  }

  findCandidate(scope: PageScope, id: string): Promise<Candidate | null> {
    return this.deliveries.findOne({ select: CANDIDATE, where: { ...scope, id } });
  }

  /** Lists deliveries newest first, without the shared parts of their bodies. */
  async listByIds(ids: readonly string[]): Promise<Delivery[]> {
    if (ids.length === 0) return [];
    const found = await this.deliveries.findBy({ id: In([...ids]) });
    return found.sort((one, other) => other.seq - one.seq);
  }

  /** Examines the next `limit` candidates and returns those that were missed. */
  async listMissed(filter: MissedFilter, limit: number): Promise<MissedSlice> {
    const rows = await this.mayBeMissed(filter, limit)
      .select('delivery.id', 'id')
      .addSelect('delivery.seq', 'seq')
      .addSelect('delivery.ownerId', 'ownerId')
      .addSelect('delivery.status', 'status')
      .addSelect('delivery.lane', 'lane')
      .addSelect('delivery.url', 'url')
      .addSelect(`CASE WHEN ${isLeftOut(filter)} THEN 0 ELSE 1 END`, 'isMissed')
      .getRawMany<Missed & { readonly isMissed: number | string }>();
    const missed = rows.map(({ isMissed, ...row }) => ({ ...row, seq: Number(row.seq), isMissed }));
    return {
      missed: missed.filter(({ isMissed }) => Number(isMissed) === 1),
      lastSeq: rows.length === limit ? missed.at(-1)?.seq : undefined,
    };
  }

  /** Like `listMissed`, but only counts. `lastSeq` is always set: `filter.sinceSeq - 1` if nothing was found. */
  async countMissed(
    filter: MissedFilter,
    limit: number,
  ): Promise<{ readonly counts: MissedCount[]; readonly lastSeq: number; readonly isLast: boolean }> {
    const rows = await this.mayBeMissed(filter, limit)
      .select('delivery.ownerId', 'ownerId')
      .addSelect('delivery.url', 'url')
      .addSelect('COUNT(*)', 'seen')
      .addSelect('MAX(delivery.seq)', 'lastSeq')
      .addSelect(`SUM(CASE WHEN ${isLeftOut(filter)} THEN 0 ELSE 1 END)`, 'missed')
      .addSelect(
        `SUM(CASE WHEN ${isLeftOut(filter)} OR delivery.status NOT IN ('pending','retrying') THEN 0 ELSE 1 END)`,
        'waiting',
      )
      .orderBy()
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
  private mayBeMissed(filter: MissedFilter, limit: number) {
    const { scope, statuses, sinceSeq, beforeSeq, lane, error, codes } = filter;
    const only = { onlyLane: lane, onlyError: error, firstCode: codes?.[0], lastCode: codes?.[1] };
    return this.page({ ...scope, statuses, sinceSeq, beforeSeq }, 'ASC', limit).setParameters({
      ...only,
      finalReasons: FINAL_REASONS,
    });
  }

  /** Counts open deliveries, up to a limit. */
  async countOpen(limit: number): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ count: number | string }[]>(
      `SELECT COUNT(*) AS count FROM
         (SELECT status FROM deliveries WHERE status IN ('pending','retrying') LIMIT ${limit}) AS some_rows`,
    );
    return Number(row?.count ?? 0);
  }

  /** Counts open deliveries after `seq`, up to `end`; returns the last one if the limit is reached. */
  async countOpenAfter(
    seq: number,
    end: number,
    limit: number,
  ): Promise<{ readonly count: number; readonly last: number | undefined }> {
    const [row] = await this.unitOfWork.manager.query<Record<'count' | 'last', number | string | null>[]>(
      `SELECT COUNT(*) AS count, MAX(seq) AS last FROM (SELECT seq FROM ${byIndex('deliveries', 'ix_deliveries_finished')}
         WHERE finish_at = 0 AND seq > ? AND seq <= ? ORDER BY seq LIMIT ${limit}) AS slice`,
      [seq, end],
    );
    const count = Number(row?.count ?? 0);
    return { count, last: count < limit ? undefined : Number(row?.last) };
  }

  /** The `seq` of the newest open delivery, or 0. */
  async lastOpenSeq(): Promise<number> {
    return Number((await this.deliveries.maximum('seq', { finishAt: 0 })) ?? 0); // the end of an index range
  }

  /** The deliveries of a page, in `seq` order. */
  private page(filter: PageFilter, order: 'ASC' | 'DESC', limit: number) {
    const { sql, parameters } = deliveryPage(filter, order, limit);
    return this.deliveries
      .createQueryBuilder('delivery')
      .innerJoin(`(${sql})`, 'page', 'page.id = delivery.id')
      .setParameters(parameters)
      .orderBy('delivery.seq', order);
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}
