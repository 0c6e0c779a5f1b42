import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { DeliveriesRepository, isAlreadySettled } from './deliveries.repository.js';
import { AlreadySettled, type DeliveryKind, type StoreMark } from './delivery-kind.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DeliveryExhausted, DeliveryFailed, DeliverySucceeded } from './dispatch.events.js';
import { OpenDeliveries } from './open-deliveries.js';
import type { Outcome, SettledOutcome } from './outcome.js';
import { OutcomeRecorder } from './outcome-recorder.js';

const NOT_STORED = 'What follows from the reply could not be stored.';

/** Stores the outcomes of attempts and reports them to their module, event listeners and metrics. */
@Injectable()
export class Settlement {
  private readonly logger = new Logger(Settlement.name);

  constructor(
    private readonly recorder: OutcomeRecorder,
    private readonly repository: DeliveriesRepository,
    private readonly events: EventBus,
    private readonly metrics: DispatchMetrics,
    private readonly open: OpenDeliveries,
  ) {}

  /** Stores an outcome that leaves the delivery open. */
  async recordAttempt(kind: DeliveryKind, outcome: Outcome): Promise<void> {
    if (await this.recorder.record(outcome)) await this.report(kind, outcome);
  }

  /** Stores the final outcome and, through `store`, its effects in the same transaction. */
  async settle(
    kind: DeliveryKind,
    outcome: SettledOutcome,
    store?: (mark: StoreMark) => Promise<void> | undefined,
  ): Promise<undefined> {
    let settled = outcome;
    try {
      if (!store) {
        if (!(await this.recorder.record(outcome))) return undefined;
      } else if (!(await this.recorder.retryWhileUnavailable(async () => store(this.markOf(outcome)))))
        return undefined;
    } catch (error) {
      if (error instanceof AlreadySettled || isAlreadySettled(error)) {
        // An earlier commit may have succeeded although its response was lost.
        if (await this.recorder.isStored(outcome)) await this.report(kind, outcome);
        else this.logger.debug(`The delivery ${outcome.delivery.id} was settled otherwise during its call.`);
        return undefined;
      }
      // Repeating the call would not help, because the receiver accepted it. The note says what is missing.
      this.logger.error(
        `The effects of the delivery ${outcome.delivery.id} cannot be stored.`,
        stackOf(error),
      );
      settled = { ...outcome, attempt: { ...outcome.attempt, note: NOT_STORED } };
      if (!(await this.recorder.record(settled))) return undefined;
    }
    await this.report(kind, settled);
    return undefined;
  }

  private markOf(outcome: SettledOutcome): StoreMark {
    return {
      run: async (transaction) => {
        try {
          await this.repository.settle(transaction, outcome);
        } catch (error) {
          throw isAlreadySettled(error) ? new AlreadySettled() : error;
        }
      },
      statements: (replyPostId) => this.repository.settleStatements(outcome, replyPostId),
    };
  }

  private async report(
    kind: DeliveryKind,
    { delivery, verdict, attempt, finishedAt }: Outcome,
  ): Promise<void> {
    if (verdict.status !== 'retrying') this.open.settled(1);
    if (!attempt || verdict.status === 'cancelled') return;
    const { statusCode, errorClass, note, number, durationMs } = attempt;
    const facts = {
      deliveryId: delivery.id,
      kind: delivery.kind,
      ownerId: delivery.ownerId,
      subjectId: delivery.subjectId,
      url: delivery.url,
      attempt: number,
      statusCode,
      errorClass,
      durationMs,
      finishedAt,
    };
    this.metrics.attempt(
      verdict.status,
      verdict.status === 'delivered' ? '' : errorClass || classOf(statusCode),
    );
    if (verdict.status === 'delivered')
      this.metrics.accepted((attempt.startAt + attempt.durationMs - delivery.createAt) / 1000);
    else if (verdict.status === 'failed') this.metrics.gaveUp(verdict.reason);
    const wasCalled = verdict.status !== 'failed' || verdict.reason !== 'unprepared';
    const result = verdict.status;
    if (wasCalled) kind.settled({ delivery, result, statusCode, errorClass, note, finishedAt });
    if (verdict.status === 'delivered') await this.events.publish(new DeliverySucceeded(facts));
    else if (verdict.status === 'retrying')
      await this.events.publish(new DeliveryFailed(facts, verdict.dueAt));
    else await this.events.publish(new DeliveryExhausted(facts, verdict.reason));
  }
}

/** The failure class of a reply: `http_5xx` etc., or `refused` despite a 2xx. */
function classOf(statusCode: number): string {
  const hundreds = Math.floor(statusCode / 100);
  return hundreds === 2 ? 'refused' : `http_${hundreds}xx`;
}
