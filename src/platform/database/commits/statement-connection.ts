import { type Connection, createConnection } from 'mysql2/promise';
import { isDatabaseUnavailable } from '../database-errors.js';
import { applyTimeouts, CONNECTION_LIMITS, type MysqlConnection } from '../connection-timeouts.js';
import { beginSession, type MysqlSession } from '../mysql-session.js';
import { affectedOf, type Statement } from '../statement.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A MySQL connection that runs a transaction in one round trip, where separate round trips would take longer than the
 * commit. It runs one transaction at a time, opens on demand, and closes when idle.
 *
 * It is separate from the pool because `multipleStatements` is fixed when a connection opens: enabled in the pool, it
 * would turn any SQL injection into arbitrary statements. Only constant statements with parameters are sent here. Also,
 * a commit does not wait for the pool while slow reads occupy it.
 */
export class StatementConnection {
  private connection: Connection | undefined;
  private readonly idleTimer: NodeJS.Timeout;
  private isBusy = false;
  private isClosed = false;

  constructor(private readonly databaseUrl: string) {
    this.idleTimer = setTimeout(() => void this.disconnect(), CONNECTION_LIMITS.closeIdleAfterMs).unref();
  }

  /**
   * Runs the statements in one transaction. Returns the number of rows that each changed. Throws the driver's errors; a
   * connection lost after `onSending` may have committed.
   */
  async run(statements: readonly Statement[], onSending: () => void): Promise<number[]> {
    this.isBusy = true;
    try {
      const connection = (this.connection ??= await this.connect());
      onSending();
      return await this.send(connection, statements);
    } finally {
      this.isBusy = false;
      if (this.isClosed) await this.disconnect();
      else this.idleTimer.refresh();
    }
  }

  /** Closes the connection gracefully; never throws. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idleTimer);
    await this.disconnect();
  }

  private async send(connection: Connection, statements: readonly Statement[]): Promise<number[]> {
    try {
      const [answers] = await connection.query(...inOne(statements));
      return (answers as unknown as unknown[]).slice(1, -1).map(affectedOf);
    } catch (error) {
      // The server rolls back an unfinished transaction when its connection closes.
      if (isDatabaseUnavailable(error)) this.discard(connection);
      else await connection.query('ROLLBACK').catch(() => this.discard(connection));
      throw error;
    }
  }

  private async connect(): Promise<Connection> {
    const connection = await createConnection({
      uri: this.databaseUrl.replace(/^mariadb:/, 'mysql:'),
      charset: 'utf8mb4',
      timezone: 'Z',
      connectTimeout: CONNECT_TIMEOUT_MS,
      enableKeepAlive: true,
      multipleStatements: true,
      trace: false, // stacks are expensive, and a shared commit loses the caller's anyway
    });
    connection.on('error', () => this.discard(connection));
    const { connection: session } = connection as unknown as { connection: MysqlConnection & MysqlSession };
    beginSession(session);
    applyTimeouts(session, this.databaseUrl);
    return connection;
  }

  private async disconnect(): Promise<void> {
    const { connection } = this;
    if (!connection || this.isBusy) return;
    this.connection = undefined;
    await connection.end().catch(() => connection.destroy());
  }

  private discard(connection: Connection): void {
    if (this.connection === connection) this.connection = undefined;
    connection.destroy();
  }
}

/** Combines the statements into one query. Not with `flatMap`, which takes as long as the driver. */
function inOne(statements: readonly Statement[]): [sql: string, values: unknown[]] {
  let text = 'START TRANSACTION;';
  const values: unknown[] = [];
  for (const { sql, parameters } of statements) {
    text += `${sql};`;
    for (const value of parameters) values.push(value);
  }
  return [`${text}COMMIT`, values];
}
