import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type ConditionalRow, insertIfStatement, insertStatements } from '../../platform/database/rows.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Outcome } from './outcome.js';
import { isInForce } from './turns/fence.js';

/** A delivery that is not repeated by hand has ten at most. */
export const MAX_LISTED_ATTEMPTS = 500;
/** Each is a query of its own within the statement. */
const MAX_CONDITIONAL_ROWS = 100;

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

  /** The statements that insert the attempts of outcomes, as far as their turns are in force. */
  insertStatements(outcomes: readonly Outcome[]): Statement[] {
    const { dataSource } = this.unitOfWork.manager;
    const plain: DeliveryAttempt[] = [];
    const fenced: ConditionalRow<DeliveryAttempt>[] = [];
    for (const outcome of outcomes) {
      const { attempt: row } = outcome;
      const condition = row && isInForce(outcome);
      if (condition) fenced.push({ row, condition });
      else if (row) plain.push(row);
    }
    const statements = insertStatements(dataSource, DeliveryAttempt, plain);
    for (let start = 0; start < fenced.length; start += MAX_CONDITIONAL_ROWS)
      statements.push(
        insertIfStatement(dataSource, DeliveryAttempt, fenced.slice(start, start + MAX_CONDITIONAL_ROWS)),
      );
    return statements;
  }

  private get attempts() {
    return this.unitOfWork.manager.getRepository(DeliveryAttempt);
  }
}
