import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, LessThan, MoreThan, Not } from 'typeorm';
import { byIndex } from '../../platform/database/insert-or-find.js';
import { isMissingValue } from '../../platform/database/database-errors.js';
import { insertRows, insertStatements } from '../../platform/database/rows.js';
import { execute, type Statement } from '../../platform/database/statement.js';
import type { Transaction } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Delivery, DeliveryAttempt, type DeliveryStatus, type OpenStatus } from './delivery.entity.js';
import { deliveryPage, type PageFilter } from './delivery-page.js';
import { DeliveryPayloadsRepository } from './delivery-payloads.repository.js';
import { FINAL_REASONS, MESSAGE_LIMIT, POST_DELETED } from './final-reasons.js';
import type { SettledOutcome } from './outcome.js';
import { OpenDeliveries } from './open-deliveries.js';
import { fenceOf } from './turns/lane-turns.repository.js';
import type { Turn } from './turns/lane-turns.js';

const REFUSED = 'refused';
const MAX_IDS = 500;
const ATTEMPT_COUNT = (): string =>
  '(SELECT COALESCE(MAX(number), 0) FROM delivery_attempts WHERE delivery_id = deliveries.id)';

/** The statuses of unsettled deliveries. */
export const OPEN: readonly DeliveryStatus[] = ['pending', 'retrying'];
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

/** Queries on deliveries and attempts that are not in LaneQueueRepository or MissedDeliveriesRepository. */
@Injectable()
export class DeliveriesRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly payloads: DeliveryPayloadsRepository,
    private readonly open: OpenDeliveries,
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

  /** Lists deliveries newest first, without the shared parts of their bodies. */
  list(filter: PageFilter, limit: number): Promise<Delivery[]> {
    const { sql, parameters } = deliveryPage(filter, 'DESC', limit);
    return this.deliveries
      .createQueryBuilder('delivery')
      .innerJoin(`(${sql})`, 'page', 'page.id = delivery.id')
      .setParameters(parameters)
      .orderBy('delivery.seq', 'DESC')
      .getMany();
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

  /** Cancels an owner's next open deliveries. Returns how many were found, up to the limit. */
  async cancel(filter: OpenFilter, reason: string, now: number, limit: number): Promise<number> {
    const { ownerId, beforeSeq, url } = filter;
    const found: { readonly id: string }[] = [];
    for (const status of OPEN)
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
    const { affected = 0 } = await this.deliveries.update(
      { id: In(found.map(({ id }) => id)), status: In(OPEN) },
      { status: 'cancelled', reason, finishAt: now },
    );
    this.unitOfWork.afterCommit(() => this.open.settled(affected));
    return found.length;
  }

  /** Erases the content of all deliveries about these subjects and cancels the open ones. */
  async forget(kind: string, subjectIds: readonly string[], now: number): Promise<void> {
    for (let start = 0; start < subjectIds.length; start += MAX_IDS) {
      const ids = subjectIds.slice(start, start + MAX_IDS);
      await this.unitOfWork.manager.query(
        `UPDATE deliveries SET body = '{}', reason = ?,
           status = CASE WHEN finish_at = 0 THEN 'cancelled' ELSE status END,
           finish_at = CASE WHEN finish_at = 0 THEN ? ELSE finish_at END
         WHERE subject_id IN (${ids.map(() => '?').join(',')}) AND kind = ? AND reason <> ?`,
        [POST_DELETED, now, ...ids, kind, MESSAGE_LIMIT],
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
    if (ids.length > 0) await this.deliveries.update({ id: In(ids), status: In(OPEN) }, due);
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

  /** Postpones an open delivery if the turn is still in force. */
  async postpone(delivery: Pick<Delivery, 'id' | 'lane'>, until: number, turn: Turn): Promise<void> {
    const fence = fenceOf([{ delivery, turn }]);
    await this.unitOfWork.manager.query(
      `UPDATE deliveries SET next_attempt_at = ? WHERE id = ? AND status IN ('pending','retrying')${fence.sql}`,
      [until, delivery.id, ...fence.parameters],
    );
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
      .andWhere('status IN (:...open)', { open: OPEN })
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

  /** Stores a final outcome. Fails (`isAlreadySettled`) if the delivery is settled or the turn is over. */
  async settle({ manager }: Transaction, outcome: SettledOutcome): Promise<void> {
    for (const statement of this.settleStatements(outcome, '')) await execute(manager, statement);
  }

  /** The same as SQL statements, for an outcome with the post made from the reply. */
  settleStatements(outcome: SettledOutcome, replyPostId: string): Statement[] {
    const { delivery, verdict, attempt, finishedAt } = outcome;
    const fence = fenceOf([outcome]);
    return [
      {
        // NULL violates NOT NULL. Columns are assigned in order, so this still sees the old status.
        sql: `UPDATE deliveries SET reply_post_id = CASE WHEN status IN ('pending','retrying') AND reply_post_id = ''${fence.sql}
            THEN ? ELSE NULL END,
          status = ?, reason = ?, attempts = ?, last_code = ?, last_error = ?, finish_at = ? WHERE id = ?`,
        parameters: [
          ...fence.parameters,
          replyPostId,
          verdict.status,
          verdict.status === 'failed' ? verdict.reason : '',
          attempt.number,
          attempt.statusCode,
          attempt.errorClass,
          finishedAt,
          delivery.id,
        ],
      },
      ...insertStatements(this.unitOfWork.manager.dataSource, DeliveryAttempt, [attempt]),
    ];
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
    this.unitOfWork.afterCommit(() => this.open.opened(affected));
    return affected;
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}

/** Whether a transaction failed because a delivery was already settled or its lane's turn was over. */
export function isAlreadySettled(error: unknown): boolean {
  return isMissingValue(error, 'reply_post_id');
}
