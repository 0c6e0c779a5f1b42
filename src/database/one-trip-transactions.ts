import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Connection, createConnection } from 'mysql2/promise';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from './database-errors.js';
import { guardAgainstSilence } from './silence-guard.js';
import type { Statement } from './statement.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Transactions on MySQL in one round trip, over a connection of their own: for work whose statements are all known
 * beforehand, where four trips would take longer than the commit. It alone may send several statements at once, and
 * takes constant texts with parameters only.
 */
@Injectable()
export class OneTripTransactions implements OnApplicationShutdown {
  private connection: Promise<Connection> | undefined;

  constructor(private readonly settings: Settings) {}

  get isSupported(): boolean {
    return this.settings.databaseUrl !== undefined;
  }

  /**
   * All statements or none. One call at a time. Throws what the driver throws; from `onSending` on a lost connection may
   * mean that they were stored.
   */
  async run(statements: readonly Statement[], onSending: () => void): Promise<void> {
    const connection = await (this.connection ??= this.connect());
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
  }

  async onApplicationShutdown(): Promise<void> {
    const connection = await this.connection?.catch(() => undefined);
    await connection?.end().catch(() => connection.destroy());
  }

  private async connect(): Promise<Connection> {
    const uri = this.settings.databaseUrl?.replace(/^mariadb:/, 'mysql:') ?? '';
    try {
      const connection = await createConnection({
        uri,
        charset: 'utf8mb4',
        timezone: 'Z',
        connectTimeout: CONNECT_TIMEOUT_MS,
        enableKeepAlive: true,
        multipleStatements: true,
      });
      connection.on('error', () => this.discard(connection));
      guardAgainstSilence(
        (connection as unknown as { connection: Parameters<typeof guardAgainstSilence>[0] }).connection,
      );
      return connection;
    } catch (error) {
      this.connection = undefined;
      throw error;
    }
  }

  private async rollBack(connection: Connection, error: unknown): Promise<void> {
    if (isDatabaseUnavailable(error)) return this.discard(connection); // the server rolls back what it never finished
    await connection.query('ROLLBACK').catch(() => this.discard(connection));
  }

  private discard(connection: Connection): void {
    connection.destroy();
    this.connection = undefined;
  }
}
