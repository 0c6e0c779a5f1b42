import type { Statement } from '../../platform/database/statement.js';
import { isOrderedLane } from './lane-name.js';
import type { Outcome } from './outcome.js';
import { fenceOf } from './turns/fence.js';

/** A delivery that was settled in the meantime stays settled. */
const STILL_OPEN = `status IN ('pending','retrying')`;
const MAX_IDS = 200;

/** The statements that store outcomes, as far as their turns are in force: successes together, the others one by one. */
export function outcomeStatements(outcomes: readonly Outcome[]): Statement[] {
  const statements: Statement[] = [];
  const delivered = new Map<number, Outcome[]>();
  for (const outcome of outcomes) {
    const { delivery, verdict, attempt, finishedAt } = outcome;
    const code = attempt?.statusCode ?? 0;
    const error = attempt?.errorClass ?? '';
    const fence = fenceOf([outcome]);
    if (verdict.status === 'delivered') {
      const group = delivered.get(code);
      if (group) group.push(outcome);
      else delivered.set(code, [outcome]);
    } else if (verdict.status === 'retrying') {
      // In an ordered lane it keeps its position: later deliveries must wait.
      const isOrdered = isOrderedLane(delivery.lane);
      statements.push({
        sql: `UPDATE deliveries SET status = ?, next_attempt_at = ?, attempts = attempts + 1, step = step + 1,
          last_code = ?, last_error = ? WHERE id = ? AND ${STILL_OPEN}${fence.sql}`,
        parameters: [
          isOrdered ? 'pending' : 'retrying',
          isOrdered ? delivery.nextAttemptAt : verdict.dueAt,
          code,
          error,
          delivery.id,
          ...fence.parameters,
        ],
      });
    } else if (verdict.status === 'cancelled') {
      statements.push({
        sql: `UPDATE deliveries SET status = 'cancelled', reason = ?, finish_at = ? WHERE id = ? AND ${STILL_OPEN}${fence.sql}`,
        parameters: [verdict.reason, finishedAt, delivery.id, ...fence.parameters],
      });
    } else {
      statements.push({
        sql: `UPDATE deliveries SET status = 'failed', reason = ?, attempts = attempts + 1, last_code = ?, last_error = ?,
          finish_at = ? WHERE id = ? AND ${STILL_OPEN}${fence.sql}`,
        parameters: [verdict.reason, code, error, finishedAt, delivery.id, ...fence.parameters],
      });
    }
  }
  for (const [code, group] of delivered)
    for (let start = 0; start < group.length; start += MAX_IDS)
      statements.push(markDelivered(code, group.slice(start, start + MAX_IDS)));
  return statements;
}

function markDelivered(code: number, group: readonly Outcome[]): Statement {
  const finishedAt = Math.max(...group.map((outcome) => outcome.finishedAt));
  const fence = fenceOf(group);
  return {
    sql: `UPDATE deliveries SET status = 'delivered', reason = '', attempts = attempts + 1, last_code = ?, last_error = '',
      finish_at = ? WHERE ${STILL_OPEN} AND id IN (${group.map(() => '?').join(',')})${fence.sql}`,
    parameters: [code, finishedAt, ...group.map(({ delivery }) => delivery.id), ...fence.parameters],
  };
}
