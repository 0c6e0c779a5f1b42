import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { isPullLane } from './delivery-kind.js';
import { DispatchLimits, DispatchSettings } from './dispatch.settings.js';
import { Bulkheads, type LimitWatcher } from './bulkheads.js';
import { Claims } from './claims.js';
import { LanesReadModel } from './lanes.read-model.js';
import type { Delivery } from './delivery.entity.js';
import { DeliveryRunner } from './delivery-runner.js';
import { endpointOf } from './delivery-kind.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { LaneDrain } from './lane-drain.js';
import { AHEAD_MS, LaneReader } from './lane-reader.js';
import { OutcomesService } from './outcomes.service.js';
import { matcherOf, type Selection } from './turns/lane-messages.js';
import { LaneTurns } from './turns/lane-turns.js';

const TICK_MS = 250;
const REVIEW_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 30_000;
/** How long running calls may take to finish during shutdown. */
const GRACE_MS = 3_000;

/**
 * Decides which lane to drain, and when. The rows are the source of truth. New ones are handed over in memory
 * after their commit; rows that do not fit, are due later, or were left by an earlier process are read from
 * the table. A periodic sweep over the whole table ensures that no delivery depends on the hand-over.
 */
@Injectable()
export class DispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Called when the call limit of a lane has changed. */
  limitChanged: LimitWatcher = () => undefined;
  /** Called when a lane has a new or due row that a consumer can pull. */
  rowToPull: (lane: string) => void = () => undefined;
  private readonly bulkheads: Bulkheads;
  private readonly lanes: LaneDrain;
  private readonly reader: LaneReader;
  private readonly drains = taskOf('Due deliveries cannot be started.', () => this.drainDueLanes());
  private readonly reviews = taskOf('Endpoints cannot be reviewed.', () =>
    this.bulkheads.review(this.clock.now() + AHEAD_MS),
  );
  private readonly sweeps = taskOf('Lanes with due deliveries cannot be read.', () => this.sweepLanes());

  constructor(
    repository: LanesReadModel,
    runner: DeliveryRunner,
    private readonly outcomes: OutcomesService,
    private readonly clock: Clock,
    metrics: DispatchMetrics,
    settings: DispatchSettings,
    limits: DispatchLimits,
    private readonly turns: LaneTurns,
  ) {
    const bulkheads = new Bulkheads(
      settings.outgoingConcurrency,
      settings.outgoingPerEndpoint,
      turns.firstTurn,
      undefined,
      limits,
      (...change) => this.limitChanged(...change),
    );
    const claims = new Claims(limits);
    const reader = new LaneReader(repository, claims, bulkheads, turns, clock, limits, () =>
      this.lanes.schedulePass(),
    );
    this.bulkheads = bulkheads;
    this.reader = reader;
    this.lanes = new LaneDrain(bulkheads, claims, reader, runner, outcomes, clock);
    metrics.watchLanes(
      () => bulkheads.all(),
      () => reader.oldestDueMs,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    this.drains.start(TICK_MS);
    this.reviews.start(REVIEW_EVERY_MS);
    this.sweeps.start(SWEEP_EVERY_MS);
    void this.sweeps.run();
    await this.turns.start(this.lanes);
  }

  /** Stops starting calls, waits a while for running ones, and stores their outcomes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.reader.stop();
    const closed = this.turns.close();
    const stopped = [this.drains, this.reviews, this.sweeps].map((task) => task.stop());
    const cut = setTimeout(() => {
      this.lanes.abort();
      this.outcomes.stopWaiting();
    }, GRACE_MS);
    await this.lanes.stop();
    clearTimeout(cut);
    await this.outcomes.close();
    await Promise.all(stopped);
    await closed;
    await this.turns.stop();
  }

  /** Accepts deliveries whose rows have just been committed. */
  offer(deliveries: readonly Delivery[]): void {
    const committedAt = performance.now();
    for (const delivery of deliveries) {
      if (delivery.status !== 'pending') continue;
      if (isPullLane(delivery.lane)) this.rowToPull(delivery.lane);
      else if (this.turns.isOurs(delivery.lane)) this.lanes.offer(delivery, committedAt);
      else this.turns.want(delivery.lane);
    }
  }

  /**
   * Call this when rows of a lane were made due, or when the receiver of an ordered lane is back. If a
   * running call of an ordered lane then fails, it is retried at once.
   */
  wake(laneName: string): void {
    if (isPullLane(laneName)) this.rowToPull(laneName);
    else if (this.turns.isOurs(laneName)) this.lanes.wake(laneName);
    else this.turns.wake(laneName);
  }

  /** Call this when rows of these lanes were cancelled: the first of an ordered lane may have blocked the others. */
  unblock(laneNames: readonly string[]): void {
    for (const name of new Set(laneNames)) if (endpointOf(name) !== undefined) this.wake(name);
  }

  /** Call this when the receiver of an ordered lane answers: ends the pause after a failure. */
  resume(laneName: string): void {
    if (this.turns.isOurs(laneName)) this.lanes.resume(laneName);
    else this.turns.resume(laneName);
  }

  /** Call this when rows were cancelled, to prevent their calls. */
  drop(selection: Selection): void {
    this.lanes.drop(matcherOf(selection));
    this.turns.drop(selection);
  }

  /** Call this when rows may have been stored or cancelled unnoticed: reads them again. Never throws. */
  async reload(): Promise<void> {
    this.lanes.reload();
    await this.sweeps.run();
    await this.sweeps.run(); // the first run may have been in progress already
  }

  /** Returns which of these deliveries are being called. */
  async inFlight(deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    const elsewhere = await this.turns.inFlightElsewhere(deliveries);
    const ids = deliveries.map(({ id }) => id);
    return new Set([...this.lanes.inFlight(matcherOf({ ids })), ...elsewhere]);
  }

  /**
   * The ids of deliveries with a call in progress, of one owner or of all if undefined; at most
   * OUTGOING_CONCURRENCY per process.
   */
  async inFlightOf(ownerId: string | undefined): Promise<string[]> {
    const elsewhere = await this.turns.inFlightElsewhereOf(ownerId);
    return [...this.lanes.inFlight(matcherOf({ ownerId })), ...elsewhere];
  }

  private drainDueLanes(): void {
    const now = this.clock.now();
    for (const lane of this.bulkheads.all()) {
      this.bulkheads.resume(lane);
      if (lane.dueAt <= now) this.lanes.drain(lane);
    }
    this.lanes.schedulePass(); // even if nothing is due: an outage may have stopped earlier passes
  }

  private async sweepLanes(): Promise<void> {
    try {
      await this.reader.sweep();
    } finally {
      this.drainDueLanes();
    }
  }
}

function taskOf(failure: string, work: () => Promise<void> | void): PeriodicTask {
  return new PeriodicTask(DispatcherService.name, failure, work);
}
