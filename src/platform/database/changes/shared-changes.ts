import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Between, type DataSource, type EntityManager, In, LessThan, Not } from 'typeorm';
import type { Clock } from '../../common/clock.js';
import { stackOf } from '../../common/errors/stack-of.js';
import { newId } from '../../common/ids.js';
import { type Sequence, sequenceFrom, timeOfSequence } from '../../common/sequence.js';
import { PeriodicTask } from '../periodic-task.js';
import { insertRows } from '../rows.js';
import { ChangeRow } from './change.entity.js';
import { type Change, type ChangeHandler, ChangeLog, type StoredChanges, storeMark } from './change-log.js';

const READ_EVERY_MS = 250;
const MAX_AGE_MS = 1_000;
/** Rows are written last in their transaction, so they become visible soon after they get their number. */
const WINDOW_MS = 3_000;
/** A commit this long after its number may be missed: the window minus the possible clock difference. */
const LATE_MS = 2_000;
const LATE_TOPIC = 'late';
/** The window for delayed commits that their process could not announce; read less often. */
const WIDE_WINDOW_MS = 60_000;
const WIDE_EVERY_MS = 5_000;
const READ_SIZE = 5_000;
/** The minimum retention of rows. */
export const CHANGES_KEPT_MS = 10 * 60_000;
/** After this long without a read, rows may soon be deleted, and there may be too many. */
const LOST_AFTER_MS = CHANGES_KEPT_MS / 2;

