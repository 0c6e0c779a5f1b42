import { Injectable } from '@nestjs/common';
import { And, Between, In, LessThan, LessThanOrEqual, MoreThan, MoreThanOrEqual } from 'typeorm';
import { newId } from '../../../platform/common/ids.js';
import { sequenceFrom } from '../../../platform/common/sequence.js';
import { insertRows } from '../../../platform/database/rows.js';
import { FOR_UPDATE } from '../../../platform/database/transactions.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { DeliveriesRepository } from '../deliveries.repository.js';
import { isPullLane, PULL_URL, pullLane } from '../delivery-kind.js';
import { LanesReadModel } from '../lanes.read-model.js';
import { Delivery, DeliveryLease, OPEN_STATUSES, type OpenStatus } from '../delivery.entity.js';

const MAX_LISTED = 1_000;
/** Number of flows found by one statement, and examined for one request. */
const FLOWS = 100;
const MAX_FLOWS = 5_000;
/** Sorts after all lanes to pull. */
const AFTER_PULL_LANES = PULL_URL.replace(':', ';');

/** A delivery with its lease, which may have run out. */
export interface Leased {
  readonly delivery: Delivery;
  readonly lease: DeliveryLease;
}

type Head = Pick<Delivery, 'nextAttemptAt'> & { readonly status: OpenStatus };

