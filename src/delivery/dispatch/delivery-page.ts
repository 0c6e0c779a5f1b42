import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity.js';

/** Selects deliveries of an owner, or of all owners of a kind. */
export type PageFilter = PageScope & {
  /** None means all. */
  readonly statuses: readonly DeliveryStatus[];
  /** This delivery only. */
  readonly id?: string;
  /** Open deliveries only if they are among these. */
  readonly openIds?: readonly string[];
  /** Whether those that are `retrying` need not be among `openIds`. */
  readonly anyRetrying?: boolean;
  /** Open deliveries only if they are not among these. */
  readonly exceptIds?: readonly string[];
  readonly sinceSeq?: number;
  /** The cursor of a page. */
  readonly beforeSeq?: number;
  /** Deliveries in these statuses only if they are of this lane, of whatever scope: it has few of them. */
  readonly rare?: { readonly lane: string; readonly statuses: readonly DeliveryStatus[] };
};

/** Whose deliveries. */
export type PageScope = { readonly ownerId: string } | { readonly kind: string };

/** A part of a statement, with named parameters. */
export interface SqlPart {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Selects the ids of a page of deliveries in the order of `seq`. Each status is a range of the index of its own, read no
 * further than the page; what is settled is never read to find what is open.
 */
export function deliveryPage(filter: PageFilter, order: 'ASC' | 'DESC', limit: number): SqlPart {
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
    // In order, a few would be looked for along the whole range.
    const areFew = isRare || id !== undefined || (isNarrowed && openIds);
    return `SELECT * FROM (${areFew ? rows : `${rows} ORDER BY seq ${order} LIMIT ${limit}`}) AS s${index}`;
  });
  const sql = `SELECT id, seq FROM (${parts.join(' UNION ALL ')}) AS page_rows ORDER BY seq ${order} LIMIT ${limit}`;
  return { sql, parameters: { ...scope, id, lane: rare?.lane, openIds, exceptIds, sinceSeq, beforeSeq } };
}

function isOpen(status: DeliveryStatus): boolean {
  return status === 'pending' || status === 'retrying';
}
