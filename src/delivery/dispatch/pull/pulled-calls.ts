import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { Purge } from '../../../platform/database/purge.js';
import { type Schedule, Schedules } from '../../../platform/database/schedules/schedules.js';
import { SecretUnreadable } from '../../../platform/secrets/secret-box.js';
import { uncalledAttempt } from '../attempt.js';
import { type Call, DeliveryKinds, isCancellation, POSTPONED, PULL_URL } from '../delivery-kind.js';
import { type Delivery, type DeliveryLease, OPEN_STATUSES, type OpenStatus } from '../delivery.entity.js';
import { DispatchSettings } from '../dispatch.settings.js';
import { lanePages, LanesReadModel } from '../lanes.read-model.js';
import { OutcomesService } from '../outcomes.service.js';
import { ALWAYS, type Turn } from '../turns/lane-turns.js';
import { LeasesRepository } from './leases.repository.js';

/** Bounds the bodies of a response, except for its first delivery. */
export const MAX_PULLED_BYTES = 4 * 1024 * 1024;
const SWEEP_EVERY_MS = 60_000;
const SLICE = 100;
/** A process learns of a changed owner in far less time: what is older was not stored after the change. */
const CACHED_MS = 10_000;

/** A delivery that may be handed out, and its call. */
export interface PreparedDelivery {
  readonly delivery: Delivery;
  readonly call: Call;
}

/**
 * Builds the calls of deliveries to pull, and settles those that are not handed out any more: the owner does not want
 * them, or nobody has pulled them in time. A sweep finds those that were stored while their owner changed.
 */
@Injectable()
export class PulledCalls implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PulledCalls.name);
  private readonly sweeps: Schedule;
  private readonly lanesToPull: Pick<LanesReadModel, 'lanesAfter'>;

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly leases: LeasesRepository,
    lanes: LanesReadModel,
    private readonly outcomes: OutcomesService,
    private readonly clock: Clock,
    settings: DispatchSettings,
    purge: Purge,
    schedules: Schedules,
  ) {
    this.lanesToPull = { lanesAfter: (...page) => lanes.pullLanesAfter(...page) };
    purge.register({
      rows: 'deliveries to pull',
      retentionMs: () => settings.outgoingPullExpiryMs,
      deleteBefore: (time, limit) => this.expireDueBefore(time, limit),
    });
    this.sweeps = schedules.add({
      name: 'deliveries that nobody can pull',
      owner: PulledCalls.name,
      failure: 'Deliveries that nobody can pull cannot be cancelled.',
      work: () => this.sweep(),
    });
  }

  onApplicationBootstrap(): void {
    this.sweeps.start(SWEEP_EVERY_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Builds the calls of deliveries, in their order and up to the size limit; settles those that must not be made. */
  async prepare(deliveries: readonly Delivery[]): Promise<PreparedDelivery[]> {
    const prepared: PreparedDelivery[] = [];
    let bytes = 0;
    for (const delivery of deliveries) {
      const call = await this.callOf(delivery);
      if (!call) continue;
      bytes += Buffer.byteLength(call.body);
      if (bytes > MAX_PULLED_BYTES && prepared.length > 0) break;
      prepared.push({ delivery, call });
    }
    return prepared;
  }

  /** Gives up a delivery. `lease`: the last one, which is over. Returns false if its kind is unknown. */
  private async expire(delivery: Delivery, lease: DeliveryLease | undefined): Promise<boolean> {
    const finishedAt = this.clock.now();
    const kind = this.kinds.find(delivery.kind);
    const attempt = uncalledAttempt(delivery, finishedAt, 'It was not pulled in time.', 'expired');
    const verdict = { status: 'failed', reason: 'expired' } as const;
    if (!kind) return false;
    await this.outcomes.settle(kind, { delivery, turn: turnOf(lease), verdict, attempt, finishedAt });
    return true;
  }

  /** Returns the number of deliveries that are no longer open. */
  private async expireDueBefore(time: number, limit: number): Promise<number> {
    const old = await this.leases.listDueBefore(time, limit);
    const leases = await this.leases.leasesOf(old);
    const expired = await Promise.all(old.map((delivery) => this.expire(delivery, leases.get(delivery.id))));
    return expired.filter(Boolean).length;
  }

  /** Cancels what was stored while its owner was deleted or changed, since nobody can pull it. */
  private async sweep(): Promise<void> {
    for (const status of OPEN_STATUSES)
      for await (const heads of lanePages(this.lanesToPull, status))
        for (const { lane } of heads) await this.cancelRefused(lane.slice(PULL_URL.length), status);
  }

  private async cancelRefused(ownerId: string, status: OpenStatus): Promise<void> {
    if ((await this.kinds.callableUrls(ownerId)).includes(PULL_URL)) return;
    for (let after = 0; !this.sweeps.isStopped;) {
      const createdBefore = this.clock.now() - CACHED_MS;
      const rows = await this.leases.listUnleased(ownerId, status, after, createdBefore, SLICE);
      const leases = await this.leases.leasesOf(rows);
      // One whose call cannot be built now, such as with unreadable secrets, does not keep the others.
      await Promise.allSettled(rows.map((row) => this.callOf(row, leases.get(row.id))));
      const last = rows.at(-1);
      if (!last || rows.length < SLICE) return;
      after = last.seq;
    }
  }

  /** Fails a delivery whose call cannot be built, as the dispatcher does, so that it does not block the others. */
  private async callOf(delivery: Delivery, lease?: DeliveryLease): Promise<Call | undefined> {
    const kind = this.kinds.find(delivery.kind);
    const turn = turnOf(lease);
    try {
      const call = await kind?.prepare(delivery);
      if (call === undefined || call === POSTPONED) return undefined;
      if (!isCancellation(call)) return call;
      const verdict = { status: 'cancelled', reason: call.cancelled } as const;
      await this.outcomes.record({
        delivery,
        turn,
        verdict,
        attempt: undefined,
        finishedAt: this.clock.now(),
      });
    } catch (error) {
      if (!kind || error instanceof SecretUnreadable || isDatabaseUnavailable(error)) throw error;
      this.logger.error(`The delivery ${delivery.id} cannot be prepared and is abandoned.`, stackOf(error));
      const finishedAt = this.clock.now();
      const verdict = { status: 'failed', reason: 'unprepared' } as const;
      const attempt = uncalledAttempt(delivery, finishedAt, 'It could not be prepared.');
      await this.outcomes.settle(kind, { delivery, turn, verdict, attempt, finishedAt });
    }
    return undefined;
  }
}

/** Outcomes are stored only while the delivery has this lease. */
export function turnOf(lease: DeliveryLease | undefined): Turn {
  return lease ? { ...ALWAYS, lease: lease.id } : ALWAYS;
}
