import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { makeFolder } from '../common/files.js';
import type { Settings } from '../config/settings.js';
import { PeriodicTask } from './periodic-task.js';
import { guardAgainstSilence, MAX_IDLE_SECONDS, type MysqlConnection } from './silence-guard.js';
import { SqliteDatabase, SqliteError } from './sqlite/sqlite-database.js';

const WAIT_SECONDS = 3;
const CHECK_INTERVAL_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;
const GHOST_MS = 2 * MAX_IDLE_SECONDS * 1_000;
const MAX_GHOSTS = 64;

/** Another process serves this database already. The message is the sentence for the person who started us. */
export class DatabaseOwned extends Error {
  constructor(what: string) {
    super(`Another Hookline process already serves ${what}. One process owns the data; stop that one first.`);
  }
}

/**
 * Held by the one process that owns the data (docs/architecture.md#one-process-owns-the-data); the database or the
 * kernel frees it with the process.
 */
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

/** What the database says of the lock, to a connection that has asked for it. */
export interface LockAnswer {
  /** 1 when the connection has it now. */
  readonly taken: number | null;
  /** The connection that has it. */
  readonly owner: number | null;
}

/** Whose the lock is. A lock that is nobody's, or that a lost connection of ours still has, can be asked for again. */
export function judgeLock(
  { taken, owner }: LockAnswer,
  isOurs: (threadId: number) => boolean,
): 'taken' | 'free' | 'ghost' | 'stranger' {
  if (taken === 1) return 'taken';
  if (owner === null) return 'free';
  return isOurs(owner) ? 'ghost' : 'stranger';
}

/** `GET_LOCK` on a connection of its own, taken again when the server comes back after a restart. */
class MysqlOwnerLock extends OwnerLock {
  private readonly logger = new Logger('OwnerLock');
  private connection: Connection | undefined;
  /**
   * Our connections that the database may not have missed yet, and when we knew each last: those that we lost, and those
   * that have asked for the lock and may have got it, though the answer was lost.
   */
  private readonly ghosts = new Map<number, number>();
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
    void this.checks.stop(); // a check under way may wait for a database that is away
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
    this.remember(connection.threadId);
    try {
      await this.takeOn(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    if (this.isReleased) return connection.destroy();
    this.connection = connection;
  }

  private async takeOn(connection: Connection): Promise<void> {
    const judge = async (): Promise<ReturnType<typeof judgeLock>> => {
      const [rows] = await connection.query('SELECT GET_LOCK(?, ?) AS taken, IS_USED_LOCK(?) AS owner', [
        this.lockName,
        WAIT_SECONDS,
        this.lockName,
      ]);
      const [answer = { taken: null, owner: null }] = rows as LockAnswer[];
      return judgeLock(answer, (threadId) => this.isGhost(threadId));
    };
    let verdict = await judge();
    if (verdict === 'free') verdict = await judge(); // it was given back between the two questions
    if (verdict === 'taken') return;
    if (verdict === 'stranger')
      throw new DatabaseOwned(`the database ${this.url.pathname.slice(1)} on ${this.url.host}`);
    throw new Error(
      verdict === 'free'
        ? 'The database gives the owner lock to nobody.'
        : 'The database has not missed our lost connection yet.',
    );
  }

  private remember(threadId: number): void {
    this.ghosts.delete(threadId);
    this.ghosts.set(threadId, performance.now());
    const [oldest] = this.ghosts.keys();
    if (this.ghosts.size > MAX_GHOSTS && oldest !== undefined) this.ghosts.delete(oldest);
  }

  /** Whether it is a connection of ours that is lost: the database keeps it until its end is noticed there. */
  private isGhost(threadId: number): boolean {
    const knownAt = this.ghosts.get(threadId);
    return knownAt !== undefined && performance.now() - knownAt < GHOST_MS;
  }

  /** From here on nothing is written until the lock is ours again. */
  private lose(connection: Connection): void {
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
          .catch(() => this.lose(connection));
      }
      if (!this.connection) await this.acquire(); // the server may need a moment to miss our old one
    } catch (error) {
      if (error instanceof DatabaseOwned) this.onLost(error);
      else this.logger.debug(`The owner lock is still away: ${(error as Error).message}`);
    }
  }
}
