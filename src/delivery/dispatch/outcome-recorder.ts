import { Injectable, Logger } from '@nestjs/common';
import type { Statement } from '../../platform/database/statement.js';
import { isOrderedLane } from './lane-name.js';
import type { Outcome } from './outcome.js';
import { fenceOf, holdTurns } from './turns/lane-turns.repository.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import type { Batch } from '../../platform/database/commits/commit-kind.js';
import type { CommitQueue } from '../../platform/database/commits/commit-queue.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import type { DeliveryAttempt } from './delivery.entity.js';

/** Prevents a delivery that was settled in the meantime from being changed. */
const STILL_OPEN = `status IN ('pending','retrying')`;
const MAX_IDS = 200;

/** The statements that store outcomes whose turns are in force: successes in bulk, others one by one. */
function outcomeStatements(outcomes: readonly Outcome[]): Statement[] {
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
      // In an ordered lane a retry keeps its position: later deliveries must wait.
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

const MAX_BATCH = 500;
const RETRY_MS = 500;
const MAX_REFUSALS = 3;
const STUCK = 'Outcomes of deliveries cannot be stored. They wait, and no further deliveries are made.';

/**
 * Stores the outcomes of attempts by group commit. During a database outage, outcomes wait; `isStuck` is then
 * true, and no further calls should start.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  /** `true` if each outcome was stored; undefined if some were refused. */
  private readonly commits: CommitQueue<Outcome, true | undefined>;
  private isOver = false;
  private isAway = false;
  /** Number of `retryWhileUnavailable` calls waiting for the database. */
  private blockedCount = 0;

  constructor(
    engine: CommitEngine,
    private readonly attempts: DeliveryAttemptsRepository,
  ) {
    this.commits = engine.open({
      name: 'outcomes of deliveries',
      isQuiet: true,
      maxBatchRequests: MAX_BATCH,
      maxWaitingRequests: Infinity, // calls were made, so none is rejected; the dispatcher limits them
      prepare: (outcomes, failures) => this.prepare(outcomes, failures),
      retry: (error, failures) => this.mayRetry(error, failures),
    });
  }

  get isStuck(): boolean {
    return this.isAway || this.blockedCount > 0;
  }

  /**
   * Resolves once the outcome is durable or is given up because the process stops during an outage or the
   * database rejects it. In these cases the row stays open, and the delivery is attempted again. Returns
   * false if it was refused because the turn is over and another process has the row. Never throws.
   */
  async record(outcome: Outcome): Promise<boolean> {
    try {
      return (await this.commits.submit(outcome)) ?? (await this.isMade(outcome));
    } catch (error) {
      if (isDatabaseUnavailable(error)) return true;
      this.logger.error(
        `The outcome of the delivery ${outcome.delivery.id} cannot be stored.`,
        stackOf(error),
      );
      return true;
    }
  }

  /**
   * Runs work that handles a reply and repeats it while the database is unavailable, because the call itself
   * must not be repeated. Returns false if the process stops during the outage. Throws any other error.
   */
  async retryWhileUnavailable(work: () => Promise<void>): Promise<boolean> {
    let isBlocked = false;
    try {
      for (;;) {
        try {
          await work();
          return true;
        } catch (error) {
          if (!isTemporary(error)) throw error;
          if (this.isOver) return false;
          if (!this.isStuck) this.logger.warn(STUCK);
          if (!isBlocked) this.blockedCount++;
          isBlocked = true;
          await pause();
        }
      }
    } finally {
      if (isBlocked) this.blockedCount--;
    }
  }

  /** Whether an outcome's attempt is stored. Waits for the database; false on shutdown. Never throws. */
  async isStored(outcome: Outcome): Promise<boolean> {
    let isStored = false;
    await this.retryWhileUnavailable(async () => void (isStored = await this.isMade(outcome)));
    return isStored;
  }

  /** Stops waiting for an unavailable database. The rows stay open for the next start. */
  stopWaiting(): void {
    this.isOver = true;
  }

  /** Stores waiting outcomes, or gives up if the database is unavailable. */
  async close(): Promise<void> {
    this.stopWaiting();
    await this.commits.idle();
  }

  private async prepare(outcomes: readonly Outcome[], failures: number): Promise<Batch<true | undefined>> {
    // A commit that reported a failure may have succeeded.
    const open = failures === 0 ? outcomes : await this.notYetStored(outcomes);
    const held = holdTurns(open);
    const inserts = this.attempts.insertStatements(open);
    const wanted = open.filter(({ attempt }) => attempt !== undefined).length;
    return {
      steps: [...held, ...inserts, ...outcomeStatements(open)],
      results: (affected) => {
        const inserted = affected.slice(held.length, held.length + inserts.length);
        const isAll = inserted.reduce((sum, count) => sum + count, 0) === wanted;
        return outcomes.map(() => (isAll ? true : undefined));
      },
      afterCommit: [() => (this.isAway = false)],
    };
  }

  private async mayRetry(error: unknown, failures: number): Promise<boolean> {
    const isOutage = isDatabaseUnavailable(error);
    if (isOutage && !this.isStuck) this.logger.warn(STUCK);
    this.isAway = isOutage;
    if (isOutage ? this.isOver : failures >= MAX_REFUSALS) return false;
    await pause();
    return true;
  }

  private async isMade(outcome: Outcome): Promise<boolean> {
    return (await this.notYetStored([outcome])).length === 0;
  }

  private async notYetStored(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const attempts = outcomes.flatMap(({ attempt }) => attempt ?? []);
    const stored = new Set((await this.attempts.listStored(attempts)).map(keyOf));
    return outcomes.filter(({ attempt }) => !attempt || !stored.has(keyOf(attempt)));
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

function keyOf({ deliveryId, number, startAt }: DeliveryAttempt): string {
  return `${deliveryId}/${number}/${startAt}`;
}

/** A database outage or overload. */
function isTemporary(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof AppError && error.status === 503);
}
