import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from './database-errors.js';
import { guardAgainstSilence, type MysqlConnection, REST_MS } from './silence-guard.js';
import type { Statement } from './statement.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** As in the pool: what is read behind a lock must be newer than the wait for it, and an UPDATE locks no gaps. */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/**
 * Transactions on MySQL in one round trip, over connections of their own: for work whose statements are all known
 * beforehand, where four trips would take longer than the commit. They alone may send several statements at once, and
 * take constant texts with parameters only. A connection carries one transaction at a time; there are as many as
 * callers at once.
 */
@Injectable()
export class OneTripTransactions implements OnApplicationShutdown {
  private readonly idle: { readonly connection: Connection; readonly since: number }[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(private readonly settings: Settings) {}

  get isSupported(): boolean {
    return this.settings.databaseUrl !== undefined;
  }

  /**
   * All statements or none. Throws what the driver throws; from `onSending` on a lost connection may
   * mean that they were stored.
   */
  async run(statements: readonly Statement[], onSending: () => void): Promise<void> {
    const connection = this.takeIdle() ?? (await this.connect());
    onSending();
    const text = statements.map((statement) => statement.sql).join(';');
    try {
      await connection.query(
        `START TRANSACTION;${text};COMMIT`,
        statements.flatMap((statement) => statement.parameters),
      );
    } catch (error) {
      await this.rollBack(connection, error);
      throw error;
    }
    this.release(connection);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    await Promise.all(this.idle.splice(0).map(({ connection }) => leave(connection)));
  }

  /** The one used last. */
  private takeIdle(): Connection | undefined {
    this.leaveRested();
    return this.idle.pop()?.connection;
  }

  /** Those that have rested too long are closed, before the database does it. */
  private leaveRested(): void {
    const tooLongSince = performance.now() - REST_MS;
    while (this.idle[0] && this.idle[0].since < tooLongSince) {
      const rested = this.idle.shift();
      if (rested) void leave(rested.connection);
    }
  }

  private async connect(): Promise<Connection> {
    const uri = this.settings.databaseUrl?.replace(/^mariadb:/, 'mysql:') ?? '';
    const connection = await createConnection({
      uri,
      charset: 'utf8mb4',
      timezone: 'Z',
      connectTimeout: CONNECT_TIMEOUT_MS,
      enableKeepAlive: true,
      multipleStatements: true,
    });
    connection.on('error', () => this.discard(connection));
    guardAgainstSilence((connection as unknown as { connection: MysqlConnection }).connection, ISOLATION);
    return connection;
  }

  private release(connection: Connection): void {
    if (this.isOver) return void leave(connection);
    this.idle.push({ connection, since: performance.now() });
    this.timer ??= setInterval(() => this.leaveRested(), REST_MS / 4).unref();
  }

  private async rollBack(connection: Connection, error: unknown): Promise<void> {
    if (isDatabaseUnavailable(error)) return this.discard(connection); // the server rolls back what it never finished
    try {
      await connection.query('ROLLBACK');
      this.release(connection);
    } catch {
      this.discard(connection);
    }
  }

  private discard(connection: Connection): void {
    const place = this.idle.findIndex((one) => one.connection === connection);
    if (place >= 0) this.idle.splice(place, 1);
    connection.destroy();
  }
}

/** Takes leave of the database, so that it does not miss the connection; waits for nobody and never fails. */
function leave(connection: Connection): Promise<void> {
  return connection.end().catch(() => connection.destroy());
}
