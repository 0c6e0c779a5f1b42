import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { dialect } from '../config/settings.js';
import { killSession } from './mysql-session.js';

/** How long either end of a connection waits for the other. */
export const CONNECTION_LIMITS = {
  /** We close a connection when its pending command receives no data for this long. */
  maxSilenceMs: 15_000,
  /** The database aborts a pool statement after this time, before we drop the connection. */
  maxStatementMs: 14_000,
  /** How long the database keeps an idle connection, with its locks and its open transaction. */
  maxIdleSeconds: 20,
  /** We close idle connections before the database, or anything in between, drops them. */
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
 * Limits how long either end waits for a peer that vanished. When we close a connection, the caller gets a
 * 503; when the server does, it rolls back the open transaction and releases its locks. `databaseUrl`: where
 * to kill the session of a statement that we gave up on.
 */
export function applyTimeouts(connection: MysqlConnection, databaseUrl?: string): void {
  connection.stream.setTimeout(CONNECTION_LIMITS.maxSilenceMs);
  // Not the callback of `setTimeout`: it fires only on the first silence, which may be an idle one.
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
 * Each server executes the comment meant for it. MariaDB aborts any slow statement, MySQL only slow reads:
 * other statements end with their session, once we have given up on them.
 */
const limitStatements = (maxMs: number): string =>
  `/*M! SET SESSION max_statement_time = ${maxMs / 1_000} */ /*!50708 SET SESSION max_execution_time = ${maxMs} */`;
