import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { DataSource } from 'typeorm';
import { loopTurn } from '../../common/loop-turn.js';
import { ConnectionLock } from './sqlite-database.js';

const LOCK_TIMEOUT_MS = 15_000;
const locks = new WeakMap<BetterSqlite3Driver, ConnectionLock>();

/** The connection lock of a guarded driver. */
export const lockOf = (driver: BetterSqlite3Driver): ConnectionLock | undefined => locks.get(driver);

/**
 * A query runner per caller over the single connection of the embedded database. TypeORM shares one runner
 * among all callers, so a failing transaction would also roll back writes of others. Here a transaction has
 * the connection to itself, and other callers wait.
 */
class GuardedQueryRunner extends BetterSqlite3QueryRunner {
  private unlock: (() => void) | undefined;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly lock: ConnectionLock,
  ) {
    super(driver);
  }

  override async startTransaction(isolationLevel?: IsolationLevel): Promise<void> {
    this.unlock ??= await this.lock.acquire(LOCK_TIMEOUT_MS);
    await super.startTransaction(isolationLevel).finally(() => this.settle());
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction().finally(() => this.settle());
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

  // TypeORM types the result as `any`.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  override async query(...query: Parameters<BetterSqlite3QueryRunner['query']>): Promise<any> {
    if (this.unlock) return super.query(...query);
    if (loopTurn.isLong) await loopTurn.next();
    const unlock = await this.lock.acquire(LOCK_TIMEOUT_MS);
    return super.query(...query).finally(unlock);
  }

  override async release(): Promise<void> {
    while (this.isTransactionActive) await this.rollbackTransaction();
    this.settle();
    this.isReleased = true;
  }

  private settle(): void {
    if (this.isTransactionActive) return;
    this.unlock?.();
    this.unlock = undefined;
  }
}

/** Makes `dataSource` create guarded query runners. Call it before `initialize()`. */
export function guardSqliteRunners({ driver }: DataSource): void {
  if (!(driver instanceof BetterSqlite3Driver)) return;
  const lock = new ConnectionLock();
  locks.set(driver, lock);
  driver.createQueryRunner = () => new GuardedQueryRunner(driver, lock);
}

function isAlreadyRolledBack(error: unknown): boolean {
  return error instanceof Error && error.message.includes('no transaction is active');
}
