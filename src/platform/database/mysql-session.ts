import { createPool, type Pool, type PoolOptions } from 'mysql2';

/**
 * How each session begins, whatever the server's defaults are: values that do not fit are refused, not cut; statements
 * are read as the driver writes them, which matters for its escaping; each statement outside a transaction is committed.
 * MySQL 8 and MariaDB know all of these.
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

/** What is used of a mysql2 connection. */
export interface MysqlSession {
  query(sql: string, callback: (error: unknown) => void): unknown;
  destroy(): unknown;
}

/** Sets the session up before its first statement. If that fails, the connection is closed. */
export function beginSession(connection: MysqlSession): void {
  for (const statement of [STATEMENT, ISOLATION])
    connection.query(statement, (error) => {
      if (error) connection.destroy();
    });
}

/** The driver for TypeORM: every connection of its pools begins as a session of ours. */
export const mysqlDriver = (): object => ({
  createPool(options: PoolOptions): Pool {
    const pool = createPool(options);
    pool.on('connection', beginSession);
    return pool;
  },
});
