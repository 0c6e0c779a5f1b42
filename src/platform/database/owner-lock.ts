import { join } from 'node:path';
import { Clock } from '../common/clock.js';
import { makeFolder } from '../common/files.js';
import type { Settings } from '../config/settings.js';
import { DatabaseOwned } from './database-owned.js';
import { AloneClaim, SlotClaim } from './lock-claims.js';
import { MysqlOwnerLock } from './mysql-owner-lock.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';
import { SqliteError } from './sqlite/sqlite-error.js';

const WAIT_MS = 3_000;

/**
 * Held by a process that may write the data: the only one, or with REDIS_URL one of several
 * (docs/architecture.md#who-owns-the-data). The database or the kernel releases it when the process ends.
 */
export abstract class OwnerLock {
  /** False while it is unknown whether this process still holds the lock: nothing may be written then. */
  abstract readonly isHeld: boolean;
  /** The number of this process among those that serve the database together; undefined if it is the only one. */
  abstract readonly slot: number | undefined;
  /** The time that all who may hold such a lock agree on. */
  abstract readonly clock: Clock;
  /** The server has started: another one may start. */
  abstract started(): Promise<void>;
  abstract release(): Promise<void>;
}

type LockSettings = Pick<Settings, 'databaseUrl' | 'dataDir'> & Partial<Pick<Settings, 'redisUrl'>>;

/**
 * Takes the lock on the configured database, before migrations run; with REDIS_URL, it waits for others that are
 * starting. Throws DatabaseOwned if this process may not serve the database beside those that do. `onLost` is called if
 * this process loses the lock later and another one takes it.
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

/** The same for a command that needs the data for itself, whether or not servers have REDIS_URL. */
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
