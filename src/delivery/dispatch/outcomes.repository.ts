import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type ConditionalRow, insertIfStatement, insertStatements } from '../../platform/database/rows.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { isOrderedLane } from './delivery-kind.js';
import { type Delivery, DeliveryAttempt } from './delivery.entity.js';
import type { Outcome } from './outcome.js';
import type { Turn } from './turns/lane-turns.js';
import { endLeases, fenceOf, holdTurns, isInForce } from './turns/lane-turns.repository.js';

const MAX_IDS = 200;
/** Each row is a separate subquery of the statement. */
const MAX_CONDITIONAL_ROWS = 100;

/**
 * Writes outcomes and attempts. Raw SQL with constant texts, because every call of a webhook ends here: one commit
 * stores hundreds of outcomes, each only if its turn is in force.
 */
@Injectable()
export class OutcomesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

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

  /** Store a final outcome. They fail (`isAlreadySettled`) if the delivery is settled or the turn is over. */
  settleStatements(outcome: Outcome, replyPostId = ''): Statement[] {
    const { delivery, verdict, attempt, finishedAt } = outcome;
    const fence = fenceOf([outcome]);
    return [
      ...(outcome.turn.lease === undefined ? [] : holdTurns([outcome])),
      {
        // NULL violates NOT NULL. Columns are assigned in order, so this still sees the old status.
        sql: `UPDATE deliveries SET reply_post_id = CASE WHEN status IN ('pending','retrying') AND reply_post_id = ''${fence.sql}
            THEN ? ELSE NULL END,
          status = ?, reason = ?, attempts = ?, last_code = ?, last_error = ?, finish_at = ? WHERE id = ?`,
        parameters: [
          ...fence.parameters,
          replyPostId,
          verdict.status,
          verdict.status === 'retrying' ? '' : (verdict.reason ?? ''),
          attempt?.number ?? delivery.attempts,
          attempt?.statusCode ?? 0,
          attempt?.errorClass ?? '',
          finishedAt,
          delivery.id,
        ],
      },
      ...insertStatements(this.unitOfWork.manager.dataSource, DeliveryAttempt, attempt ? [attempt] : []),
      ...endLeases([outcome]),
    ];
  }

  /** Postpones an open delivery if the turn is still in force. */
  async postpone(delivery: Pick<Delivery, 'id' | 'lane'>, until: number, turn: Turn): Promise<void> {
    const fence = fenceOf([{ delivery, turn }]);
    await this.unitOfWork.manager.query(
      `UPDATE deliveries SET next_attempt_at = ? WHERE id = ? AND status IN ('pending','retrying')${fence.sql}`,
      [until, delivery.id, ...fence.parameters],
    );
  }

  private get attempts() {
    return this.unitOfWork.manager.getRepository(DeliveryAttempt);
  }
}

/** The statements that change deliveries whose turns are in force: successes in bulk, others one by one. */
export function outcomeStatements(outcomes: readonly Outcome[]): Statement[] {
  const isPulled = ({ turn }: Outcome): boolean => turn.lease !== undefined;
  const pulled = outcomes.filter(isPulled);
  if (pulled.length === 0) return changesOf(outcomes);
  const sent = outcomes.filter((outcome) => !isPulled(outcome));
  return [...changesOf(sent), ...changesOf(pulled), ...endLeases(pulled)];
}

function changesOf(outcomes: readonly Outcome[]): Statement[] {
  const statements: Statement[] = [];
  const delivered = new Map<number, Outcome[]>();
  for (const outcome of outcomes) {
    const code = outcome.attempt?.statusCode ?? 0;
    if (outcome.verdict.status !== 'delivered' || outcome.verdict.reason)
      statements.push(statementOf(outcome, code));
    else delivered.set(code, [...(delivered.get(code) ?? []), outcome]);
  }
  for (const [code, group] of delivered)
    for (let start = 0; start < group.length; start += MAX_IDS)
      statements.push(markDelivered(code, group.slice(start, start + MAX_IDS)));
  return statements;
}

function statementOf(outcome: Outcome, code: number): Statement {
  const { delivery, verdict, attempt, finishedAt } = outcome;
  const attempted = 'attempts = attempts + 1, last_code = ?, last_error = ?';
  const result = [code, attempt?.errorClass ?? ''];
  if (verdict.status === 'cancelled')
    return update([outcome], "status = 'cancelled', reason = ?, finish_at = ?", [verdict.reason, finishedAt]);
  if (verdict.status !== 'retrying')
    return update([outcome], `status = '${verdict.status}', reason = ?, finish_at = ?, ${attempted}`, [
      verdict.reason,
      finishedAt,
      ...result,
    ]);
  // In an ordered lane a retry keeps its position: later deliveries must wait.
  const isOrdered = isOrderedLane(delivery.lane);
  const { dueAt } = verdict;
  const retried = `status = ?, next_attempt_at = ?, step = step + 1, ${attempted}`;
  if (!isOrdered) return update([outcome], retried, ['retrying', dueAt, ...result]);
  return update([outcome], `${retried}, retry_at = ?`, [
    ...['pending', delivery.nextAttemptAt, ...result],
    outcome.isEndless ? 0 : dueAt,
  ]);
}

function markDelivered(code: number, group: readonly Outcome[]): Statement {
  const finishedAt = Math.max(...group.map((outcome) => outcome.finishedAt));
  return update(
    group,
    "status = 'delivered', reason = '', attempts = attempts + 1, last_code = ?, last_error = '', finish_at = ?",
    [code, finishedAt],
  );
}

/** Skips deliveries that were settled in the meantime. */
function update(outcomes: readonly Outcome[], set: string, values: readonly unknown[]): Statement {
  const fence = fenceOf(outcomes);
  const ids = outcomes.map(({ delivery }) => delivery.id);
  return {
    sql: `UPDATE deliveries SET ${set}
      WHERE status IN ('pending','retrying') AND id IN (${ids.map(() => '?').join(',')})${fence.sql}`,
    parameters: [...values, ...ids, ...fence.parameters],
  };
}
