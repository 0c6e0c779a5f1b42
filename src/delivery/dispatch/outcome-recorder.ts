import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import type { Batch } from '../../platform/database/commits/commit-kind.js';
import type { CommitQueue } from '../../platform/database/commits/commit-queue.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Outcome } from './outcome.js';
import { outcomeStatements } from './outcome-statements.js';

const MAX_BATCH = 500;
const RETRY_MS = 500;
const MAX_REFUSALS = 3;
const STUCK = 'Outcomes of deliveries cannot be stored; they wait, and no further deliveries are made.';

/**
 * Stores what came of the attempts, by group commit. It does not give up: while the database is away outcomes wait,
 * `isStuck` says so, and no further calls should start.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private readonly commits: CommitQueue<Outcome, void>;
  private isOver = false;
  private isAway = false;
  /** How many outcomes with consequences wait for the database. */
  private blockedCount = 0;

  constructor(
    engine: CommitEngine,
    private readonly repository: DeliveriesRepository,
  ) {
    this.commits = engine.open({
      name: 'outcomes of deliveries',
      maxBatchRequests: MAX_BATCH,
      maxWaitingRequests: Infinity, // each is of a call that was made; how many there are the dispatcher bounds
      prepare: (outcomes, failures) => this.prepare(outcomes, failures),
      retry: (error, failures) => this.mayRetry(error, failures),
    });
  }

  get isStuck(): boolean {
    return this.isAway || this.blockedCount > 0;
  }

  /**
   * Resolves once the outcome is durable, or is given up: because the process ends without a database, or because the
   * database refuses this one. Its row stays open then, so that the delivery is tried again.
   */
  async record(outcome: Outcome): Promise<void> {
    try {
      await this.commits.submit(outcome);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return;
      this.logger.error(
        `The outcome of the delivery ${outcome.delivery.id} cannot be stored.`,
        stackOf(error),
      );
    }
  }

  /**
   * Runs what judges a reply or stores what follows from it until the database is there for it: the call itself must not
   * be made again for that. False when it is given up because the process ends without a database. Throws what waiting
   * does not mend.
   */
  async retryWhileUnavailable(work: () => Promise<void>): Promise<boolean> {
    let isBlocked = false;
    try {
      for (;;) {
        try {
          await work();
          return true;
        } catch (error) {
          if (!isPassing(error)) throw error;
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

  /** From now on nobody waits for a database that is away: the rows are still open, and the next start goes on. */
  stopWaiting(): void {
    this.isOver = true;
  }

  /** Stores what is waiting; gives up if the database is away. */
  async close(): Promise<void> {
    this.stopWaiting();
    await this.commits.idle();
  }

  private async prepare(outcomes: readonly Outcome[], failures: number): Promise<Batch<void>> {
    // A commit whose end nobody saw may have happened.
    const open = failures === 0 ? outcomes : await this.notYetStored(outcomes);
    const attempts = open.flatMap(({ attempt }) => attempt ?? []);
    return {
      steps: [...this.repository.insertAttempts(attempts), ...outcomeStatements(open)],
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

  private async notYetStored(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const attempts = outcomes.flatMap(({ attempt }) => attempt ?? []);
    const stored = new Set((await this.repository.storedAttempts(attempts)).map(keyOf));
    return outcomes.filter(({ attempt }) => !attempt || !stored.has(keyOf(attempt)));
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

function keyOf({ deliveryId, number, startAt }: DeliveryAttempt): string {
  return `${deliveryId}/${number}/${startAt}`;
}

/** A database that is away, or too many who want to write at once. */
function isPassing(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof AppError && error.status === 503);
}
