import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import { DatabaseUnavailable } from '../../platform/common/errors/common-errors.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Outcome } from './outcome.js';
import { outcomeStatements } from './outcome-statements.js';

const MAX_BATCH = 500;
const RETRY_MS = 500;
const MAX_REFUSALS = 3;
const STUCK = 'Outcomes of deliveries cannot be stored; they wait, and no further deliveries are made.';

interface Waiting {
  readonly outcome: Outcome;
  readonly resolve: () => void;
}

/**
 * Stores what came of the attempts, together with whatever else has come in while the last commit was running. It
 * does not give up: while the database is away outcomes wait, `isStuck` says so, and no further calls should start.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private readonly queue: Waiting[] = [];
  private flight: Promise<void> | undefined;
  private isOver = false;
  private isAway = false;
  /** How many outcomes with consequences wait for the database. */
  private held = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DeliveriesRepository,
  ) {}

  get waiting(): number {
    return this.queue.length;
  }

  get isStuck(): boolean {
    return this.isAway || this.held > 0;
  }

  /** Resolves once the outcome is durable, or is given up because the process ends without a database. */
  record(outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      this.queue.push({ outcome, resolve });
      this.flight ??= this.fly();
    });
  }

  /**
   * Runs what judges a reply or stores what follows from it until the database is there for it: the call itself must not
   * be made again for that. False when it is given up because the process ends without a database. Throws what waiting
   * does not mend.
   */
  async insist(work: () => Promise<void>): Promise<boolean> {
    let isHeld = false;
    try {
      for (;;) {
        try {
          await work();
          return true;
        } catch (error) {
          if (!isPassing(error)) throw error;
          if (this.isOver) return false;
          if (!this.isStuck) this.logger.warn(STUCK);
          if (!isHeld) this.held++;
          isHeld = true;
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    } finally {
      if (isHeld) this.held--;
    }
  }

  /** From now on nobody waits for a database that is away: the rows are still open, and the next start goes on. */
  stopWaiting(): void {
    this.isOver = true;
  }

  /** Stores what is waiting; gives up if the database is away. */
  async close(): Promise<void> {
    this.stopWaiting();
    while (this.flight) await this.flight;
  }

  private async fly(): Promise<void> {
    await new Promise(setImmediate); // what the event loop has already received joins
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, MAX_BATCH);
      await this.persist(batch.map(({ outcome }) => outcome));
      for (const { resolve } of batch) resolve();
    }
    this.flight = undefined;
  }

  private async persist(batch: readonly Outcome[]): Promise<void> {
    let outcomes = batch;
    for (let refusals = 0; outcomes.length > 0;) {
      try {
        await this.store(this.statements(outcomes));
        break;
      } catch (error) {
        const isOutage = error instanceof DatabaseUnavailable;
        if (isOutage && !this.isStuck) this.logger.warn(STUCK);
        if (isOutage && this.isOver) return;
        if (!isOutage && ++refusals === MAX_REFUSALS) return this.persistSingly(outcomes, error);
        this.isAway = isOutage;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        outcomes = await this.withoutStored(outcomes);
      }
    }
    this.isAway = false;
  }

  /** One that the database refuses must not hold up the others; its row stays open, so that it is tried again. */
  private async persistSingly(outcomes: readonly Outcome[], error: unknown): Promise<void> {
    if (outcomes.length > 1) {
      for (const outcome of outcomes) await this.persist([outcome]);
      return;
    }
    const stack = stackOf(error);
    this.logger.error(`The outcome of the delivery ${outcomes[0]?.delivery.id} cannot be stored.`, stack);
  }

  private async store(statements: readonly Statement[]): Promise<void> {
    if (this.unitOfWork.takesStatements) return this.unitOfWork.runStatements(statements);
    await this.unitOfWork.runDetached(async (manager) => {
      for (const { sql, parameters } of statements) await manager.query(sql, [...parameters]);
    });
  }

  private statements(outcomes: readonly Outcome[]): Statement[] {
    const attempts = outcomes.flatMap(({ attempt }) => (attempt ? [attempt] : []));
    const inserts = attempts.length > 0 ? [this.repository.insertAttempts(attempts)] : [];
    return [...inserts, ...outcomeStatements(outcomes)];
  }

  /** A commit whose end nobody saw may have happened. */
  private async withoutStored(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const attempts = outcomes.flatMap(({ attempt }) => (attempt ? [attempt] : []));
    try {
      const stored = new Set((await this.repository.storedAttempts(attempts)).map(keyOf));
      return outcomes.filter(({ attempt }) => !attempt || !stored.has(keyOf(attempt)));
    } catch {
      return outcomes; // still away
    }
  }
}

function keyOf({ deliveryId, number, startAt }: DeliveryAttempt): string {
  return `${deliveryId}/${number}/${startAt}`;
}

/** A database that is away, or too many who want to write at once. */
function isPassing(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof AppError && error.status === 503);
}
