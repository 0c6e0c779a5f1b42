import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { Purge } from '../../../platform/database/purge.js';
import { SecretUnreadable } from '../../../platform/secrets/secret-box.js';
import { NOTHING } from '../../outbound/outbound-failure.js';
import { attemptOf, type Answer, uncalledAttempt } from '../attempt.js';
import {
  type Call,
  type DeliveryKind,
  DeliveryKinds,
  isCancellation,
  POSTPONED,
  type Prepared,
  pullLane,
} from '../delivery-kind.js';
import { type Delivery, type DeliveryLease, isOpen } from '../delivery.entity.js';
import { DispatchSettings } from '../dispatch.settings.js';
import { failureVerdict, type FailureVerdict } from '../outcome.js';
import { OutcomesService } from '../outcomes.service.js';
import { ALWAYS, type Turn } from '../turns/lane-turns.js';
import { type Leased, LeasesRepository } from './leases.repository.js';
import { type Connection, PullWaits, type WaitPlace } from './pull-waits.js';

/** Bounds the bodies of a response, except for its first delivery. */
export const MAX_PULLED_BYTES = 4 * 1024 * 1024;
const OK = 200;

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
export interface PulledDelivery {
  readonly delivery: Delivery;
  readonly lease: DeliveryLease;
  readonly call: Call;
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
  private readonly logger = new Logger(PulledDeliveriesService.name);
  /** Leases that are being settled, each by one request. */
  private readonly settling = new Set<string>();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly leases: LeasesRepository,
    private readonly outcomes: OutcomesService,
    private readonly waits: PullWaits,
    private readonly clock: Clock,
    private readonly settings: DispatchSettings,
    purge: Purge,
  ) {
    purge.register({
      rows: 'deliveries to pull',
      retentionMs: () => settings.outgoingPullExpiryMs,
      deleteBefore: (time, limit) => this.expire(time, limit),
    });
  }

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
    const now = this.clock.now();
    const due = await (isOrdered
      ? this.leases.listHeads(lane, now, limit)
      : this.leases.listDue(lane, now, limit));
    const ended = await this.leases.leasesOf(due);
    const free = await Promise.all(
      due.map(async (delivery) => {
        const lease = ended.get(delivery.id);
        if (!lease) return delivery;
        return lease.until > now ? undefined : this.endLease({ delivery, lease }, now);
      }),
    );
    const prepared = await this.prepare(free.flatMap((delivery) => delivery ?? []));
    const ready = [...prepared.values()].map(({ delivery }) => delivery);
    const taken = ready.length === 0 ? [] : await this.leases.take(ready, now, leaseMs);
    return taken.flatMap((lease) => {
      const found = prepared.get(lease.deliveryId);
      return found ? { ...found, lease } : [];
    });
  }

  /** Builds the calls of deliveries, up to the size limit, and cancels those that must not be made. */
  private async prepare(
    deliveries: readonly Delivery[],
  ): Promise<Map<string, Pick<PulledDelivery, 'delivery' | 'call'>>> {
    const prepared = new Map<string, Pick<PulledDelivery, 'delivery' | 'call'>>();
    let bytes = 0;
    for (const delivery of deliveries) {
      const call = await this.callOf(delivery);
      if (call === undefined || call === POSTPONED) continue;
      if (isCancellation(call)) {
        const verdict = { status: 'cancelled', reason: call.cancelled } as const;
        const finishedAt = this.clock.now();
        await this.outcomes.record({ delivery, turn: ALWAYS, verdict, attempt: undefined, finishedAt });
        continue;
      }
      bytes += Buffer.byteLength(call.body);
      if (bytes > MAX_PULLED_BYTES && prepared.size > 0) break;
      prepared.set(delivery.id, { delivery, call });
    }
    return prepared;
  }

  /** Fails a delivery whose call cannot be built, as the dispatcher does, so that it does not block the others. */
  private async callOf(delivery: Delivery): Promise<Prepared | undefined> {
    const kind = this.kinds.find(delivery.kind);
    try {
      return await kind?.prepare(delivery);
    } catch (error) {
      if (!kind || error instanceof SecretUnreadable || isDatabaseUnavailable(error)) throw error;
      this.logger.error(`The delivery ${delivery.id} cannot be prepared and is abandoned.`, stackOf(error));
      const finishedAt = this.clock.now();
      const verdict = { status: 'failed', reason: 'unprepared' } as const;
      const attempt = uncalledAttempt(delivery, finishedAt, 'It could not be prepared.');
      await this.outcomes.settle(kind, { delivery, turn: ALWAYS, verdict, attempt, finishedAt });
      return undefined;
    }
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
    const attempt = attemptOf(delivery, lease.startAt, answer, receipt.note);
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
    const attempt = uncalledAttempt(delivery, lease.startAt, note, errorClass, durationMs);
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

  /** Gives up deliveries created before a time. Returns their number. */
  private async expire(before: number, limit: number): Promise<number> {
    const finishedAt = this.clock.now();
    const old = await this.leases.listOldest(before, limit);
    const leases = await this.leases.leasesOf(old);
    const verdict = { status: 'failed', reason: 'expired' } as const;
    const stored = await Promise.all(
      old.map(async (delivery) => {
        const kind = this.kinds.find(delivery.kind);
        const lease = leases.get(delivery.id);
        if (!kind || (lease && lease.until > finishedAt)) return false;
        const attempt = uncalledAttempt(delivery, finishedAt, 'It was not pulled in time.', 'expired');
        const turn = lease ? turnOf(lease) : ALWAYS;
        return this.outcomes.settle(kind, { delivery, turn, verdict, attempt, finishedAt });
      }),
    );
    return stored.filter(Boolean).length;
  }
}

function turnOf({ id }: DeliveryLease): Turn {
  return { ...ALWAYS, lease: id };
}
