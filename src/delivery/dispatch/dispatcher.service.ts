import { setMaxListeners } from 'node:events';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { Settings } from '../../platform/config/settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { Bulkheads, type Start } from './bulkheads.js';
import { Claims } from './claims.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { Delivery } from './delivery.entity.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DeliveryRunner, type NextAttempt } from './delivery-runner.js';
import type { Job } from './job.js';
import type { Lane, Source } from './lane.js';
import { OutcomeRecorder } from './outcome-recorder.js';

const FETCH_SIZE = 200;
const MAX_FETCHES_AT_ONCE = 4;
const TICK_MS = 250;
const SWEEP_EVERY_MS = 30_000;
const REVIEW_EVERY_MS = 1_000;
/** What is running may take so long to finish when the process stops. */
const GRACE_MS = 3_000;

/**
 * Makes deliveries: takes what is due, keeps every endpoint within its bulkhead, and never loses one. The rows are the
 * truth. New ones are handed over in memory as they are committed; whatever does not fit there, is due later, or was
 * left by an earlier process is read from the table. A sweep looks at the whole table now and then, so that nothing
 * depends on a hand-over having happened.
 */
@Injectable()
export class DispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DispatcherService.name);
  private readonly claims = new Claims();
  private readonly bulkheads: Bulkheads;
  private readonly runs = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  /** Lanes with rows in the table that may be due. */
  private readonly hungry = new Set<Lane>();
  private fetches = 0;
  private timer: NodeJS.Timeout | undefined;
  private lastSweep = -Infinity;
  private lastReview = -Infinity;
  private sweeping: Promise<void> | undefined;
  private isStopping = false;
  private isPumpDue = false;

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly runner: DeliveryRunner,
    private readonly recorder: OutcomeRecorder,
    private readonly clock: Clock,
    metrics: DispatchMetrics,
    settings: Settings,
  ) {
    this.bulkheads = new Bulkheads(settings.outgoingConcurrency, settings.outgoingPerEndpoint);
    setMaxListeners(0, this.abort.signal); // one for each call
    metrics.watchLanes(() => this.bulkheads.all());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
    this.tick();
  }

  /** Starts no more calls, lets those that run finish for a while, and stores what came of them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    const cut = setTimeout(() => {
      this.abort.abort();
      this.recorder.stopWaiting();
    }, GRACE_MS);
    while (this.runs.size > 0) await Promise.all(this.runs);
    clearTimeout(cut);
    await this.recorder.close();
    await this.sweeping;
  }

  /** Takes over deliveries whose rows have just been committed. */
  offer(deliveries: readonly Delivery[]): void {
    const committedAt = performance.now();
    for (const delivery of deliveries) {
      if (delivery.status !== 'pending') continue;
      const lane = this.bulkheads.lane(delivery.lane);
      if (lane.fresh.isOpen && lane.queued < this.claims.roomPerLane)
        this.enqueue(lane, lane.fresh, this.claims.take(delivery, committedAt));
      else this.leaveInTable(lane, lane.fresh);
    }
    this.pumpSoon();
  }

  /**
   * Rows of that lane were made due by hand, or the receiver of an ordered lane is back. If a call is being made in an
   * ordered lane and fails, the next one follows at once.
   */
  wake(laneName: string): void {
    const lane = this.bulkheads.lane(laneName);
    lane.isWoken = lane.running > 0;
    for (const source of lane.sources) {
      if (lane.isOrdered) source.nextDueAt = Infinity; // the pause before its first one is over
      this.leaveInTable(lane, source);
    }
    this.pumpSoon();
  }

  /** The receiver of an ordered lane answers: what waits there after a failure need not wait any longer. */
  resume(laneName: string): void {
    const lane = this.bulkheads.find(laneName);
    if (lane && lane.running > 0) lane.isWoken = true;
    else if (lane?.isPaused(this.clock.now())) this.wake(laneName);
  }

  /** The rows of these deliveries were cancelled: nothing of them is to be called any more. */
  drop(isMeant: (delivery: Delivery) => boolean): void {
    this.claims.drop(isMeant);
  }

  isInFlight(deliveryId: string): boolean {
    return this.claims.isRunning(deliveryId);
  }

  /** The deliveries whose calls are being made right now, at most OUTGOING_CONCURRENCY. */
  inFlightOf(ownerId: string): string[] {
    const ids: string[] = [];
    for (const { delivery } of this.claims.running()) if (delivery.ownerId === ownerId) ids.push(delivery.id);
    return ids;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.lastReview >= REVIEW_EVERY_MS) {
      this.lastReview = now;
      this.bulkheads.review();
    }
    if (now - this.lastSweep >= SWEEP_EVERY_MS && !this.sweeping) {
      this.lastSweep = now;
      this.sweeping = this.sweep().finally(() => (this.sweeping = undefined));
    }
    for (const lane of this.bulkheads.all())
      if (lane.sources.some((source) => source.hasBacklog || source.nextDueAt <= this.clock.now()))
        this.hungry.add(lane);
    this.pump();
  }

  /** One pump for everything that came in one turn of the event loop. */
  private pumpSoon(): void {
    if (this.isPumpDue) return;
    this.isPumpDue = true;
    queueMicrotask(() => this.pump());
  }

  private pump(): void {
    this.isPumpDue = false;
    if (this.isStopping || this.recorder.isStuck) return;
    this.fetchWhatIsDue();
    for (let start = this.bulkheads.start(); start; start = this.bulkheads.start()) this.run(start);
  }

  private run(start: Start): void {
    const running = this.make(start).finally(() => this.runs.delete(running));
    this.runs.add(running);
  }

  private async make(start: Start): Promise<void> {
    const { lane, job } = start;
    if (job.isDropped) return this.skip(start);
    job.isRunning = true;
    lane.isWoken = false;
    const { hasSucceeded, stored } = await this.runner.run(job, this.abort.signal);
    // What comes later in an ordered lane must not be called before this one is settled for good.
    if (!lane.isOrdered) this.finish(start, hasSucceeded);
    const due = await stored;
    job.isRunning = false;
    this.claims.release(job);
    if (due) this.comeBack(lane, due);
    if (lane.isOrdered) this.finish(start, hasSucceeded);
  }

  private finish(start: Start, hasSucceeded: boolean | undefined): void {
    this.bulkheads.finish(start, hasSucceeded);
    if (start.lane.sources.some((source) => source.hasBacklog)) this.hungry.add(start.lane);
    this.pumpSoon();
  }

  /** A stopped job. Its row may have been made due again meanwhile. */
  private skip(start: Start): void {
    this.claims.release(start.job);
    this.leaveInTable(start.lane, start.lane.fresh);
    this.finish(start, undefined);
  }

  private comeBack(lane: Lane, { status, dueAt }: NextAttempt): void {
    const source = status === 'pending' ? lane.fresh : lane.retries;
    if (lane.isOrdered && lane.isWoken) this.leaveInTable(lane, source);
    else source.dueAt(dueAt);
    if (!lane.isOrdered) return;
    source.isStale = source.isFetching;
    // What is behind the first one goes back into the table until that one has its next turn.
    for (let job = lane.fresh.queue.shift(); job; job = lane.fresh.queue.shift()) this.claims.release(job);
    this.bulkheads.refresh(lane);
  }

  private leaveInTable(lane: Lane, source: Source): void {
    if (source.isFetching) source.hasMissed = true;
    else source.hasBacklog = true;
    this.hungry.add(lane);
  }

  private enqueue(lane: Lane, source: Source, job: Job): void {
    source.queue.push(job);
    this.bulkheads.refresh(lane);
  }

  private fetchWhatIsDue(): void {
    const now = this.clock.now();
    for (const lane of this.hungry) {
      for (const source of lane.sources) {
        if (this.fetches >= MAX_FETCHES_AT_ONCE) return;
        const isDue = !lane.isPaused(now) && (source.hasBacklog || source.nextDueAt <= now);
        const room = Math.min(FETCH_SIZE, this.claims.roomPerLane);
        if (isDue && !source.isFetching && source.queue.size <= room / 4)
          void this.fetch(lane, source, now, room);
      }
      this.hungry.delete(lane);
    }
  }

  private async fetch(lane: Lane, source: Source, now: number, room: number): Promise<void> {
    const begun = { isFetching: true, hasBacklog: false, hasMissed: false, isStale: false };
    Object.assign(source, { ...begun, nextDueAt: Infinity });
    this.fetches++;
    try {
      await this.claims.reading((released) => this.read(lane, source, { now, room, released }));
    } catch (error) {
      source.hasBacklog = true; // the next tick tries again
      this.report(error);
    }
    this.fetches--;
    source.isFetching = false;
    if (source.hasMissed) source.hasBacklog = true;
    if (source.queue.size > 0 || source.hasBacklog) this.pumpSoon();
  }

  /** `released`: what was let go while the query ran. */
  private async read(
    lane: Lane,
    source: Source,
    { now, room, released }: { now: number; room: number; released: ReadonlySet<string> },
  ): Promise<void> {
    // Those in memory are open as well and come first: read beyond them.
    const limit = room + lane.queued + lane.running + this.recorder.waiting;
    const rows = await (lane.isOrdered
      ? this.repository.listInOrder(lane.name, source.status, limit)
      : this.repository.listDue(lane.name, source.status, now, limit));
    if (source.isStale) {
      source.hasBacklog = true;
      return;
    }
    for (const delivery of rows)
      if (!this.claims.has(delivery.id) && !released.has(delivery.id))
        this.enqueue(lane, source, this.claims.take(delivery));
    if (rows.length === limit) {
      source.hasBacklog = true;
    } else if (!lane.isOrdered) {
      const next = await this.repository.nextDueAt(lane.name, source.status, now);
      if (next !== undefined) source.dueAt(next);
    }
  }

  /** Looks for lanes with open rows, whoever left them; on the first start those of an earlier process. */
  private async sweep(): Promise<void> {
    try {
      for (const status of ['pending', 'retrying'] as const) {
        for (let head = await this.repository.laneAfter('', status); head && !this.isStopping;) {
          const lane = this.bulkheads.lane(head.lane);
          const source = status === 'pending' ? lane.fresh : lane.retries;
          // The first of an ordered lane may wait for its retry: that time is known here only.
          if (!lane.isOrdered) source.dueAt(head.nextAttemptAt);
          else if (source.nextDueAt === Infinity) source.dueAt(this.clock.now());
          head = await this.repository.laneAfter(head.lane, status);
        }
      }
    } catch (error) {
      this.report(error);
    }
    this.pumpSoon();
  }

  private report(error: unknown): void {
    if (isDatabaseUnavailable(error) || this.isStopping) return; // said where the calls fail
    this.logger.error('Due deliveries cannot be read.', stackOf(error));
  }
}
