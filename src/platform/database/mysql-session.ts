import { createPool, type Pool, type PoolOptions } from 'mysql2';
import { createConnection } from 'mysql2/promise';

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

/** The parts of a mysql2 connection that are used here. */
export interface MysqlSession {
  query(sql: string, callback: (error: unknown) => void): unknown;
  destroy(): unknown;
}

/** Sets up the session before its first statement; closes the connection if that fails. */
export function beginSession(connection: MysqlSession): void {
  for (const statement of [STATEMENT, ISOLATION])
    connection.query(statement, (error) => {
      if (error) connection.destroy();
    });
}

/** The driver for TypeORM; it sets up the session of every pool connection. */
export const mysqlDriver = (): object => ({
  createPool(options: PoolOptions): Pool {
    const pool = createPool(options);
    pool.on('connection', beginSession);
    return pool;
  },
});

const TIMEOUT_MS = 5_000;

/**
 * Kills a session whose client has given up, with its statement and locks: the database itself would notice
 * only on sending an answer. Uses a separate connection, since the pool may be exhausted. Never throws.
 */
export async function killSession(databaseUrl: string, threadId: number | undefined): Promise<void> {
  if (threadId === undefined) return;
  try {
    const uri = databaseUrl.replace(/^mariadb:/, 'mysql:');
    const connection = await createConnection({ uri, connectTimeout: TIMEOUT_MS });
    connection.on('error', () => undefined);
    await connection
      .query({ sql: `KILL ${threadId}`, timeout: TIMEOUT_MS })
      .finally(() => connection.destroy());
  } catch {
    // The session has already ended, or the database is unreachable.
  }
}
