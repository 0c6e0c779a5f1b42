import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { dialect } from '../config/dialect.js';

const MAX_SILENCE_MS = 15_000;
/** How long the database keeps an idle connection, with its locks and its open transaction. */
export const MAX_IDLE_SECONDS = 20;
/** Idle connections are closed before the database, or anything on the way, drops them. */
export const IDLE_TIMEOUT_MS = 10_000;

/** The private fields of a mysql2 connection: its socket, the pending command, and whether `end` was called. */
export interface MysqlConnection {
  readonly stream: Socket;
  readonly _command?: unknown;
  readonly _closing?: boolean;
  query(sql: string, callback: () => void): unknown;
}

interface MysqlPool {
  on(event: 'acquire', listener: (connection: MysqlConnection) => void): void;
}

/**
 * Limits how long either end waits for a peer that vanished. Our end closes a connection whose pending command gets no
 * data for 15 s, so that the caller gets a 503. The server closes idle connections after 20 s, which rolls back open
 * transactions and releases their locks. `extraStatements` run in the same round trip; they need `multipleStatements`.
 */
export function applyTimeouts(connection: MysqlConnection, ...extraStatements: readonly string[]): void {
  connection.stream.setTimeout(MAX_SILENCE_MS, () => {
    if (!connection._command) {
      if (connection._closing) connection.stream.destroy(); // COM_QUIT is never answered
      return; // idle
    }
    connection.stream.destroy(
      Object.assign(new Error('The database has stopped answering.'), { code: 'ETIMEDOUT' }),
    );
  });
  const statements = [`SET SESSION wait_timeout = ${MAX_IDLE_SECONDS}`, ...extraStatements];
  connection.query(statements.join(';'), () => undefined); // if this fails, later commands fail too
}

/** Applies the timeouts to every connection of a data source, including those that are already open. */
export function applyPoolTimeouts(dataSource: DataSource): void {
  if (dialect !== 'mysql') return;
  const { pool } = dataSource.driver as unknown as { pool: MysqlPool };
  const configured = new WeakSet<MysqlConnection>();
  pool.on('acquire', (connection) => {
    if (configured.has(connection)) return;
    configured.add(connection);
    applyTimeouts(connection);
  });
}
