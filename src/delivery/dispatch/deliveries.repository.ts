import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, LessThan, MoreThan, Not } from 'typeorm';
import { insertRows } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  Delivery,
  DeliveryAttempt,
  DeliveryLease,
  DeliveryPayload,
  type DeliveryStatus,
  OPEN_STATUSES,
  type OpenStatus,
} from './delivery.entity.js';
import { isOrderedLane, isPullLane } from './delivery-kind.js';
import { FINAL_REASONS, MESSAGE_LIMIT, POST_DELETED } from './delivery.errors.js';

const MAX_REFUSED = 1_000;
const MAX_IDS = 500;
/** A delivery without manual retries has ten at most. */
export const MAX_LISTED_ATTEMPTS = 500;
const ATTEMPT_COUNT = (): string =>
  '(SELECT COALESCE(MAX(number), 0) FROM delivery_attempts WHERE delivery_id = deliveries.id)';

/** When a delivery is due that waits no longer: already, or from now on. */
const FIRST_OF_NOW = (): string => 'CASE WHEN next_attempt_at < :now THEN next_attempt_at ELSE :now END';

const SETTLED: readonly DeliveryStatus[] = ['failed', 'cancelled', 'delivered'];

/** Selects open deliveries of an owner. */
export interface OpenFilter {
  readonly ownerId: string;
  readonly beforeSeq: number;
  /** Only deliveries to this URL; to all URLs if undefined. */
  readonly url: string | undefined;
}

