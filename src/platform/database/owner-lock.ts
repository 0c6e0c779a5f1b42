import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { makeFolder } from '../common/files.js';
import type { Settings } from '../config/settings.js';
import { beginSession, type MysqlSession } from './mysql-session.js';
import { PeriodicTask } from './periodic-task.js';
import { applyTimeouts, CONNECTION_LIMITS, type MysqlConnection } from './connection-timeouts.js';
import { SqliteDatabase, SqliteError } from './sqlite/sqlite-database.js';

const WAIT_SECONDS = 3;
const CHECK_INTERVAL_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;
const MAX_STALE_CONNECTIONS = 64;

/** Another process already serves this database. The message is shown to the person who started this one. */
export class DatabaseOwned extends Error {
  constructor(what: string) {
    super(`Another Hookline process already serves ${what}. One process owns the data; stop that one first.`);
  }
}

/**
 * Held by the one process that owns the data (docs/architecture.md#one-process-owns-the-data). The database or the
 * kernel releases it when the process ends.
 */
export abstract class OwnerLock {
  /** False while it is unknown whether this process still holds the lock: nothing may be written then. */
  abstract readonly isHeld: boolean;
  abstract release(): Promise<void>;
}

/**
 * Takes the lock on the configured database, before migrations run. Throws DatabaseOwned if another process holds it.
 * `onLost` is called if this process loses the lock later and another one takes it.
 */
export async function takeOwnerLock(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  onLost: (reason: Error) => void,
): Promise<OwnerLock> {
  return settings.databaseUrl === undefined
    ? takeFileLock(settings.dataDir)
    : MysqlOwnerLock.take(settings.databaseUrl, onLost);
}

function takeFileLock(dataDir: string): OwnerLock {
  makeFolder(dataDir, 0o700);
  const database = new SqliteDatabase(join(dataDir, 'hookline.lock'), { timeout: WAIT_SECONDS * 1000 });
  try {
    database.exec('BEGIN EXCLUSIVE'); // a kernel lock on the file: it cannot outlive the process
  } catch (error) {
    database.close();
    if (error instanceof SqliteError && error.code === 'SQLITE_BUSY')
      throw new DatabaseOwned(`the data folder ${dataDir}`);
    throw error;
  }
  return { isHeld: true, release: () => Promise.resolve(database.close()) };
}

/** The database's answer to a connection that requested the lock. */
export interface LockAnswer {
  /** 1 if the connection now holds the lock. */
  readonly taken: number | null;
  /** The connection that holds it. */
  readonly owner: number | null;
}

/** Who holds the lock. `stale`: a lost connection of this process, which the database has not closed yet. */
export type LockHolder = 'self' | 'nobody' | 'stale' | 'other';

/** Who holds the lock after a request for it. `isOurs` recognizes lost connections of this process. */
export function lockHolder({ taken, owner }: LockAnswer, isOurs: (threadId: number) => boolean): LockHolder {
  if (taken === 1) return 'self';
  if (owner === null) return 'nobody';
  return isOurs(owner) ? 'stale' : 'other';
}

/** `GET_LOCK` on a dedicated connection, taken again after a restart of the database server. */
class MysqlOwnerLock extends OwnerLock {
  private readonly logger = new Logger('OwnerLock');
  private connection: Connection | undefined;
  /**
   * Connections of ours that the database may still consider open, with the time each was last known to be: lost ones,
   * and ones that may have got the lock although the answer was lost.
   */
  private readonly staleConnections = new Map<number, number>();
  private readonly checks = new PeriodicTask('OwnerLock', 'The owner lock cannot be checked.', () =>
    this.check(),
  );
  private isReleased = false;

  private constructor(
    private readonly url: URL,
    private readonly lockName: string,
    private readonly onLost: (reason: Error) => void,
  ) {
    super();
  }

  static async take(databaseUrl: string, onLost: (reason: Error) => void): Promise<MysqlOwnerLock> {
    const url = new URL(databaseUrl.replace(/^mariadb:/, 'mysql:'));
    const database = decodeURIComponent(url.pathname.slice(1));
    const lock = new MysqlOwnerLock(url, `hookline:${database}`.slice(0, 64), onLost);
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

  async release(): Promise<void> {
    this.isReleased = true;
    void this.checks.stop(); // not awaited: a running check may be waiting for an unreachable database
    const { connection } = this;
    this.connection = undefined;
    await connection?.end().catch(() => connection.destroy());
  }

  private async acquire(): Promise<void> {
    const connection = await createConnection({
      uri: this.url.href,
      connectTimeout: 5_000,
      enableKeepAlive: true,
    });
    const onEnd = (): void => this.handleLoss(connection);
    connection.on('error', onEnd);
    connection.on('end', onEnd);
    const { connection: session } = connection as unknown as { connection: MysqlConnection & MysqlSession };
    beginSession(session);
    applyTimeouts(session);
    this.remember(connection.threadId);
    try {
      await this.takeLock(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    if (this.isReleased) return connection.destroy();
    this.connection = connection;
  }

  private async takeLock(connection: Connection): Promise<void> {
    const request = async (): Promise<LockHolder> => {
      const [rows] = await connection.query('SELECT GET_LOCK(?, ?) AS taken, IS_USED_LOCK(?) AS owner', [
        this.lockName,
        WAIT_SECONDS,
        this.lockName,
      ]);
      const [answer = { taken: null, owner: null }] = rows as LockAnswer[];
      return lockHolder(answer, (threadId) => this.isStale(threadId));
    };
    let holder = await request();
    if (holder === 'nobody') holder = await request(); // released between GET_LOCK and IS_USED_LOCK
    if (holder === 'self') return;
    if (holder === 'other')
      throw new DatabaseOwned(`the database ${this.url.pathname.slice(1)} on ${this.url.host}`);
    throw new Error(
      holder === 'nobody'
        ? 'The database does not grant the owner lock, though nobody holds it.'
        : 'The database has not closed our lost connection yet.',
    );
  }

  private remember(threadId: number): void {
    this.staleConnections.delete(threadId);
    this.staleConnections.set(threadId, performance.now());
    const [oldest] = this.staleConnections.keys();
    if (this.staleConnections.size > MAX_STALE_CONNECTIONS && oldest !== undefined)
      this.staleConnections.delete(oldest);
  }

  /** Whether it is a lost connection of ours: the database keeps it until it notices the loss. */
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
      if (connection) {
        await connection
          .query({ sql: 'SELECT 1', timeout: ANSWER_TIMEOUT_MS })
          .catch(() => this.handleLoss(connection));
      }
      if (!this.connection) await this.acquire(); // fails until the server has closed our old connection
    } catch (error) {
      if (error instanceof DatabaseOwned) this.onLost(error);
      else this.logger.debug(`The owner lock is not held yet: ${(error as Error).message}`);
    }
  }
}
