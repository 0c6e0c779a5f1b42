import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryPayloadsRepository } from './delivery-payloads.repository.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';

/** The earliest open delivery of a lane. */
export interface LaneHead {
  readonly lane: string;
  readonly nextAttemptAt: number;
}

/** The table of deliveries as the dispatcher's queue: what is due, lane by lane. */
@Injectable()
export class LaneQueueRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly payloads: DeliveryPayloadsRepository,
  ) {}

  /** The open deliveries of an ordered lane in order of creation, even if the clock was set back. */
  async listInOrder(lane: string, status: DeliveryStatus, limit: number): Promise<Delivery[]> {
    const rows = await this.deliveries.find({
      where: { status, lane },
      order: { nextAttemptAt: 'ASC', seq: 'ASC' }, // the same as the order of seq: see DeliveriesService.build
      take: limit,
    });
    return this.payloads.complete(rows);
  }

  /** The due deliveries of a lane, earliest first. */
  async listDue(lane: string, status: DeliveryStatus, now: number, limit: number): Promise<Delivery[]> {
    const rows = await this.deliveries
      .createQueryBuilder('delivery')
      .where('delivery.status = :status AND delivery.lane = :lane', { status, lane })
      .andWhere('delivery.nextAttemptAt <= :now', { now })
      .orderBy('delivery.nextAttemptAt', 'ASC')
      .addOrderBy('delivery.seq', 'ASC')
      .limit(limit)
      .getMany();
    return this.payloads.complete(rows);
  }

  /** When the next delivery of a lane becomes due. */
  async nextDueAt(lane: string, status: DeliveryStatus, now: number): Promise<number | undefined> {
    const next = await this.deliveries.findOne({
      select: { id: true, nextAttemptAt: true },
      where: { status, lane, nextAttemptAt: MoreThan(now) },
      order: { nextAttemptAt: 'ASC' },
    });
    return next?.nextAttemptAt;
  }

  /** The next lane by name that has a delivery with that status. */
  async laneAfter(lane: string, status: DeliveryStatus): Promise<LaneHead | null> {
    return this.deliveries.findOne({
      select: { id: true, lane: true, nextAttemptAt: true },
      where: { status, lane: MoreThan(lane) },
      order: { lane: 'ASC', nextAttemptAt: 'ASC' },
    });
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}
