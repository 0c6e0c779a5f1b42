import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import { foldedPosition, POSITION_FUNCTION } from '../folded-text.js';

/** An SQLite error, with the symbolic `code` that TypeORM and database-errors.ts expect. */
export class SqliteError extends Error {
  constructor(
    message: string,
    readonly code: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'SqliteError';
  }
}

type Parameter = null | number | bigint | string | Uint8Array;

const SYMBOLIC_CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
  1034: 'SQLITE_IOERR_FSYNC',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};
/** Prepared statements kept. Long ones, with id lists, use 200 bytes per parameter that V8 does not track. */
const MAX_PREPARED = 1_000;
const MAX_PREPARED_LENGTH = 4_096;

/** The subset of better-sqlite3's Database that TypeORM uses, on an engine that needs no compiler. */
export class SqliteDatabase {
  private readonly db: DatabaseSyncInstance;
  private readonly statements = new LRUCache<string, SqliteStatement>({ max: MAX_PREPARED });

  constructor(path: string, { readonly = false, timeout = 5_000 } = {}) {
    this.db = translateErrors(() => new DatabaseSync(path, { readOnly: readonly, timeout }));
    this.db.function(POSITION_FUNCTION, { deterministic: true }, foldedPosition);
  }

  /** Returns a cached prepared statement; TypeORM's own cache lives no longer than a query runner. */
  prepare(sql: string): SqliteStatement {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = translateErrors(() => new SqliteStatement(this.db.prepare(sql), this));
    if (sql.length <= MAX_PREPARED_LENGTH) this.statements.set(sql, statement);
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

  /** Checkpoints the write-ahead log, so that a single file remains, and closes the database. */
  close(): void {
    this.statements.clear();
    try {
      this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk or another reader: the log file remains, and nothing is lost.
    }
    this.db.close();
  }
}

/** A prepared statement. Its reference keeps the database from being garbage-collected. */
export class SqliteStatement {
  readonly reader: boolean;

  constructor(
    private readonly statement: StatementSyncInstance,
    readonly database: SqliteDatabase,
  ) {
    this.reader = statement.columns().length > 0;
  }

  all(...parameters: unknown[]): unknown[] {
    return translateErrors((): unknown[] => this.statement.all(...parameters.map(toParameter)));
  }

  get(...parameters: unknown[]): unknown {
    return translateErrors((): unknown => this.statement.get(...parameters.map(toParameter)));
  }

  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return translateErrors(() => this.statement.run(...parameters.map(toParameter)));
  }
}

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
