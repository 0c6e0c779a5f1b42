import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { newId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { Sequence, timeOfSequence } from '../../platform/common/sequence.js';
import { DispatchSettings } from './dispatch.settings.js';
import { Purge } from '../../platform/database/purge.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Cancellations } from './cancellations.js';
import { DeliveriesRepository, type FinishedDelivery, OPEN } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import { type DeliveriesOfSubject, deliveryRows } from './delivery-rows.js';
import {
  deliveryHasChanged,
  deliveryIsFinal,
  deliveryIsInFlight,
  deliveryNotFound,
} from './delivery.errors.js';
import { Delivery } from './delivery.entity.js';
import { FINAL_REASONS } from './final-reasons.js';
import { DispatcherService } from './dispatcher.service.js';
import { endpointLane, flowOf } from './lane-name.js';
import { LaneLimitsService } from './limits/lane-limits.service.js';
import type { ShownDelivery, ShownStatus, WantedStatus } from './shown-status.js';
import { seqRange, storedStatuses } from './shown-status.js';

const DAY_MS = 86_400_000;

/** A new delivery. */
export interface NewDelivery {
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  readonly url: string;
  readonly body: JsonObject;
  readonly contentType: string;
  /** The ordered lane; by default the lane of the endpoint. */
  readonly lane?: string;
  /** Stores it as cancelled for this reason: no call is made, but a recovery finds it. */
  readonly cancelled?: string;
}

/** Selects deliveries. Times are milliseconds since the epoch; `cursor` is the last delivery of the previous page. */
export interface DeliveryQuery {
  readonly ownerId: string;
  readonly statuses: readonly WantedStatus[];
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly cursor: Delivery | undefined;
}

const MAX_REFUSED = 1_000;
/** More than are called at once. */
const LAST_CALLS = 50;
/** What followed from an outcome takes far less, unless the process ended. */
const LAST_FINISHED_MS = 60_000;
const MAX_LAST_FINISHED = 1_000;

/** The interface of the dispatcher for other modules: creates, finds, cancels and repeats deliveries. */
@Injectable()
export class DeliveriesService implements OnModuleInit {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly attempts: DeliveryAttemptsRepository,
    private readonly dispatcher: DispatcherService,
    private readonly cancellations: Cancellations,
    private readonly limits: LaneLimitsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
    settings: DispatchSettings,
    purge: Purge,
  ) {
    unitOfWork.changes.onLost(() => void dispatcher.readAnew());
    // Open deliveries are kept, however old they are.
    purge.register({
      rows: 'deliveries',
      retentionMs: () => settings.retentionDays * DAY_MS,
      deleteBefore: (time, limit) => repository.deleteFinishedBefore(time, limit),
    });
  }

  /** New deliveries come after all open ones, even if the clock was set back while no process ran. */
  async onModuleInit(): Promise<void> {
    this.sequence.startAfter(await this.repository.lastOpenSeq());
  }

  /** The last deliveries of a kind that were settled before the server stopped, newest first. */
  listLastFinished(kind: string): Promise<FinishedDelivery[]> {
    return this.repository.listLastFinished(kind, LAST_FINISHED_MS, MAX_LAST_FINISHED);
  }

  /** How the latest of an owner's calls ended that were not to be repeated, the last to end first. */
  async listLastCalls(ownerId: string): Promise<FinishedDelivery[]> {
    const calls = await this.repository.list({ ownerId, statuses: ['delivered', 'failed'] }, LAST_CALLS);
    return calls.sort((one, other) => other.finishAt - one.finishAt);
  }

  /** Builds a row. The caller stores it in its transaction and calls `dispatch` after the commit. */
  build({ cancelled, lane, ...delivery }: NewDelivery): Delivery {
    const now = this.clock.now();
    const seq = this.sequence.next(now);
    return {
      id: newId(),
      seq,
      ...delivery,
      sharesPayload: false,
      lane: lane ?? endpointLane(delivery.url),
      flow: lane === undefined ? flowOf(delivery.ownerId, delivery.url) : '',
      status: cancelled === undefined ? 'pending' : 'cancelled',
      reason: cancelled ?? '',
      attempts: 0,
      step: 0,
      // This way the index returns an ordered lane in the order of `seq`.
      nextAttemptAt: lane === undefined ? now : timeOfSequence(seq),
      createAt: now,
      finishAt: cancelled === undefined ? 0 : now,
      lastCode: 0,
      lastError: '',
      replyPostId: '',
    };
  }

  /** Stores new deliveries with the open unit of work; they are sent once it has committed. */
  async store(deliveries: readonly Delivery[]): Promise<void> {
    await this.repository.insert(deliveries);
    this.unitOfWork.afterCommit(() => this.dispatch(deliveries));
  }

  /** New deliveries as rows for another commit; they are dispatched after it. */
  companionOf(deliveries: readonly Delivery[]): RowsToInsert {
    return { entity: Delivery, rows: deliveries, afterCommit: () => this.dispatch(deliveries) };
  }

  /**
   * As companionOf, for deliveries that share a part of their body, which is stored once. A subject may come only once
   * in all.
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

  /** The delivery; null if it does not exist or has another owner. */
  async find(ownerId: string, id: string): Promise<Delivery | null> {
    const delivery = await this.repository.find(id);
    return delivery?.ownerId === ownerId ? delivery : null;
  }

  /** As find, but throws `deliveryNotFound`. */
  async get(ownerId: string, id: string): Promise<Delivery> {
    const delivery = await this.find(ownerId, id);
    if (!delivery) throw deliveryNotFound();
    return delivery;
  }

  /** As get, of a delivery that may be sent again. Throws `deliveryIsFinal`. */
  async getRepeatable(ownerId: string, id: string): Promise<Delivery> {
    const delivery = await this.get(ownerId, id);
    requireRepeatable(delivery);
    return delivery;
  }

  /** Those of a kind that exist, whoever owns them, in any order. */
  listByIds(kind: string, ids: readonly string[]): Promise<Delivery[]> {
    return this.repository.listByIds(kind, ids);
  }

  attemptsOf(id: string): Promise<DeliveryAttempt[]> {
    return this.attempts.listLatest(id);
  }

  /** Lists deliveries, newest first. Pages do not shift when new deliveries are created. */
  async list(
    { ownerId, statuses, since, before, cursor }: DeliveryQuery,
    limit: number,
  ): Promise<Delivery[]> {
    const stored = await storedStatuses(statuses, () => this.dispatcher.inFlightOf(ownerId));
    return this.repository.list({ ownerId, ...stored, ...seqRange(since, before, cursor) }, limit);
  }

  /** The statuses in the API, of each. */
  async shownStatuses(deliveries: readonly Delivery[]): Promise<ShownStatus[]> {
    const inFlight = await this.dispatcher.inFlight(deliveries);
    return deliveries.map(({ id, status }) => {
      if (status !== 'pending' && status !== 'retrying') return status;
      return inFlight.has(id) ? 'in_flight' : 'pending';
    });
  }

  /** What the API says of each beside its row. */
  async shown(deliveries: readonly Delivery[]): Promise<ShownDelivery[]> {
    const statuses = await this.shownStatuses(deliveries);
    const pauses = await this.limits.pausesOf(deliveries);
    return deliveries.map((delivery, index) => {
      const status = statuses[index] ?? 'pending';
      return { delivery, status, pausedUntil: status === 'pending' ? (pauses[index] ?? 0) : 0 };
    });
  }

  /**
   * Makes a delivery due now, whatever its status, and restarts its schedule: once, though several want it at the same
   * time. One that the dispatcher has delivered since it was read stays delivered. Throws `deliveryIsInFlight`,
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

  /** Call it when the receiver of an ordered lane is back: its first delivery becomes due at once. */
  wake(lane: string): void {
    this.dispatcher.wake(lane);
  }

  /** Call it when the receiver of an ordered lane answers: as `wake`, if the lane is paused after a failure. */
  resume(lane: string): void {
    this.dispatcher.resume(lane);
  }

  /**
   * Takes the first deliveries that the receiver of an ordered lane refused and that the caller sends again in another
   * form, `limit` at most: marks them as `sent_again` and returns them. Joins the caller's unit of work.
   */
  async takeRefused(
    lane: string,
    matches: (delivery: Delivery) => boolean,
    limit: number,
  ): Promise<Delivery[]> {
    const taken = (await this.repository.listRefused(lane, MAX_REFUSED)).filter(matches).slice(0, limit);
    await this.repository.setReason(
      taken.map(({ id }) => id),
      'sent_again',
    );
    return taken;
  }

  /**
   * Cancels open deliveries about subjects that are gone, and forgets what all of them were to send. None is sent again.
   * Joins the caller's unit of work.
   */
  async forget(kind: string, subjectIds: readonly string[]): Promise<void> {
    await this.repository.forget(kind, subjectIds, this.clock.now());
    this.unitOfWork.afterCommit(() => this.dispatcher.drop({ kind, subjectIds }));
  }

  /** Cancels open deliveries of an owner, for one URL or all. Joins the caller's unit of work. */
  async cancel(ownerId: string, reason: string, url?: string): Promise<void> {
    await this.cancellations.cancel({ ownerId, reason, url });
    this.unitOfWork.afterCommit(() => this.dispatcher.drop({ ownerId, url }));
  }

  /** False if the delivery is no longer as it was read, but for attempts by its schedule after which it is still open. */
  private async restart(delivery: Delivery): Promise<boolean> {
    const now = this.clock.now();
    const isDue = OPEN.includes(delivery.status)
      ? await this.repository.makeDue(delivery, now)
      : await this.repository.requeueUnchanged(delivery, now);
    if (isDue) this.dispatcher.wake(delivery.lane);
    return isDue;
  }
}

/** Whether nothing but the attempts of its schedule has happened to an open delivery since it was read, and the last settled it. */
function hasEndedBySchedule(read: Delivery, current: Delivery): boolean {
  const isEnded = current.status === 'delivered' || current.status === 'failed';
  const lastAttempt = 1; // it counts, and is no step
  return (
    OPEN.includes(read.status) &&
    isEnded &&
    current.attempts - current.step === read.attempts - read.step + lastAttempt
  );
}

function requireRepeatable({ reason }: Delivery): void {
  const final = FINAL_REASONS.find((known) => known === reason);
  if (final) throw deliveryIsFinal(final);
}
