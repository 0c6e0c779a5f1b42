import { Injectable } from '@nestjs/common';
import { In, MoreThanOrEqual } from 'typeorm';
import { sequenceFrom, timeOfSequence } from '../../platform/common/sequence.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { endpointLane, isOrderedLane, orderedLanesOf } from './delivery-kind.js';
import {
  Delivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  isOpen,
  OPEN_STATUSES,
} from './delivery.entity.js';

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
      isRare ? ofLane(':lane', ':ordered', ':afterOrdered') : ofScope,
      ...range,
      ...(isNarrowed ? open : []),
    ];
    const rows = `SELECT id, seq FROM deliveries WHERE ${conditions.join(' AND ')}`;
    // Ordering few rows would make the database scan the whole range for them.
    const areFew = isRare || id !== undefined || (isNarrowed && openIds);
    return `SELECT * FROM (${areFew ? rows : `${rows} ORDER BY seq ${order} LIMIT ${limit}`}) AS s${index}`;
  });
  const sql = `SELECT id, seq FROM (${parts.join(' UNION ALL ')}) AS page_rows ORDER BY seq ${order} LIMIT ${limit}`;
  const [lane, ordered, afterOrdered] = rare ? lanesOf(rare.lane) : [];
  const lanes = { lane, ordered, afterOrdered };
  return { sql, parameters: { ...scope, id, ...lanes, openIds, exceptIds, sinceSeq, beforeSeq } };
}

/** The lane of an endpoint, and the range of its ordered lanes. */
function lanesOf(lane: string): [lane: string, ordered: string, afterOrdered: string] {
  const ordered = orderedLanesOf(lane);
  return [lane, ordered, `${ordered.slice(0, -1)};`];
}

function ofLane(lane = '?', ordered = '?', afterOrdered = '?'): string {
  return `(lane = ${lane} OR (lane >= ${ordered} AND lane < ${afterOrdered}))`;
}

const CANDIDATE = {
  id: true,
  seq: true,
  kind: true,
  ownerId: true,
  lane: true,
  url: true,
  status: true,
  reason: true,
  lastCode: true,
  lastError: true,
} as const;

/** The fields of a delivery that searches filter by and recoveries need. */
export type Candidate = Pick<Delivery, keyof typeof CANDIDATE>;

/** Narrows deliveries by the result of their last attempt, and by lane. Undefined fields are ignored. */
export interface ResultFilter {
  readonly lane?: string | undefined;
  /** The error class of the last attempt. */
  readonly error?: string | undefined;
  /** The HTTP status range of the last attempt, inclusive. */
  readonly codes?: readonly [number, number] | undefined;
}

export function hasResult({ lane, error, codes }: ResultFilter, row: Candidate): boolean {
  return (
    (lane === undefined ||
      row.lane === lane ||
      (isOrderedLane(row.lane) && endpointLane(row.url) === lane)) &&
    (error === undefined || row.lastError === error) &&
    (codes === undefined || (row.lastCode >= codes[0] && row.lastCode <= codes[1]))
  );
}

/**
 * Lists of deliveries. Raw SQL, because TypeORM has no UNION ALL: each status is read from its own index range, no
 * further than the page.
 */
@Injectable()
export class DeliveriesReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Lists deliveries newest first, without the shared parts of their bodies. */
  list(filter: PageFilter, limit: number): Promise<Delivery[]> {
    return this.page(filter, 'DESC', limit).getMany();
  }

  /** Lists the next deliveries that may match. */
  listCandidates(filter: PageFilter, limit: number, order: 'ASC' | 'DESC' = 'DESC'): Promise<Candidate[]> {
    const fields = Object.keys(CANDIDATE).map((name) => `delivery.${name}`);
    return this.page(filter, order, limit).select(fields).getMany();
  }

  /** Returns the statuses in which a lane has at most `limit` deliveries. Counting stops beyond the limit. */
  async listRareStatuses(
    lane: string,
    statuses: readonly DeliveryStatus[],
    limit: number,
  ): Promise<DeliveryStatus[]> {
    const counts = statuses.map(
      (status) => `SELECT '${status}' AS status, COUNT(*) AS count FROM
         (SELECT status FROM deliveries WHERE status = '${status}' AND ${ofLane()} LIMIT ${limit + 1}) AS some_rows`,
    );
    const rows = await this.unitOfWork.manager.query<{ status: DeliveryStatus; count: number | string }[]>(
      counts.join(' UNION ALL '),
      statuses.flatMap(() => lanesOf(lane)),
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

  /** Open deliveries of an owner, counted up to `limit`, and when the oldest was created; 0 without any. */
  async countOpen(ownerId: string, limit: number): Promise<{ count: number; oldestAt: number }> {
    const parts = OPEN_STATUSES.map(
      (status) =>
        `SELECT * FROM (SELECT seq FROM deliveries
           WHERE owner_id = ? AND status = '${status}' ORDER BY seq LIMIT ${limit}) AS ${status}_rows`,
    );
    const [row] = await this.unitOfWork.manager.query<Record<'count' | 'first', number | string | null>[]>(
      `SELECT COUNT(*) AS count, MIN(seq) AS first FROM (${parts.join(' UNION ALL ')}) AS open_rows`,
      OPEN_STATUSES.map(() => ownerId),
    );
    const count = Math.min(limit, Number(row?.count ?? 0));
    return { count, oldestAt: timeOfSequence(Number(row?.first ?? 0)) };
  }

  /** The URLs of an owner's newest successful deliveries, and when each was made. */
  listSuccesses(ownerId: string, limit: number): Promise<Pick<Delivery, 'url' | 'finishAt'>[]> {
    return this.page({ ownerId, statuses: ['delivered'] }, 'DESC', limit)
      .select(['delivery.id', 'delivery.url', 'delivery.finishAt'])
      .getMany();
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
