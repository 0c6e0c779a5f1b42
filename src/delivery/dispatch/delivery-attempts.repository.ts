import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type ConditionalRow, insertIfStatement, insertStatements } from '../../platform/database/rows.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryAttempt } from './delivery.entity.js';
import type { Outcome } from './outcome.js';
import { isInForce } from './turns/lane-turns.repository.js';

/** A delivery without manual retries has ten at most. */
export const MAX_LISTED_ATTEMPTS = 500;
/** Each row is a separate subquery of the statement. */
const MAX_CONDITIONAL_ROWS = 100;

/** Attempts, one row each. The row of the last attempt is written with the delivery's outcome. */
@Injectable()
export class DeliveryAttemptsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Lists the latest attempts, oldest first. Manual retries can add any number of them. */
  async listLatest(deliveryId: string): Promise<DeliveryAttempt[]> {
    const latest = await this.attempts.find({
      where: { deliveryId },
      order: { number: 'DESC' },
      take: MAX_LISTED_ATTEMPTS,
    });
    return latest.reverse();
  }

  /** Returns every stored attempt of the deliveries of `attempts`. */
  async listStored(attempts: readonly DeliveryAttempt[]): Promise<DeliveryAttempt[]> {
    const deliveryId = In(attempts.map((attempt) => attempt.deliveryId));
    return this.attempts.findBy({ deliveryId });
  }

  /** The statements that insert the attempts of outcomes whose turns are in force. */
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
