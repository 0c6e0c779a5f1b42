import type { Connection } from 'mysql2/promise';
import { isDatabaseUnavailable } from '../database-errors.js';
import { CONNECTION_LIMITS, connectToMysql } from '../mysql-session.js';
import type { Statement } from '../statement.js';

/**
 * A MySQL connection that runs a transaction in one round trip: BEGIN, inserts and COMMIT one by one cost a quarter to a
 * third of the throughput of posting (docs/decisions/0041-statement-connections.md). It runs one transaction at a time,
 * opens on demand, and closes when idle.
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

  /** Returns the number of rows that each statement changed. A connection lost after `onSending` may have committed. */
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
    const options = {
      charset: 'utf8mb4',
      timezone: 'Z',
      multipleStatements: true,
      trace: false, // stacks are expensive, and a shared commit loses the caller's anyway
    };
    const connection = await connectToMysql(this.databaseUrl, options, true);
    connection.on('error', () => this.discard(connection));
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

function affectedOf(answer: unknown): number {
  const { affectedRows } = (answer ?? {}) as { readonly affectedRows?: unknown };
  return typeof affectedRows === 'number' ? affectedRows : 0;
}
