import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import type { Batch } from '../../platform/database/commits/commit-kind.js';
import type { CommitQueue } from '../../platform/database/commits/commit-queue.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import { EventBus } from '../../platform/events/event-bus.js';
import {
  type DeliveryKind,
  isAlreadySettled,
  type OutcomeStatements,
  type Receipt,
} from './delivery-kind.js';
import type { Delivery, DeliveryAttempt } from './delivery.entity.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DeliveryExhausted, DeliveryFailed, DeliverySucceeded } from './dispatch.events.js';
import type { Outcome } from './outcome.js';
import { outcomeStatements, OutcomesRepository } from './outcomes.repository.js';
import { holdTurns } from './turns/lane-turns.repository.js';

const MAX_BATCH = 500;
const RETRY_MS = 500;
const MAX_REFUSALS = 3;
const STUCK = 'Outcomes of deliveries cannot be stored. They wait, and no further deliveries are made.';
const NOT_STORED = 'The effects of the reply could not be stored.';

/**
 * Stores the outcomes of attempts, and reports them to their kind, listeners and metrics. During a database outage,
 * outcomes wait; `isStuck` is then true, and no further calls should start.
 */
@Injectable()
export class OutcomesService {
  private readonly logger = new Logger(OutcomesService.name);
  /** `true` if each outcome was stored; undefined if some were refused. */
  private readonly commits: CommitQueue<Outcome, true | undefined>;
  private isOver = false;
  private isDatabaseDown = false;
  /** Number of `retryWhileUnavailable` calls waiting for the database. */
  private blockedCount = 0;

