import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { DispatchSettings } from './dispatch.settings.js';
import { Bulkheads } from './bulkheads.js';
import { Claims } from './claims.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { Delivery } from './delivery.entity.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DispatchLimits } from './dispatch-limits.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { LaneDrain } from './lane-drain.js';
import { LaneReader } from './lane-reader.js';
import { LaneSweep } from './lane-sweep.js';
import { OutcomeRecorder } from './outcome-recorder.js';

const TICK_MS = 250;
const REVIEW_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 30_000;
/** What is running may take so long to finish when the process stops. */
const GRACE_MS = 3_000;

/**
 * Decides which lane is drained when. The rows are the truth: new ones are handed over in memory as they are committed;
 * whatever does not fit there, is due later, or was left by an earlier process is read from the table. A sweep looks at
 * the whole table now and then, so that nothing depends on a hand-over having happened.
 */
@Injectable()
export class DispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly claims: Claims;
  private readonly bulkheads: Bulkheads;
  private readonly lanes: LaneDrain;
  private readonly sweep: LaneSweep;
  private readonly drains = taskOf('Due deliveries cannot be started.', () => this.drainDueLanes());
  private readonly reviews = taskOf('Endpoints cannot be reviewed.', () => this.bulkheads.review());
  private readonly sweeps = taskOf('Lanes with due deliveries cannot be read.', () => this.sweepLanes());

  constructor(
    repository: DeliveriesRepository,
    runner: DeliveryRunner,
    private readonly recorder: OutcomeRecorder,
    private readonly clock: Clock,
    metrics: DispatchMetrics,
    settings: DispatchSettings,
    limits: DispatchLimits,
  ) {
    const bulkheads = new Bulkheads(settings.outgoingConcurrency, settings.outgoingPerEndpoint);
    const claims = new Claims(limits);
    const reader = new LaneReader(repository, claims, bulkheads, clock, limits, () =>
      this.lanes.schedulePass(),
    );
    this.bulkheads = bulkheads;
    this.claims = claims;
    this.lanes = new LaneDrain(bulkheads, claims, reader, runner, recorder);
    this.sweep = new LaneSweep(repository, bulkheads);
    metrics.watchLanes(() => bulkheads.all());
  }

  onApplicationBootstrap(): void {
    this.drains.start(TICK_MS);
    this.reviews.start(REVIEW_EVERY_MS);
    this.sweeps.start(SWEEP_EVERY_MS);
    void this.sweeps.run();
  }

  /** Starts no more calls, lets those that run finish for a while, and stores what came of them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.sweep.stop();
    const stopped = [this.drains, this.reviews, this.sweeps].map((task) => task.stop());
    const cut = setTimeout(() => {
      this.lanes.abort();
      this.recorder.stopWaiting();
    }, GRACE_MS);
    await this.lanes.stop();
    clearTimeout(cut);
    await this.recorder.close();
    await Promise.all(stopped);
  }

  /** Takes over deliveries whose rows have just been committed. */
  offer(deliveries: readonly Delivery[]): void {
    const committedAt = performance.now();
    for (const delivery of deliveries)
      if (delivery.status === 'pending') this.lanes.offer(delivery, committedAt);
  }

  /**
   * Rows of that lane were made due by hand, or the receiver of an ordered lane is back. If a call is being made in an
   * ordered lane and fails, the next one follows at once.
   */
  wake(laneName: string): void {
    const lane = this.bulkheads.lane(laneName);
    lane.wake();
    this.lanes.drain(lane);
  }

  /** The receiver of an ordered lane answers: what waits there after a failure need not wait any longer. */
  resume(laneName: string): void {
    const lane = this.bulkheads.find(laneName);
    if (lane?.resume(this.clock.now())) this.lanes.drain(lane);
  }

  /** The rows of these deliveries were cancelled: nothing of them is to be called any more. */
  drop(isMeant: (delivery: Delivery) => boolean): void {
    this.claims.drop(isMeant);
  }

  isInFlight(deliveryId: string): boolean {
    return this.claims.isCalling(deliveryId);
  }

  /** The deliveries whose calls are being made right now, at most OUTGOING_CONCURRENCY. */
  inFlightOf(ownerId: string): string[] {
    const ids: string[] = [];
    for (const { delivery } of this.claims.calling()) if (delivery.ownerId === ownerId) ids.push(delivery.id);
    return ids;
  }

  private drainDueLanes(): void {
    const now = this.clock.now();
    for (const lane of this.bulkheads.all()) if (lane.dueAt <= now) this.lanes.drain(lane);
    this.lanes.schedulePass(); // also when nothing is due: outcomes may have been stuck
  }

  private async sweepLanes(): Promise<void> {
    try {
      await this.sweep.run();
    } finally {
      this.drainDueLanes();
    }
  }
}

function taskOf(failure: string, work: () => Promise<void> | void): PeriodicTask {
  return new PeriodicTask(DispatcherService.name, failure, work);
}
