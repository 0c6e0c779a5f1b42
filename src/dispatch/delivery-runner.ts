import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { EventBus } from '../common/events/event-bus.js';
import { Settings } from '../config/settings.js';
import { OutboundClient, type OutboundReply } from '../outbound/outbound-client.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { attemptOf, type Answer } from './attempt-row.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { type Call, type DeliveryKind, isCancellation, type Receipt } from './delivery-kind.js';
import { DeliveryKinds } from './delivery-kinds.js';
import type { Delivery } from './delivery.entity.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DeliveryExhausted, DeliveryFailed, DeliverySucceeded } from './events/delivery-settled.event.js';
import type { Job } from './job.js';
import { isOrderedLane } from './lane.js';
import type { Outcome, Verdict } from './outcome.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { nextDelayMs, parseRetryAfterMs } from './schedule.js';

const GONE = 410;
/** When what followed from a reply could not be stored, the delivery is made again after so long. */
const STORE_AGAIN_MS = 5_000;

/** A delivery that stays open, and when its next turn is. */
export interface ComingBack {
  readonly status: 'pending' | 'retrying';
  readonly dueAt: number;
}

/** A call that is over. */
export interface Run {
  /** Whether the endpoint did well; undefined when it was not asked. */
  readonly hasSucceeded: boolean | undefined;
  /** Resolves once the outcome is stored. */
  readonly stored: Promise<ComingBack | undefined>;
}

/** A reply whose body cannot be decoded. */
const UNREADABLE = { headers: {}, body: Buffer.alloc(0), isCut: false } as const;

const NOT_CALLED: Run = { hasSucceeded: undefined, stored: Promise.resolve(undefined) };

/** One attempt of one delivery: the payload, the call, the verdict, and its record. Never throws. */
@Injectable()
export class DeliveryRunner {
  private readonly logger = new Logger(DeliveryRunner.name);

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly client: OutboundClient,
    private readonly recorder: OutcomeRecorder,
    private readonly repository: DeliveriesRepository,
    private readonly events: EventBus,
    private readonly metrics: DispatchMetrics,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async run(job: Job, signal: AbortSignal): Promise<Run> {
    const { delivery } = job;
    const kind = this.kinds.find(delivery.kind);
    if (!kind) return this.cancel(delivery, 'unknown_kind');
    let call: Call;
    try {
      const prepared = await kind.prepare(delivery);
      if (isCancellation(prepared)) return this.cancel(delivery, prepared.cancelled);
      call = prepared;
    } catch (error) {
      this.logger.error(`The delivery ${delivery.id} cannot be prepared.`, stackOf(error));
      return this.notCalled(delivery);
    }
    const startAt = this.clock.now();
    const startedAt = performance.now();
    const answer = await this.call(delivery, call, signal);
    if (answer.failure?.errorClass === 'aborted') return NOT_CALLED; // the process ends; the row is still open
    if (job.committedAt !== undefined && answer.firstByteMs >= 0)
      this.metrics.firstByte((startedAt - job.committedAt + answer.firstByteMs) / 1000);
    const hasSucceeded = answer.failure === undefined && isSuccess(answer.status);
    const stored = hasSucceeded
      ? this.receive(kind, delivery, answer, startAt)
      : this.fail(kind, delivery, answer, startAt);
    return { hasSucceeded, stored };
  }

  private async call(
    { url }: Delivery,
    { headers, body, secrets }: Call,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { outgoingTimeoutMs: timeoutMs } = this.settings;
    try {
      const reply = await this.client.send({ method: 'POST', url, headers, body, timeoutMs }, signal);
      return { ...reply, reply, failure: undefined, note: '', secrets };
    } catch (error) {
      const failure = error instanceof OutboundFailure ? error : this.unexpected(error);
      const { partial, errorClass, message: note } = failure;
      // The receiver has said that it took the call; only what else it says is lost.
      return errorClass === 'decoding' && isSuccess(partial.status)
        ? { ...partial, reply: { ...partial, ...UNREADABLE }, failure: undefined, note, secrets }
        : { ...partial, reply: undefined, failure, note, secrets };
    }
  }

  private async receive(
    kind: DeliveryKind,
    delivery: Delivery,
    answer: Answer,
    startAt: number,
  ): Promise<ComingBack | undefined> {
    const verdict: Verdict = { status: 'delivered' };
    const receipt = await this.judge(kind, delivery, answer.reply);
    if (receipt.refusal) return this.fail(kind, delivery, answer, startAt, receipt);
    const attempt = attemptOf(delivery, startAt, answer, receipt.note || answer.note);
    const outcome = { delivery, verdict, attempt, finishedAt: this.clock.now() };
    if (!receipt.store) {
      await this.recorder.record(outcome);
    } else {
      try {
        await receipt.store(async (manager, replyPostId) => {
          if (
            !(await this.repository.markReplied(manager, delivery, attempt, replyPostId, outcome.finishedAt))
          )
            throw new Error('The delivery is settled already.');
        });
      } catch (error) {
        this.logger.warn(
          `What the receiver of the delivery ${delivery.id} replied cannot be stored: ${nameOf(error)}.`,
        );
        return this.notCalled(delivery).stored;
      }
    }
    this.settle(kind, outcome);
    return undefined;
  }