type Place = Pick<Delivery, 'id' | 'lane'>;

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
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async insert(deliveries: readonly Delivery[]): Promise<void> {
    await insertRows(this.unitOfWork.manager, Delivery, deliveries);
  }

  async find(id: string): Promise<Delivery | null> {
    const [delivery] = await this.complete(await this.deliveries.findBy({ id }));
    return delivery ?? null;
  }

  /** Returns the existing deliveries with their complete bodies, in any order. */
  async listByIds(kind: string, ids: readonly string[]): Promise<Delivery[]> {
    return this.complete(await this.deliveries.findBy({ id: In([...ids]), kind }));
  }

  /** Adds the shared parts to the bodies of deliveries read from the table, with at most one query. */
  async complete<Rows extends readonly Delivery[]>(deliveries: Rows): Promise<Rows> {
    const sharing = deliveries.filter(({ sharesPayload }) => sharesPayload);
    if (sharing.length === 0) return deliveries;
    const subjects = new Set(sharing.map(({ subjectId }) => subjectId));
    const found = await this.payloads.findBy({ subjectId: In([...subjects]) });
    const bodies = new Map(found.map((payload) => [keyOf(payload), payload.body]));
    for (const delivery of sharing) delivery.body = { ...bodies.get(keyOf(delivery)), ...delivery.body };
    return deliveries;
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

  /** The `seq` of the newest open delivery, or 0. */
  async lastOpenSeq(): Promise<number> {
    return Number((await this.deliveries.maximum('seq', { finishAt: 0 })) ?? 0); // the end of an index range
  }

  /** Cancels an owner's next open deliveries, up to the limit. Returns the lane of each. */
  async cancel(filter: OpenFilter, reason: string, now: number, limit: number): Promise<string[]> {
    const { ownerId, beforeSeq, url } = filter;
    const found: Place[] = [];
    for (const status of OPEN_STATUSES)
      if (found.length < limit)
        found.push(
          ...(await this.deliveries.find({
            select: { id: true, lane: true },
            where: { ownerId, status, seq: LessThan(beforeSeq), ...(url === undefined ? {} : { url }) },
            order: { seq: 'ASC' },
            take: limit - found.length,
          })),
        );
    if (found.length > 0) await this.cancelOpen(found, reason, now);
    return found.map(({ lane }) => lane);
  }

  /** Cancels those of these deliveries that are open. Returns their number. */
  cancelOpen(deliveries: readonly Place[], reason: string, now: number): Promise<number> {
    const open = { id: In(deliveries.map(({ id }) => id)), status: In(OPEN_STATUSES) };
    return this.unitOfWork.run(async () => {
      const cancelled = { status: 'cancelled', reason, finishAt: now } as const;
      const { affected = 0 } = await this.deliveries.update(open, cancelled);
      await this.endLeases(deliveries);
      return affected;
    });
  }

  /** Erases the content of all deliveries about these subjects. Cancels the open ones, and returns their lanes. */
  async forget(kind: string, subjectIds: readonly string[], now: number): Promise<string[]> {
    const lanes: string[] = [];
    for (let start = 0; start < subjectIds.length; start += MAX_IDS) {
      const ids = subjectIds.slice(start, start + MAX_IDS);
      const subjectId = In(ids);
      const open = await this.deliveries.find({
        select: { id: true, lane: true },
        where: { subjectId, kind, finishAt: 0 },
      });
      lanes.push(...open.map(({ lane }) => lane));
      await this.deliveries.update({ subjectId, kind, finishAt: 0 }, { status: 'cancelled', finishAt: now });
      await this.deliveries.update(
        { subjectId, kind, reason: Not(MESSAGE_LIMIT) },
        { body: {}, reason: POST_DELETED },
      );
      await this.payloads.delete({ subjectId: In(ids), kind });
      await this.endLeases(open);
    }
    return lanes;
  }

  /** Makes failed and cancelled deliveries due now and restarts their schedule, except final ones. */
  async requeue(ids: readonly string[], now: number, status: OpenStatus = 'pending'): Promise<void> {
    if (ids.length > 0) await this.requeueWhere({ id: In(ids) }, ['failed', 'cancelled'], now, status);
  }

  /** Makes deliveries that wait for a retry due now and restarts their schedule, if still open. */
  async makeAllDue(ids: readonly string[], now: number, status: OpenStatus = 'pending'): Promise<void> {
    const due = { status, step: 0, nextAttemptAt: now, retryAt: 0 };
    if (ids.length > 0) await this.deliveries.update({ id: In(ids), status: In(OPEN_STATUSES) }, due);
  }

  /** Makes a settled delivery due now and restarts its schedule. Returns false if it has changed. */
  async requeueUnchanged({ id, attempts, finishAt }: Delivery, now: number): Promise<boolean> {
    return (await this.requeueWhere({ id, attempts, finishAt }, SETTLED, now)) === 1;
  }

  /** Marks as `sent_again` and returns up to `limit` of a lane's first refused deliveries that match. */
  async takeRefused(lane: string, matches: (one: Delivery) => boolean, limit: number): Promise<Delivery[]> {
    const refused = await this.deliveries.find({
      where: { status: 'failed', lane, reason: 'refused' },
      order: { nextAttemptAt: 'ASC', seq: 'ASC' },
      take: MAX_REFUSED,
    });
    const taken = refused.filter(matches).slice(0, limit);
    if (taken.length > 0)
      await this.deliveries.update({ id: In(taken.map(({ id }) => id)) }, { reason: 'sent_again' });
    return taken;
  }

  /**
   * Makes an open delivery due now and restarts its schedule; in an ordered lane, or to be pulled, it keeps its place.
   * Returns false if the schedule was restarted since it was read, or if the delivery is settled.
   */
  async makeDue({ id, attempts, step, lane }: Delivery, now: number): Promise<boolean> {
    const nextAttemptAt = isPullLane(lane) ? FIRST_OF_NOW : now;
    const { affected = 0 } = await this.deliveries
      .createQueryBuilder()
      .update()
      .set({ step: 0, retryAt: 0, ...(isOrderedLane(lane) ? {} : { nextAttemptAt }) })
      .setParameters({ now })
      // Scheduled attempts do not change this difference.
      .where('id = :id AND attempts = step + :before', { id, before: attempts - step })
      .andWhere('status IN (:...open)', { open: OPEN_STATUSES })
      .execute();
    return affected === 1;
  }

  async deleteFinishedBefore(time: number, limit: number): Promise<number> {
    const finishAt = And(MoreThan(0), LessThan(time));
    const old = await this.deliveries.find({
      select: { id: true, subjectId: true, sharesPayload: true },
      where: { finishAt },
      order: { finishAt: 'ASC' },
      take: limit,
    });
    const ids = old.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await this.unitOfWork.run(async ({ manager }) => {
      await this.deliveries.delete({ id: In(ids), finishAt }); // some may have been requeued in the meantime
      const kept = await this.deliveries.find({ select: { id: true }, where: { id: In(ids) } });
      const gone = ids.filter((id) => !kept.some((delivery) => delivery.id === id));
      await manager.getRepository(DeliveryAttempt).delete({ deliveryId: In(gone) });
      await manager.getRepository(DeliveryLease).delete({ deliveryId: In(gone) });
      const sharing = old.filter(({ sharesPayload }) => sharesPayload);
      await this.deleteUnusedPayloads([...new Set(sharing.map(({ subjectId }) => subjectId))]);
    });
    return ids.length;
  }

  /** Deletes the leases of cancelled deliveries, which would keep those that are sent again from being pulled. */
  private async endLeases(cancelled: readonly Place[]): Promise<void> {
    const ids = cancelled.flatMap(({ id, lane }) => (isPullLane(lane) ? id : []));
    if (ids.length > 0) await this.leases.delete({ deliveryId: In(ids) });
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
      { status, reason: '', step: 0, nextAttemptAt: now, retryAt: 0, finishAt: 0, attempts: ATTEMPT_COUNT },
    );
    return affected;
  }

  /** Deletes payloads of these subjects that no delivery uses. */
  private async deleteUnusedPayloads(subjectIds: readonly string[]): Promise<void> {
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

  private get leases() {
    return this.unitOfWork.manager.getRepository(DeliveryLease);
  }

  private get payloads() {
    return this.unitOfWork.manager.getRepository(DeliveryPayload);
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}

function keyOf({ kind, subjectId }: Pick<Delivery, 'kind' | 'subjectId'>): string {
  return `${kind} ${subjectId}`;
}
