import type { Clock } from '../../../platform/common/clock.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { Bus } from '../../../platform/scaling/bus.js';
import { OPEN_STATUSES } from '../delivery.entity.js';
import { lanePages, type LanesReadModel } from '../lanes.read-model.js';
import type { HeldTurns } from './held-turns.js';
import type { LaneJobs } from './lane-jobs.js';
import type { LaneDrain } from '../lane-drain.js';
import type { LaneTurnsRepository } from './lane-turns.repository.js';

const CHECK_EVERY_MS = 1_000;
/** Only one process watches at a time. Others step in after this silence, plus a random spread. */
const MISSED_AFTER_MS = 2_000;
const MISSED_SPREAD_MS = 500;
/** If a due lane is left alone for this long, its job was lost or no worker fetches it. */
const STUCK_AFTER_MS = 3_000;
const LANES_PER_STATEMENT = 100;
const MAX_TAKEN_AT_ONCE = 50;
const TOPIC = 'lanes.look';

/**
 * Finds due lanes that no process works on and takes them without a job. While Redis is unavailable, every
 * process does this, which keeps deliveries going. Otherwise one process does it for all: for lanes whose
 * process died, whose job was lost, or that no worker fetches.
 */
export class LaneWatch {
  private readonly checks = new PeriodicTask(LaneWatch.name, 'Due lanes cannot be read.', () => this.check());
  /** Since when each due lane has had no process working on it. */
  private stuckSince = new Map<string, number>();
  private heardAt = -Infinity;

  constructor(
    private readonly lanes: LanesReadModel,
    private readonly turns: LaneTurnsRepository,
    private readonly held: HeldTurns,
    private readonly jobs: LaneJobs,
    private readonly bus: Bus,
    private readonly drain: LaneDrain,
    private readonly clock: Clock,
  ) {
    bus.subscribe(TOPIC, () => (this.heardAt = performance.now() + MISSED_SPREAD_MS * Math.random()));
  }

  start(): void {
    this.checks.start(CHECK_EVERY_MS);
  }

  stop(): Promise<void> {
    return this.checks.stop();
  }

  private async check(): Promise<void> {
    await this.checkRoom();
    const isUnavailable = this.jobs.isUnavailable || !this.bus.isConnected;
    if (!isUnavailable && performance.now() - this.heardAt < MISSED_AFTER_MS) return;
    if (isUnavailable) this.drain.reload(); // another process may have cancelled jobs in memory
    const due = await this.dueLanes(isUnavailable);
    const free = await this.freeOf(due);
    const now = performance.now();
    this.stuckSince = new Map(free.map(({ lane }) => [lane, this.stuckSince.get(lane) ?? now]));
    const isStuck = (lane: string): boolean => now - (this.stuckSince.get(lane) ?? now) >= STUCK_AFTER_MS;
    const taken = free.filter(({ lane, isAbandoned }) => isUnavailable || isAbandoned || isStuck(lane));
    // Announced only now: others must watch if this process lacks its database or room.
    if (!isUnavailable && taken.length <= this.held.room) this.bus.publish(TOPIC, {});
    await this.take(taken.map(({ lane }) => lane));
    const stuck = taken.filter(({ lane, isAbandoned }) => !isAbandoned && isStuck(lane));
    if (!isUnavailable && stuck.length > 0) await this.jobs.remove(stuck.map(({ lane }) => lane));
  }

  /** Due lanes that this process does not have. Its own lanes learn of rows only from other processes. */
  private async dueLanes(isUnavailable: boolean): Promise<string[]> {
    const due = new Set<string>();
    for (const status of OPEN_STATUSES)
      for await (const heads of lanePages(this.lanes, status)) {
        const now = this.clock.now();
        for (const { lane, nextAttemptAt } of heads) {
          if (nextAttemptAt > now) continue;
          if (!this.held.find(lane)) due.add(lane);
          else if (isUnavailable) this.drain.rowsLeft(lane);
        }
        if (this.checks.isStopped) return [];
      }
    const lanes = [...due];
    const tail = lanes.splice(Math.floor(Math.random() * lanes.length));
    return [...tail, ...lanes]; // several processes take lanes: each starts with another
  }

  private async freeOf(lanes: readonly string[]) {
    const free = [];
    for (let start = 0; start < lanes.length; start += LANES_PER_STATEMENT)
      free.push(...(await this.turns.listFree(lanes.slice(start, start + LANES_PER_STATEMENT))));
    return free;
  }

  private async take(lanes: readonly string[]): Promise<void> {
    const { room } = this.held;
    if (lanes.length > room) this.held.haveOthersToWait = true;
    for (let start = 0; start < Math.min(lanes.length, room); start += MAX_TAKEN_AT_ONCE)
      await Promise.all(
        lanes.slice(start, Math.min(start + MAX_TAKEN_AT_ONCE, room)).map((lane) => this.held.take(lane)),
      );
  }

  /** Turns end early only while lanes wait for a process. Also detects when Redis is back. */
  private async checkRoom(): Promise<void> {
    const canWork = !this.jobs.isUnavailable && this.jobs.canWork();
    const haveToWait = (await this.jobs.waitingCount()) > 0;
    this.held.haveOthersToWait = canWork && haveToWait && this.held.room === 0;
  }
}
