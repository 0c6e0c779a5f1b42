import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { Purge } from '../../platform/database/purge.js';
import {
  type ChangeReason,
  firstLimit,
  type LimitChange,
  type Standing,
  withChange,
  withChanges,
} from './call-limits.js';
import { isOrderedLane } from './delivery-kind.js';
import type { Delivery, LaneLimit } from './delivery.entity.js';
import { DispatchSettings } from './dispatch.settings.js';
import { DispatcherService } from './dispatcher.service.js';
import { LaneLimitsRepository } from './lane-limits.repository.js';
import type { Lane } from './lane.js';
import { LanesReadModel, type Overdue } from './lanes.read-model.js';

const KEPT_MS = 86_400_000;
const STORE_EVERY_MS = 1_000;
/** Number of endpoints stored at a time; the others wait. */
const LANES_AT_ONCE = 100;
/** Maximum in memory. Beyond it, changes are dropped until some are stored. */
const MAX_LANES = 5_000;

/** The call limits of an endpoint. */
export interface LaneLimits {
  /** Number of running calls. */
  readonly running: number;
  readonly now: number;
  readonly most: number;
  readonly standing: Standing;
  /** 0 if the endpoint is not paused. */
  readonly pausedUntil: number;
  /** When the limits were recorded; 0 if never. */
  readonly notedAt: number;
  /** Newest first. */
  readonly changes: readonly LimitChange[];
}

/**
 * Records for display how many calls the endpoints of this process get and why this changed, at most once a second per
 * endpoint, and shows what all processes have recorded.
 */
@Injectable()
export class LaneLimitsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writes = new PeriodicTask(
    LaneLimitsService.name,
    'Endpoint limits cannot be stored.',
    () => this.store(),
  );
  private readonly pending = new Map<string, LaneLimit>();

  constructor(
    private readonly repository: LaneLimitsRepository,
    private readonly queue: LanesReadModel,
    private readonly dispatcher: DispatcherService,
    private readonly settings: DispatchSettings,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    dispatcher.limitChanged = (...change) => this.note(...change);
    purge.register({
      rows: 'limits of endpoints',
      retentionMs: () => KEPT_MS,
      deleteBefore: (time, limit) => repository.deleteBefore(time, limit),
    });
  }

  onApplicationBootstrap(): void {
    this.writes.start(STORE_EVERY_MS);
  }

  /** Runs after the dispatcher has ended its calls. */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    await this.writes.stop();
  }

  async of(lane: string): Promise<LaneLimits> {
    const [noted, inFlight] = await Promise.all([
      this.repository.find(lane),
      this.dispatcher.inFlightOf(undefined),
    ]);
    const most = this.settings.outgoingPerEndpoint;
    const pausedUntil = noted?.pausedUntil ?? 0;
    return {
      running: await this.repository.countOfLane(inFlight, lane),
      // The maximum may have been higher when this was recorded.
      now: Math.min(most, noted?.callsLimit ?? firstLimit(most)),
      most,
      standing: noted?.standing ?? 'unknown',
      pausedUntil: pausedUntil > this.clock.now() ? pausedUntil : 0,
      notedAt: noted?.notedAt ?? 0,
      changes: noted?.changes ?? [],
    };
  }

  /** For each delivery, until when its endpoint's pause delays it; 0 if not delayed. */
  async pausesOf(deliveries: readonly Delivery[]): Promise<number[]> {
    const open = deliveries.filter(({ finishAt, lane }) => finishAt === 0 && !isOrderedLane(lane));
    const spared = await this.sparedUntil([...new Set(open.map(({ lane }) => lane))]);
    return deliveries.map(({ finishAt, lane, nextAttemptAt }) => {
      const until = finishAt === 0 ? (spared.get(lane) ?? 0) : 0;
      return until > nextAttemptAt ? until : 0;
    });
  }

  /** Returns the paused lanes with the end of their pause. */
  async sparedUntil(lanes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const paused = await this.repository.listPaused(lanes, this.clock.now());
    return new Map(paused.map(({ lane, pausedUntil }) => [lane, pausedUntil]));
  }

  /** The endpoints with overdue deliveries. */
  overdue(): Promise<Overdue> {
    return this.queue.findOverdue(this.clock.now());
  }

  /** Records a change that has been made. `from` is the previous limit. */
  note({ name, isOrdered, calls }: Lane, why: ChangeReason, from: number, pausedMs: number): void {
    if (isOrdered) return; // ordered lanes always make one call at a time
    const known = this.pending.get(name);
    if (!known && this.pending.size >= MAX_LANES) return;
    const at = this.clock.now();
    const isForgotten = why === 'forgotten';
    const to = isForgotten ? firstLimit(calls.maxRunning) : calls.limit;
    const standing = isForgotten ? 'unknown' : calls.standing;
    const pausedUntil = pausedMs > 0 ? Math.ceil(at + pausedMs) : 0;
    const changes = withChange(known?.changes ?? [], { at, why, times: 1, from, to, standing, pausedUntil });
    this.pending.set(name, { lane: name, callsLimit: to, standing, pausedUntil, notedAt: at, changes });
  }

  /** Stores everything recorded so far. Never throws: what cannot be stored waits. */
  async flush(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // recorded during the first run
  }

  private store(): Promise<void> | void {
    if (this.pending.size > 0) return this.storeSome();
  }

  private async storeSome(): Promise<void> {
    const some = [...this.pending.values()].slice(0, LANES_AT_ONCE);
    for (const { lane } of some) this.pending.delete(lane);
    try {
      await this.repository.note(some.sort((one, other) => (one.lane < other.lane ? -1 : 1)));
    } catch (error) {
      for (const limit of some) {
        const newer = this.pending.get(limit.lane);
        const changes = withChanges(limit.changes, newer?.changes ?? []);
        this.pending.set(limit.lane, { ...(newer ?? limit), changes });
      }
      throw error;
    }
  }
}
