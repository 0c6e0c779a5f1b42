import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Sequence } from '../../platform/common/sequence.js';
import { Purge } from '../../platform/database/purge.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Cancellations } from './cancellations.js';
import { DeliveriesReadModel } from './deliveries.read-model.js';
import { DeliveriesRepository, type FinishedDelivery } from './deliveries.repository.js';
import { deliveryRows, type NewDelivery, newDelivery } from './delivery-rows.js';
import type { ShownDelivery, ShownStatus } from './delivery-search.service.js';
import { type DeliveriesOfSubject, Delivery, type DeliveryAttempt, isOpen } from './delivery.entity.js';
import {
  deliveryHasChanged,
  deliveryIsFinal,
  deliveryIsInFlight,
  deliveryIsSettled,
  deliveryNotFound,
  FINAL_REASONS,
  SKIPPED,
} from './delivery.errors.js';
import { CallRates } from './call-rates.repository.js';
import { isOrderedLane } from './delivery-kind.js';
import { DispatchSettings } from './dispatch.settings.js';
import { DispatcherService } from './dispatcher.service.js';
import { LaneLimitsService } from './lane-limits.service.js';
import { LeasesRepository } from './pull/leases.repository.js';
import { LanesReadModel } from './lanes.read-model.js';

const DAY_MS = 86_400_000;

/** Larger than the number of concurrent calls. */
const LAST_CALLS = 50;
const LAST_SUCCESSES = 100;
/** Open deliveries of an owner are counted up to this number. */
export const MAX_COUNTED = 1_000;
/** Follow-up work after an outcome takes far less time, unless the process exits. */
const LAST_FINISHED_MS = 60_000;
const MAX_LAST_FINISHED = 1_000;

/** What a monitor needs to know about the deliveries of an owner. */
export interface OwnerActivity {
  readonly open: { readonly count: number; readonly oldestAt: number };
  readonly successes: readonly Pick<Delivery, 'url' | 'finishAt'>[];
}

