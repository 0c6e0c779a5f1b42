import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import { dialect } from '../../platform/config/settings.js';
import { sealedProperties } from '../../platform/database/columns.js';
import { insertRows } from '../../platform/database/rows.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SecretBox, SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { Import } from './import.entity.js';
import type { Target, TargetRows, TargetTable } from './target-rows.js';

/** Of text in a statement: far below the smallest usual `max_allowed_packet`, and short enough to let data arrive. */
const MAX_STATEMENT_LENGTH = 256 * 1024;

const SQLITE_CACHE_KIB = 256 * 1024;
const SQLITE_WAL_PAGES = 16_384;

type Row = ObjectLiteral;

/** What a batch changes. */
export interface Changes {
  readonly inserted: readonly Row[];
  /** Whole rows by key, with only the properties to change. */
  readonly updated: readonly Row[];
}

/**
 * The tables that an import fills. Sealed columns are read and given as plain text. Raw SQL where a batch is found by
 * a key of several columns.
 */
@Injectable()
export class ImportTarget implements OnModuleInit {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly box: SecretBox,
  ) {}

  /** Rows come in another order than that of their keys, so SQLite needs the pages of all indexes. */
  async onModuleInit(): Promise<void> {
    if (dialect !== 'sqlite') return;
    await this.manager.query(`PRAGMA cache_size = ${-SQLITE_CACHE_KIB}`);
    await this.manager.query(`PRAGMA wal_autocheckpoint = ${SQLITE_WAL_PAGES}`);
  }

  /** The existing rows with the keys of these. */
  async find(table: TargetTable, rows: readonly Row[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    const { condition, parameters } = this.byKey(
      table,
      rows.map((row) => keyOf(table, row)),
    );
    const { tableName } = this.metadata(table.to);
    const found = await selectRows(
      this.manager,
      table.to as EntityTarget<Row>,
      `${tableName} WHERE ${condition}`,
      parameters,
    );
    return found.map((row) => this.opened(table.to, row));
  }

  /** Which of these keys exist, joined by spaces. */
  async existing(table: TargetTable, keys: readonly (readonly unknown[])[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const { condition, parameters } = this.byKey(table, keys);
    const rows = await this.manager.query<Row[]>(
      `SELECT ${this.columns(table).join(', ')} FROM ${this.metadata(table.to).tableName} WHERE ${condition}`,
      parameters,
    );
    return new Set(rows.map((row) => Object.values(row).join(' ')));
  }

  /** Up to `limit` rows after a row, in the order of their key. */
  rowsAfter(table: TargetTable, after: Row | undefined, limit: number): Promise<Row[]> {
    const columns = this.columns(table);
    const [first = ''] = columns;
    const beyond = `(${columns.join(', ')}) > (${columns.map(() => '?').join(', ')})`;
    const where = after ? `WHERE ${first} >= ? AND ${beyond}` : '';
    const key = after ? keyOf(table, after) : [];
    return selectRows(
      this.manager,
      table.to as EntityTarget<Row>,
      `${this.metadata(table.to).tableName} ${where} ORDER BY ${columns.join(', ')} LIMIT ${limit}`,
      [...key.slice(0, 1), ...key],
    );
  }

  /** Stores a batch and, in the same transaction, how far the import has come. */
  async write(table: TargetTable, { inserted, updated }: Changes, progress?: Import): Promise<void> {
    await this.unitOfWork.run(async () => {
      const sealed = inserted.map((row) => this.sealed(table.to, row));
      for (const some of portions(sealed)) {
        await insertRows(this.manager, table.to as EntityTarget<Row>, some);
        await setImmediate(); // SQLite blocks the process, which is receiving the next batch
      }
      if (table.to === 'Post' && dialect === 'sqlite') await this.index(inserted);
      for (const row of updated) {
        const key = Object.fromEntries(table.keyHere.map((name) => [name, row[name] as unknown]));
        await this.manager.getRepository<Row>(table.to).update(key, this.sealed(table.to, row));
      }
      if (progress) await this.manager.getRepository(Import).save(progress);
    });
  }

  async delete(table: TargetTable, rows: readonly Row[]): Promise<void> {
    const repository = () => this.manager.getRepository<Row>(table.to);
    await this.unitOfWork.run(async () => {
      for (const row of rows)
        await repository().delete(
          Object.fromEntries(table.keyHere.map((name) => [name, row[name] as unknown])),
        );
    });
  }

  findImport(source: string): Promise<Import | null> {
    return this.manager.getRepository(Import).findOneBy({ source });
  }

  async saveImport(progress: Import): Promise<void> {
    await this.unitOfWork.run(() => this.manager.getRepository(Import).save(progress));
  }

  /** Whether the server has accounts or teams. */
  async hasContents(): Promise<boolean> {
    return (
      (await this.manager.getRepository('User').exists()) ||
      (await this.manager.getRepository('Team').exists())
    );
  }

  async findOne(target: Target, where: Readonly<Record<string, string | number>>): Promise<Row | undefined> {
    return (await this.manager.getRepository<Row>(target).findOneBy(where)) ?? undefined;
  }

  /** Counts the posts of channels, and marks them as read by their members. */
  async recount(channelIds: readonly string[]): Promise<void> {
    const posts = (columns: string, condition = ''): string =>
      `(SELECT ${columns} FROM posts WHERE channel_id = channels.id AND delete_at = 0 ${condition})`;
    const views = (column: string): string =>
      `(SELECT ${column} FROM channels WHERE channels.id = channel_members.channel_id)`;
    for (const id of channelIds)
      await this.unitOfWork.run(async () => {
        await this.manager.query(
          `UPDATE channels SET total_msg_count = ${posts('COUNT(*)')},
             total_msg_count_root = ${posts('COUNT(*)', "AND root_id = ''")},
             last_post_at = ${posts('COALESCE(MAX(create_at), 0)')},
             last_root_post_at = ${posts('COALESCE(MAX(create_at), 0)', "AND root_id = ''")} WHERE id = ?`,
          [id],
        );
        await this.manager.query(
          `UPDATE channel_members SET msg_count = ${views('total_msg_count')},
             msg_count_root = ${views('total_msg_count_root')} WHERE channel_id = ? AND mention_count = 0`,
          [id],
        );
      });
  }

  /** The rows whose value of a property is one of these. */
  listBy(target: Target, property: string, values: readonly unknown[]): Promise<Row[]> {
    return this.manager
      .getRepository<Row>(target)
      .createQueryBuilder('row')
      .where(`row.${property} IN (:...values)`, { values })
      .getMany();
  }

  private get manager() {
    return this.unitOfWork.manager;
  }

  private metadata(target: Target): EntityMetadata {
    return this.manager.dataSource.getMetadata(target);
  }

  private columns(table: TargetTable): string[] {
    const { columns } = this.metadata(table.to);
    return table.keyHere.map(
      (name) => columns.find(({ propertyName }) => propertyName === name)?.databaseName ?? '',
    );
  }

  private byKey(table: TargetTable, keys: readonly (readonly unknown[])[]) {
    const columns = this.columns(table);
    const parameters = keys.flat();
    const marks = columns.map(() => '?').join(',');
    if (columns.length === 1)
      return { condition: `${columns[0]} IN (${keys.map(() => '?').join(',')})`, parameters };
    const list = keys.map(() => `(${marks})`).join(',');
    const tuples = dialect === 'sqlite' ? `VALUES ${list}` : list;
    return { condition: `(${columns.join(',')}) IN (${tuples})`, parameters };
  }

  /** SQLite's full-text index has no trigger for new posts. */
  private async index(rows: readonly Row[]): Promise<void> {
    const ids = rows.filter(({ deleteAt }) => deleteAt === 0).map(({ id }) => id as string);
    await this.manager.query(
      `INSERT INTO post_search (rowid, message) SELECT rowid, message FROM posts
       WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
      [JSON.stringify(ids)],
    );
  }

  private sealed(target: Target, row: Row): Row {
    return this.eachSealed(target, row, (text, place) => this.box.seal(text, place));
  }

  private opened(target: Target, row: Row): Row {
    return this.eachSealed(target, row, (text, place) => {
      try {
        return this.box.open(text, place);
      } catch (error) {
        if (error instanceof SecretUnreadable) return undefined;
        throw error;
      }
    });
  }

  private eachSealed(
    target: Target,
    row: Row,
    change: (text: string, place: Place) => string | undefined,
  ): Row {
    const { target: entity, columns, tableName: table } = this.metadata(target);
    const sealed = sealedProperties((entity as { prototype: object }).prototype);
    const changed = { ...row };
    for (const { propertyName, databaseName: column } of columns) {
      const text: unknown = row[propertyName];
      if (sealed.includes(propertyName) && typeof text === 'string' && text !== '')
        changed[propertyName] = change(text, { table, column, id: String(row['id']) });
    }
    return changed;
  }
}

type Place = Parameters<SecretBox['seal']>[1];

/** The values of the key of a row here. */
export function keyOf(table: TargetTable, row: Row): unknown[] {
  return table.keyHere.map((name) => row[name] as unknown);
}

/** Splits rows so that each statement stays small. */
function* portions(rows: readonly Row[]): Generator<Row[]> {
  let [some, length]: [Row[], number] = [[], 0];
  for (const row of rows) {
    some.push(row);
    length += lengthOf(row);
    if (length < MAX_STATEMENT_LENGTH) continue;
    yield some;
    [some, length] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** The approximate length of a row in a statement. Only posts can be long. */
function lengthOf({ message, props }: Partial<TargetRows['Post']>): number {
  return 512 + (message?.length ?? 0) + JSON.stringify(props ?? {}).length;
}