  constructor(
    engine: CommitEngine,
    private readonly repository: OutcomesRepository,
    private readonly events: EventBus,
    private readonly metrics: DispatchMetrics,
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
    return this.isDatabaseDown || this.blockedCount > 0;
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
   * must not be repeated. Returns undefined if the process stops during the outage. Throws any other error.
   */
  async retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T | undefined> {
    let isBlocked = false;
    try {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!isTemporary(error)) throw error;
          if (this.isOver) return undefined;
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

  /**
   * Has the kind handle a 2xx reply. Returns undefined if the process stops while the database is unavailable. Any other error is a bug in the
   * kind: the receiver accepted the call, so the delivery counts as delivered.
   */
  async receive(
    kind: DeliveryKind,
    delivery: Delivery,
    reply: OutboundReply | undefined,
  ): Promise<Receipt | undefined> {
    if (!reply) return { note: '' };
    try {
      return await this.retryWhileUnavailable(() => kind.receive(delivery, reply));
    } catch (error) {
      this.logger.error(`The reply to the delivery ${delivery.id} cannot be evaluated.`, stackOf(error));
      return { note: 'The reply could not be processed.' };
    }
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

  /**
   * Stores the outcome of an attempt, by `store` in one transaction with its effects, and reports it unless the
   * delivery was settled by something else. Returns whether it was stored.
   */
  async settle(kind: DeliveryKind, outcome: Outcome, store?: Receipt['store']): Promise<boolean> {
    const { delivery, attempt } = outcome;
    const statements: OutcomeStatements = (replyPostId) =>
      this.repository.settleStatements(outcome, replyPostId);
    let stored = outcome;
    let isStored: boolean | undefined;
    try {
      isStored = store
        ? await this.retryWhileUnavailable(() => store(statements).then(() => true))
        : await this.record(outcome);
    } catch (error) {
      if (isAlreadySettled(error)) {
        // An earlier commit may have succeeded although its response was lost.
        isStored = await this.retryWhileUnavailable(() => this.isMade(outcome));
        if (!isStored)
          this.logger.debug(`The delivery ${delivery.id} was settled by another change during its call.`);
      } else {
        // Repeating the call would not help, because the receiver accepted it. The note says what is missing.
        this.logger.error(`The effects of the delivery ${delivery.id} cannot be stored.`, stackOf(error));
        stored = { ...outcome, attempt: attempt && { ...attempt, note: NOT_STORED } };
        isStored = await this.record(stored);
      }
    }
    if (isStored) await this.report(kind, stored);
    return isStored === true;
  }

  private async prepare(outcomes: readonly Outcome[], failures: number): Promise<Batch<true | undefined>> {
    // A commit that reported a failure may have succeeded.
    const open = failures === 0 ? outcomes : await this.notYetStored(outcomes);
    const held = holdTurns(open);
    const inserts = this.repository.insertStatements(open);
    const wanted = open.filter(({ attempt }) => attempt !== undefined).length;
    return {
      steps: [...held, ...inserts, ...outcomeStatements(open)],
      results: (affected) => {
        const inserted = affected.slice(held.length, held.length + inserts.length);
        const isAll = inserted.reduce((sum, count) => sum + count, 0) === wanted;
        return outcomes.map(() => (isAll ? true : undefined));
      },
      afterCommit: [() => (this.isDatabaseDown = false)],
    };
  }

  private async mayRetry(error: unknown, failures: number): Promise<boolean> {
    const isOutage = isDatabaseUnavailable(error);
    if (isOutage && !this.isStuck) this.logger.warn(STUCK);
    this.isDatabaseDown = isOutage;
    if (isOutage ? this.isOver : failures >= MAX_REFUSALS) return false;
    await pause();
    return true;
  }

  private async isMade(outcome: Outcome): Promise<boolean> {
    return (await this.notYetStored([outcome])).length === 0;
  }

  private async notYetStored(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const attempts = outcomes.flatMap(({ attempt }) => attempt ?? []);
    const stored = new Set((await this.repository.listStored(attempts)).map(keyOf));
    return outcomes.filter(({ attempt }) => !attempt || !stored.has(keyOf(attempt)));
  }

  private async report(
    kind: DeliveryKind,
    { delivery, verdict, attempt, finishedAt }: Outcome,
  ): Promise<void> {
    if (!attempt || verdict.status === 'cancelled') return;
    const { statusCode, errorClass, note, number, durationMs, startAt } = attempt;
    const { id: deliveryId, ownerId, subjectId, url } = delivery;
    const result = verdict.status;
    this.metrics.attempts.inc({
      outcome: result,
      error: result === 'delivered' ? '' : errorClass || classOf(statusCode),
    });
    if (result === 'delivered')
      this.metrics.acceptances.observe((startAt + durationMs - delivery.createAt) / 1000);
    if (result === 'failed') this.metrics.givenUp.inc({ reason: verdict.reason });
    const reason = result === 'retrying' ? '' : (verdict.reason ?? '');
    const settled = { delivery, result, reason, statusCode, errorClass, note, finishedAt };
    if (reason !== 'unprepared') kind.settled(settled);
    const called = { deliveryId, kind: delivery.kind, ownerId, subjectId, url };
    const facts = { ...called, attempt: number, statusCode, errorClass, durationMs, finishedAt };
    if (result === 'delivered') await this.events.publish(new DeliverySucceeded(facts));
    else if (result === 'retrying') await this.events.publish(new DeliveryFailed(facts, verdict.dueAt));
    else await this.events.publish(new DeliveryExhausted(facts, verdict.reason));
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

/** Consumers of a pulled delivery can settle the same attempt in different ways. */
function keyOf({ deliveryId, number, startAt, durationMs, errorClass, detail }: DeliveryAttempt): string {
  return [deliveryId, number, startAt, durationMs, errorClass, detail.settledBy].join('/');
}

/** A database outage or overload. */
function isTemporary(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof AppError && error.status === 503);
}

/** The failure class of a reply: `http_5xx` etc., or `refused` despite a 2xx. */
function classOf(statusCode: number): string {
  const hundreds = Math.floor(statusCode / 100);
  return hundreds === 2 ? 'refused' : `http_${hundreds}xx`;
}
