import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { type OutboundErrorClass, OutboundFailure } from '../outbound/outbound-failure.js';
import { OutboundSettings } from '../outbound/outbound.settings.js';
import { attemptOf, type Answer, uncalledAttempt, AttemptSpans } from './attempt.js';
import { sendCall } from './authorized-call.js';
import { CallRates } from './call-rates.repository.js';
import type { CallResult } from './call-limits.js';
import type { Job } from './lane.js';
import {
  type Call,
  type DeliveryKind,
  DeliveryKinds,
  isCancellation,
  isOrderedLane,
  LARGE_REPLY_BYTES,
  POSTPONED,
  type Prepared,
  type Receipt,
} from './delivery-kind.js';
import type { Delivery, DeliveryAttempt, OpenStatus } from './delivery.entity.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DispatchSettings } from './dispatch.settings.js';
import {
  DISABLED_BY_RECEIVER,
  failureVerdict,
  type NextAttempt,
  type Outcome,
  parseRetryAfterMs,
  type Verdict,
} from './outcome.js';
import { OutcomesRepository } from './outcomes.repository.js';
import { OutcomesService } from './outcomes.service.js';

/** The delay after a database outage during preparation. */
const PREPARE_AGAIN_MS = 5_000;
/** The delay when the kind postpones a delivery or a key is missing. */
const POSTPONED_MS = 60_000;

/** A finished call. */
export interface Run {
  /** `succeeded`: the endpoint answered with a 2xx. Undefined if the endpoint was not called. */
  readonly result: CallResult | undefined;
  /** The reply is so large that it must be handled before its place is freed. */
  readonly isLarge: boolean;
  /** Resolves once the outcome is stored. */
  readonly stored: Promise<NextAttempt | undefined>;
  /** By the rate of its owner, the call may start at this time, by performance.now(). */
  readonly slotAt?: number | undefined;
}

/** A call that starts later than this after its reserved time reserves another one. */
const MAX_LATE_MS = 100;

/** Replaces the content of a reply that cannot be decoded. */
const UNREADABLE = { headers: {}, body: Buffer.alloc(0), isCut: false } as const;

/** Failures that show that no URL of the endpoint can be called. */
const UNREACHABLE: ReadonlySet<string> = new Set<OutboundErrorClass>([
  'refused_address',
  'dns',
  'connect',
  'tls',
]);

