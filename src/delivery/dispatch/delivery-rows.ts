import { newId } from '../../platform/common/ids.js';
import { timeOfSequence } from '../../platform/common/sequence.js';
import { endpointLane, flowOf, isOrderedLane } from './delivery-kind.js';
import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { type DeliveriesOfSubject, Delivery, DeliveryPayload } from './delivery.entity.js';

/** A new delivery. */
export interface NewDelivery {
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  readonly url: string;
  readonly body: JsonObject;
  readonly contentType: string;
  /** The ordered lane; defaults to the lane of the endpoint. */
  readonly lane?: string;
  /** By default that of the URL; empty with another lane. */
  readonly flow?: string;
  /** Stores the delivery as cancelled for this reason: no call is made, but a recovery can resend it. */
  readonly cancelled?: string;
}

/** The row of a new delivery. */
export function newDelivery(
  { cancelled, lane, flow, ...delivery }: NewDelivery,
  seq: number,
  now: number,
): Delivery {
  return {
    id: newId(),
    seq,
    ...delivery,
    sharesPayload: false,
    lane: lane ?? endpointLane(delivery.url),
    flow: flow ?? (lane === undefined ? flowOf(delivery.ownerId, delivery.url) : ''),
    status: cancelled === undefined ? 'pending' : 'cancelled',
    reason: cancelled ?? '',
    attempts: 0,
    step: 0,
    // Lets the index return an ordered lane in `seq` order.
    nextAttemptAt: lane !== undefined && isOrderedLane(lane) ? timeOfSequence(seq) : now,
    createAt: now,
    finishAt: cancelled === undefined ? 0 : now,
    lastCode: 0,
    lastError: '',
    replyPostId: '',
    retryAt: 0,
  };
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
