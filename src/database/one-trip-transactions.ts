import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from './database-errors.js';
import { guardAgainstSilence, type MysqlConnection, REST_MS } from './silence-guard.js';
import type { Statement } from './statement.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Transactions on MySQL in one round trip, over connections of their own: for work whose statements are all known
 * beforehand, where four trips would take longer than the commit. They alone may send several statements at once, and
 * take constant texts with parameters only. A connection carries one transaction at a time; there are as many as
 * callers at once.
 */
@Injectable()
export class OneTripTransactions implements OnApplicationShutdown {
  private readonly idle: { readonly connection: Connection; readonly since: number }[] = [];
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
    const idle = this.idle.splice(0);
    await Promise.all(idle.map(({ connection }) => connection.end().catch(() => connection.destroy())));
  }

  /** The one used last; those that have rested too long are closed. */
  private takeIdle(): Connection | undefined {
    const tooLongSince = performance.now() - REST_MS;
    while (this.idle[0] && this.idle[0].since < tooLongSince) this.idle.shift()?.connection.destroy();
    return this.idle.pop()?.connection;
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
    guardAgainstSilence((connection as unknown as { connection: MysqlConnection }).connection);
    return connection;
  }

  private release(connection: Connection): void {
    if (this.isOver) connection.destroy();
    else this.idle.push({ connection, since: performance.now() });
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
