import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan, And, Not } from 'typeorm';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryRecovery } from './delivery.entity.js';

/** The queries for recoveries. */
@Injectable()
export class RecoveriesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<DeliveryRecovery | null> {
    return this.recoveries.findOneBy({ id });
  }

  /** Lists recoveries newest first. */
  list(ownerId: string, limit: number): Promise<DeliveryRecovery[]> {
    return this.recoveries.find({ where: { ownerId }, order: { createAt: 'DESC', id: 'DESC' }, take: limit });
  }

  /** Lists running recoveries by id, after `afterId`. */
  listOpen(afterId: string, limit: number): Promise<DeliveryRecovery[]> {
    return this.recoveries.find({
      where: { finishAt: 0, id: MoreThan(afterId) },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  /** Whether the owner has a running recovery. */
  isRunning(ownerId: string): Promise<boolean> {
    return this.recoveries.existsBy({ ownerId, finishAt: 0 });
  }

  /** Whether the owner has another recovery that is running or ended since this one began. */
  isAnotherRunning({ id, ownerId, createAt }: DeliveryRecovery): Promise<boolean> {
    const other = { ownerId, id: Not(id) };
    const where = [
      { ...other, finishAt: 0 },
      { ...other, finishAt: MoreThan(createAt) },
    ];
    return this.recoveries.findOne({ where, ...FOR_UPDATE }).then((other) => other !== null);
  }

  async insert(recovery: DeliveryRecovery): Promise<void> {
    await this.recoveries.insert(recovery);
  }

  /** Updates a running recovery. Returns false if another process has advanced it in the meantime. */
  async update(
    { id, cursorSeq, requeued }: DeliveryRecovery,
    change: Partial<DeliveryRecovery>,
  ): Promise<boolean> {
    const { affected } = await this.recoveries.update({ id, cursorSeq, requeued, finishAt: 0 }, change);
    return affected === 1;
  }

  /** Stops an owner's running recovery, no matter which process is working on it. */
  async stop(ownerId: string, id: string, now: number): Promise<void> {
    await this.recoveries.update({ id, ownerId, finishAt: 0 }, { finishAt: now, isStopped: true });
  }

  async deleteFinishedBefore(time: number, limit: number): Promise<number> {
    const old = await this.recoveries.find({
      select: { id: true },
      where: { finishAt: And(MoreThan(0), LessThan(time)) },
      take: limit,
    });
    if (old.length > 0) await this.recoveries.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }

  private get recoveries() {
    return this.unitOfWork.manager.getRepository(DeliveryRecovery);
  }
}
