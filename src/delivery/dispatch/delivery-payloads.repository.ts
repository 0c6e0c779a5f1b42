import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { JsonObject } from '../../platform/common/json.js';
import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type DeliveriesOfSubject, Delivery, DeliveryPayload } from './delivery.entity.js';

/** Reads and deletes payloads shared by the deliveries of a subject. They are written with the deliveries. */
@Injectable()
export class DeliveryPayloadsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Adds the shared parts to the bodies of deliveries read from the table, with at most one query. */
  async complete<Rows extends readonly Delivery[]>(deliveries: Rows): Promise<Rows> {
    const subjects = new Set(deliveries.filter(isSharing).map(({ subjectId }) => subjectId));
    if (subjects.size === 0) return deliveries;
    const found = await this.payloads.findBy({ subjectId: In([...subjects]) });
    const bodies = new Map(found.map((payload) => [keyOf(payload), payload.body]));
    for (const delivery of deliveries.filter(isSharing))
      delivery.body = { ...bodies.get(keyOf(delivery)), ...delivery.body };
    return deliveries;
  }

  async delete(kind: string, subjectIds: readonly string[]): Promise<void> {
    await this.payloads.delete({ subjectId: In([...subjectIds]), kind });
  }

  /** Deletes payloads of these subjects that no delivery uses. Call this inside a unit of work. */
  async deleteUnused(subjectIds: readonly string[]): Promise<void> {
    if (subjectIds.length === 0) return;
    await this.payloads
      .createQueryBuilder()
      .delete()
      .where({ subjectId: In([...subjectIds]) })
      .andWhere(
        `NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.subject_id = delivery_payloads.subject_id
           AND deliveries.kind = delivery_payloads.kind AND deliveries.shares_payload = 1)`,
      )
      .execute();
  }

  private get payloads() {
    return this.unitOfWork.manager.getRepository(DeliveryPayload);
  }
}

function isSharing({ sharesPayload }: Delivery): boolean {
  return sharesPayload;
}

function keyOf({ kind, subjectId }: Pick<Delivery, 'kind' | 'subjectId'>): string {
  return `${kind} ${subjectId}`;
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
