import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import type { Span } from '../../platform/tracing/tracing.js';
import { OutboundClient, type OutboundReply } from '../outbound/outbound-client.js';
import { type OutboundErrorClass, OutboundFailure } from '../outbound/outbound-failure.js';
import { OutboundSettings } from '../outbound/outbound.settings.js';
import { attemptOf, type Answer, unpreparedAttempt, AttemptSpans } from './attempt.js';
import type { CallResult } from './call-limits.js';
import type { Job } from './claims.js';
import {
  type Call,
  type DeliveryKind,
  DeliveryKinds,
  isCancellation,
  LARGE_REPLY_BYTES,
  POSTPONED,
  type Receipt,
} from './delivery-kind.js';
import type { Delivery, OpenStatus } from './delivery.entity.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DispatchSettings } from './dispatch.settings.js';
import { isOrderedLane } from './lane-name.js';
import {
  failureVerdict,
  type NextAttempt,
  type SettledOutcome,
  type Verdict,
  parseRetryAfterMs,
} from './outcome.js';
import { OutcomesRepository } from './outcomes.repository.js';
import { OutcomesService } from './outcomes.service.js';

/** The delay after a database outage during preparation. */
const PREPARE_AGAIN_MS = 5_000;
/** The delay when the kind postpones a delivery or a key is missing. */
const POSTPONED_MS = 60_000;

/** A finished call. */
export interface Run {
  /** `succeeded`: the endpoint answered with a 2xx. Undefined if no call was made. */
  readonly result: CallResult | undefined;
  /** The reply is so large that it must be handled before its place is freed. */
  readonly isLarge: boolean;
  /** Resolves once the outcome is stored. */
  readonly stored: Promise<NextAttempt | undefined>;
}

/** Replaces the content of a reply that cannot be decoded. */
const UNREADABLE = { headers: {}, body: Buffer.alloc(0), isCut: false } as const;

/** Failures that show that no URL of the endpoint can be called. */
const UNREACHABLE: ReadonlySet<string> = new Set<OutboundErrorClass>([
  'refused_address',
  'dns',
  'connect',
  'tls',
]);

const NOT_CALLED: Run = { result: undefined, isLarge: false, stored: Promise.resolve(undefined) };

