import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { dialect } from '../config/dialect.js';
import { killSession } from './kill-session.js';

/** How long either end of a connection waits for the other. */
export const CONNECTION_LIMITS = {
  /** Our end closes a connection whose pending command gets no data for so long. */
  maxSilenceMs: 15_000,
  /** The database ends a statement of the pool after so long: before we give it up, so that it does not go on for nobody. */
  maxStatementMs: 14_000,
  /** How long the database keeps an idle connection, with its locks and its open transaction. */
  maxIdleSeconds: 20,
  /** Our end closes idle connections before the database, or anything on the way, drops them. */
  closeIdleAfterMs: 10_000,
};

/** The private fields of a mysql2 connection: its socket, the pending command, and whether `end` was called. */
export interface MysqlConnection {
  readonly stream: Socket;
  readonly _command?: unknown;
  readonly _closing?: boolean;
  readonly threadId?: number;
  query(sql: string, callback: (error: unknown) => void): unknown;
}

interface MysqlPool {
  on(event: 'acquire', listener: (connection: MysqlConnection) => void): void;
}

/**
 * Limits how long either end waits for a peer that vanished. When our end closes a connection, the caller gets a 503; when
 * the server does, that rolls back an open transaction and releases its locks. `databaseUrl`: where to end the session of a
 * statement that our end gave up.
 */
export function applyTimeouts(connection: MysqlConnection, databaseUrl?: string): void {
  connection.stream.setTimeout(CONNECTION_LIMITS.maxSilenceMs);
  // Not the listener of `setTimeout`, which hears of the first silence only, and that may be an idle one.
  connection.stream.on('timeout', () => {
    if (!connection._command) {
      if (connection._closing) connection.stream.destroy(); // COM_QUIT is never answered
      return; // idle
    }
    if (databaseUrl !== undefined) void killSession(databaseUrl, connection.threadId);
    connection.stream.destroy(
      Object.assign(new Error('The database has stopped answering.'), { code: 'ETIMEDOUT' }),
    );
  });
  const statement = `SET SESSION wait_timeout = ${CONNECTION_LIMITS.maxIdleSeconds}`;
  connection.query(statement, () => undefined); // if this fails, later commands fail too
}

/** Applies the timeouts to every connection of a data source, including those that are already open. */
export function applyPoolTimeouts(dataSource: DataSource): void {
  if (dialect !== 'mysql') return;
  const { pool } = dataSource.driver as unknown as { pool: MysqlPool };
  const { url } = dataSource.options as { readonly url?: string };
  const configured = new WeakSet<MysqlConnection>();
  pool.on('acquire', (connection) => {
    if (configured.has(connection)) return;
    configured.add(connection);
    applyTimeouts(connection, url);
    connection.query(limitStatements(CONNECTION_LIMITS.maxStatementMs), () => undefined);
  });
}

/**
 * Each server reads the comment that is meant for it as a statement. MariaDB ends whatever takes too long, MySQL only
 * statements that read: others end with their session, once our end has given them up.
 */
const limitStatements = (maxMs: number): string =>
  `/*M! SET SESSION max_statement_time = ${maxMs / 1_000} */ /*!50708 SET SESSION max_execution_time = ${maxMs} */`;
