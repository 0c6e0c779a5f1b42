import { randomInt } from 'node:crypto';
import { newId } from '../../../platform/common/ids.js';
import { Findings } from '../findings.js';
import type { Import } from '../import.entity.js';
import type { Check, TableReport } from '../report.js';
import { postsByChange, readAhead, rowsByKey, START } from './batches.js';
import { Fields } from './fields.js';
import type { MattermostDatabase, SourceRow } from './source.js';
import { Left, type TableImport, type World } from './table-import.js';
import { type Changes, type ImportTarget, keyOf } from '../target.repository.js';

const KEYS_AT_ONCE = 5_000;
/** Rows of a table that are compared at the end. */
const SAMPLES = 20;
const ROWS_OF_SAMPLE = 25;

type Row = Record<string, unknown>;

/** Told after each batch how many rows of a table have been read. */
export type OnProgress = (table: string, read: number) => void;

/** Imports and checks tables. Without a target it only reads, for a dry run. */
export class Importer {
  constructor(
    private readonly source: MattermostDatabase,
    private readonly target: ImportTarget | undefined,
    private readonly world: World,
    /** The progress as stored; undefined for a dry run. */
    private readonly progress: Import | undefined,
    private readonly onProgress: OnProgress,
  ) {}

  /** Whether an earlier run was completed, so that rows may have been deleted there since. */
  private get isRepeated(): boolean {
    return (this.progress?.finishedAt ?? 0) > 0;
  }

  /** Imports all rows of a table, or those that have changed since the last run. */
  async run(table: TableImport): Promise<TableReport> {
    const left = new Findings();
    let [read, moved] = [0, 0];
    for await (const rows of rowsByKey(this.source, table)) {
      const mapped = await this.map(table, rows, left, this.world);
      read += rows.length;
      moved += mapped.length;
      await this.target?.write(table, await this.changes(table, mapped));
      this.onProgress(table.from, read);
    }
    if (table.addedAt !== undefined && this.isRepeated) await this.deleteMissing(table, table.addedAt);
    return { table: table.from, read, moved, left: left.count, reasons: left.list };
  }

  /** Imports posts by the time of their last change. Continues where the last run has stopped. */
  async runPosts(table: TableImport): Promise<TableReport> {
    const { progress } = this;
    const left = new Findings(progress?.leftOut);
    const notes = new Findings(progress?.notes);
    let [read, moved] = [progress?.postsRead ?? 0, progress?.postsMoved ?? 0];
    const start = progress ? { time: progress.cursorTime, id: progress.cursorId } : START;
    for await (const { rows, cursor } of readAhead(postsByChange(this.source, table, start))) {
      const mapped = mapRows(table, rows, left, { ...this.world, notes });
      read += rows.length;
      moved += mapped.length;
      if (this.target && progress) {
        const changes = await this.changes(table, mapped);
        Object.assign(progress, {
          cursorTime: cursor.time,
          cursorId: cursor.id,
          postsRead: read,
          postsMoved: moved,
        });
        Object.assign(progress, { leftOut: left.list, notes: notes.list });
        await this.target.write(table, changes, progress);
      }
      this.onProgress(table.from, read);
    }
    for (const { kind, count, examples } of notes.list)
      examples.forEach((example, index) => this.world.notes.add(kind, example, index === 0 ? count : 0));
    return { table: table.from, read, moved, left: left.count, reasons: left.list };
  }

  /** Compares the rows there with those here: whether all exist, and some of them column by column. */
  async check(table: TableImport): Promise<Check> {
    const { target } = this;
    if (!target) throw new Error('A dry run checks nothing.');
    const world = { ...this.world, notes: new Findings() };
    let [expected, found] = [0, 0];
    const pages = rowsByKey(this.source, { ...table, columns: table.key }, KEYS_AT_ONCE);
    for await (const rows of readAhead(pages)) {
      const keys = rows.map((row) => table.key.map((column) => row[column]));
      const existing = await target.existing(table, keys);
      const absent = keys.filter((key) => !existing.has(key.join(' ')));
      const missing = await this.map(table, await this.rowsOf(table, absent), new Findings(), world);
      found += keys.length - absent.length;
      expected += keys.length - absent.length + missing.length;
    }
    const differing = new Set<string>();
    const mapped = await this.map(table, await this.samples(table), new Findings(), world);
    const here = await this.here(table, mapped);
    for (const row of mapped) {
      const same = here.get(keyOf(table, row).join(' '));
      for (const name of same ? this.differing(table, same, row) : ['a row is missing']) differing.add(name);
    }
    const differences = [...differing];
    return { table: table.from, expected, found, sampled: mapped.length, differences };
  }