/** Runs one attempt of a delivery: prepares it, makes the call and stores the outcome. Never throws. */
@Injectable()
export class DeliveryRunner {
  private readonly logger = new Logger(DeliveryRunner.name);

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly client: OutboundClient,
    private readonly outcomes: OutcomesService,
    private readonly repository: OutcomesRepository,
    private readonly metrics: DispatchMetrics,
    private readonly clock: Clock,
    private readonly settings: DispatchSettings,
    private readonly outbound: OutboundSettings,
    private readonly spans: AttemptSpans,
  ) {}

  async run(job: Job, signal: AbortSignal): Promise<Run> {
    const { delivery } = job;
    const kind = this.kinds.find(delivery.kind);
    if (!kind) return this.cancel(job, 'unknown_kind');
    let call: Call;
    try {
      const prepared = await kind.prepare(delivery);
      if (prepared === POSTPONED) return this.notCalled(job, POSTPONED_MS);
      if (isCancellation(prepared)) return this.cancel(job, prepared.cancelled);
      call = prepared;
    } catch (error) {
      return this.unprepared(kind, job, error);
    }
    if (!job.turn.isValid) return this.leftOpen(delivery);
    const span = this.spans.begin(delivery);
    return span
      ? this.spans.within(span, () => this.attempt(kind, job, call, signal, span))
      : this.attempt(kind, job, call, signal);
  }

  private async attempt(
    kind: DeliveryKind,
    job: Job,
    call: Call,
    signal: AbortSignal,
    span?: Span,
  ): Promise<Run> {
    const { delivery, committedAt } = job;
    const startAt = call.builtAt ?? this.clock.now();
    const startedAt = performance.now();
    const answer = await this.call(delivery, call, signal, span);
    if (span) this.spans.end(span, answer);
    if (answer.failure?.errorClass === 'aborted') return NOT_CALLED; // the process is stopping; the row stays open
    if (committedAt !== undefined && answer.firstByteMs >= 0)
      this.metrics.firstByte((startedAt - committedAt + answer.firstByteMs) / 1000);
    const hasSucceeded = answer.failure === undefined && isSuccess(answer.status);
    const stored = hasSucceeded
      ? this.receive(kind, job, answer, startAt)
      : this.fail(kind, job, answer, startAt);
    const isUnreachable = answer.failure !== undefined && UNREACHABLE.has(answer.failure.errorClass);
    const result = hasSucceeded ? 'succeeded' : isUnreachable ? 'unreachable' : 'failed';
    return { result, isLarge: (answer.reply?.body.length ?? 0) > LARGE_REPLY_BYTES, stored };
  }

  private async call(
    { url }: Delivery,
    { headers: own, body, secrets }: Call,
    signal: AbortSignal,
    span: Span | undefined,
  ): Promise<Answer> {
    const { outgoingTimeoutMs: timeoutMs } = this.outbound;
    const traceparent = span ? this.spans.traceparentOf(span) : '';
    const headers = traceparent === '' ? own : { ...own, traceparent };
    const sent = { secrets, traceparent };
    try {
      const reply = await this.client.send({ method: 'POST', url, headers, body, timeoutMs }, signal);
      return { ...reply, ...sent, reply, failure: undefined, note: '' };
    } catch (error) {
      const failure = error instanceof OutboundFailure ? error : this.unexpected(error);
      const { partial, errorClass, message: note } = failure;
      // The status shows that the receiver accepted the call; only the body is lost.
      return errorClass === 'decoding' && isSuccess(partial.status)
        ? { ...partial, ...sent, reply: { ...partial, ...UNREADABLE }, failure: undefined, note }
        : { ...partial, ...sent, reply: undefined, failure, note };
    }
  }

  private async receive(
    kind: DeliveryKind,
    job: Job,
    answer: Answer,
    startAt: number,
  ): Promise<NextAttempt | undefined> {
    const { delivery, turn } = job;
    const receipt = await this.judge(kind, delivery, answer.reply);
    if (!receipt) return undefined;
    if (receipt.refusal) return this.fail(kind, job, answer, startAt, receipt);
    const attempt = attemptOf(delivery, startAt, answer, receipt.note || answer.note);
    const verdict = { status: 'delivered' } as const;
    const outcome = { delivery, turn, verdict, attempt, finishedAt: this.clock.now() };
    await (receipt.store
      ? this.outcomes.settleWith(kind, outcome, receipt.store)
      : this.outcomes.settle(kind, outcome));
    return undefined;
  }

  private async fail(
    kind: DeliveryKind,
    { delivery, turn }: Job,
    answer: Answer,
    startAt: number,
    receipt?: Receipt,
  ): Promise<NextAttempt | undefined> {
    const finishedAt = this.clock.now();
    const verdict = failureVerdict({
      judgement: kind.judgeFailure?.(delivery, answer) ?? 'schedule',
      refusal: receipt?.refusal,
      status: answer.failure ? 0 : answer.status,
      scheduleMs: this.settings.outgoingScheduleMs,
      step: delivery.step,
      retryAfterMs: parseRetryAfterMs(answer.reply?.headers['retry-after'], finishedAt),
      finishedAt,
    });
    const attempt = attemptOf(delivery, startAt, answer, receipt?.note ?? answer.note);
    if (verdict.status === 'failed')
      return this.giveUp(kind, { delivery, turn, verdict, attempt, finishedAt });
    const outcome = { delivery, turn, verdict, attempt, finishedAt };
    await this.outcomes.settle(kind, outcome);
    return { status: isOrderedLane(delivery.lane) ? 'pending' : 'retrying', dueAt: verdict.dueAt };
  }

  /** Outages end and missing keys may come back, so these are retried; bugs and damaged rows are final. */
  private unprepared(kind: DeliveryKind, job: Job, error: unknown): Run {
    const { delivery } = job;
    const isKeyMissing = error instanceof SecretUnreadable;
    if (!isKeyMissing && !isDatabaseUnavailable(error)) return this.failUnprepared(kind, job, error);
    this.logger.warn(`The delivery ${delivery.id} cannot be prepared yet: ${textOf(error)}`);
    return this.notCalled(job, isKeyMissing ? POSTPONED_MS : PREPARE_AGAIN_MS);
  }

  private failUnprepared(kind: DeliveryKind, { delivery, turn }: Job, error: unknown): Run {
    this.logger.error(`The delivery ${delivery.id} cannot be prepared and is abandoned.`, stackOf(error));
    const finishedAt = this.clock.now();
    const verdict = { status: 'failed', reason: 'unprepared' } as const;
    const attempt = unpreparedAttempt(delivery, finishedAt, `It could not be prepared: ${textOf(error)}`);
    const stored = this.giveUp(kind, { delivery, turn, verdict, attempt, finishedAt });
    return { result: undefined, isLarge: false, stored };
  }

  private async giveUp(kind: DeliveryKind, outcome: SettledOutcome): Promise<undefined> {
    const { delivery, attempt } = outcome;
    const giveUp = kind.giveUp?.bind(kind);
    await (giveUp
      ? this.outcomes.settleWith(kind, outcome, (mark) => giveUp(delivery, mark, attempt))
      : this.outcomes.settle(kind, outcome));
    return undefined;
  }

  /**
   * Returns undefined if the process stops while the database is unavailable. Any other error is a bug in the
   * kind: the receiver accepted the call, so the delivery counts as delivered.
   */
  private async judge(
    kind: DeliveryKind,
    delivery: Delivery,
    reply: OutboundReply | undefined,
  ): Promise<Receipt | undefined> {
    if (!reply) return { note: '' };
    try {
      return await this.outcomes.retryWhileUnavailable(() => kind.receive(delivery, reply));
    } catch (error) {
      this.logger.error(`The reply to the delivery ${delivery.id} cannot be evaluated.`, stackOf(error));
      return { note: 'The reply could not be processed.' };
    }
  }

  private cancel({ delivery, turn }: Job, reason: string): Run {
    const finishedAt = this.clock.now();
    const verdict: Verdict = { status: 'cancelled', reason };
    const stored = this.outcomes.record({ delivery, turn, verdict, attempt: undefined, finishedAt });
    return { result: undefined, isLarge: false, stored: stored.then(() => undefined) };
  }

  /** The row stays open and is due again after `pauseMs`. */
  private notCalled(job: Job, pauseMs: number): Run {
    const status = statusOf(job.delivery);
    const dueAt = this.clock.now() + pauseMs;
    const stored = this.postpone(job, dueAt).then(() => ({ status, dueAt }));
    return { result: undefined, isLarge: false, stored };
  }

  /** The turn is over: the row stays due for the process that takes the lane next. */
  private leftOpen(delivery: Delivery): Run {
    const next = { status: statusOf(delivery), dueAt: this.clock.now() };
    return { result: undefined, isLarge: false, stored: Promise.resolve(next) };
  }

  /** Moves a delivery behind the others that are due, except in an ordered lane, where it must stay first. */
  private async postpone({ delivery, turn }: Job, until: number): Promise<void> {
    if (isOrderedLane(delivery.lane)) return;
    try {
      await this.repository.postpone(delivery, until, turn);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) this.logger.error('A delivery cannot be postponed.', stackOf(error));
    }
  }

  private unexpected(error: unknown): OutboundFailure {
    this.logger.error('A call failed unexpectedly.', stackOf(error));
    return new OutboundFailure('protocol', 'The call failed unexpectedly.');
  }
}

function statusOf({ status }: Delivery): OpenStatus {
  return status === 'retrying' ? 'retrying' : 'pending';
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
