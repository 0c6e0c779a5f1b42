import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { makeFolder } from '../common/files.js';
import type { Settings } from '../config/settings.js';
import { guardAgainstSilence, MAX_IDLE_SECONDS, type MysqlConnection } from './silence-guard.js';
import { SqliteDatabase, SqliteError } from './sqlite/sqlite-database.js';

const WAIT_SECONDS = 3;
const CHECK_INTERVAL_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;
const GHOST_MS = 2 * MAX_IDLE_SECONDS * 1_000;

/** Another process serves this database already. The message is the sentence for the person who started us. */
export class DatabaseOwned extends Error {
  constructor(what: string) {
    super(`Another Hookline process already serves ${what}. One process owns the data; stop that one first.`);
  }
}

/** Held by the one process that owns the data (design section 3); the database or the kernel frees it with the process. */
export abstract class OwnerLock {
  /** False while nobody can tell whether the data is still ours: nothing may be written then. */
  abstract readonly isHeld: boolean;
  abstract release(): Promise<void>;
}

/**
 * Takes the lock of the database that the settings name, before migrations run. Throws DatabaseOwned when another
 * process holds it. `onLost` is called if the lock was lost later and somebody else has it now.
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
    database.exec('BEGIN EXCLUSIVE'); // a lock of the kernel on the file: it cannot outlive the process
  } catch (error) {
    database.close();
    if (error instanceof SqliteError && error.code === 'SQLITE_BUSY')
      throw new DatabaseOwned(`the data folder ${dataDir}`);
    throw error;
  }
  return { isHeld: true, release: () => Promise.resolve(database.close()) };
}

/** `GET_LOCK` on a connection of its own, taken again when the server comes back after a restart. */
class MysqlOwnerLock extends OwnerLock {
  private readonly logger = new Logger('OwnerLock');
  private connection: Connection | undefined;
  /** The connection that we lost; the database may not have missed it yet. */
  private ghost: { readonly threadId: number; readonly lostAt: number } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
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
    lock.timer = setInterval(() => void lock.check(), CHECK_INTERVAL_MS).unref();
    return lock;
  }

  get isHeld(): boolean {
    return this.connection !== undefined;
  }

  async release(): Promise<void> {
    this.isReleased = true;
    clearInterval(this.timer);
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
    const onEnd = (): void => this.lose(connection);
    connection.on('error', onEnd);
    connection.on('end', onEnd);
    guardAgainstSilence((connection as unknown as { connection: MysqlConnection }).connection);
    const [rows] = await connection.query('SELECT GET_LOCK(?, ?) AS taken, IS_USED_LOCK(?) AS owner', [
      this.lockName,
      WAIT_SECONDS,
      this.lockName,
    ]);
    const [row] = rows as { taken: number | null; owner: number | null }[];
    if (row?.taken !== 1) {
      connection.destroy();
      if (this.isGhost(row?.owner)) throw new Error('The database has not missed our lost connection yet.');
      throw new DatabaseOwned(`the database ${this.url.pathname.slice(1)} on ${this.url.host}`);
    }
    this.connection = connection;
  }

  /** Whether the lock is held by the connection that we lost: until its end is noticed there. */
  private isGhost(threadId: number | null | undefined): boolean {
    const { ghost } = this;
    return ghost?.threadId === threadId && performance.now() - (ghost?.lostAt ?? 0) < GHOST_MS;
  }

  /** From here on nothing is written until the lock is ours again. */
  private lose(connection: Connection): void {
    connection.destroy();
    if (this.isReleased || this.connection !== connection) return;
    this.connection = undefined;
    this.ghost = { threadId: connection.threadId, lostAt: performance.now() };
    this.logger.warn('The connection that holds the owner lock was lost; taking it again.');
    void this.check();
  }

  private async check(): Promise<void> {
    if (this.isChecking || this.isReleased) return;
    this.isChecking = true;
    try {
      const { connection } = this;
      if (connection) {
        await connection
          .query({ sql: 'SELECT 1', timeout: ANSWER_TIMEOUT_MS })
          .catch(() => this.lose(connection));
      }
      if (!this.connection) await this.acquire(); // the server may need a moment to miss our old one
    } catch (error) {
      if (error instanceof DatabaseOwned) this.onLost(error);
      else this.logger.debug('The database is still away.');
    } finally {
      this.isChecking = false;
    }
  }
}