  private async fail(
    kind: DeliveryKind,
    delivery: Delivery,
    answer: Answer,
    startAt: number,
    receipt?: Receipt,
  ): Promise<ComingBack | undefined> {
    const finishedAt = this.clock.now();
    const judgement = kind.judgeFailure?.(delivery, answer.failure ? 0 : answer.status) ?? 'schedule';
    const isFinal = receipt?.refusal === 'final' || (!receipt && judgement === 'final');
    const retryAfter = parseRetryAfterMs(answer.reply?.headers['retry-after'], finishedAt);
    const schedule = this.settings.outgoingScheduleMs;
    const delayMs =
      nextDelayMs(schedule, delivery.step, retryAfter) ??
      (judgement === 'endless' ? lastDelayMs(schedule, retryAfter) : undefined);
    const verdict: Verdict = isFinal
      ? { status: 'failed', reason: 'refused' }
      : answer.status === GONE && !answer.failure
        ? { status: 'failed', reason: 'gone' }
        : delayMs === undefined
          ? { status: 'failed', reason: 'attempts_exhausted' }
          : { status: 'retrying', dueAt: finishedAt + delayMs };
    const attempt = attemptOf(delivery, startAt, answer, receipt?.note ?? answer.note);
    const outcome = { delivery, verdict, attempt, finishedAt };
    await this.recorder.record(outcome);
    this.settle(kind, outcome);
    if (verdict.status !== 'retrying') return undefined;
    return { status: isOrderedLane(delivery.lane) ? 'pending' : 'retrying', dueAt: verdict.dueAt };
  }

  /** What a kind throws here is a bug in it; the receiver has done its part, so the delivery counts as made. */
  private async judge(
    kind: DeliveryKind,
    delivery: Delivery,
    reply: OutboundReply | undefined,
  ): Promise<Receipt> {
    try {
      return reply ? await kind.receive(delivery, reply) : { note: '' };
    } catch (error) {
      this.logger.error(`The reply to the delivery ${delivery.id} cannot be judged.`, stackOf(error));
      return { note: 'The reply could not be processed.' };
    }
  }

  private settle(kind: DeliveryKind, { delivery, verdict, attempt, finishedAt }: Outcome): void {
    if (!attempt || verdict.status === 'cancelled') return;
    const { statusCode, errorClass, number } = attempt;
    const facts = {
      deliveryId: delivery.id,
      kind: delivery.kind,
      ownerId: delivery.ownerId,
      subjectId: delivery.subjectId,
      attempt: number,
      statusCode,
      errorClass,
    };
    this.metrics.attempt(verdict.status, errorClass);
    kind.settled({ delivery, result: verdict.status, statusCode, errorClass, finishedAt });
    if (verdict.status === 'delivered') this.events.announce(new DeliverySucceeded(facts));
    else if (verdict.status === 'retrying') this.events.announce(new DeliveryFailed(facts, verdict.dueAt));
    else this.events.announce(new DeliveryExhausted(facts, verdict.reason));
  }

  private cancel(delivery: Delivery, reason: string): Run {
    const finishedAt = this.clock.now();
    const verdict: Verdict = { status: 'cancelled', reason };
    const stored = this.recorder.record({ delivery, verdict, attempt: undefined, finishedAt });
    return { hasSucceeded: undefined, stored: stored.then(() => undefined) };
  }

  /** Nothing is known and nothing stored: the row is as open as before, and has another turn soon. */
  private notCalled(delivery: Delivery): Run {
    const status = delivery.status === 'retrying' ? 'retrying' : 'pending';
    const dueAt = this.clock.now() + STORE_AGAIN_MS;
    return { hasSucceeded: undefined, stored: Promise.resolve({ status, dueAt }) };
  }

  private unexpected(error: unknown): OutboundFailure {
    this.logger.error('A call failed in a way that it must not.', stackOf(error));
    return new OutboundFailure('protocol', 'The call failed for a reason of its own.');
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function lastDelayMs(schedule: readonly number[], retryAfterMs: number | undefined): number {
  if (schedule.length < 2) return STORE_AGAIN_MS;
  return nextDelayMs(schedule, schedule.length - 2, retryAfterMs) ?? STORE_AGAIN_MS;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
