import { createHash, randomInt } from 'node:crypto';
import { DatabaseOwned } from './database-owned.js';
import { SLOTS } from '../common/sequence.js';
import type { NamedLocks } from './named-locks.js';

const MAX_NAME_LENGTH = 64;
const WAIT_SECONDS = 3;
const START_WAIT_MS = 60_000;
const SLOT_NUMBERS = Array.from({ length: SLOTS }, (_, slot) => slot);

/** The locks that a process takes on its connection, and takes again after a reconnect. */
export interface LockClaim {
  /** Whether other processes may serve the database at the same time. */
  readonly isShared: boolean;
  /** The number of this process among those that share the database. */
  readonly slot: number | undefined;
  /** Throws DatabaseOwned if another process has a lock that this one needs. */
  take(locks: NamedLocks): Promise<void>;
  /** Called once the server has started, so that others may start. `locks`: of the open connection. */
  started(locks: NamedLocks | undefined): Promise<void>;
}

/** A MySQL database, as named in messages. */
export interface LockedDatabase {
  readonly name: string;
  readonly host: string;
}

const aloneLock = ({ name }: LockedDatabase): string => `hookline:${name}`.slice(0, MAX_NAME_LENGTH);
const sharedLock = ({ name }: LockedDatabase, of: string | number): string => {
  const whole = `hookline:${name}:${of}`;
  if (whole.length <= MAX_NAME_LENGTH) return whole;
  return `hookline:${createHash('sha256').update(name).digest('hex').slice(0, 40)}:${of}`;
};
const slotLock = (database: LockedDatabase, slot: number): string => sharedLock(database, slot);

const describe = ({ name, host }: LockedDatabase): string => `the database ${name} on ${host}`;

/** Exclusive access: a server without REDIS_URL, or a command that must be alone. */
export class AloneClaim implements LockClaim {
  readonly isShared = false;
  readonly slot = undefined;

  /** `remedy`: what to do when processes with REDIS_URL are running. */
  constructor(
    private readonly database: LockedDatabase,
    private readonly remedy: string,
  ) {}

  async take(locks: NamedLocks): Promise<void> {
    if (!(await locks.take(aloneLock(this.database), WAIT_SECONDS)))
      throw DatabaseOwned.byOne(describe(this.database));
    // After taking the lock: the others check it after taking theirs, so the second one sees the first.
    const slots = SLOT_NUMBERS.map((slot) => slotLock(this.database, slot));
    const used = SLOTS - (await locks.free(slots)).length;
    if (used > 0) throw DatabaseOwned.byMany(used, describe(this.database), this.remedy);
  }

  async started(): Promise<void> {
    // No other process can start.
  }
}

/** A claim of one of several processes with REDIS_URL, which start one at a time. */
export class SlotClaim implements LockClaim {
  readonly isShared = true;
  private hasStarted = false;
  private taken: number | undefined;

  constructor(private readonly database: LockedDatabase) {}

  get slot(): number | undefined {
    return this.taken;
  }

  async take(locks: NamedLocks): Promise<void> {
    if (!this.hasStarted) await this.takeStartLock(locks);
    if (this.taken === undefined) this.taken = await this.takeAny(locks);
    else if (!(await locks.take(slotLock(this.database, this.taken), WAIT_SECONDS)))
      throw DatabaseOwned.bySlot(this.taken, describe(this.database));
    if (!(await locks.isToBeHad(aloneLock(this.database), WAIT_SECONDS)))
      throw DatabaseOwned.byAlone(describe(this.database));
  }

  async started(locks: NamedLocks | undefined): Promise<void> {
    this.hasStarted = true;
    await locks?.release(this.startLock).catch(() => undefined); // without a connection the lock is free
  }

  private get startLock(): string {
    return sharedLock(this.database, 'start');
  }

  /** Waits while other processes start, but not forever for the same one. */
  private async takeStartLock(locks: NamedLocks): Promise<void> {
    if (this.taken !== undefined) {
      // The connection was lost during the start: another process may have begun the same work.
      if (!(await locks.take(this.startLock, 0))) throw DatabaseOwned.byStart(describe(this.database));
      return;
    }
    let holder: number | null = null;
    for (let since = performance.now(); performance.now() - since < START_WAIT_MS;) {
      const { taken, owner } = await locks.request(this.startLock, WAIT_SECONDS);
      if (taken === 1) return;
      if (owner !== holder) since = performance.now();
      holder = owner;
    }
    throw DatabaseOwned.byStart(describe(this.database));
  }

  /** Picks a random slot: one that was just in use may be reclaimed by its process. */
  private async takeAny(locks: NamedLocks): Promise<number> {
    const numberOf = new Map(SLOT_NUMBERS.map((slot) => [slotLock(this.database, slot), slot]));
    const free = [...(await locks.free([...numberOf.keys()]))];
    while (free.length > 0) {
      const [name = ''] = free.splice(randomInt(free.length), 1);
      if (await locks.take(name, 0)) return numberOf.get(name) as number;
    }
    throw DatabaseOwned.byAll(SLOTS, describe(this.database));
  }
}
