import type { Clock } from '../../../platform/common/clock.js';
import type { Bulkheads } from '../bulkheads.js';
import type { Claims } from '../claims.js';
import type { LaneDrain } from '../lane-drain.js';
import type { Delivery } from '../delivery.entity.js';
import type { LaneWork, LaneWorker, Turn } from './lane-turns.js';

/** A lane with work due this soon is kept. */
const SOON_MS = 2_000;
const NO_WORK: LaneWork = { claimed: 0, isBusy: false, pausedMs: 0 };

/** The lanes in this process's memory, as seen by the turns. */
export class LocalLanes implements LaneWorker {
  constructor(
    private readonly bulkheads: Bulkheads,
    private readonly claims: Claims,
    private readonly lanes: LaneDrain,
    private readonly clock: Clock,
  ) {}

  taken(name: string, turn: Turn): void {
    const lane = this.bulkheads.lane(name);
    if (lane.turn !== turn) return this.lanes.take(lane, turn);
    this.bulkheads.refresh(lane);
    this.lanes.schedulePass();
  }

  left(name: string): void {
    const lane = this.bulkheads.find(name);
    if (lane) this.lanes.leave(lane);
  }

  rowsLeft(name: string): void {
    const lane = this.bulkheads.find(name);
    if (!lane?.turn) return;
    lane.fresh.on('rowsLeft');
    this.lanes.drain(lane);
  }

  reload(): void {
    for (const lane of this.bulkheads.all()) if (lane.turn) this.lanes.reload(lane);
  }

  wake(name: string): void {
    const lane = this.bulkheads.lane(name);
    lane.wake();
    this.bulkheads.resume(lane, true);
    this.lanes.drain(lane);
  }

  resume(name: string): void {
    const lane = this.bulkheads.find(name);
    if (lane?.resume(this.clock.now())) this.lanes.drain(lane);
  }

  drop(matches: (delivery: Delivery) => boolean): void {
    this.claims.drop(matches);
  }

  workOn(name: string): LaneWork {
    const lane = this.bulkheads.find(name);
    if (!lane) return NO_WORK;
    const now = this.clock.now();
    const pausedMs = Math.max(lane.pausedMs(now), this.bulkheads.sparedMs(lane));
    const isBusy = lane.claimed > 0 || lane.isReading || pausedMs > 0 || lane.dueAt <= now + SOON_MS;
    return { claimed: lane.claimed, isBusy, pausedMs };
  }

  inFlight(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => this.claims.isCalling(id));
  }

  inFlightOf(isOwner: (ownerId: string) => boolean): readonly string[] {
    const ids: string[] = [];
    for (const { delivery } of this.claims.calling()) if (isOwner(delivery.ownerId)) ids.push(delivery.id);
    return ids;
  }
}
