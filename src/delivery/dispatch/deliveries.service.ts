import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { newId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import {
  continueSequence,
  nextSequence,
  sequenceFrom,
  timeOfSequence,
} from '../../platform/common/sequence.js';
import { DispatchSettings } from './dispatch.settings.js';
import { Purge } from '../../platform/database/purge.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesRepository, OPEN } from './deliveries.repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import { DeliveryIsInFlight, DeliveryNotFound } from './delivery.errors.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';
import { DispatcherService } from './dispatcher.service.js';
import { endpointLane } from './lane-name.js';

/** The statuses that people see; `in_flight`: its call is being made right now. */
export const SHOWN_STATUSES = ['pending', 'in_flight', 'delivered', 'failed', 'cancelled'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

const DAY_MS = 86_400_000;
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

/** What a new delivery is about. */
export interface NewDelivery {
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  readonly url: string;
  readonly body: JsonObject;
  readonly contentType: string;
  /** The ordered lane it belongs to; without one its endpoint decides. */
  readonly lane?: string;
  /** Stored as cancelled from the start, with this reason: nobody is called, and recovering finds it. */
  readonly cancelled?: string;
}

/** Which deliveries of an owner; times in milliseconds since the epoch, `cursor` the last delivery of the page before. */
export interface DeliveryQuery {
  readonly ownerId: string;
  readonly statuses: readonly ShownStatus[];
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly cursor: Delivery | undefined;
}

/** Of what a receiver has refused, at most so much is taken at once. */
const MAX_REFUSED = 1_000;

/** Deliveries as other modules use them: making, looking up, stopping and sending again. */
@Injectable()
export class DeliveriesService implements OnModuleInit {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly dispatcher: DispatcherService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    settings: DispatchSettings,
    purge: Purge,
  ) {
    // What is still open stays, however old it is.
    purge.register({
      rows: 'deliveries',
      retentionMs: () => settings.retentionDays * DAY_MS,
      deleteBefore: (time, limit) => repository.deleteFinishedBefore(time, limit),
    });
  }

  /** What is made now comes after what is still open, though the clock was set back while no process ran. */
  async onModuleInit(): Promise<void> {
    continueSequence(await this.repository.lastOpenSeq());
  }

  /** A row to be stored in the caller's transaction; after the commit it is to be handed to `dispatch`. */
  build({ cancelled, lane, ...delivery }: NewDelivery): Delivery {
    const now = this.clock.now();
    const seq = nextSequence(now);
    return {
      id: newId(),
      seq,
      ...delivery,
      lane: lane ?? endpointLane(delivery.url),
      status: cancelled === undefined ? 'pending' : 'cancelled',
      reason: cancelled ?? '',
      attempts: 0,
      step: 0,
      // By this an ordered lane is read in the order of `seq`, from the index.
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

  /** New deliveries as rows for a commit of somebody else's; they are sent once it is done. */
  companionOf(deliveries: readonly Delivery[]): RowsToInsert {
    return { entity: Delivery, rows: deliveries, afterCommit: () => this.dispatch(deliveries) };
  }

  /** Sends what has just been committed. */
  dispatch(deliveries: readonly Delivery[]): void {
    this.dispatcher.offer(deliveries);
  }

  /** Null when there is none, or it is somebody else's. */
  async find(ownerId: string, id: string): Promise<Delivery | null> {
    const delivery = await this.repository.find(id);
    return delivery?.ownerId === ownerId ? delivery : null;
  }

  /** As find, but throws DeliveryNotFound. */
  async get(ownerId: string, id: string): Promise<Delivery> {
    const delivery = await this.find(ownerId, id);
    if (!delivery) throw new DeliveryNotFound();
    return delivery;
  }

  attemptsOf(id: string): Promise<DeliveryAttempt[]> {
    return this.repository.attemptsOf(id);
  }

  /** Whether the URL of a delivery was called for its owner since then, before the attempt that is just over. */
  wasCalledBefore(delivery: Delivery, since: number): Promise<boolean> {
    return this.repository.hasEarlierAttempt(delivery, since);
  }

  /** Newest first. Pages stay as they are while new deliveries come in. */
  list({ ownerId, statuses, since, before, cursor }: DeliveryQuery, limit: number): Promise<Delivery[]> {
    const wanted = new Set(statuses);
    const isOpenMeant = wanted.has('pending') || wanted.has('in_flight');
    const inFlight = this.dispatcher.inFlightOf(ownerId);
    const beforeSeq = Math.min(cursor?.seq ?? MAX_SEQ, before === undefined ? MAX_SEQ : sequenceFrom(before));
    return this.repository.list(
      {
        ownerId,
        statuses: [...wanted].flatMap<DeliveryStatus>((status) =>
          status === 'pending' || status === 'in_flight' ? OPEN : [status],
        ),
        ...(since === undefined ? {} : { sinceSeq: sequenceFrom(since) }),
        ...(beforeSeq === MAX_SEQ ? {} : { beforeSeq }),
        ...(isOpenMeant && !wanted.has('pending') ? { openIds: inFlight } : {}),
        ...(isOpenMeant && !wanted.has('in_flight') ? { exceptIds: inFlight } : {}),
      },
      limit,
    );
  }

  shownStatus({ id, status }: Delivery): ShownStatus {
    if (status !== 'pending' && status !== 'retrying') return status;
    return this.dispatcher.isInFlight(id) ? 'in_flight' : 'pending';
  }

  /** Makes a delivery due now, whatever became of it; its schedule starts again. Throws DeliveryIsInFlight. */
  async retry(delivery: Delivery): Promise<Delivery> {
    if (this.shownStatus(delivery) === 'in_flight') throw new DeliveryIsInFlight();
    const now = this.clock.now();
    if (delivery.finishAt === 0) await this.repository.hurry(delivery.id, now);
    else await this.repository.requeue([delivery.id], now);
    this.dispatcher.wake(delivery.lane);
    return this.get(delivery.ownerId, delivery.id);
  }

  /** The receiver of an ordered lane is back: its first delivery does not wait for its next turn. */
  wake(lane: string): void {
    this.dispatcher.wake(lane);
  }

  /** The receiver of an ordered lane answers: as `wake`, if anything waits there after a failure. */
  resume(lane: string): void {
    this.dispatcher.resume(lane);
  }

  /**
   * What the receiver of an ordered lane has refused, and the caller sends anew in another form: from now on it is marked
   * so. Joins the caller's unit of work.
   */
  async takeRefused(lane: string, isMeant: (delivery: Delivery) => boolean): Promise<Delivery[]> {
    const taken = (await this.repository.listRefused(lane, MAX_REFUSED)).filter(isMeant);
    await this.repository.setReason(
      taken.map(({ id }) => id),
      'sent_again',
    );
    return taken;
  }

  /** Joins the caller's unit of work: what is open is cancelled with it, for one URL or all. */
  async cancel(ownerId: string, reason: string, url?: string): Promise<void> {
    await this.repository.cancel(ownerId, reason, url, this.clock.now());
    this.unitOfWork.afterCommit(() =>
      this.dispatcher.drop(
        (delivery) => delivery.ownerId === ownerId && (url === undefined || delivery.url === url),
      ),
    );
  }
}
