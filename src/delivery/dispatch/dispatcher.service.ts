import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { DispatchSettings } from './dispatch.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
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
  private readonly logger = new Logger(DispatcherService.name);
  private readonly claims: Claims;
  private readonly bulkheads: Bulkheads;
  private readonly lanes: LaneDrain;
  private readonly sweep: LaneSweep;
  private sweeping: Promise<void> | undefined;
  private timers: readonly NodeJS.Timeout[] = [];

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
    this.timers = [
      setInterval(() => this.drainDueLanes(), TICK_MS).unref(),
      setInterval(() => this.bulkheads.review(), REVIEW_EVERY_MS).unref(),
      setInterval(() => this.startSweep(), SWEEP_EVERY_MS).unref(),
    ];
    this.startSweep();
  }

  /** Starts no more calls, lets those that run finish for a while, and stores what came of them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.sweep.stop();
    const cut = setTimeout(() => {
      this.lanes.abort();
      this.recorder.stopWaiting();
    }, GRACE_MS);
    await this.lanes.stop();
    clearTimeout(cut);
    await this.recorder.close();
    await this.sweeping;
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

  private startSweep(): void {
    this.sweeping ??= this.sweep
      .run()
      .catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) return; // said where the calls fail
        this.logger.error('Lanes with due deliveries cannot be read.', stackOf(error));
      })
      .finally(() => {
        this.sweeping = undefined;
        this.drainDueLanes();
      });
  }
}
