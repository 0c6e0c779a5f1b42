import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { insertStatements } from '../../platform/database/rows.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryAttempt } from './delivery-attempt.entity.js';

/** A delivery that is not repeated by hand has ten at most. */
export const MAX_LISTED_ATTEMPTS = 500;

/** What came of the calls, one row for each. The row of the last attempt is written with the mark of its delivery. */
@Injectable()
export class DeliveryAttemptsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The latest attempts, the first of them first. Whoever may repeat a delivery adds to them without end. */
  async listLatest(deliveryId: string): Promise<DeliveryAttempt[]> {
    const latest = await this.attempts.find({
      where: { deliveryId },
      order: { number: 'DESC' },
      take: MAX_LISTED_ATTEMPTS,
    });
    return latest.reverse();
  }

  /** Every stored attempt of the deliveries of `attempts`. */
  async listStored(attempts: readonly DeliveryAttempt[]): Promise<DeliveryAttempt[]> {
    const deliveryId = In(attempts.map((attempt) => attempt.deliveryId));
    return this.attempts.findBy({ deliveryId });
  }

  /** The statements that insert attempts. */
  insertStatements(attempts: readonly DeliveryAttempt[]): Statement[] {
    return insertStatements(this.unitOfWork.manager.dataSource, DeliveryAttempt, attempts);
  }

  private get attempts() {
    return this.unitOfWork.manager.getRepository(DeliveryAttempt);
  }
}
