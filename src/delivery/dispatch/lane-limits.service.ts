import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Purge } from '../../platform/database/purge.js';
import { firstLimit, type Standing, type LimitChange } from './call-limits.js';
import type { Delivery } from './delivery.entity.js';
import { DispatchSettings } from './dispatch.settings.js';
import { DispatcherService } from './dispatcher.service.js';
import { LaneLimitsRepository } from './lane-limits.repository.js';
import { isOrderedLane } from './lane-name.js';

const KEPT_MS = 86_400_000;

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

/** The endpoint limits recorded by all processes. */
@Injectable()
export class LaneLimitsService {
  constructor(
    private readonly repository: LaneLimitsRepository,
    private readonly dispatcher: DispatcherService,
    private readonly settings: DispatchSettings,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    purge.register({
      rows: 'limits of endpoints',
      retentionMs: () => KEPT_MS,
      deleteBefore: (time, limit) => repository.deleteBefore(time, limit),
    });
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
}
