import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, LessThan, MoreThan, Not } from 'typeorm';
import { insertRows } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryStatus,
  OPEN_STATUSES,
  type OpenStatus,
} from './delivery.entity.js';
import { DeliveryPayloadsRepository } from './delivery-payloads.repository.js';
import { FINAL_REASONS, MESSAGE_LIMIT, POST_DELETED } from './delivery.errors.js';

const REFUSED = 'refused';
const MAX_IDS = 500;
/** A delivery without manual retries has ten at most. */
export const MAX_LISTED_ATTEMPTS = 500;
const ATTEMPT_COUNT = (): string =>
  '(SELECT COALESCE(MAX(number), 0) FROM delivery_attempts WHERE delivery_id = deliveries.id)';

const SETTLED: readonly DeliveryStatus[] = ['failed', 'cancelled', 'delivered'];

/** Selects open deliveries of an owner. */
export interface OpenFilter {
  readonly ownerId: string;
  readonly beforeSeq: number;
  /** Only deliveries to this URL; to all URLs if undefined. */
  readonly url: string | undefined;
}

const FINISHED_FIELDS = {
  id: true,
  kind: true,
  ownerId: true,
  subjectId: true,
  url: true,
  status: true,
  reason: true,
  attempts: true,
  lastCode: true,
  lastError: true,
  finishAt: true,
} as const satisfies Partial<Record<keyof Delivery, true>>;

/** The outcome of a delivery, without its content. */
export type FinishedDelivery = Pick<Delivery, keyof typeof FINISHED_FIELDS>;