/** The dispatcher's interface for other modules: creates, finds, cancels and resends deliveries. */
@Injectable()
export class DeliveriesService implements OnModuleInit {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly readModel: DeliveriesReadModel,
    private readonly dispatcher: DispatcherService,
    private readonly cancellations: Cancellations,
    private readonly limits: LaneLimitsService,
    private readonly leases: LeasesRepository,
    private readonly rates: CallRates,
    private readonly lanes: LanesReadModel,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
    settings: DispatchSettings,
    purge: Purge,
  ) {
    unitOfWork.changes.onLost(() => void dispatcher.reload());
    // Open deliveries are kept regardless of age.
    purge.register({
      rows: 'deliveries',
      retentionMs: () => settings.retentionDays * DAY_MS,
      deleteBefore: (time, limit) => repository.deleteFinishedBefore(time, limit),
    });
  }

  /** Orders new deliveries after all open ones, even if the clock was set back during downtime. */
  async onModuleInit(): Promise<void> {
    this.sequence.startAfter(await this.repository.lastOpenSeq());
  }

  /** The last deliveries of a kind that were settled before the server stopped, newest first. */
  listLastFinished(kind: string): Promise<FinishedDelivery[]> {
    return this.repository.listLastFinished(kind, LAST_FINISHED_MS, MAX_LAST_FINISHED);
  }

  /** The outcomes of an owner's latest calls that are not retried, most recently finished first. */
  async listLastCalls(ownerId: string): Promise<FinishedDelivery[]> {
    const calls = await this.readModel.list({ ownerId, statuses: ['delivered', 'failed'] }, LAST_CALLS);
    return calls.sort((one, other) => other.finishAt - one.finishAt);
  }

  /** An owner's open deliveries, counted up to MAX_COUNTED, and its newest successes. */
  async activityOf(ownerId: string): Promise<OwnerActivity> {
    const [open, successes] = await Promise.all([
      this.readModel.countOpen(ownerId, MAX_COUNTED),
      this.readModel.listSuccesses(ownerId, LAST_SUCCESSES),
    ]);
    return { open, successes };
  }

  /** Builds a row. The caller stores it in its own transaction and calls `dispatch` after the commit. */
  build(delivery: NewDelivery): Delivery {
    const now = this.clock.now();
    return newDelivery(delivery, this.sequence.next(now), now);
  }

  /** Stores new deliveries in the current unit of work and sends them after it commits. */
  async store(deliveries: readonly Delivery[]): Promise<void> {
    await this.repository.insert(deliveries);
    this.unitOfWork.afterCommit(() => this.dispatch(deliveries));
  }

  /** Returns new deliveries as rows for another commit and dispatches them after it. */
  companionOf(deliveries: readonly Delivery[]): RowsToInsert {
    return { entity: Delivery, rows: deliveries, afterCommit: () => this.dispatch(deliveries) };
  }

  /**
   * Like companionOf, for deliveries that share part of their body, which is stored once. Each subject may
   * appear only once.
   */
  companionsOf(subjects: readonly DeliveriesOfSubject[]): RowsToInsert[] {
    const [first, ...others] = deliveryRows(subjects);
    if (!first) return [];
    const afterCommit = (): void => subjects.forEach(({ deliveries }) => this.dispatch(deliveries));
    return [{ ...first, afterCommit }, ...others];
  }

  /** Starts sending deliveries that have just been committed. */
  dispatch(deliveries: readonly Delivery[]): void {
    this.dispatcher.offer(deliveries);
  }

  /** Returns the delivery, or null if it does not exist or belongs to another owner. */
  async find(ownerId: string, id: string): Promise<Delivery | null> {
    const delivery = await this.repository.find(id);
    return delivery?.ownerId === ownerId ? delivery : null;
  }

  /** Like find, but throws `deliveryNotFound`. */
  async get(ownerId: string, id: string): Promise<Delivery> {
    const delivery = await this.find(ownerId, id);
    if (!delivery) throw deliveryNotFound();
    return delivery;
  }

  /** Like get, for a delivery that may be resent. Throws `deliveryIsFinal`. */
  async getRepeatable(ownerId: string, id: string): Promise<Delivery> {
    const delivery = await this.get(ownerId, id);
    requireRepeatable(delivery);
    return delivery;
  }

  /** Returns the existing deliveries of a kind regardless of owner, in any order. */
  listByIds(kind: string, ids: readonly string[]): Promise<Delivery[]> {
    return this.repository.listByIds(kind, ids);
  }

  attemptsOf(id: string): Promise<DeliveryAttempt[]> {
    return this.repository.listLatestAttempts(id);
  }

  /** The API status of each delivery. */
  async shownStatuses(deliveries: readonly Delivery[]): Promise<ShownStatus[]> {
    const inFlight = await this.dispatcher.inFlight(deliveries);
    const pulled = await this.leases.listLeased(deliveries, this.clock.now());
    return deliveries.map(({ id, status }) => {
      if (!isOpen(status)) return status;
      return inFlight.has(id) || pulled.has(id) ? 'in_flight' : 'pending';
    });
  }

  /** What the API shows for each delivery in addition to its row. */
  async shown(deliveries: readonly Delivery[]): Promise<ShownDelivery[]> {
    const statuses = await this.shownStatuses(deliveries);
    const pauses = await this.limits.pausesOf(deliveries);
    const ordered = deliveries.filter(({ finishAt, lane }) => finishAt === 0 && isOrderedLane(lane));
    const blocked = await this.lanes.blockedLanes(ordered.map(({ lane }) => lane));
    return deliveries.map((delivery, index) => {
      const status = statuses[index] ?? 'pending';
      if (status !== 'pending') return { delivery, status, pausedUntil: 0 };
      return { delivery, status, pausedUntil: pauses[index] ?? 0, blockedBy: blocked.get(delivery.lane) };
    });
  }

  /**
   * Cancels a delivery that waits for its first or next attempt; an ordered lane continues with the next. Throws
   * `deliveryIsInFlight`, `deliveryIsSettled`.
   */
  async skip(delivery: Delivery): Promise<Delivery> {
    const [shown] = await this.shownStatuses([delivery]);
    if (shown === 'in_flight') throw deliveryIsInFlight();
    const count = await this.repository.cancelOpen([delivery], SKIPPED, this.clock.now());
    if (count === 0) throw deliveryIsSettled();
    this.dispatcher.drop({ ids: [delivery.id] });
    this.dispatcher.unblock([delivery.lane]);
    return this.get(delivery.ownerId, delivery.id);
  }

  /**
   * Makes a delivery due now, regardless of its status, and restarts its schedule. Concurrent requests restart it
   * only once. A delivery that was delivered since it was read stays delivered. Throws `deliveryIsInFlight`,
   * `deliveryIsFinal`, `deliveryHasChanged`.
   */
  async retry(delivery: Delivery): Promise<Delivery> {
    const [shown] = await this.shownStatuses([delivery]);
    if (shown === 'in_flight') throw deliveryIsInFlight();
    requireRepeatable(delivery);
    const isDue = await this.restart(delivery);
    const current = await this.get(delivery.ownerId, delivery.id);
    requireRepeatable(current); // the subject may have been deleted in the meantime
    if (isDue) return current;
    if (!hasEndedBySchedule(delivery, current)) throw deliveryHasChanged();
    if (current.status === 'delivered') return current;
    if (!(await this.restart(current))) throw deliveryHasChanged();
    return this.get(delivery.ownerId, delivery.id);
  }

  /** Call this when the receiver of an ordered lane is back: makes its first delivery due at once. */
  wake(lane: string): void {
    this.dispatcher.wake(lane);
  }

  /** Call this when the receiver of an ordered lane answers: like `wake` if a failure has paused the lane. */
  resume(lane: string): void {
    this.dispatcher.resume(lane);
  }

  /**
   * Marks as `sent_again` and returns up to `limit` of the first deliveries that the receiver of an ordered
   * lane refused and the caller resends in another form. Joins the caller's unit of work.
   */
  async takeRefused(
    lane: string,
    matches: (delivery: Delivery) => boolean,
    limit: number,
  ): Promise<Delivery[]> {
    return this.repository.takeRefused(lane, matches, limit);
  }

  /**
   * Cancels open deliveries about deleted subjects and erases the content of all their deliveries. None of
   * them is resent. Joins the caller's unit of work.
   */
  async forget(kind: string, subjectIds: readonly string[]): Promise<void> {
    const lanes = await this.repository.forget(kind, subjectIds, this.clock.now());
    this.unitOfWork.afterCommit(() => {
      this.dispatcher.drop({ kind, subjectIds });
      this.dispatcher.unblock(lanes);
    });
  }

  /** Starts or ends the limit of an owner's calls per second. Joins the caller's unit of work. */
  async limitRate(ownerId: string, isLimited: boolean): Promise<void> {
    await this.rates.limit(ownerId, isLimited);
  }

  /** Cancels an owner's open deliveries, to one URL or to all. Joins the caller's unit of work. */
  async cancel(ownerId: string, reason: string, url?: string): Promise<void> {
    await this.cancellations.cancel({ ownerId, reason, url });
    this.unitOfWork.afterCommit(() => this.dispatcher.drop({ ownerId, url }));
  }

  /** Returns false if the delivery has changed, except by scheduled attempts that left it open. */
  private async restart(delivery: Delivery): Promise<boolean> {
    const now = this.clock.now();
    const isDue = isOpen(delivery.status)
      ? await this.repository.makeDue(delivery, now)
      : await this.repository.requeueUnchanged(delivery, now);
    if (isDue) this.dispatcher.wake(delivery.lane);
    return isDue;
  }
}

/** Whether only scheduled attempts changed an open delivery since it was read, and the last settled it. */
function hasEndedBySchedule(read: Delivery, current: Delivery): boolean {
  const isEnded = current.status === 'delivered' || current.status === 'failed';
  const lastAttempt = 1; // increments `attempts` but not `step`
  return (
    isOpen(read.status) &&
    isEnded &&
    current.attempts - current.step === read.attempts - read.step + lastAttempt
  );
}

function requireRepeatable({ reason }: Delivery): void {
  const final = FINAL_REASONS.find((known) => known === reason);
  if (final) throw deliveryIsFinal(final);
}
