import type { Connection, RowDataPacket } from 'mysql2/promise';

/** The database's answer to a connection that requested a lock. */
export interface LockAnswer {
  /** 1 if the connection now holds the lock. */
  readonly taken: number | null;
  readonly owner: number | null;
}

/** The holder of a lock. `stale`: a lost connection of this process that the database has not closed yet. */
export type LockHolder = 'self' | 'nobody' | 'stale' | 'other';

/** Returns the holder of a lock after a request. `isOurs` recognizes lost connections of this process. */
export function lockHolder({ taken, owner }: LockAnswer, isOurs: (threadId: number) => boolean): LockHolder {
  if (taken === 1) return 'self';
  if (owner === null) return 'nobody';
  return isOurs(owner) ? 'stale' : 'other';
}

/** The named locks of a MySQL server, taken on one connection and held until it ends. */
export class NamedLocks {
  constructor(
    private readonly connection: Connection,
    private readonly isOurs: (threadId: number) => boolean,
  ) {}

  /** Takes the lock. Returns false if another process has it; throws if the answer is about to change. */
  async take(name: string, waitSeconds: number): Promise<boolean> {
    const request = async (): Promise<LockHolder> =>
      lockHolder(await this.request(name, waitSeconds), this.isOurs);
    let holder = await request();
    if (holder === 'nobody') holder = await request(); // released between GET_LOCK and IS_USED_LOCK
    if (holder === 'self' || holder === 'other') return holder === 'self';
    throw new Error(
      holder === 'nobody'
        ? 'The database does not grant the owner lock, although no process holds it.'
        : 'The database has not closed our lost connection yet.',
    );
  }

  async request(name: string, waitSeconds: number): Promise<LockAnswer> {
    const sql = 'SELECT GET_LOCK(?, ?) AS taken, IS_USED_LOCK(?) AS owner';
    const [rows] = await this.connection.query<RowDataPacket[]>(sql, [name, waitSeconds, name]);
    return (rows as LockAnswer[])[0] ?? { taken: null, owner: null };
  }

  /** Whether the lock can be acquired within `waitSeconds`. It is released at once. */
  async isToBeHad(name: string, waitSeconds: number): Promise<boolean> {
    const sql = 'SELECT IF(GET_LOCK(?, ?) = 1, RELEASE_LOCK(?), 0) AS was';
    const [rows] = await this.connection.query<RowDataPacket[]>(sql, [name, waitSeconds, name]);
    return rows[0]?.['was'] === 1;
  }

  async free(names: readonly string[]): Promise<readonly string[]> {
    const sql = `SELECT ${names.map(() => 'IS_FREE_LOCK(?)').join(',')}`;
    const [rows] = await this.connection.query<RowDataPacket[][]>({
      sql,
      values: [...names],
      rowsAsArray: true,
    });
    return names.filter((_, index) => (rows[0]?.[index] as unknown) === 1);
  }

  async release(name: string): Promise<void> {
    await this.connection.query('DO RELEASE_LOCK(?)', [name]);
  }

  /** The database time in milliseconds since the epoch. Fails if there is no answer in time. */
  async time(timeoutMs: number): Promise<number> {
    const sql = 'SELECT UNIX_TIMESTAMP(NOW(3)) AS seconds';
    const [rows] = await this.connection.query<RowDataPacket[]>({ sql, timeout: timeoutMs });
    return Math.round(Number(rows[0]?.['seconds']) * 1_000);
  }
}
