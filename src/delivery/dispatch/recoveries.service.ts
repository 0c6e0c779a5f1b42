import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { newId } from '../../platform/common/ids.js';
import { DispatchSettings } from './dispatch.settings.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { Purge } from '../../platform/database/purge.js';
import { Sequence, sequenceFrom, timeOfSequence } from '../../platform/common/sequence.js';
import { type Schedule, Schedules } from '../../platform/database/schedules/schedules.js';
import { Bus } from '../../platform/scaling/bus.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { type MissedFilter, MissedDeliveriesRepository } from './missed-deliveries.repository.js';
import { DeliveryKinds } from './delivery-kinds.js';
import type { DeliveryRecovery } from './delivery-recovery.entity.js';
import { RecoveryIsRunning, RecoveryNotFound } from './delivery.errors.js';
import { DispatcherService } from './dispatcher.service.js';
import { RecoveriesRepository } from './recoveries.repository.js';

const DAY_MS = 86_400_000;
const STEP_EVERY_MS = 250;
const LOOK_EVERY_MS = 5_000;
/** A recovery adds no more deliveries while this many of the owner wait for their first attempt. */
const MAX_PENDING = 100;
const MAX_AT_ONCE = 20;
/** Deliveries that one statement looks at. */
const SLICE = 1_000;
export const MAX_SHOWN = 20;

/**
 * Sends failed and cancelled deliveries again at a limited rate, except those to URLs that are no longer called. A
 * recovery is a row, so it survives restarts; each step is one transaction.
 */
@Injectable()
export class RecoveriesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly steps = new PeriodicTask(RecoveriesService.name, 'A recovery cannot continue.', () =>
    this.step(),
  );
  /** How many orders were written, and how many of them were there when none was left to work on. */
  private orders = 1; // an earlier process may have left some
  private doneOrders = 0;
  private lastId = '';
  /** Where processes share a database: for what is left of recoveries whose process has ended. */
  private readonly looks: Schedule;

  constructor(
    private readonly recoveries: RecoveriesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly missedDeliveries: MissedDeliveriesRepository,
    private readonly kinds: DeliveryKinds,
    private readonly dispatcher: DispatcherService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
    settings: DispatchSettings,
    purge: Purge,
    private readonly bus: Bus,
    schedules: Schedules,
  ) {
    this.looks = schedules.add({
      name: 'recoveries',
      owner: RecoveriesService.name,
      failure: 'Recoveries cannot be looked for.',
      work: () => void this.orders++,
    });
    purge.register({
      rows: 'recoveries',
      retentionMs: () => settings.retentionDays * DAY_MS,
      deleteBefore: (time, limit) => recoveries.deleteFinishedBefore(time, limit),
    });
  }

  onApplicationBootstrap(): void {
    this.steps.start(STEP_EVERY_MS);
    if (this.bus.hasOthers) this.looks.start(LOOK_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.steps.stop(), this.looks.stop()]);
  }

  /** How many deliveries a recovery since then would send again. */
  async count(ownerId: string, since: number): Promise<number> {
    return (await this.lookThrough(ownerId, since)).total;
  }

  /** Starts a recovery of deliveries created since then. Throws RecoveryIsRunning. */
  async order(ownerId: string, since: number): Promise<DeliveryRecovery> {
    if (await this.recoveries.isRunning(ownerId)) throw new RecoveryIsRunning(); // before the deliveries are counted
    return this.write(ownerId, since);
  }

  list(ownerId: string): Promise<DeliveryRecovery[]> {
    return this.recoveries.list(ownerId, MAX_SHOWN);
  }

  /**
   * Ends a recovery: what is due again by now stays so, and the rest as it is. One that has ended stays as it is. Throws
   * RecoveryNotFound.
   */
  async stop(ownerId: string, id: string): Promise<DeliveryRecovery> {
    await this.recoveries.stop(ownerId, id, this.clock.now());
    const recovery = await this.recoveries.find(id);
    if (recovery?.ownerId !== ownerId) throw new RecoveryNotFound();
    return recovery;
  }

  private async write(ownerId: string, since: number): Promise<DeliveryRecovery> {
    const now = this.clock.now();
    const { total, lastSeq } = await this.lookThrough(ownerId, since);
    const recovery: DeliveryRecovery = {
      id: newId(),
      ownerId,
      createAt: now,
      since,
      // After all there are, even if the clock was set back since another process made them.
      until: timeOfSequence(Math.max(this.sequence.next(now), lastSeq)) + 1,
      total,
      requeued: 0,
      cursorSeq: 0,
      finishAt: total === 0 ? now : 0,
      isStopped: false,
    };
    await this.unitOfWork.run(async () => {
      await this.recoveries.insert(recovery); // first: of two at the same time, one sees the other
      if (await this.recoveries.isAnotherRunning(recovery)) throw new RecoveryIsRunning();
    });
    this.orders++;
    return recovery;
  }

  /** Counts what a recovery since then would send again, and tells the last delivery that it would look at. */
  private async lookThrough(ownerId: string, since: number): Promise<{ total: number; lastSeq: number }> {
    const filter = await this.missed(ownerId, sequenceFrom(since), Number.MAX_SAFE_INTEGER);
    if (filter.urls.length === 0) return { total: 0, lastSeq: 0 };
    let total = 0;
    for (let sinceSeq = filter.sinceSeq; ;) {
      const { count, lastSeq, isLast } = await this.missedDeliveries.count({ ...filter, sinceSeq }, SLICE);
      total += count;
      if (isLast) return { total, lastSeq };
      sinceSeq = lastSeq + 1;
    }
  }

  private async missed(ownerId: string, sinceSeq: number, beforeSeq: number): Promise<MissedFilter> {
    return { ownerId, sinceSeq, beforeSeq, urls: await this.kinds.callableUrls(ownerId) };
  }

  private async step(): Promise<void> {
    const { orders } = this; // one more may be written during the query
    if (orders === this.doneOrders) return;
    const running = await this.recoveries.listOpen(this.lastId, MAX_AT_ONCE);
    if (running.length === 0 && this.lastId === '') this.doneOrders = orders;
    this.lastId = running.length === MAX_AT_ONCE ? (running.at(-1)?.id ?? '') : ''; // round-robin
    for (const recovery of running) if (!this.steps.isStopped) await this.advance(recovery);
  }

  private async advance(recovery: DeliveryRecovery): Promise<void> {
    const { ownerId, until } = recovery;
    const room = MAX_PENDING - (await this.deliveries.countPending(ownerId, MAX_PENDING));
    if (room <= 0) return;
    const sinceSeq = Math.max(sequenceFrom(recovery.since), recovery.cursorSeq + 1);
    const filter = await this.missed(ownerId, sinceSeq, sequenceFrom(until));
    const { missed, lastSeq } = await this.missedDeliveries.list(filter, SLICE);
    const next = missed.slice(0, room);
    const isCut = next.length < missed.length;
    const cursorSeq = isCut ? next.at(-1)?.seq : lastSeq;
    const now = this.clock.now();
    const isOurs = await this.unitOfWork.run(async () => {
      const isFirst = await this.recoveries.update(recovery, {
        requeued: recovery.requeued + next.length,
        cursorSeq: cursorSeq ?? next.at(-1)?.seq ?? recovery.cursorSeq,
        finishAt: cursorSeq === undefined ? now : 0,
      });
      if (isFirst)
        await this.deliveries.requeue(
          next.map((delivery) => delivery.id),
          now,
        );
      return isFirst;
    });
    if (!isOurs) return;
    for (const lane of new Set(next.map((delivery) => delivery.lane))) this.dispatcher.wake(lane);
  }
}
