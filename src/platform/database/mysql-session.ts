import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Pool, PoolOptions } from 'mysql2';
import type { Connection, ConnectionOptions } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { dialect } from '../config/settings.js';

/**
 * The session variables, independent of server defaults: values that do not fit are rejected, not truncated;
 * statements are parsed the way the driver writes and escapes them; each statement outside a transaction
 * commits. MySQL 8 and MariaDB support all of these.
 */
const VARIABLES = {
  sql_mode:
    "'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  autocommit: '1',
  foreign_key_checks: '1',
  unique_checks: '1',
  sql_safe_updates: '0',
  sql_select_limit: '18446744073709551615',
  time_zone: "'+00:00'",
  character_set_client: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  character_set_results: 'utf8mb4',
  collation_connection: 'utf8mb4_bin',
};

const STATEMENT = `SET ${Object.entries(VARIABLES)
  .map(([name, value]) => `SESSION ${name} = ${value}`)
  .join(', ')}`;

/** Reads after waiting for a lock see what its holder committed, and an UPDATE takes no gap locks. */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

const TIMEOUT_MS = 5_000;

/** The URL in the form that the driver understands. */
export const mysqlUrl = (databaseUrl: string): string => databaseUrl.replace(/^mariadb:/, 'mysql:');

/** Sets up the session before its first statement; closes the connection if that fails. */
function beginSession(connection: Pick<MysqlConnection, 'query' | 'destroy'>): void {
  for (const statement of [STATEMENT, ISOLATION])
    connection.query(statement, (error) => {
      if (error) connection.destroy();
    });
}

/** The driver for TypeORM; it sets up the session of every pool connection. */
export const mysqlDriver = (): object => ({
  createPool(options: PoolOptions): Pool {
    // Loaded only here, because a server on the embedded database starts faster without it.
    const mysql2 = createRequire(__filename)('mysql2') as typeof import('mysql2');
    const pool = mysql2.createPool(options);
    pool.on('connection', beginSession);
    return pool;
  },
});

/** Opens a connection outside the pool. With `killsGivenUp`, the database also ends a statement without an answer. */
export async function connectToMysql(
  databaseUrl: string,
  options: ConnectionOptions,
  killsGivenUp: boolean,
): Promise<Connection> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({
    uri: mysqlUrl(databaseUrl),
    connectTimeout: TIMEOUT_MS,
    enableKeepAlive: true,
    ...options,
  });
  const { connection: session } = connection as unknown as { connection: MysqlConnection };
  beginSession(session);
  applyTimeouts(session, killsGivenUp ? databaseUrl : undefined);
  return connection;
}

/**
 * Kills a session whose client has given up, with its statement and locks: the database itself would notice
 * only on sending an answer. Uses a separate connection, since the pool may be exhausted. Never throws.
 */
async function killSession(databaseUrl: string, threadId: number | undefined): Promise<void> {
  if (threadId === undefined) return;
  try {
    const { createConnection } = await import('mysql2/promise');
    const connection = await createConnection({ uri: mysqlUrl(databaseUrl), connectTimeout: TIMEOUT_MS });
    connection.on('error', () => undefined);
    await connection
      .query({ sql: `KILL ${threadId}`, timeout: TIMEOUT_MS })
      .finally(() => connection.destroy());
  } catch {
    // The session has already ended, or the database is unreachable.
  }
}

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
  destroy(): unknown;
}

interface MysqlPool {
  on(event: 'acquire', listener: (connection: MysqlConnection) => void): void;
}

/**
 * Limits how long either end waits for a peer that vanished. When we close a connection, the caller gets a
 * 503; when the server does, it rolls back the open transaction and releases its locks. `databaseUrl`: where
 * to kill the session of a statement that we gave up on.
 */
export function applyTimeouts(connection: Omit<MysqlConnection, 'destroy'>, databaseUrl?: string): void {
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
