import { type Connection, createConnection } from 'mysql2/promise';
import { isDatabaseUnavailable } from '../database-errors.js';
import { guardAgainstSilence, type MysqlConnection, REST_MS } from '../silence-guard.js';
import { affectedOf, type Statement } from '../statement.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** As in the pool: what is read behind a lock must be newer than the wait for it, and an UPDATE locks no gaps. */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/**
 * A connection to MySQL for transactions in one round trip, where four trips would take longer than the commit. It
 * carries one transaction at a time, is opened when it is needed, and closed once it has rested for a while.
 *
 * It is not one of the main pool because a connection either takes several statements in one text or does not, for as
 * long as it lives. With `multipleStatements` in the pool, a hole in any query of the program would let an attacker
 * add whole statements; here only constant texts with parameters go in. Nor does a commit wait for the pool while slow
 * reads have all of it.
 */
export class StatementConnection {
  private connection: Connection | undefined;
  private readonly restTimer: NodeJS.Timeout;
  private isBusy = false;
  private isClosed = false;

  constructor(private readonly databaseUrl: string) {
    this.restTimer = setTimeout(() => void this.leave(), REST_MS).unref();
  }

  /**
   * All statements or none; gives the number of rows that each has changed. Throws what the driver throws; from
   * `onSending` on a lost connection may mean that they were stored.
   */
  async run(statements: readonly Statement[], onSending: () => void): Promise<number[]> {
    this.isBusy = true;
    try {
      const connection = (this.connection ??= await this.connect());
      onSending();
      return await this.send(connection, statements);
    } finally {
      this.isBusy = false;
      if (this.isClosed) await this.leave();
      else this.restTimer.refresh();
    }
  }

  /** Closes the connection gracefully; never throws. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.restTimer);
    await this.leave();
  }

  private async send(connection: Connection, statements: readonly Statement[]): Promise<number[]> {
    try {
      const [answers] = await connection.query(
        `START TRANSACTION;${statements.map(({ sql }) => sql).join(';')};COMMIT`,
        statements.flatMap(({ parameters }) => parameters),
      );
      return (answers as unknown as unknown[]).slice(1, -1).map(affectedOf);
    } catch (error) {
      // Of what it never finished the server rolls back everything once the connection is gone.
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
    });
    connection.on('error', () => this.discard(connection));
    guardAgainstSilence((connection as unknown as { connection: MysqlConnection }).connection, ISOLATION);
    return connection;
  }

  private async leave(): Promise<void> {
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