/** Runs one attempt of a delivery: prepares it, makes the call and stores the outcome. Never throws. */
@Injectable()
export class DeliveryRunner {
  private readonly logger = new Logger(DeliveryRunner.name);

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly client: OutboundClient,
    private readonly outcomes: OutcomesService,
    private readonly repository: OutcomesRepository,
    private readonly rates: CallRates,
    private readonly metrics: DispatchMetrics,
    private readonly clock: Clock,
    private readonly settings: DispatchSettings,
    private readonly outbound: OutboundSettings,
    private readonly spans: AttemptSpans,
  ) {}

  async run(job: Job, signal: AbortSignal): Promise<Run> {
    const { delivery, turn } = job;
    if (delivery.retryAt > this.clock.now())
      return uncalled({ status: statusOf(delivery), dueAt: delivery.retryAt });
    if (job.slotAt !== undefined && job.slotAt > performance.now()) return this.wait(job);
    const kind = this.kinds.find(delivery.kind);
    if (!kind) return this.cancel(job, 'unknown_kind');
    let call: Prepared;
    try {
      call = await kind.prepare(delivery);
    } catch (error) {
      return this.unprepared(kind, job, error);
    }
    if (isLimited(call)) {
      const mayStart = await this.mayStart(job, call.perSecond);
      if (mayStart === undefined) return this.postpone(job, PREPARE_AGAIN_MS);
      if (!mayStart) return this.wait(job);
    }
    if (call === POSTPONED) return this.postpone(job, POSTPONED_MS);
    if (isCancellation(call)) return this.cancel(job, call.cancelled);
    if (!turn.isValid) return uncalled({ status: statusOf(delivery), dueAt: this.clock.now() });
    return this.spans.around(delivery, (traceparent, answered) =>
      this.attempt(kind, job, call, signal, traceparent, answered),
    );
  }

  /**
   * Whether a call may start now by the rate of its owner. If not, `job.slotAt` is its time. Undefined if the rate cannot
   * be read.
   */
  private async mayStart(job: Job, perSecond: number): Promise<boolean | undefined> {
    const { delivery, slotAt } = job;
    if (slotAt === undefined || performance.now() - slotAt > MAX_LATE_MS)
      try {
        const waitMs = await this.rates.reserve(delivery.ownerId, perSecond);
        job.slotAt = performance.now() + waitMs;
      } catch (error) {
        this.logger.warn(
          `The delivery ${delivery.id} waits, because its rate cannot be read: ${textOf(error)}`,
        );
        return undefined;
      }
    return job.slotAt !== undefined && job.slotAt <= performance.now();
  }

  private wait({ delivery, slotAt }: Job): Run {
    return { ...uncalled({ status: statusOf(delivery), dueAt: this.clock.now() }), slotAt };
  }

  private async attempt(
    kind: DeliveryKind,
    job: Job,
    call: Call,
    signal: AbortSignal,
    traceparent: string,
    answered: (answer: Answer) => void,
  ): Promise<Run> {
    const { delivery, committedAt } = job;
    const startAt = call.builtAt ?? this.clock.now();
    const startedAt = performance.now();
    const answer = await this.call(delivery, call, signal, traceparent);
    const { failure, reply, status, firstByteMs } = answer;
    answered(answer);
    if (failure?.errorClass === 'aborted') return uncalled(); // the process is stopping; the row stays open
    if (committedAt !== undefined && firstByteMs >= 0)
      this.metrics.firstBytes.observe((startedAt - committedAt + firstByteMs) / 1000);
    const hasSucceeded = !failure && isSuccess(status);
    const isLarge = (reply?.body.length ?? 0) > LARGE_REPLY_BYTES;
    if (hasSucceeded)
      return { result: 'succeeded', isLarge, stored: this.receive(kind, job, answer, startAt) };
    return { result: failedResult(failure), isLarge, stored: this.fail(kind, job, answer, startAt) };
  }

  private async call(
    { url }: Delivery,
    call: Call,
    signal: AbortSignal,
    traceparent: string,
  ): Promise<Answer> {
    const traced = traceparent === '' ? call : { ...call, headers: { ...call.headers, traceparent } };
    const { reply, error, secrets } = await sendCall(this.client, url, traced, {
      timeoutMs: this.outbound.outgoingTimeoutMs,
      signal,
    });
    const sent = { secrets, traceparent };
    if (reply) return { ...reply, ...sent, reply, failure: undefined, note: '' };
    const failure = error instanceof OutboundFailure ? error : this.unexpected(error);
    const { partial, errorClass, message: note } = failure;
    // The status shows that the receiver accepted the call; only the body is lost.
    return errorClass === 'decoding' && isSuccess(partial.status)
      ? { ...partial, ...sent, reply: { ...partial, ...UNREADABLE }, failure: undefined, note }
      : { ...partial, ...sent, reply: undefined, failure, note };
  }

  /** Stores that the receiver accepted the call, in one transaction with what its reply requests. */
  private async receive(
    kind: DeliveryKind,
    job: Job,
    answer: Answer,
    startAt: number,
  ): Promise<NextAttempt | undefined> {
    const { delivery, turn } = job;
    const receipt = await this.outcomes.receive(kind, delivery, answer.reply);
    if (!receipt) return undefined;
    if (receipt.refusal) return this.fail(kind, job, answer, startAt, receipt);
    const attempt = attemptOf(delivery, startAt, answer, receipt.note || answer.note);
    const reason = kind.isDisabledBy?.(answer) === true ? DISABLED_BY_RECEIVER : undefined;
    const verdict: Verdict = { status: 'delivered', ...(reason && { reason }) };
    const outcome = { delivery, turn, verdict, attempt, finishedAt: this.clock.now() };
    await this.outcomes.settle(kind, outcome, receipt.store);
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
    const policy = kind.retryPolicyFor?.(delivery, answer) ?? 'schedule';
    const verdict = failureVerdict({
      policy,
      refusal: receipt?.refusal,
      isDisabled: kind.isDisabledBy?.(answer) ?? false,
      status: answer.failure ? 0 : answer.status,
      scheduleMs: this.settings.outgoingScheduleMs,
      step: delivery.step,
      retryAfterMs: parseRetryAfterMs(answer.reply?.headers['retry-after'], finishedAt),
      finishedAt,
    });
    const attempt = attemptOf(delivery, startAt, answer, receipt?.note ?? answer.note);
    const outcome = { delivery, turn, verdict, attempt, finishedAt, isEndless: policy === 'endless' };
    if (verdict.status === 'failed') return this.giveUp(kind, outcome, attempt);
    await this.outcomes.settle(kind, outcome);
    return { status: isOrderedLane(delivery.lane) ? 'pending' : 'retrying', dueAt: verdict.dueAt };
  }

  private async giveUp(kind: DeliveryKind, outcome: Outcome, last: DeliveryAttempt): Promise<undefined> {
    const giveUp = kind.giveUp?.bind(kind);
    await this.outcomes.settle(
      kind,
      outcome,
      giveUp && ((statements) => giveUp(outcome.delivery, statements, last)),
    );
  }

  /** Outages end and missing keys may come back, so these are retried; bugs and damaged rows are final. */
  private unprepared(kind: DeliveryKind, job: Job, error: unknown): Run {
    const { delivery, turn } = job;
    const isKeyMissing = error instanceof SecretUnreadable;
    if (isKeyMissing || isDatabaseUnavailable(error)) {
      this.logger.warn(`The delivery ${delivery.id} cannot be prepared yet: ${textOf(error)}`);
      return this.postpone(job, isKeyMissing ? POSTPONED_MS : PREPARE_AGAIN_MS);
    }
    this.logger.error(`The delivery ${delivery.id} cannot be prepared and is abandoned.`, stackOf(error));
    const finishedAt = this.clock.now();
    const verdict = { status: 'failed', reason: 'unprepared' } as const;
    const attempt = uncalledAttempt(delivery, finishedAt, `It could not be prepared: ${textOf(error)}`);
    return uncalled(this.giveUp(kind, { delivery, turn, verdict, attempt, finishedAt }, attempt));
  }

  private cancel({ delivery, turn }: Job, reason: string): Run {
    const verdict = { status: 'cancelled', reason } as const;
    const outcome = { delivery, turn, verdict, attempt: undefined, finishedAt: this.clock.now() };
    return uncalled(this.outcomes.record(outcome).then(() => undefined));
  }

  /** Leaves a delivery open, behind the others that are due, except in an ordered lane, where it stays first. */
  private postpone({ delivery, turn }: Job, pauseMs: number): Run {
    const next = { status: statusOf(delivery), dueAt: this.clock.now() + pauseMs };
    if (isOrderedLane(delivery.lane)) return uncalled(next);
    const stored = this.repository.postpone(delivery, next.dueAt, turn).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) this.logger.error('A delivery cannot be postponed.', stackOf(error));
    });
    return uncalled(stored.then(() => next));
  }

  private unexpected(error: unknown): OutboundFailure {
    this.logger.error('A call failed unexpectedly.', stackOf(error));
    return new OutboundFailure('protocol', 'The call failed unexpectedly.');
  }
}

/** No call was made. */
function uncalled(next?: NextAttempt | Promise<NextAttempt | undefined>): Run {
  return { result: undefined, isLarge: false, stored: Promise.resolve(next) };
}

function isLimited(prepared: Prepared): prepared is Call & { readonly perSecond: number } {
  return prepared !== POSTPONED && 'perSecond' in prepared && prepared.perSecond !== undefined;
}

/** What a failed call shows about its endpoint: nothing if there was no token to call it with. */
function failedResult(failure: OutboundFailure | undefined): CallResult | undefined {
  if (failure?.errorClass === 'token') return undefined;
  return failure && UNREACHABLE.has(failure.errorClass) ? 'unreachable' : 'failed';
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
