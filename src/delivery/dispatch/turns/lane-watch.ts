import { Logger } from '@nestjs/common';
import type { Clock } from '../../../platform/common/clock.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { Bus } from '../../../platform/scaling/bus.js';
import { OPEN_STATUSES } from '../delivery.entity.js';
import { lanePages, type LanesReadModel } from '../lanes.read-model.js';
import type { HeldTurns } from './held-turns.js';
import type { LaneJobs } from './lane-jobs.js';
import type { LaneWorker } from './lane-turns.js';
import type { LaneTurnsRepository } from './lane-turns.repository.js';

const LOOK_EVERY_MS = 1_000;
/** Only one process watches at a time. Others step in after this silence, plus a random spread. */
const MISSED_AFTER_MS = 2_000;
const MISSED_SPREAD_MS = 500;
/** If a due lane is left alone for this long, its job was lost or the workers hang. */
const STUCK_AFTER_MS = 3_000;
const LANES_OF_STATEMENT = 100;
const TAKEN_TOGETHER = 50;
const TOPIC = 'lanes.look';
const STUCK = 'lanes.stuck';

/**
 * Finds due lanes that no process works on and takes them without a job. While Redis is unavailable, every
 * process does this, which keeps deliveries going. Otherwise one process does it for all: for lanes whose
 * process died, whose job was lost, or that no worker fetches.
 */
export class LaneWatch {
  private readonly logger = new Logger(LaneWatch.name);
  private readonly looks = new PeriodicTask(LaneWatch.name, 'Due lanes cannot be read.', () => this.look());
  /** Since when each due lane has had no process working on it. */
  private stuckSince = new Map<string, number>();
  private waitingSince = Infinity;
  private heardAt = -Infinity;
  private isWarned = false;

  constructor(
    private readonly lanes: LanesReadModel,
    private readonly turns: LaneTurnsRepository,
    private readonly held: HeldTurns,
    private readonly jobs: LaneJobs,
    private readonly bus: Bus,
    private readonly worker: LaneWorker,
    private readonly clock: Clock,
  ) {
    bus.subscribe(STUCK, () => void this.replaceIdleWorker());
    bus.subscribe(TOPIC, () => (this.heardAt = performance.now() + MISSED_SPREAD_MS * Math.random()));
  }

  start(): void {
    this.looks.start(LOOK_EVERY_MS);
  }

  stop(): Promise<void> {
    return this.looks.stop();
  }

  private async look(): Promise<void> {
    await this.checkWorker();
    const isAway = this.jobs.isAway || !this.bus.isConnected;
    if (!isAway && performance.now() - this.heardAt < MISSED_AFTER_MS) return;
    if (isAway) this.worker.reload(); // another process may have cancelled jobs in memory
    const due = await this.dueLanes(isAway);
    const free = await this.freeOf(due);
    const now = performance.now();
    this.stuckSince = new Map(free.map(({ lane }) => [lane, this.stuckSince.get(lane) ?? now]));
    const isStuck = (lane: string): boolean => now - (this.stuckSince.get(lane) ?? now) >= STUCK_AFTER_MS;
    const taken = free.filter(({ lane, isAbandoned }) => isAway || isAbandoned || isStuck(lane));
    // Announced only now: others must watch if this process lacks its database or room.
    if (!isAway && taken.length <= this.held.room) this.bus.publish(TOPIC, {});
    await this.take(taken.map(({ lane }) => lane));
    if (!isAway) await this.freeJobs(taken.filter(({ lane, isAbandoned }) => !isAbandoned && isStuck(lane)));
  }

  /** Due lanes that this process does not have. Its own lanes learn of rows only from other processes. */
  private async dueLanes(isAway: boolean): Promise<string[]> {
    const due = new Set<string>();
    for (const status of OPEN_STATUSES)
      for await (const heads of lanePages(this.lanes, status)) {
        const now = this.clock.now();
        for (const { lane, nextAttemptAt } of heads) {
          if (nextAttemptAt > now) continue;
          if (!this.held.find(lane)) due.add(lane);
          else if (isAway) this.worker.rowsLeft(lane);
        }
        if (this.looks.isStopped) return [];
      }
    return shuffled([...due]); // several processes take lanes
  }

  private async freeOf(lanes: readonly string[]) {
    const free = [];
    for (let start = 0; start < lanes.length; start += LANES_OF_STATEMENT)
      free.push(...(await this.turns.listFree(lanes.slice(start, start + LANES_OF_STATEMENT))));
    return free;
  }

  private async take(lanes: readonly string[]): Promise<void> {
    const { room } = this.held;
    if (lanes.length > room) this.held.haveOthersToWait = true;
    for (let start = 0; start < Math.min(lanes.length, room); start += TAKEN_TOGETHER)
      await Promise.all(
        lanes.slice(start, Math.min(start + TAKEN_TOGETHER, room)).map((lane) => this.held.take(lane)),
      );
  }

  /** Removes blocking jobs and replaces workers that fetch none. */
  private async freeJobs(lanes: readonly { readonly lane: string }[]): Promise<void> {
    if (lanes.length === 0) return;
    await this.jobs.remove(lanes.map(({ lane }) => lane));
    await this.replaceWorkers();
  }

  /** Detects a hanging worker: it has room while lanes are waiting. */
  private async checkWorker(): Promise<void> {
    if (this.jobs.isAway || !this.jobs.canWork()) {
      this.held.haveOthersToWait = false; // until lanes are found that do not fit
      this.waitingSince = Infinity;
      await this.jobs.waitingCount(); // detects when Redis is back
      return;
    }
    const now = performance.now();
    const haveToWait = (await this.jobs.waitingCount()) > 0;
    const hasRoom = this.held.room > 0;
    this.held.haveOthersToWait = haveToWait && !hasRoom;
    if (!haveToWait || !hasRoom) this.waitingSince = Infinity;
    else this.waitingSince = Math.max(Math.min(this.waitingSince, now), this.jobs.begunAt);
    if (now - this.waitingSince >= STUCK_AFTER_MS) await this.replaceWorkers();
    else if (!haveToWait) this.isWarned = false;
  }

  /** What cut off one worker may have cut off others. */
  private async replaceWorkers(): Promise<void> {
    this.bus.publish(STUCK, {});
    await this.replaceIdleWorker();
  }

  private async replaceIdleWorker(): Promise<void> {
    if (performance.now() - this.jobs.begunAt < STUCK_AFTER_MS) return;
    if (!this.isWarned)
      this.logger.warn('Deliveries were due, but no lane was processed. Reconnecting to Redis.');
    this.isWarned = true;
    this.waitingSince = Infinity;
    await this.jobs.replaceWorker();
  }
}

function shuffled<T>(items: T[]): T[] {
  for (let index = items.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [items[index], items[other]] = [items[other] as T, items[index] as T];
  }
  return items;
}
