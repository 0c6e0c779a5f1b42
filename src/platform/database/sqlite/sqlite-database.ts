import { compileFunction } from 'node:vm';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { foldedPosition, POSITION_FUNCTION } from '../folded-text.js';
import { LogFlush } from './log-flush.js';
import { SqliteError } from './sqlite-error.js';

type Parameter = null | number | bigint | string | Uint8Array;

const SYMBOLIC_CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

/** How many statements stay prepared: their text differs only by the number of rows and words. */
const MAX_PREPARED = 1_000;
/**
 * What has more parameters, such as a list of ids, is prepared each time: the engine takes 200 bytes for each, which V8 does
 * not know of, so what is dropped after a while would fill the memory.
 */
const MAX_PARAMETERS = 100;

/** The part of better-sqlite3's Database that TypeORM uses, on an engine that needs no compiler to install. */
export class SqliteDatabase {
  private readonly db: DatabaseSyncInstance;
  /** The one used last comes last. */
  private readonly statements = new Map<string, SqliteStatement>();
  private log: LogFlush | undefined;

  constructor(
    private readonly path: string,
    options?: { readonly?: boolean; timeout?: number },
  ) {
    this.db = translateErrors(
      () =>
        new DatabaseSync(path, { readOnly: options?.readonly ?? false, timeout: options?.timeout ?? 5000 }),
    );
    this.db.function(POSITION_FUNCTION, { deterministic: true }, foldedPosition);
  }

  prepare(sql: string): SqliteStatement {
    return translateErrors(() => new SqliteStatement(this.db.prepare(sql), this));
  }

  /** A statement that stays prepared for as long as it is used often, unless it has many parameters. */
  prepared(sql: string, parameterCount: number): SqliteStatement {
    if (parameterCount > MAX_PARAMETERS) return this.prepare(sql);
    const { statements } = this;
    const statement = statements.get(sql) ?? this.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.size > MAX_PREPARED ? statements.keys() : [];
    if (oldest !== undefined) statements.delete(oldest);
    return statement;
  }

  exec(sql: string): this {
    translateErrors(() => this.db.exec(sql));
    return this;
  }

  pragma(text: string, options?: { simple?: boolean }): unknown {
    const rows = this.prepare(`PRAGMA ${text}`).all() as Record<string, unknown>[];
    return options?.simple ? Object.values(rows[0] ?? {})[0] : rows;
  }

  /**
   * Makes commits durable by `flush` instead of by themselves. A file system that cannot have a write-ahead log leaves it to
   * the commits.
   */
  flushApart(): void {
    const hasLog = this.pragma('journal_mode = WAL', { simple: true }) === 'wal';
    this.pragma(`synchronous = ${hasLog ? 'NORMAL' : 'FULL'}`);
    if (hasLog) this.log = new LogFlush(`${this.path}-wal`, () => this.writeBack());
  }

  /** Resolves once all that is committed is on the disk. Throws SqliteError if that is unknown. */
  flush(): Promise<void> {
    return this.log ? this.log.flush() : Promise.resolve();
  }

  /** Checkpoints the write-ahead log, so that a single file remains, and closes the database. */
  close(): void {
    try {
      this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk or another reader: the log file remains, and nothing is lost.
    }
    this.log?.close();
    this.db.close();
  }

  private writeBack(): void {
    const [done] = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as { readonly busy: number }[];
    if (done?.busy !== 0) throw new Error('the log is being read');
  }
}

/**
 * A prepared statement. Its reference keeps the database from being garbage-collected. Rows come as arrays: the objects that
 * the engine makes are twice as slow to make, and to copy or write as JSON.
 */
export class SqliteStatement {
  readonly reader: boolean;
  private makeRow: RowMaker;
  private width: number;

  constructor(
    private readonly statement: StatementSyncInstance,
    readonly database: SqliteDatabase,
  ) {
    const names = namesOf(statement);
    this.width = names.length;
    this.makeRow = rowMaker(names);
    this.reader = names.length > 0;
    if (this.reader) statement.setReturnArrays(true);
  }

  all(...parameters: unknown[]): unknown[] {
    const rows = translateErrors(() => this.statement.all(...parameters.map(toParameter)) as unknown[][]);
    return rows.map((values) => this.rowOf(values));
  }

  get(...parameters: unknown[]): unknown {
    const values = translateErrors(
      () => this.statement.get(...parameters.map(toParameter)) as unknown[] | undefined,
    );
    return values && this.rowOf(values);
  }

  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return translateErrors(() => this.statement.run(...parameters.map(toParameter)));
  }

  private rowOf(values: readonly unknown[]): Record<string, unknown> {
    if (values.length !== this.width) {
      this.width = values.length; // a migration has changed the table
      this.makeRow = rowMaker(namesOf(this.statement));
    }
    return this.makeRow(values);
  }
}

/** Makes an object of the values of a row. */
type RowMaker = (values: readonly unknown[]) => Record<string, unknown>;

/** A function with code of its own, as the driver of MySQL makes one: it knows the shape of its rows. */
function rowMaker(names: readonly string[]): RowMaker {
  const members = names.map((name, n) => `${JSON.stringify(name)}: values[${n}]`);
  return compileFunction(`return { ${members.join(', ')} };`, ['values']) as unknown as RowMaker;
}

const namesOf = (statement: StatementSyncInstance): string[] => statement.columns().map(({ name }) => name);

function toParameter(value: unknown): Parameter {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as Parameter;
}

function translateErrors<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = engineCode(error);
    if (code === undefined) throw error;
    throw new SqliteError(
      error instanceof Error ? error.message : String(error),
      SYMBOLIC_CODES[code] ?? SYMBOLIC_CODES[code & 0xff] ?? `SQLITE_${code}`,
    );
  }
}

function engineCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { errcode, sqliteExtendedCode, sqliteCode } = error as Record<string, unknown>;
  return [sqliteExtendedCode, errcode, sqliteCode].find((code): code is number => typeof code === 'number');
}
