import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { newId } from '../../../platform/common/ids.js';
import { NOTHING } from '../../outbound/outbound-failure.js';
import { attemptOf, type Answer, uncalledAttempt } from '../attempt.js';
import { type DeliveryKind, DeliveryKinds, isCancellation, POSTPONED, pullLane } from '../delivery-kind.js';
import { type Delivery, type DeliveryAttempt, type DeliveryLease, isOpen } from '../delivery.entity.js';
import { DispatchSettings } from '../dispatch.settings.js';
import { failureVerdict, type FailureVerdict } from '../outcome.js';
import { OutcomesService } from '../outcomes.service.js';
import { type Leased, LeasesRepository } from './leases.repository.js';
import { type Connection, PullWaits, type WaitPlace } from './pull-waits.js';
import { type PreparedDelivery, PulledCalls, turnOf } from './pulled-calls.js';

const OK = 200;
/** A request looks no further after this many deliveries that are not handed out any more. */
const MAX_SEEN = 500;

/** How many deliveries a consumer wants, how long it waits for the first, and how long it has them. */
export interface PullRequest {
  readonly limit: number;
  readonly waitMs: number;
  readonly leaseMs: number;
  /** Hands out only the first delivery of each flow. */
  readonly isOrdered: boolean;
  /** Called after waiting; throws if the consumer may no longer pull. */
  readonly recheck: () => Promise<unknown>;
}

/** A delivery handed to a consumer. */
export interface PulledDelivery extends PreparedDelivery {
  readonly lease: DeliveryLease;
}

/** What a consumer answers to a delivery. */
export interface ConsumerReply {
  readonly contentType: string;
  readonly body: string;
}

/** The lease ids of a request: those that it settled, and those that were no longer in force. */
export interface SettledLeases {
  readonly settled: readonly string[];
  readonly expired: readonly string[];
}

/**
 * Hands deliveries to consumers that pull them, with a lease, and settles them like calls (docs/architecture.md#lanes).
 * The table decides who has a lease; a lease that ran out is recorded when its delivery is handed out again.
 */
