import { join } from 'node:path';
import { Clock } from '../common/clock.js';
import { makeFolder } from '../common/files.js';
import type { Settings } from '../config/settings.js';
import { DatabaseOwned } from './database-owned.js';
import { AloneClaim, SlotClaim } from './lock-claims.js';
import { MysqlOwnerLock } from './mysql-owner-lock.js';
import { SqliteDatabase, SqliteError } from './sqlite/sqlite-database.js';

const WAIT_MS = 3_000;

/**
 * Held by a process that may write to the database: the only one, or with REDIS_URL one of several
 * (docs/architecture.md#who-owns-the-data). Released by the database or the kernel when the process ends.
 */
export abstract class OwnerLock {
  /** False while it is unknown whether this process still has the lock; nothing may be written then. */
  abstract readonly isHeld: boolean;
  /** The number of this process among those that share the database; undefined if it is alone. */
  abstract readonly slot: number | undefined;
  /** The clock that all processes on this database agree on. */
  abstract readonly clock: Clock;
  /** Called once the server has started, so that the next one may start. */
  abstract started(): Promise<void>;
  abstract release(): Promise<void>;
}

type LockSettings = Pick<Settings, 'databaseUrl' | 'dataDir'> & Partial<Pick<Settings, 'redisUrl'>>;

/**
 * Takes the lock on the configured database, before migrations run; with REDIS_URL, waits for other processes
 * that are starting. Throws DatabaseOwned if this process may not run alongside those that serve the
 * database. Calls `onLost` if the lock is lost later and another process takes it.
 */
export async function takeOwnerLock(
  settings: LockSettings,
  onLost: (reason: Error) => void,
): Promise<OwnerLock> {
  const { databaseUrl, redisUrl, dataDir } = settings;
  if (databaseUrl === undefined) return takeFileLock(dataDir);
  const remedy = 'Stop all of them first, or set the same REDIS_URL for this one.';
  return MysqlOwnerLock.take(databaseUrl, onLost, (database) =>
    redisUrl === undefined ? new AloneClaim(database, remedy) : new SlotClaim(database),
  );
}

/** Takes the lock for a command that needs exclusive access, with or without REDIS_URL. */
export async function takeOwnerLockAlone(settings: LockSettings): Promise<OwnerLock> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === undefined) return takeFileLock(dataDir);
  const onLost = (reason: Error): void => {
    throw reason;
  };
  const remedy = 'Stop all of them first.';
  return MysqlOwnerLock.take(databaseUrl, onLost, (database) => new AloneClaim(database, remedy));
}

function takeFileLock(dataDir: string): OwnerLock {
  makeFolder(dataDir, 0o700);
  const database = new SqliteDatabase(join(dataDir, 'hookline.lock'), { timeout: WAIT_MS });
  try {
    database.exec('BEGIN EXCLUSIVE'); // a kernel lock on the file: it cannot outlive the process
  } catch (error) {
    database.close();
    if (error instanceof SqliteError && error.code === 'SQLITE_BUSY')
      throw DatabaseOwned.byOne(`the data folder ${dataDir}`);
    throw error;
  }
  return {
    isHeld: true,
    slot: undefined,
    clock: new Clock(),
    started: () => Promise.resolve(),
    release: () => Promise.resolve(database.close()),
  };
}
