import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { newId } from '../../platform/common/ids.js';
import { Sequence, sequenceFrom, timeOfSequence } from '../../platform/common/sequence.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { Purge } from '../../platform/database/purge.js';
import { type Schedule, Schedules } from '../../platform/database/schedules/schedules.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Bus } from '../../platform/scaling/bus.js';
import { type Candidate, DeliveriesReadModel, hasResult, type PageFilter } from './deliveries.read-model.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryKinds, isOrderedLane, isPullLane } from './delivery-kind.js';
import {
  type DeliveryRecovery,
  type DeliveryStatus,
  isOpen,
  type RecoveryFilter,
} from './delivery.entity.js';
import { FINAL_REASONS, recoveryIsRunning, recoveryNotFound } from './delivery.errors.js';
import { DispatchSettings } from './dispatch.settings.js';
import { DispatcherService } from './dispatcher.service.js';
import { LeasesRepository } from './pull/leases.repository.js';
import { RecoveriesRepository } from './recoveries.repository.js';

const DAY_MS = 86_400_000;
const STEP_EVERY_MS = 250;
const POLL_EVERY_MS = 5_000;
/** A recovery pauses for an endpoint while this many of the owner's first attempts are waiting there. */
const MAX_PENDING = 100;
const MAX_PENDING_READ = 2 * MAX_PENDING;
/** Maximum number of deliveries made due in one transaction. */
const MAX_DUE_AT_ONCE = 100;
const MAX_AT_ONCE = 20;
const ROWS_PER_READ = 1_000;
export const MAX_SHOWN = 20;
/** The stored statuses that a recovery resends. */
const MISSED: readonly DeliveryStatus[] = ['retrying', 'failed', 'cancelled'];

/** What a recovery resends: deliveries created at or after `since` and before `before`. */
export interface RecoveryRequest {
  /** Empty for all owners of `filter.kind`. */
  readonly ownerId: string;
  readonly since: number;
  readonly before?: number | undefined;
  readonly filter?: RecoveryFilter;
}

/** Number of deliveries that a recovery would resend. */
export interface RecoveryCount {
  readonly total: number;
  /** How many of them are waiting for their next attempt. */
  readonly waiting: number;
}

/**
 * Resends failed, cancelled and retrying deliveries at a limited rate, except those to URLs that are no
 * longer called. A recovery is a row, so it survives restarts; each step is one transaction.
 */