  private rowsOf(table: TableImport, keys: readonly (readonly unknown[])[]): Promise<SourceRow[]> {
    if (keys.length === 0) return Promise.resolve([]);
    const sql = `WHERE (${table.key.join(', ')}) IN (${keys.map(() => '(?)').join(', ')})`;
    return this.source.rows(table.from, table.columns, { sql, parameters: keys });
  }

  private async map(table: TableImport, rows: SourceRow[], left: Findings, world: World): Promise<Row[]> {
    if (rows.length === 0) return [];
    return mapRows(table, table.complete ? await table.complete(rows, this.source) : rows, left, world);
  }

  private async changes(table: TableImport, mapped: readonly Row[]): Promise<Changes> {
    const here = await this.here(table, mapped);
    const inserted: Row[] = [];
    const updated: Row[] = [];
    for (const row of mapped) {
      const existing = here.get(keyOf(table, row).join(' '));
      if (!existing) inserted.push(row);
      else updated.push(...this.update(table, existing, row));
    }
    return { inserted, updated };
  }

  private async here(table: TableImport, mapped: readonly Row[]): Promise<Map<string, Row>> {
    const found = (await this.target?.find(table, mapped)) ?? [];
    return new Map(found.map((row) => [keyOf(table, row).join(' '), row]));
  }

  /** The change that makes a row here like the one there; none if it was changed here later. */
  private update(table: TableImport, here: Row, there: Row): Row[] {
    const names = this.differing(table, here, there);
    if (names.length === 0) return [];
    const merged = this.merged(table, here, there);
    const change: Row = {};
    for (const name of [...table.keyHere, ...names]) change[name] = merged[name];
    return [change];
  }

  private merged(table: TableImport, here: Row, there: Row): Row {
    return { ...there, ...table.merge?.(here as never, there as never) };
  }

  private differing(table: TableImport, here: Row, there: Row): string[] {
    if (Number(here['updateAt'] ?? 0) > Number(there['updateAt'] ?? 0)) return [];
    const merged = this.merged(table, here, there);
    const kept: readonly string[] = table.kept ?? [];
    return Object.keys(there).filter((name) => !kept.includes(name) && !isSame(here[name], merged[name]));
  }

  /** Deletes rows of imported users that no longer exist there. Those that were added here since stay. */
  private async deleteMissing(table: TableImport, addedAt: string): Promise<void> {
    const { target, progress } = this;
    if (!target || !progress || !this.source.hasTable(table.from)) return;
    let after: Row | undefined;
    do {
      const rows = await target.rowsAfter(table, after, KEYS_AT_ONCE);
      after = rows.at(-1);
      const imported = rows.filter(
        (row) => this.world.users.has(String(row['userId'])) && Number(row[addedAt]) <= progress.finishedAt,
      );
      const existing = await this.rowsOf(
        { ...table, columns: table.key },
        imported.map((row) => keyOf(table, row)),
      );
      const there = new Set(existing.map((row) => table.key.map((column) => row[column]).join(' ')));
      await target.delete(
        table,
        imported.filter((row) => !there.has(keyOf(table, row).join(' '))),
      );
    } while (after);
  }

  /** Rows from several places of a table; all of a small one. */
  private async samples(table: TableImport): Promise<SourceRow[]> {
    const { key, from, columns } = table;
    const [first = ''] = key;
    const byKey = new Map<string, SourceRow>();
    const starts = ['', ...Array.from({ length: SAMPLES }, () => newId().slice(0, randomInt(1, 4)))];
    for (const start of starts)
      for (const row of await this.source.rows(from, columns, {
        sql: `WHERE ${first} >= ? ORDER BY ${key.join(', ')} LIMIT ${ROWS_OF_SAMPLE}`,
        parameters: [start],
      }))
        byKey.set(key.map((column) => row[column]).join(' '), row);
    return [...byKey.values()];
  }
}

function mapRows(table: TableImport, rows: readonly SourceRow[], left: Findings, world: World): Row[] {
  return rows.flatMap((row) => {
    const label = `${table.from} ${row[table.name] || '(no name)'}`;
    const mapped = table.map(new Fields(row, world.notes, label), world);
    if (!(mapped instanceof Left)) return [{ ...mapped }];
    left.add(mapped.reason, label);
    return [];
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
