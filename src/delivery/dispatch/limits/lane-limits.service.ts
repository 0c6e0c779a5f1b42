import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { Purge } from '../../../platform/database/purge.js';
import type { Delivery } from '../delivery.entity.js';
import { DispatchSettings } from '../dispatch.settings.js';
import { DispatcherService } from '../dispatcher.service.js';
import { firstLimit, type Standing } from '../lane-calls.js';
import { isOrderedLane } from '../lane-name.js';
import { LaneLimitsRepository } from './lane-limits.repository.js';
import type { LimitChange } from './limit-change.js';

const KEPT_MS = 86_400_000;

/** How many calls an endpoint gets. */
export interface LaneLimits {
  /** Calls that are being made. */
  readonly running: number;
  readonly now: number;
  readonly most: number;
  readonly standing: Standing;
  /** 0 if it is called. */
  readonly pausedUntil: number;
  /** When that was noted; 0 if nothing is. */
  readonly notedAt: number;
  /** The newest first. */
  readonly changes: readonly LimitChange[];
}

/** What the processes have noted of the limits of endpoints. */
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
      // The setting may have been lower then.
      now: Math.min(most, noted?.callsLimit ?? firstLimit(most)),
      most,
      standing: noted?.standing ?? 'unknown',
      pausedUntil: pausedUntil > this.clock.now() ? pausedUntil : 0,
      notedAt: noted?.notedAt ?? 0,
      changes: noted?.changes ?? [],
    };
  }

  /** Of each delivery, until when it is not called though it is due before, because its endpoint is spared; or 0. */
  async pausesOf(deliveries: readonly Delivery[]): Promise<number[]> {
    const open = deliveries.filter(({ finishAt, lane }) => finishAt === 0 && !isOrderedLane(lane));
    const spared = await this.sparedUntil([...new Set(open.map(({ lane }) => lane))]);
    return deliveries.map(({ finishAt, lane, nextAttemptAt }) => {
      const until = finishAt === 0 ? (spared.get(lane) ?? 0) : 0;
      return until > nextAttemptAt ? until : 0;
    });
  }

  /** Until when those of the lanes are not called that are spared now. */
  async sparedUntil(lanes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const paused = await this.repository.listPaused(lanes, this.clock.now());
    return new Map(paused.map(({ lane, pausedUntil }) => [lane, pausedUntil]));
  }
}