@Injectable()
export class PulledDeliveriesService {
  /** Leases that are being settled, each by one request. */
  private readonly settling = new Set<string>();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly leases: LeasesRepository,
    private readonly calls: PulledCalls,
    private readonly outcomes: OutcomesService,
    private readonly waits: PullWaits,
    private readonly clock: Clock,
    private readonly settings: DispatchSettings,
  ) {}

  /** Leases due deliveries of a lane; waits for one if none is due. Throws `tooManyPulls`. */
  async pull(place: WaitPlace, request: PullRequest, connection: Connection): Promise<PulledDelivery[]> {
    const wait = this.waits.open(place, request.waitMs, connection);
    try {
      for (;;) {
        const pulled = await this.take(place.lane, request);
        if (pulled.length > 0 || !(await wait.next())) return pulled;
        await request.recheck();
      }
    } finally {
      wait.close();
    }
  }

  /** Settles leased deliveries of an owner as delivered, each with the reply of its consumer if there is one. */
  ack(
    ownerId: string,
    leaseIds: readonly string[],
    replies: ReadonlyMap<string, ConsumerReply>,
  ): Promise<SettledLeases> {
    return this.settle(ownerId, leaseIds, (leased, kind) =>
      this.accept(leased, kind, replies.get(leased.lease.id)),
    );
  }

  /** Fails the attempts of leased deliveries of an owner. `delayMs` overrides the delay of the schedule. */
  nack(ownerId: string, leaseIds: readonly string[], delayMs: number | undefined): Promise<SettledLeases> {
    return this.settle(ownerId, leaseIds, async (leased, kind) => {
      const verdict = this.verdictOn(leased.delivery, delayMs);
      return this.fail(leased, kind, verdict, 'nacked', 'The consumer did not accept it.');
    });
  }

  private async take(lane: string, { limit, leaseMs, isOrdered }: PullRequest): Promise<PulledDelivery[]> {
    for (let seen = 0; seen < MAX_SEEN;) {
      const now = this.clock.now();
      const since = now - this.settings.outgoingPullExpiryMs; // those due before are given up
      const due = await (isOrdered
        ? this.leases.listHeads(lane, [since, now], limit)
        : this.leases.listDue(lane, [since, now], limit));
      const leases = await this.leases.leasesOf(due);
      const free = due.filter(({ id }) => (leases.get(id)?.until ?? 0) <= now);
      const ready = await Promise.all(
        free.map(async (delivery) => {
          const lease = leases.get(delivery.id);
          return lease ? this.endLease({ delivery, lease }, now) : delivery;
        }),
      );
      const prepared = await this.calls.prepare(ready.flatMap((delivery) => delivery ?? []));
      const taken = await this.leases.take(
        prepared.map(({ delivery }) => delivery),
        now,
        leaseMs,
      );
      // Without any, all have been settled here or leased to others: there may be more.
      if (taken.size > 0 || free.length === 0)
        return prepared.flatMap(({ delivery, call }) => {
          const lease = taken.get(delivery.id);
          return lease ? { delivery, call, lease } : [];
        });
      seen += free.length;
    }
    return [];
  }

  private async settle(
    ownerId: string,
    leaseIds: readonly string[],
    settleOne: (leased: Leased, kind: DeliveryKind) => Promise<boolean>,
  ): Promise<SettledLeases> {
    const found = await this.leases.find(ownerId, leaseIds);
    const own = found.filter(
      ({ delivery, lease }) => isOpen(delivery.status) && !this.settling.has(lease.id),
    );
    for (const { lease } of own) this.settling.add(lease.id);
    const done = new Set<string>();
    await Promise.all(
      own.map(async (leased) => {
        const { id } = leased.lease;
        const kind = this.kinds.find(leased.delivery.kind);
        try {
          if (kind && (await settleOne(leased, kind))) done.add(id);
        } finally {
          this.settling.delete(id);
        }
      }),
    );
    if (done.size > 0) this.waits.announce(pullLane(ownerId)); // the next ones of their flows
    const ids = [...new Set(leaseIds)];
    return { settled: ids.filter((id) => done.has(id)), expired: ids.filter((id) => !done.has(id)) };
  }

  private async accept(
    { delivery, lease }: Leased,
    kind: DeliveryKind,
    reply: ConsumerReply | undefined,
  ): Promise<boolean> {
    const finishedAt = this.clock.now();
    const durationMs = finishedAt - lease.startAt;
    const call = reply && (await kind.prepare(delivery));
    const secrets = call && call !== POSTPONED && !isCancellation(call) ? call.secrets : undefined;
    const received = {
      ...NOTHING,
      ...{ status: OK, durationMs, firstByteMs: durationMs, isCut: false },
      ...(reply && { headers: { 'content-type': reply.contentType }, body: Buffer.from(reply.body) }),
    };
    const receipt = reply ? await this.outcomes.receive(kind, delivery, received) : { note: '' };
    if (!receipt) return false;
    const shown = secrets ? received : { ...received, ...NOTHING, status: OK, durationMs }; // nothing to redact with
    const answer: Answer = {
      ...{ ...shown, reply: received, failure: undefined },
      ...{ note: '', secrets: secrets ?? [], traceparent: '' },
    };
    const attempt = distinct(attemptOf(delivery, lease.startAt, answer, receipt.note));
    const verdict = { status: 'delivered' } as const;
    const outcome = { delivery, turn: turnOf(lease), verdict, attempt, finishedAt };
    return this.outcomes.settle(kind, outcome, receipt.store);
  }

  private fail(
    { delivery, lease }: Leased,
    kind: DeliveryKind,
    verdict: FailureVerdict,
    ...[errorClass, note]: ['nacked' | 'lease_expired', string]
  ): Promise<boolean> {
    const finishedAt = this.clock.now();
    const durationMs = finishedAt - lease.startAt;
    const attempt = distinct(uncalledAttempt(delivery, lease.startAt, note, errorClass, durationMs));
    return this.outcomes.settle(kind, { delivery, turn: turnOf(lease), verdict, attempt, finishedAt });
  }

  /** Records that a lease ran out. Returns the delivery if it is to be handed out again. */
  private async endLease(leased: Leased, now: number): Promise<Delivery | undefined> {
    const { delivery } = leased;
    const kind = this.kinds.find(delivery.kind);
    // Due at once, but a consumer that keeps failing gets as much time as a receiver that does.
    const verdict = this.verdictOn(delivery, delivery.step === 0 ? 0 : undefined, now);
    const note = 'The consumer did not settle it before its lease ran out.';
    const isStored = kind && (await this.fail(leased, kind, verdict, 'lease_expired', note));
    if (!isStored || verdict.status === 'failed' || verdict.dueAt > now) return undefined;
    return { ...delivery, status: 'retrying', attempts: delivery.attempts + 1, step: delivery.step + 1 };
  }

  private verdictOn(
    { step }: Delivery,
    delayMs: number | undefined,
    finishedAt = this.clock.now(),
  ): FailureVerdict {
    const { outgoingScheduleMs: scheduleMs } = this.settings;
    const attempt = {
      policy: 'schedule',
      isDisabled: false,
      refusal: undefined,
      status: 0,
      retryAfterMs: undefined,
    } as const;
    const verdict = failureVerdict({ ...attempt, scheduleMs, step, finishedAt });
    return verdict.status === 'failed' || delayMs === undefined
      ? verdict
      : { ...verdict, dueAt: finishedAt + delayMs };
  }
}

/** Two requests may settle one lease in the same way at the same time: each stores an attempt of its own. */
function distinct(attempt: DeliveryAttempt): DeliveryAttempt {
  return { ...attempt, detail: { ...attempt.detail, settledBy: newId() } };
}
