import type { Pool } from 'mysql2';
import { type DataSource, QueryFailedError } from 'typeorm';
import { dialect } from '../config/settings.js';

/**
 * Sends statements outside a transaction straight to the MySQL pool. TypeORM creates a query runner for each,
 * with broadcasts to subscribers that do not exist, and the promises of the driver capture a stack.
 */
export function queryPoolDirectly(dataSource: DataSource): void {
  if (dialect !== 'mysql') return;
  const { pool } = dataSource.driver as unknown as { pool: Pool };
  dataSource.query = async (sql, parameters = [], runner) => {
    if (runner) return (await runner.query(sql, parameters)) as never;
    dataSource.logger.logQuery(sql, parameters);
    try {
      return await answerOf(pool, sql, parameters as unknown[]);
    } catch (error) {
      dataSource.logger.logQueryError(error as Error, sql, parameters);
      throw new QueryFailedError(sql, parameters, error as Error);
    }
  };
}

function answerOf<T>(pool: Pool, sql: string, parameters: unknown[]): Promise<T> {
  return new Promise((resolve, reject) => {
    pool.getConnection((noConnection, connection) => {
      if (noConnection) return reject(noConnection);
      connection.query(sql, parameters, (error, rows) => {
        connection.release();
        if (error) reject(error);
        else resolve(rows as T);
      });
    });
  });
}
