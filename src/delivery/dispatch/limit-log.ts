import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { type ChangeReason, firstLimit, withChange, withChanges } from './call-limits.js';
import { LaneLimitsRepository } from './lane-limits.repository.js';
import type { LaneLimit } from './lane.entity.js';
import type { Lane } from './lane.js';

const INTERVAL_MS = 1_000;
const FAILURE = 'Endpoint limits cannot be stored.';
/** Number of endpoints stored at a time; the others wait. */
const LANES_AT_ONCE = 100;
/** Maximum in memory. Beyond it, changes are dropped until some are stored. */
const MAX_LANES = 5_000;

/**
 * Records for display how many calls the endpoints of this process get and why this changed, at most once a
 * second per endpoint and only on changes.
 */
@Injectable()
export class LimitLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writes = new PeriodicTask(LimitLog.name, FAILURE, () => this.write());
  private readonly pending = new Map<string, LaneLimit>();

  constructor(
    private readonly repository: LaneLimitsRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.writes.start(INTERVAL_MS);
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

  /** Runs after the dispatcher has ended its calls. */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    await this.writes.stop();
  }

  private write(): Promise<void> | void {
    if (this.pending.size > 0) return this.writeSome();
  }

  private async writeSome(): Promise<void> {
    const some = [...this.pending.values()].slice(0, LANES_AT_ONCE).sort(byLane);
    for (const { lane } of some) this.pending.delete(lane);
    try {
      await this.repository.note(some);
    } catch (error) {
      for (const limit of some) this.keep(limit);
      throw error;
    }
  }

  /** Puts back what could not be stored, before what was recorded since. */
  private keep(limit: LaneLimit): void {
    const newer = this.pending.get(limit.lane);
    const changes = withChanges(limit.changes, newer?.changes ?? []);
    this.pending.set(limit.lane, { ...(newer ?? limit), changes });
  }
}

function byLane(one: LaneLimit, other: LaneLimit): number {
  return one.lane < other.lane ? -1 : 1;
}