/** Stores and changes deliveries, except their outcomes (`OutcomesRepository`). */
@Injectable()
export class DeliveriesRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly payloads: DeliveryPayloadsRepository,
  ) {}

  async insert(deliveries: readonly Delivery[]): Promise<void> {
    await insertRows(this.unitOfWork.manager, Delivery, deliveries);
  }

  async find(id: string): Promise<Delivery | null> {
    const [delivery] = await this.payloads.complete(await this.deliveries.findBy({ id }));
    return delivery ?? null;
  }

  /** Returns the existing deliveries with their complete bodies, in any order. */
  async listByIds(kind: string, ids: readonly string[]): Promise<Delivery[]> {
    return this.payloads.complete(await this.deliveries.findBy({ id: In([...ids]), kind }));
  }

  /** Lists the latest attempts, oldest first. Manual retries can add any number of them. */
  async listLatestAttempts(deliveryId: string): Promise<DeliveryAttempt[]> {
    const latest = await this.unitOfWork.manager.getRepository(DeliveryAttempt).find({
      where: { deliveryId },
      order: { number: 'DESC' },
      take: MAX_LISTED_ATTEMPTS,
    });
    return latest.reverse();
  }

  /** Deliveries of a kind settled within `windowMs` before the latest one, newest first, without bodies. */
  async listLastFinished(kind: string, windowMs: number, limit: number): Promise<FinishedDelivery[]> {
    const latest = await this.deliveries.maximum('finishAt');
    if (!latest) return [];
    return this.deliveries.find({
      select: FINISHED_FIELDS,
      where: { kind, finishAt: MoreThan(Math.max(0, latest - windowMs)) },
      order: { finishAt: 'DESC', seq: 'DESC' },
      take: limit,
    });
  }

  /** Cancels an owner's next open deliveries. Returns how many were found, up to the limit. */
  async cancel(filter: OpenFilter, reason: string, now: number, limit: number): Promise<number> {
    const { ownerId, beforeSeq, url } = filter;
    const found: { readonly id: string }[] = [];
    for (const status of OPEN_STATUSES)
      if (found.length < limit)
        found.push(
          ...(await this.deliveries.find({
            select: { id: true },
            where: { ownerId, status, seq: LessThan(beforeSeq), ...(url === undefined ? {} : { url }) },
            order: { seq: 'ASC' },
            take: limit - found.length,
          })),
        );
    if (found.length === 0) return 0;
    await this.deliveries.update(
      { id: In(found.map(({ id }) => id)), status: In(OPEN_STATUSES) },
      { status: 'cancelled', reason, finishAt: now },
    );
    return found.length;
  }

  /** Erases the content of all deliveries about these subjects and cancels the open ones. */
  async forget(kind: string, subjectIds: readonly string[], now: number): Promise<void> {
    for (let start = 0; start < subjectIds.length; start += MAX_IDS) {
      const ids = subjectIds.slice(start, start + MAX_IDS);
      const subjectId = In(ids);
      await this.deliveries.update({ subjectId, kind, finishAt: 0 }, { status: 'cancelled', finishAt: now });
      await this.deliveries.update(
        { subjectId, kind, reason: Not(MESSAGE_LIMIT) },
        { body: {}, reason: POST_DELETED },
      );
      await this.payloads.delete(kind, ids);
    }
  }

  /** Makes failed and cancelled deliveries due now and restarts their schedule, except final ones. */
  async requeue(ids: readonly string[], now: number, status: OpenStatus = 'pending'): Promise<void> {
    if (ids.length > 0) await this.requeueWhere({ id: In(ids) }, ['failed', 'cancelled'], now, status);
  }

  /** Makes deliveries that wait for a retry due now and restarts their schedule, if still open. */
  async makeAllDue(ids: readonly string[], now: number, status: OpenStatus = 'pending'): Promise<void> {
    const due = { status, step: 0, nextAttemptAt: now };
    if (ids.length > 0) await this.deliveries.update({ id: In(ids), status: In(OPEN_STATUSES) }, due);
  }

  /** Makes a settled delivery due now and restarts its schedule. Returns false if it has changed. */
  async requeueUnchanged({ id, attempts, finishAt }: Delivery, now: number): Promise<boolean> {
    return (await this.requeueWhere({ id, attempts, finishAt }, SETTLED, now)) === 1;
  }

  /** The deliveries of a lane that the receiver refused, oldest first. */
  listRefused(lane: string, limit: number): Promise<Delivery[]> {
    return this.deliveries.find({
      where: { status: 'failed', lane, reason: REFUSED },
      order: { nextAttemptAt: 'ASC', seq: 'ASC' },
      take: limit,
    });
  }

  async setReason(ids: readonly string[], reason: string): Promise<void> {
    if (ids.length > 0) await this.deliveries.update({ id: In(ids) }, { reason });
  }

  /**
   * Makes an open delivery due now and restarts its schedule. Returns false if the schedule was restarted
   * since it was read, or if the delivery is settled.
   */
  async makeDue({ id, attempts, step }: Delivery, now: number): Promise<boolean> {
    const { affected = 0 } = await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ step: 0, nextAttemptAt: now })
      // Scheduled attempts do not change this difference.
      .where('id = :id AND attempts = step + :before', { id, before: attempts - step })
      .andWhere('status IN (:...open)', { open: OPEN_STATUSES })
      .execute();
    return affected === 1;
  }

  async deleteFinishedBefore(time: number, limit: number): Promise<number> {
    const old = await this.deliveries
      .createQueryBuilder('delivery')
      .select(['delivery.id', 'delivery.subjectId', 'delivery.sharesPayload'])
      .where('delivery.finishAt > 0 AND delivery.finishAt < :time', { time })
      .orderBy('delivery.finishAt', 'ASC')
      .limit(limit)
      .getMany();
    const ids = old.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await this.unitOfWork.run(async ({ manager }) => {
      // Some may have been requeued in the meantime.
      await manager
        .getRepository(Delivery)
        .delete({ id: In(ids), finishAt: And(MoreThan(0), LessThan(time)) });
      const kept = await manager
        .getRepository(Delivery)
        .find({ select: { id: true }, where: { id: In(ids) } });
      const gone = ids.filter((id) => !kept.some((delivery) => delivery.id === id));
      await manager.getRepository(DeliveryAttempt).delete({ deliveryId: In(gone) });
      const sharing = old.filter(({ sharesPayload }) => sharesPayload);
      await this.payloads.deleteUnused([...new Set(sharing.map(({ subjectId }) => subjectId))]);
    });
    return ids.length;
  }

  /** Recounts attempts: a delivery cancelled during a call has a row for that attempt but no count. */
  private async requeueWhere(
    where: FindOptionsWhere<Delivery>,
    statuses: readonly DeliveryStatus[],
    now: number,
    status: OpenStatus = 'pending',
  ): Promise<number> {
    const { affected = 0 } = await this.deliveries.update(
      { ...where, status: In(statuses), reason: Not(In(FINAL_REASONS)) },
      { status, reason: '', step: 0, nextAttemptAt: now, finishAt: 0, attempts: ATTEMPT_COUNT },
    );
    return affected;
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}
