import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { QueryResult } from 'typeorm/query-runner/QueryResult.js';
import { type DataSource, QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { loopTurn } from '../../common/loop-turn.js';
import { ConnectionLock } from './connection-lock.js';
import type { SqliteDatabase, SqliteStatement } from './sqlite-database.js';

const LOCK_TIMEOUT_MS = 15_000;

const locks = new WeakMap<BetterSqlite3Driver, ConnectionLock>();

/** The connection lock of a guarded driver. */
export const lockOf = (driver: BetterSqlite3Driver): ConnectionLock | undefined => locks.get(driver);

/**
 * A query runner per caller over the single connection of the embedded database.
 *
 * TypeORM shares one runner among all callers, so a failing transaction also rolls back the writes of others. Here a
 * transaction holds the connection from begin to end, and other callers wait. The engine answers at once, so callers give
 * way to other events when they have taken a while; not within a transaction, for which all others wait. A statement runs
 * at once, without the steps for subscribers, of which there are none: they took as long as the statement. What is written is
 * on the disk when a method resolves.
 */
export class GuardedQueryRunner extends BetterSqlite3QueryRunner {
  private unlock: (() => void) | undefined;
  /** Whether the last statement may have changed something. */
  private hasWritten = false;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly lock: ConnectionLock,
  ) {
    super(driver);
  }

  override async startTransaction(isolationLevel?: IsolationLevel): Promise<void> {
    this.unlock ??= await this.lock.acquire(LOCK_TIMEOUT_MS);
    try {
      await super.startTransaction(isolationLevel);
    } finally {
      this.settle();
    }
  }

  override async commitTransaction(): Promise<void> {
    try {
      await super.commitTransaction();
    } finally {
      this.settle();
    }
    if (!this.isTransactionActive) await this.database.flush(); // others may go on meanwhile
  }

  override async rollbackTransaction(): Promise<void> {
    try {
      await super.rollbackTransaction();
    } catch (error) {
      if (!isAlreadyRolledBack(error)) throw error; // on a full disk SQLite has already rolled back
      this.isTransactionActive = false;
      this.transactionDepth = 0;
    } finally {
      this.settle();
    }
  }

  override async query<R>(query: string, parameters?: unknown[], useStructuredResult?: boolean): Promise<R> {
    if (this.unlock) return this.runNow(query, parameters, useStructuredResult) as R;
    if (loopTurn.isLong) await loopTurn.next();
    const unlock = this.lock.isHeld ? await this.lock.acquire(LOCK_TIMEOUT_MS) : undefined;
    let answer: unknown;
    try {
      answer = this.runNow(query, parameters, useStructuredResult);
    } finally {
      unlock?.();
    }
    if (this.hasWritten) await this.database.flush();
    return answer as R;
  }

  override async release(): Promise<void> {
    while (this.isTransactionActive) await this.rollbackTransaction();
    this.settle();
    this.isReleased = true;
  }

  private runNow(query: string, parameters: unknown[] = [], useStructuredResult = false): unknown {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    const { logger } = this.driver.dataSource;
    logger.logQuery(query, parameters, this);
    try {
      const statement = this.database.prepared(query, parameters.length);
      this.hasWritten = !statement.reader;
      const result = answerOf(statement, parameters);
      return useStructuredResult ? result : (result.raw as unknown);
    } catch (error) {
      logger.logQueryError(error as Error, query, parameters, this);
      throw new QueryFailedError(query, parameters, error as Error);
    }
  }

  private get database(): SqliteDatabase {
    return this.driver.databaseConnection as SqliteDatabase;
  }

  private settle(): void {
    if (this.isTransactionActive) return;
    this.unlock?.();
    this.unlock = undefined;
  }
}

/** Makes `dataSource` create guarded query runners. Call it before `initialize()`. */
export function guardSqliteRunners(dataSource: DataSource): void {
  const { driver } = dataSource;
  if (!(driver instanceof BetterSqlite3Driver)) return;
  const lock = new ConnectionLock();
  locks.set(driver, lock);
  driver.createQueryRunner = () => new GuardedQueryRunner(driver, lock);
  const outside = driver.createQueryRunner('master');
  dataSource.query = (query, parameters, runner = outside) => runner.query(query, parameters);
}

/** As TypeORM wants it. */
function answerOf(statement: SqliteStatement, parameters: readonly unknown[]): QueryResult {
  const result = new QueryResult();
  if (statement.reader) {
    result.records = statement.all(...parameters);
    result.raw = result.records;
  } else {
    const { changes, lastInsertRowid } = statement.run(...parameters);
    result.affected = Number(changes);
    result.raw = lastInsertRowid;
  }
  return result;
}

function isAlreadyRolledBack(error: unknown): boolean {
  return error instanceof Error && error.message.includes('no transaction is active');
}