/** The change log in the table `changes`, polled several times a second, and read at once when notified. */
export class SharedChanges extends ChangeLog implements OnApplicationBootstrap {
  /** Set by the service that notifies other processes of new rows. */
  onCommitted: () => void = () => undefined;
  private readonly logger = new Logger('ChangeLog');
  private readonly origin = newId();
  private readonly handlers = new Map<string, ChangeHandler>();
  private readonly fromBefore = new Set<string>();
  private readonly seen = new Set<number>();
  private readonly reads = new PeriodicTask(
    'ChangeLog',
    'The changes of other processes cannot be read.',
    () => this.readOnce(),
  );
  private unwritten: Change[] = [];
  private writing: Promise<void> = Promise.resolve();
  private upToDateAt = -Infinity;
  /** The database time of the last complete read, and of the last wide one; nothing earlier is missing. */
  private readAt = -Infinity;
  private readWideAt = -Infinity;
  /** Number ranges with late commits that have not been read yet. */
  private readonly late: (readonly [first: number, last: number])[] = [];
  /** The read that follows the running one, because a notification arrived meanwhile. */
  private next: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
  ) {
    super(() => storeMark(dataSource, clock, sequence));
    this.on(LATE_TOPIC, ({ first, last }) => this.late.push([Number(first), Number(last)]));
  }

  override get isShared(): boolean {
    return true;
  }

  override get isBehind(): boolean {
    return super.isBehind || performance.now() - this.upToDateAt > MAX_AGE_MS;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.reads.run();
    this.reads.start(READ_EVERY_MS);
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    await this.reads.stop();
    await this.write();
  }

  override on(topic: string, handler: ChangeHandler, since: 'now' | 'recently' = 'now'): void {
    if (this.handlers.has(topic)) throw new Error(`Changes of ${topic} have a handler already.`);
    this.handlers.set(topic, handler);
    if (since === 'recently') this.fromBefore.add(topic);
  }

  override caughtUp(): Promise<void> {
    return this.next ?? this.reads.running ?? Promise.resolve();
  }

  override async store(manager: EntityManager, changes: readonly Change[]): Promise<StoredChanges> {
    const rows = changes.map(({ topic, body }) => ({
      seq: this.sequence.next(this.clock.now()),
      origin: this.origin,
      topic,
      body,
    }));
    await insertRows(manager, ChangeRow, rows);
    return { committed: () => this.committed(rows[0]?.seq ?? Infinity, rows.at(-1)?.seq) };
  }

  override append(change: Change): void {
    this.unwritten.push(change);
    if (this.unwritten.length === 1) queueMicrotask(() => void this.write());
  }

  /** Call it when another process has sent a notification: reads at once. */
  look(): void {
    if (!this.reads.running) return void this.reads.run();
    this.next ??= this.reads.running.then(() => {
      this.next = undefined;
      return this.reads.run();
    });
  }

  /** Deletes at most `limit` rows older than `time`, which every process has read. Returns their number. */
  async deleteBefore(time: number, limit: number): Promise<number> {
    const before = sequenceFrom(time);
    const rows = await this.changes.find({
      select: { seq: true },
      where: { seq: LessThan(before) },
      order: { seq: 'ASC' },
      take: limit,
    });
    const last = rows.at(-1);
    if (last) await this.changes.delete({ seq: LessThan(last.seq + 1) });
    return rows.length;
  }

  private async readOnce(): Promise<void> {
    const startedAt = performance.now();
    const now = this.clock.now();
    const isFirst = this.readAt === -Infinity; // nothing was kept in memory before
    const isLost = !isFirst && now - this.readAt > LOST_AFTER_MS;
    const isReset = isFirst || isLost;
    const isWide = isReset || Math.abs(now - this.readWideAt) >= WIDE_EVERY_MS;
    const last = isReset ? now : Math.min(now, isWide ? this.readWideAt : this.readAt);
    await this.takeFrom(sequenceFrom(last - (isWide ? WIDE_WINDOW_MS : WINDOW_MS)), isFirst);
    await this.takeLate();
    this.readAt = now;
    if (isWide) this.readWideAt = now;
    if (isWide) this.forgetBefore(sequenceFrom(now - 2 * WIDE_WINDOW_MS));
    if (isLost) this.reportLoss('changes');
    this.upToDateAt = startedAt;
    if (this.unwritten.length > 0) await this.write();
  }

  private async takeFrom(first: number, isFirst: boolean, end = Number.MAX_SAFE_INTEGER): Promise<void> {
    for (let from = first; ;) {
      const seqs = await this.listOfOthers(from, end);
      const unseen = seqs.filter((seq) => !this.seen.has(seq));
      if (unseen.length > 0)
        for (const row of await this.changes.find({ where: { seq: In(unseen) }, order: { seq: 'ASC' } }))
          this.take(row, isFirst);
      const last = seqs.at(-1);
      if (last === undefined || seqs.length < READ_SIZE) return;
      from = last + 1;
    }
  }

  /** The numbers in the window are listed repeatedly, but each row is read only once. */
  private async listOfOthers(from: number, end: number): Promise<number[]> {
    const rows = await this.changes.find({
      select: { seq: true },
      where: { seq: Between(from, end), origin: Not(this.origin) },
      order: { seq: 'ASC' },
      take: READ_SIZE,
    });
    return rows.map(({ seq }) => seq);
  }

  private async takeLate(): Promise<void> {
    for (let range = this.late[0]; range; range = this.late[0]) {
      await this.takeFrom(range[0], false, range[1]);
      this.late.shift();
    }
  }

  private take({ seq, topic, body }: ChangeRow, isFirst: boolean): void {
    if (this.seen.has(seq)) return;
    this.seen.add(seq);
    if (isFirst && !this.fromBefore.has(topic)) return;
    try {
      this.handlers.get(topic)?.(body);
    } catch (error) {
      this.logger.error(`A change of ${topic} could not be applied.`, stackOf(error));
    }
  }

  private forgetBefore(before: number): void {
    for (const seq of this.seen) if (seq < before) this.seen.delete(seq);
  }

  /** Writes changes in order; resolves once all those pending now are written, or have failed. */
  private write(): Promise<void> {
    return (this.writing = this.writing.then(() => this.writeOnce()));
  }

  private async writeOnce(): Promise<void> {
    const changes = this.unwritten;
    if (changes.length === 0) return;
    this.unwritten = [];
    try {
      const { committed } = await this.store(this.dataSource.manager, changes);
      void committed();
    } catch {
      this.unwritten.unshift(...changes); // the next round tries again
    }
  }

  /** Announces a late commit, before its caller is answered, so that others look further back for it. */
  private async committed(first: number, last = first): Promise<void> {
    if (this.clock.now() - timeOfSequence(first) <= LATE_MS) return this.onCommitted();
    this.unwritten.push({ topic: LATE_TOPIC, body: { first, last } });
    await this.write();
  }

  private get changes() {
    return this.dataSource.getRepository(ChangeRow);
  }
}
