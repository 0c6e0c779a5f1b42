import { Logger } from '@nestjs/common';
import type { Connection } from 'mysql2/promise';
import { Clock } from '../common/clock.js';
import { DatabaseClock } from './database-clock.js';
import { DatabaseOwned } from './database-owned.js';
import type { LockClaim, LockedDatabase } from './lock-claims.js';
import { CONNECTION_LIMITS, connectToMysql, mysqlUrl } from './mysql-session.js';
import { NamedLocks } from './named-locks.js';
import type { OwnerLock } from './owner-lock.js';
import { PeriodicTask } from './periodic-task.js';

const CHECK_INTERVAL_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;
const MAX_STALE_CONNECTIONS = 64;

/** `GET_LOCK` on a dedicated connection, taken again after a restart of the database server. */
export class MysqlOwnerLock implements OwnerLock {
  readonly clock: Clock;
  private readonly logger = new Logger('OwnerLock');
  private connection: Connection | undefined;
  /**
   * Our connections that the database may still consider open, with the last time each was known to be: lost
   * ones, and ones that may have acquired the lock although the answer was lost.
   */
  private readonly staleConnections = new Map<number, number>();
  private readonly checks = new PeriodicTask('OwnerLock', 'The owner lock cannot be checked.', () =>
    this.check(),
  );
  private readonly databaseClock: DatabaseClock | undefined;
  private isReleased = false;

  private constructor(
    private readonly url: URL,
    private readonly claim: LockClaim,
    private readonly onLost: (reason: Error) => void,
  ) {
    this.databaseClock = claim.isShared ? new DatabaseClock() : undefined;
    this.clock = this.databaseClock ?? new Clock();
  }

  static async take(
    databaseUrl: string,
    onLost: (reason: Error) => void,
    claimOf: (database: LockedDatabase) => LockClaim,
  ): Promise<MysqlOwnerLock> {
    const url = new URL(mysqlUrl(databaseUrl));
    const database = { name: decodeURIComponent(url.pathname.slice(1)), host: url.host };
    const lock = new MysqlOwnerLock(url, claimOf(database), onLost);
    try {
      await lock.acquire();
    } catch (error) {
      await lock.release();
      throw error;
    }
    lock.checks.start(CHECK_INTERVAL_MS);
    return lock;
  }

  get isHeld(): boolean {
    return this.connection !== undefined;
  }

  get slot(): number | undefined {
    return this.claim.slot;
  }

  async started(): Promise<void> {
    const { connection } = this;
    // If it was just lost, the new connection must not take locks that only a start needs.
    await this.claim.started(connection && this.locksOf(connection));
  }

  async release(): Promise<void> {
    this.isReleased = true;
    void this.checks.stop(); // not awaited: a running check may be waiting for an unreachable database
    const { connection } = this;
    this.connection = undefined;
    await connection?.end().catch(() => connection.destroy());
  }

  private async acquire(): Promise<void> {
    const connection = await connectToMysql(this.url.href, {}, false);
    const onEnd = (): void => this.handleLoss(connection);
    connection.on('error', onEnd);
    connection.on('end', onEnd);
    this.remember(connection.threadId);
    try {
      const locks = this.locksOf(connection);
      await this.claim.take(locks);
      await this.readClock(locks);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    if (this.isReleased) return connection.destroy();
    this.connection = connection;
  }

  private locksOf(connection: Connection): NamedLocks {
    return new NamedLocks(connection, (threadId) => this.isStale(threadId));
  }

  private async readClock(locks: NamedLocks): Promise<void> {
    const read = (): Promise<number> => locks.time(ANSWER_TIMEOUT_MS);
    await (this.databaseClock?.follow(read) ?? read());
  }

  private remember(threadId: number): void {
    this.staleConnections.delete(threadId);
    this.staleConnections.set(threadId, performance.now());
    const [oldest] = this.staleConnections.keys();
    if (this.staleConnections.size > MAX_STALE_CONNECTIONS && oldest !== undefined)
      this.staleConnections.delete(oldest);
  }

  /** Whether this is one of our lost connections, which the database keeps until it notices the loss. */
  private isStale(threadId: number): boolean {
    const knownAt = this.staleConnections.get(threadId);
    const maxStaleMs = 2 * CONNECTION_LIMITS.maxIdleSeconds * 1_000;
    return knownAt !== undefined && performance.now() - knownAt < maxStaleMs;
  }

  /** Clears `isHeld`: nothing is written until the lock is taken again. */
  private handleLoss(connection: Connection): void {
    connection.destroy();
    if (this.isReleased || this.connection !== connection) return;
    this.connection = undefined;
    this.remember(connection.threadId);
    this.logger.warn('The connection that holds the owner lock was lost; taking it again.');
    void this.checks.run();
  }

  private async check(): Promise<void> {
    try {
      const { connection } = this;
      if (connection) await this.readClock(this.locksOf(connection)).catch(() => this.handleLoss(connection));
      if (!this.connection) await this.acquire(); // fails until the server has closed our old connection
    } catch (error) {
      if (error instanceof DatabaseOwned) this.onLost(error);
      else this.logger.debug(`The owner lock is not held yet: ${(error as Error).message}`);
    }
  }
}
