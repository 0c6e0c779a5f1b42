import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Delivery, DeliveryPayload } from './delivery.entity.js';

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
    await this.unitOfWork.manager.query(
      `DELETE FROM delivery_payloads WHERE subject_id IN (${subjectIds.map(() => '?').join(',')})
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.subject_id = delivery_payloads.subject_id
         AND deliveries.kind = delivery_payloads.kind AND deliveries.shares_payload = 1)`,
      [...subjectIds],
    );
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
