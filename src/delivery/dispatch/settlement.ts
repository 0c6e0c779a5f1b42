import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { AlreadySettled, type DeliveryKind, type StoreMark } from './delivery-kind.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DeliveryExhausted } from './events/delivery-exhausted.event.js';
import { DeliveryFailed } from './events/delivery-failed.event.js';
import { DeliverySucceeded } from './events/delivery-succeeded.event.js';
import type { Outcome, SettledOutcome } from './outcome.js';
import { OutcomeRecorder } from './outcome-recorder.js';

const NOT_STORED = 'What follows from the reply could not be stored.';

/** Stores what came of attempts, and tells it to their module, to listeners and to the metrics. */
@Injectable()
export class Settlement {
  private readonly logger = new Logger(Settlement.name);

  constructor(
    private readonly recorder: OutcomeRecorder,
    private readonly repository: DeliveriesRepository,
    private readonly events: EventBus,
    private readonly metrics: DispatchMetrics,
  ) {}

  /** An attempt after which the delivery is still open. Resolves once it is stored. */
  async note(kind: DeliveryKind, outcome: Outcome): Promise<void> {
    await this.recorder.record(outcome);
    await this.tell(kind, outcome);
  }

  /** Stores the last outcome and, in the same transaction, what follows from it. */
  async settle(
    kind: DeliveryKind,
    outcome: SettledOutcome,
    store?: (mark: StoreMark) => Promise<void> | undefined,
  ): Promise<undefined> {
    let settled = outcome;
    try {
      if (!store) await this.recorder.record(outcome);
      else if (!(await this.recorder.retryWhileUnavailable(async () => store(this.markOf(outcome)))))
        return undefined;
    } catch (error) {
      if (error instanceof AlreadySettled) {
        this.logger.debug(`The delivery ${outcome.delivery.id} was settled otherwise during its call.`);
        return undefined;
      }
      // Calling again would end the same way: the receiver has done its part, and people must see what is missing.
      this.logger.error(
        `What follows from the delivery ${outcome.delivery.id} cannot be stored.`,
        stackOf(error),
      );
      settled = { ...outcome, attempt: { ...outcome.attempt, note: NOT_STORED } };
      await this.recorder.record(settled);
    }
    await this.tell(kind, settled);
    return undefined;
  }

  private markOf(outcome: SettledOutcome): StoreMark {
    return async (transaction, replyPostId = '') => {
      if (!(await this.repository.markSettled(transaction, outcome, replyPostId))) throw new AlreadySettled();
    };
  }

  private async tell(kind: DeliveryKind, { delivery, verdict, attempt, finishedAt }: Outcome): Promise<void> {
    if (!attempt || verdict.status === 'cancelled') return;
    const { statusCode, errorClass, note, number } = attempt;
    const facts = {
      deliveryId: delivery.id,
      kind: delivery.kind,
      ownerId: delivery.ownerId,
      subjectId: delivery.subjectId,
      attempt: number,
      statusCode,
      errorClass,
    };
    this.metrics.attempt(
      verdict.status,
      verdict.status === 'delivered' ? '' : errorClass || classOf(statusCode),
    );
    const wasCalled = verdict.status !== 'failed' || verdict.reason !== 'unprepared';
    const result = verdict.status;
    if (wasCalled) kind.settled({ delivery, result, statusCode, errorClass, note, finishedAt });
    if (verdict.status === 'delivered') await this.events.publish(new DeliverySucceeded(facts));
    else if (verdict.status === 'retrying')
      await this.events.publish(new DeliveryFailed(facts, verdict.dueAt));
    else await this.events.publish(new DeliveryExhausted(facts, verdict.reason));
  }
}

/** How an answer failed: `http_5xx`, or `refused` in spite of a 2xx. */
function classOf(statusCode: number): string {
  const hundreds = Math.floor(statusCode / 100);
  return hundreds === 2 ? 'refused' : `http_${hundreds}xx`;
}