@Injectable()
export class RecoveriesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly steps = new PeriodicTask(RecoveriesService.name, 'A recovery cannot continue.', () =>
    this.step(),
  );
  /** Increases when there may be new recoveries; `doneRevision` is its value when none was left to work on. */
  private revision = 1; // an earlier process may have left recoveries
  private doneRevision = 0;
  private lastId = '';
  /** Where processes share a database, picks up recoveries of processes that have exited. */
  private readonly poll: Schedule;

  constructor(
    private readonly leases: LeasesRepository,
    private readonly recoveries: RecoveriesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly readModel: DeliveriesReadModel,
    private readonly kinds: DeliveryKinds,
    private readonly dispatcher: DispatcherService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
    settings: DispatchSettings,
    purge: Purge,
    private readonly bus: Bus,
    schedules: Schedules,
  ) {
    this.poll = schedules.add({
      name: 'recoveries',
      owner: RecoveriesService.name,
      failure: 'Recoveries cannot be loaded.',
      work: () => void this.revision++,
    });
    purge.register({
      rows: 'recoveries',
      retentionMs: () => settings.retentionDays * DAY_MS,
      deleteBefore: (time, limit) => recoveries.deleteFinishedBefore(time, limit),
    });
  }

  onApplicationBootstrap(): void {
    this.steps.start(STEP_EVERY_MS);
    if (this.bus.hasOthers) this.poll.start(POLL_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.steps.stop(), this.poll.stop()]);
  }

  /** Counts the deliveries that a recovery would resend. */
  async count(request: RecoveryRequest): Promise<RecoveryCount> {
    return this.scan(request);
  }

  /** Starts a recovery. Paused endpoints are probed at once. Throws `recoveryIsRunning`. */
  async start(request: RecoveryRequest): Promise<DeliveryRecovery> {
    if (await this.recoveries.isRunning(request.ownerId)) throw recoveryIsRunning(); // before the counting
    return this.write(request);
  }

  list(ownerId: string): Promise<DeliveryRecovery[]> {
    return this.recoveries.list(ownerId, MAX_SHOWN);
  }

  /**
   * Stops a recovery: deliveries already requeued stay due, the rest are left unchanged. A finished recovery
   * is left as it is. Throws `recoveryNotFound`.
   */
  async stop(ownerId: string, id: string): Promise<DeliveryRecovery> {
    await this.recoveries.stop(ownerId, id, this.clock.now());
    const recovery = await this.recoveries.find(id);
    if (recovery?.ownerId !== ownerId) throw recoveryNotFound();
    return recovery;
  }

  private async write(request: RecoveryRequest): Promise<DeliveryRecovery> {
    const { ownerId, since, before = Infinity, filter } = request;
    const now = this.clock.now();
    const { total, waiting, lastSeq } = await this.scan(request);
    const recovery: DeliveryRecovery = {
      id: newId(),
      ownerId,
      createAt: now,
      since,
      // Covers all existing deliveries, even if the clock was set back since another process created them.
      until: Math.min(before, timeOfSequence(Math.max(this.sequence.next(now), lastSeq)) + 1),
      total,
      waiting,
      requeued: 0,
      cursorSeq: 0,
      finishAt: total === 0 ? now : 0,
      isStopped: false,
      filter: filter ? JSON.stringify(filter) : '',
    };
    await this.unitOfWork.run(async () => {
      await this.recoveries.insert(recovery); // first: of two concurrent starts, one sees the other
      if (await this.recoveries.isAnotherRunning(recovery)) throw recoveryIsRunning();
    });
    this.revision++;
    return recovery;
  }

  /** Counts what a recovery would resend, and returns the last delivery it would examine. */
  private async scan(request: RecoveryRequest): Promise<RecoveryCount & { lastSeq: number }> {
    const { since, before } = request;
    const beforeSeq = before === undefined ? Number.MAX_SAFE_INTEGER : sequenceFrom(before);
    const isCalled = this.calledUrls();
    let total = 0;
    let waiting = 0;
    for (let sinceSeq = sequenceFrom(since); ;) {
      const { missed, lastSeq, isLast } = await this.slice(request, sinceSeq, beforeSeq);
      for (const delivery of missed) {
        if (!(await isCalled(delivery))) continue;
        total++;
        if (isOpen(delivery.status)) waiting++;
      }
      if (isLast) return { total, waiting, lastSeq };
      sinceSeq = lastSeq + 1;
      await setImmediate(); // SQLite's statements would keep other work from running
    }
  }

  /** Examines the next deliveries, and returns those that were missed. */
  private async slice({ ownerId, filter = {} }: RecoveryRequest, sinceSeq: number, beforeSeq: number) {
    const { kind = '', statuses = MISSED, ...result } = filter;
    const page: PageFilter = { ...(ownerId === '' ? { kind } : { ownerId }), statuses, sinceSeq, beforeSeq };
    const rows = await this.readModel.listCandidates(page, ROWS_PER_READ, 'ASC');
    return {
      missed: rows.filter((row) => !isFinal(row) && hasResult(result, row)),
      lastSeq: rows.at(-1)?.seq ?? sinceSeq - 1,
      isLast: rows.length < ROWS_PER_READ,
    };
  }

  /** Whether a delivery goes to a URL that is currently called. Looks up each owner's URLs once. */
  private calledUrls(): (missed: Candidate) => Promise<boolean> {
    const known = new Map<string, Promise<readonly string[]>>();
    return async ({ ownerId, url }) => {
      const urls = known.get(ownerId) ?? this.kinds.callableUrls(ownerId);
      known.set(ownerId, urls);
      return (await urls).includes(url);
    };
  }

  private async step(): Promise<void> {
    const { revision } = this; // another recovery may be stored during the query
    if (revision === this.doneRevision) return;
    const running = await this.recoveries.listOpen(this.lastId, MAX_AT_ONCE);
    if (running.length === 0 && this.lastId === '') this.doneRevision = revision;
    this.lastId = running.length === MAX_AT_ONCE ? (running.at(-1)?.id ?? '') : ''; // round-robin
    for (const recovery of running) if (!this.steps.isStopped) await this.advance(recovery);
  }

  private async advance(recovery: DeliveryRecovery): Promise<void> {
    const { ownerId, since, until } = recovery;
    const filter = recovery.filter === '' ? {} : (JSON.parse(recovery.filter) as RecoveryFilter);
    const sinceSeq = Math.max(sequenceFrom(recovery.since), recovery.cursorSeq + 1);
    const slice = await this.slice({ ownerId, since, filter }, sinceSeq, sequenceFrom(until));
    const isCalled = this.calledUrls();
    const found: Candidate[] = [];
    const leased = await this.leases.listLeased(slice.missed, this.clock.now());
    for (const delivery of slice.missed)
      if (!leased.has(delivery.id) && (await isCalled(delivery))) found.push(delivery);
    const isOfSeveral = (ownerId === '' && !filter.lane) || new Set(found.map(({ lane }) => lane)).size > 1;
    const { next, crowded } = await this.withRoom(found, isOfSeveral);
    const isCut = next.length < found.length;
    if (isCut && next.length === 0) return;
    const isOver = !isCut && slice.isLast;
    const lastSeq = isCut ? next.at(-1)?.seq : slice.lastSeq;
    const now = this.clock.now();
    const isOurs = await this.unitOfWork.run(async () => {
      const isFirst = await this.recoveries.update(recovery, {
        requeued: recovery.requeued + next.length,
        cursorSeq: Math.max(recovery.cursorSeq, lastSeq ?? 0),
        finishAt: isOver ? now : 0,
      });
      if (!isFirst) return false;
      for (const status of ['pending', 'retrying'] as const) {
        // In an ordered lane, all are sent in their order. To be pulled, those that are retried keep their place.
        const isBehind = (row: Candidate): boolean =>
          isPullLane(row.lane) ? isOpen(row.status) : crowded.has(row) && !isOrderedLane(row.lane);
        const rows = next.filter((row) => isBehind(row) === (status === 'retrying'));
        const idsOf = (areOpen: boolean): string[] =>
          rows.filter((row) => isOpen(row.status) === areOpen).map(({ id }) => id);
        await this.deliveries.requeue(idsOf(false), now, status);
        await this.deliveries.makeAllDue(idsOf(true), now, status);
      }
      return true;
    });
    if (!isOurs) return;
    for (const lane of new Set(next.map((delivery) => delivery.lane))) this.dispatcher.wake(lane);
  }

  /**
   * The first deliveries that there is room for. In a recovery for several endpoints, a full endpoint does
   * not block the others: its excess deliveries are sent after all first attempts.
   */
  private async withRoom(
    missed: readonly Candidate[],
    isOfSeveral: boolean,
  ): Promise<{ readonly next: readonly Candidate[]; readonly crowded: ReadonlySet<Candidate> }> {
    const next = missed.slice(0, MAX_DUE_AT_ONCE);
    const owners = [...new Set(next.map(({ ownerId }) => ownerId))];
    const pending = new Map<string, number>();
    const add = (delivery: Pick<Candidate, 'ownerId' | 'lane'>): number => {
      const key = `${delivery.ownerId} ${delivery.lane}`;
      const count = pending.get(key) ?? 0;
      pending.set(key, count + 1);
      return count;
    };
    for (const delivery of await this.readModel.listPending(owners, MAX_PENDING_READ)) add(delivery);
    const crowded = next.filter((delivery) => add(delivery) >= MAX_PENDING);
    if (isOfSeveral) return { next, crowded: new Set(crowded) };
    const [full] = crowded;
    return { next: full ? next.slice(0, next.indexOf(full)) : next, crowded: new Set() };
  }
}

function isFinal({ reason }: Candidate): boolean {
  return FINAL_REASONS.some((final) => final === reason);
}
