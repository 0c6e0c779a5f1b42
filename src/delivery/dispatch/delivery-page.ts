import { Delivery, DELIVERY_STATUSES, DeliveryPayload, type DeliveryStatus } from './delivery.entity.js';
import type { JsonObject } from '../../platform/common/json.js';
import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import type { RowsToInsert } from '../../platform/database/rows.js';

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

/** A part of a statement, with named parameters. */
interface SqlPart {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Selects the ids of a page of deliveries in `seq` order. Each status is a separate index range, read no
 * further than the page; settled deliveries are never read to find open ones.
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
    // Ordering few rows would make the database scan the whole range for them.
    const areFew = isRare || id !== undefined || (isNarrowed && openIds);
    return `SELECT * FROM (${areFew ? rows : `${rows} ORDER BY seq ${order} LIMIT ${limit}`}) AS s${index}`;
  });
  const sql = `SELECT id, seq FROM (${parts.join(' UNION ALL ')}) AS page_rows ORDER BY seq ${order} LIMIT ${limit}`;
  return { sql, parameters: { ...scope, id, lane: rare?.lane, openIds, exceptIds, sinceSeq, beforeSeq } };
}

function isOpen(status: DeliveryStatus): boolean {
  return status === 'pending' || status === 'retrying';
}

/** The new deliveries of one kind about one subject, and the shared part of their bodies. */
export interface DeliveriesOfSubject {
  readonly deliveries: readonly Delivery[];
  readonly shared: JsonObject;
}

/** Keeps statements within the size limit of the database. */
const MAX_BATCH_BYTES = 1024 * 1024;
const ROW_BYTES = 1024;
const MAX_BYTES_PER_CHARACTER = 3;

/** The rows of new deliveries. What several of them share is stored in one row. */
export function deliveryRows(subjects: readonly DeliveriesOfSubject[]): RowsToInsert[] {
  const payloads: DeliveryPayload[] = [];
  const rows: Delivery[] = [];
  for (const { deliveries, shared } of subjects) {
    const [first, ...others] = deliveries;
    if (!first) continue;
    if (others.length === 0) {
      rows.push(first);
      continue;
    }
    payloads.push({ subjectId: first.subjectId, kind: first.kind, body: shared });
    for (const delivery of deliveries)
      rows.push({ ...delivery, body: ownPart(delivery.body, shared), sharesPayload: true });
  }
  return [
    ...batchesOf(payloads).map((batch) => ({ entity: DeliveryPayload, rows: batch })),
    ...batchesOf(rows).map((batch) => ({ entity: Delivery, rows: batch })),
  ];
}

function ownPart(body: JsonObject, shared: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => shared[key] !== value));
}

function batchesOf<Row extends { readonly body: JsonObject }>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const sizeBytes = ROW_BYTES + MAX_BYTES_PER_CHARACTER * estimateBytes(row.body);
    if (sizeBytes > left || batches.length === 0) {
      batches.push([]);
      left = MAX_BATCH_BYTES;
    }
    batches.at(-1)?.push(row);
    left -= sizeBytes;
  }
  return batches;
}
