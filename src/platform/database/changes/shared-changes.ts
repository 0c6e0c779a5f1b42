import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type DataSource, In, LessThan } from 'typeorm';
import type { Clock } from '../../common/clock.js';
import { stackOf } from '../../common/errors/stack-of.js';
import { newId } from '../../common/ids.js';
import { type Sequence, sequenceFrom, timeOfSequence } from '../../common/sequence.js';
import { PeriodicTask } from '../periodic-task.js';
import { insertStatements } from '../rows.js';
import { execute } from '../statement.js';
import { ChangeRow } from './change.entity.js';
import { type Change, type ChangeHandler, ChangeLog, type NumberedChanges } from './change-log.js';
import { storeMark } from './store-mark.js';

const READ_EVERY_MS = 250;
/** What is in memory may be so old. */
const MAX_AGE_MS = 1_000;
/** A row is written last in its transaction, and so is seen soon after its number was taken. */
const WINDOW_MS = 3_000;
/** What is committed so long after its number was taken may be overlooked: the window, less what clocks may differ. */
const LATE_MS = 2_000;
/** Tells between which numbers to read again. */
const LATE_TOPIC = 'late';
/** For a commit that was held up and whose process could not tell; looked at less often. */
const WIDE_WINDOW_MS = 60_000;
const WIDE_EVERY_MS = 5_000;
const READ_SIZE = 5_000;
/** How long rows are kept, at least. */
export const CHANGES_KEPT_MS = 10 * 60_000;
/** After so long without a read, rows may be gone soon, and there may be too many. */
const LOST_AFTER_MS = CHANGES_KEPT_MS / 2;

/**
 * The change log of processes that share a database, in its table `changes`. Each process reads several times a second what
 * is new since it last could, and at once when `onCommitted` of another has let it know.
 */
export class SharedChanges extends ChangeLog implements OnApplicationBootstrap {
  readonly isShared = true;
  /** Set by whoever can let the other processes know that there is something to read. */
  onCommitted: () => void = () => undefined;
  private readonly logger = new Logger('ChangeLog');
  private readonly origin = newId();
  private readonly handlers = new Map<string, ChangeHandler>();
  private readonly fromBefore = new Set<string>();
  private readonly seen = new Set<number>();
  private readonly reads = new PeriodicTask(
    'ChangeLog',
    'The changes of other processes cannot be read.',
    () => this.read(),
  );
  private unwritten: Change[] = [];
  private writing: Promise<void> = Promise.resolve();
  private upToDateAt = -Infinity;
  /** The time of the database at the last complete read, and at the last wide one: nothing before is missing. */
  private readAt = -Infinity;
  private readWideAt = -Infinity;
  /** Between which numbers something was committed late that has not been read yet. */
  private readonly late: (readonly [first: number, last: number])[] = [];
  private mustReadAgain = false;
  private isReading = false;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
  ) {
    super(() => storeMark(dataSource, clock, sequence));
    this.on(LATE_TOPIC, ({ first, last }) => this.late.push([Number(first), Number(last)]));
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

  on(topic: string, handler: ChangeHandler, since: 'now' | 'recently' = 'now'): void {
    if (this.handlers.has(topic)) throw new Error(`Changes of ${topic} have a handler already.`);
    this.handlers.set(topic, handler);
    if (since === 'recently') this.fromBefore.add(topic);
  }

  caughtUp(): Promise<void> {
    return this.isReading ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  numbered(changes: readonly Change[]): NumberedChanges {
    const rows = changes.map(({ topic, body }) => ({
      seq: this.sequence.next(this.clock.now()),
      origin: this.origin,
      topic,
      body,
    }));
    return {
      statements: insertStatements(this.dataSource, ChangeRow, rows),
      committed: () => this.committed(rows[0]?.seq ?? Infinity, rows.at(-1)?.seq),
    };
  }

  append(change: Change): void {
    this.unwritten.push(change);
    if (this.unwritten.length === 1) queueMicrotask(() => void this.write());
  }

  /** Call it when another process has let this one know: reads at once. */
  look(): void {
    if (this.isReading) this.mustReadAgain = true;
    else void this.reads.run();
  }

  /** Deletes at most `limit` rows from before `time`, which every process has read. Returns how many. */
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

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      do {
        this.mustReadAgain = false;
        const earlier = this.waiting.length;
        await this.readOnce();
        this.release(this.mustReadAgain ? earlier : this.waiting.length);
      } while (this.mustReadAgain);
    } finally {
      this.isReading = false;
      this.release(this.waiting.length);
    }
  }

  /** Those who came while it was read may wait for what is read next. */
  private release(count: number): void {
    for (const resolve of this.waiting.splice(0, count)) resolve();
  }

  private async readOnce(): Promise<void> {
    const startedAt = performance.now();
    const now = this.clock.now();
    const isFirst = this.readAt === -Infinity; // nothing was kept in memory before
    const isLost = !isFirst && now - this.readAt > LOST_AFTER_MS;
    const isAnew = isFirst || isLost;
    const isWide = isAnew || Math.abs(now - this.readWideAt) >= WIDE_EVERY_MS;
    const last = isAnew ? now : Math.min(now, isWide ? this.readWideAt : this.readAt);
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

  /** The window is read again and again, the rows in it once. */
  private async listOfOthers(from: number, end: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ seq: number | string }[]>(
      'SELECT seq FROM changes WHERE seq >= ? AND seq <= ? AND origin <> ? ORDER BY seq LIMIT ?',
      [from, end, this.origin, READ_SIZE],
    );
    return rows.map(({ seq }) => Number(seq));
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
      this.logger.error(`A change of ${topic} could not be taken over.`, stackOf(error));
    }
  }

  private forgetBefore(before: number): void {
    for (const seq of this.seen) if (seq < before) this.seen.delete(seq);
  }

  /** In the order in which they were made; resolves when all that are known by now are written, or could not be. */
  private write(): Promise<void> {
    return (this.writing = this.writing.then(() => this.writeOnce()));
  }

  private async writeOnce(): Promise<void> {
    const changes = this.unwritten;
    if (changes.length === 0) return;
    this.unwritten = [];
    try {
      const { statements, committed } = this.numbered(changes);
      for (const statement of statements) await execute(this.dataSource.manager, statement);
      void committed();
    } catch {
      this.unwritten.unshift(...changes); // the next round tries again
    }
  }

  /** Before whoever made a change hears that it is done, the others can know that they must look further back for it. */
  private async committed(first: number, last = first): Promise<void> {
    if (this.clock.now() - timeOfSequence(first) <= LATE_MS) return this.onCommitted();
    this.unwritten.push({ topic: LATE_TOPIC, body: { first, last } });
    await this.write();
  }

  private get changes() {
    return this.dataSource.getRepository(ChangeRow);
  }
}