/** The queries for deliveries to pull and their leases. */
@Injectable()
export class LeasesRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: DeliveriesRepository,
    private readonly lanes: LanesReadModel,
  ) {}

  /** Lists the deliveries of a lane that became due within a time, without a lease in force: first attempts first, then earliest first. */
  async listDue(lane: string, [since, now]: readonly [number, number], limit: number): Promise<Delivery[]> {
    const found: Delivery[] = [];
    for (const status of OPEN_STATUSES)
      if (found.length < limit)
        found.push(
          ...(await this.deliveries
            .createQueryBuilder('delivery')
            .where({ status, lane, nextAttemptAt: Between(since, now) })
            .andWhere(
              `NOT EXISTS (SELECT 1 FROM delivery_leases
                WHERE delivery_leases.delivery_id = delivery.id AND delivery_leases.until > :now)`,
              { now },
            )
            .orderBy('delivery.nextAttemptAt', 'ASC')
            .addOrderBy('delivery.seq', 'ASC')
            .limit(limit - found.length)
            .getMany()),
        );
    return this.table.complete(found);
  }

  /** Like `listDue`, but only the first delivery of each flow, and none of a flow whose first one is leased or waits. */
  async listHeads(lane: string, [since, now]: readonly [number, number], limit: number): Promise<Delivery[]> {
    const [pending, retrying] = [
      await this.flowHeads(lane, 'pending'),
      await this.flowHeads(lane, 'retrying'),
    ];
    const heads = [...new Map([...pending, ...retrying])].filter(
      ([, { nextAttemptAt: at }]) => at >= since && at <= now,
    );
    heads.sort(([, one], [, other]) => one.nextAttemptAt - other.nextAttemptAt);
    const found: Delivery[] = [];
    for (const [flow, { status }] of heads) {
      if (found.length === limit) break;
      found.push(...(await this.lanes.listDue({ lane, flow }, status, now, 1)));
    }
    if (found.every(({ status }) => status === 'retrying')) return found;
    // The first one may have been leased in the meantime. A leased delivery has the status `retrying`.
    const latest = await this.flowHeads(lane, 'retrying');
    return found.filter(({ status, flow }) => status === 'retrying' || !latest.has(flow));
  }

  /** Lists open deliveries to pull that have been due since before a time, oldest first. A leased one is due later. */
  listDueBefore(time: number, limit: number): Promise<Delivery[]> {
    return this.deliveries.find({
      where: {
        finishAt: 0,
        seq: LessThan(sequenceFrom(time)),
        nextAttemptAt: LessThan(time),
        lane: And(MoreThanOrEqual(PULL_URL), LessThan(AFTER_PULL_LANES)),
      },
      order: { seq: 'ASC' },
      take: limit,
    });
  }

  /** Lists an owner's open deliveries to pull after a `seq` that were created before a time and have no lease in force. */
  async listUnleased(
    ownerId: string,
    status: OpenStatus,
    afterSeq: number,
    createdBefore: number,
    limit: number,
  ): Promise<Delivery[]> {
    const rows = await this.deliveries.find({
      where: {
        ...{ ownerId, status, lane: pullLane(ownerId) },
        seq: And(MoreThan(afterSeq), LessThan(sequenceFrom(createdBefore))),
        nextAttemptAt: LessThan(createdBefore),
      },
      order: { seq: 'ASC' },
      take: limit,
    });
    return this.table.complete(rows);
  }

  /** Leases those of the deliveries that are still due, by delivery id. No two processes lease the same one. */
  async take(
    deliveries: readonly Delivery[],
    now: number,
    leaseMs: number,
  ): Promise<ReadonlyMap<string, DeliveryLease>> {
    if (deliveries.length === 0) return new Map();
    return this.unitOfWork.run(async ({ manager }) => {
      const due = await this.deliveries.find({
        select: { id: true, ownerId: true },
        where: {
          id: In(deliveries.map(({ id }) => id)),
          status: In(OPEN_STATUSES),
          nextAttemptAt: LessThanOrEqual(now),
        },
        ...FOR_UPDATE,
      });
      const until = now + leaseMs;
      const leases = due.map(({ id, ownerId }) => ({
        deliveryId: id,
        id: newId(),
        ownerId,
        startAt: now,
        until,
      }));
      if (due.length > 0)
        await this.deliveries.update(
          { id: In(due.map(({ id }) => id)) },
          { status: 'retrying', nextAttemptAt: until },
        );
      await insertRows(manager, DeliveryLease, leases);
      return new Map(leases.map((lease) => [lease.deliveryId, lease]));
    }, true);
  }

  /** The leases of deliveries, by delivery id. */
  async leasesOf(deliveries: readonly Pick<Delivery, 'id'>[]): Promise<ReadonlyMap<string, DeliveryLease>> {
    if (deliveries.length === 0) return new Map();
    const leases = await this.leases.findBy({ deliveryId: In(deliveries.map(({ id }) => id)) });
    return new Map(leases.map((lease) => [lease.deliveryId, lease]));
  }

  /** The existing leases of an owner with their deliveries. */
  async find(ownerId: string, leaseIds: readonly string[]): Promise<Leased[]> {
    const leases = await this.leases.findBy({ id: In([...leaseIds]), ownerId });
    const rows = await this.deliveries.findBy({ id: In(leases.map(({ deliveryId }) => deliveryId)) });
    const deliveries = new Map((await this.table.complete(rows)).map((row) => [row.id, row]));
    return leases.flatMap((lease) => {
      const delivery = deliveries.get(lease.deliveryId);
      return delivery ? { delivery, lease } : [];
    });
  }

  /** The ids of those deliveries that have a lease in force. */
  async listLeased(
    deliveries: readonly Pick<Delivery, 'id' | 'lane'>[],
    now: number,
  ): Promise<ReadonlySet<string>> {
    const leases = await this.leasesOf(deliveries.filter(({ lane }) => isPullLane(lane)));
    return new Set([...leases.values()].flatMap(({ deliveryId, until }) => (until > now ? deliveryId : [])));
  }

  /** The ids of an owner's deliveries, or of all, that have a lease in force; at most 1,000. */
  async listLeasedOf(ownerId: string | undefined, now: number): Promise<string[]> {
    const leases = await this.leases.find({
      select: { deliveryId: true },
      where: { until: MoreThan(now), ...(ownerId !== undefined && { ownerId }) },
      take: MAX_LISTED,
    });
    return leases.map(({ deliveryId }) => deliveryId);
  }

  /** When the first delivery with this status of each flow is due. */
  private async flowHeads(lane: string, status: OpenStatus): Promise<Map<string, Head>> {
    const found = new Map<string, Head>();
    for (let after: string | undefined; found.size < MAX_FLOWS;) {
      const page = await this.lanes.flowsAfter(lane, after, status, FLOWS);
      for (const { flow, nextAttemptAt } of page) found.set(flow, { status, nextAttemptAt });
      if (page.length < FLOWS) break;
      after = page.at(-1)?.flow;
    }
    return found;
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }

  private get leases() {
    return this.unitOfWork.manager.getRepository(DeliveryLease);
  }
}
