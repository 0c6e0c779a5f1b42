import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import type { Batch } from '../../platform/database/commits/commit-kind.js';
import type { CommitQueue } from '../../platform/database/commits/commit-queue.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Outcome } from './outcome.js';
import { outcomeStatements } from './outcome-statements.js';
import { holdTurns } from './turns/fence.js';

const MAX_BATCH = 500;
const RETRY_MS = 500;
const MAX_REFUSALS = 3;
const STUCK = 'Outcomes of deliveries cannot be stored. They wait, and no further deliveries are made.';

/**
 * Stores the outcomes of attempts by group commit. During an outage of the database outcomes wait; `isStuck` is true
 * then, and no further calls should start.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  /** Whether each was stored; undefined if some of them were refused. */
  private readonly commits: CommitQueue<Outcome, true | undefined>;
  private isOver = false;
  private isAway = false;
  /** How many calls of `retryWhileUnavailable` are waiting for the database. */
  private blockedCount = 0;

  constructor(
    engine: CommitEngine,
    private readonly attempts: DeliveryAttemptsRepository,
  ) {
    this.commits = engine.open({
      name: 'outcomes of deliveries',
      isQuiet: true,
      maxBatchRequests: MAX_BATCH,
      maxWaitingRequests: Infinity, // the calls were made, so none may be rejected; the dispatcher bounds their number
      prepare: (outcomes, failures) => this.prepare(outcomes, failures),
      retry: (error, failures) => this.mayRetry(error, failures),
    });
  }

  get isStuck(): boolean {
    return this.isAway || this.blockedCount > 0;
  }

  /**
   * Resolves once the outcome is durable or is given up: because the process stops during an outage, or because the
   * database rejects it. Then the row stays open, and the delivery is attempted again. Returns false if it was refused,
   * because the turn is over and the row is another process's. Never throws.
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
   * Runs work that handles a reply, and repeats it while the database is unavailable, because the call itself must not be
   * repeated. Returns false if the process stops during the outage. Throws any other error.
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

  /** Whether the attempt of an outcome is stored. Waits for the database; false if the process stops meanwhile. Never throws. */
  async isStored(outcome: Outcome): Promise<boolean> {
    let isStored = false;
    await this.retryWhileUnavailable(async () => void (isStored = await this.isMade(outcome)));
    return isStored;
  }

  /** Stops waiting for an unavailable database. The rows stay open for the next start. */
  stopWaiting(): void {
    this.isOver = true;
  }

  /** Stores waiting outcomes; gives up if the database is unavailable. */
  async close(): Promise<void> {
    this.stopWaiting();
    await this.commits.idle();
  }

  private async prepare(outcomes: readonly Outcome[], failures: number): Promise<Batch<true | undefined>> {
    // A failed attempt to commit may have succeeded after all.
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

/** An outage of the database, or an overload. */
function isTemporary(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof AppError && error.status === 503);
}
